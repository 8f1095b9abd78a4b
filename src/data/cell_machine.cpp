#include "data/cell_machine.hpp"

#include <algorithm>

namespace ktln2::data {

void cell_machine::take(std::string_view part) {
  const char* at = part.data();
  const char* const end = at + part.size();
  while (at != end) {
    switch (state_) {
      case state::before_row:
      case state::before_cell:
        at = begin_cell(at);
        break;
      case state::in_cell:
        at = go_on(at, end);
        break;
      case state::in_quotes:
        at = go_on_in_quotes(at, end);
        break;
      case state::after_quote:
        at = after_quote(at);
        break;
    }
  }
}

const char* cell_machine::begin_cell(const char* at) {
  const char c = *at++;
  if (is_blank(c)) return at;
  if (c == '"') {
    state_ = state::in_quotes;
  } else if (c == delimiter_ || (ends_cell(c) && state_ == state::before_cell)) {
    end_cell(c);
  } else if (!ends_cell(c)) {
    state_ = state::in_cell;
    text_ += c;
  }
  return at;
}

const char* cell_machine::go_on(const char* at, const char* end) {
  const char* const stop = std::find_if(at, end, [this](char c) { return ends_cell(c); });
  text_.append(at, stop);
  if (stop == end) return end;
  drop_blanks();
  end_cell(*stop);
  return stop + 1;
}

/// The quote is kept until it is known to be the end.
const char* cell_machine::go_on_in_quotes(const char* at, const char* end) {
  const char* const quote = std::find(at, end, '"');
  if (quote == end) {
    text_.append(at, end);
    return end;
  }
  text_.append(at, quote + 1);
  state_ = state::after_quote;
  return quote + 1;
}

const char* cell_machine::after_quote(const char* at) {
  const char c = *at++;
  if (ends_cell(c)) {
    drop_blanks();
    text_.pop_back();
    end_cell(c);
  } else if (c == '"' && text_.back() == '"') {
    state_ = state::in_quotes;
  } else {
    text_ += c;
    if (c != '"' && !is_blank(c)) state_ = state::in_quotes;
  }
  return at;
}

/// Those at the end of the cell. It holds something else too.
void cell_machine::drop_blanks() {
  while (is_blank(text_.back())) text_.pop_back();
}

void cell_machine::end_cell(char by) {
  ends_.push_back(text_.size());
  has_row_ = by != delimiter_;
  state_ = has_row_ ? state::before_row : state::before_cell;
}

void cell_machine::finish() {
  if (state_ == state::before_row) return;
  if (state_ == state::in_cell || state_ == state::after_quote) drop_blanks();
  if (state_ == state::after_quote) text_.pop_back();
  end_cell('\n');
}

std::span<const std::string_view> cell_machine::cells() {
  cells_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    cells_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
  return cells_;
}

void cell_machine::drop_row() {
  text_.clear();
  ends_.clear();
  has_row_ = false;
}

}  // namespace ktln2::data
