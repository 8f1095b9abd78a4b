#include "data/table_splitter.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

constexpr std::size_t longest_cell = 1 << 20;
constexpr std::size_t longest_row = 1 << 26;
/// So much is given to libcsv before the limits are looked at.
constexpr std::size_t most_at_once = 1 << 16;

/// Of the states of libcsv, which its header does not name.
constexpr int before_a_row = 0;
constexpr int after_a_closing_quote = 3;

}  // namespace

table_splitter::table_splitter(std::string file, char delimiter) : file_{std::move(file)} {
  // It allocates nothing yet.
  csv_init(&parser_, 0);
  csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
}

table_splitter::~table_splitter() { csv_free(&parser_); }

void table_splitter::refuse(const std::string& what) const {
  refuse_file(file_, "line " + std::to_string(row_line_) + ": " + what);
}

void table_splitter::keep_cell(void* text, std::size_t length, void* self) {
  auto& splitter = *static_cast<table_splitter*>(self);
  if (text != nullptr) splitter.text_.append(static_cast<const char*>(text), length);
  splitter.ends_.push_back(splitter.text_.size());
}

void table_splitter::keep_row(int /*end*/, void* self) {
  static_cast<table_splitter*>(self)->is_complete_ = true;
}

void table_splitter::feed(std::string_view text, const row_handler& f) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const bool has_end = end < most_at_once;
    const std::size_t length = has_end ? end + 1 : std::min(text.size(), most_at_once);
    feed_within_line(text.substr(0, length), f);
    if (has_end) count_line(text[end]);
    text.remove_prefix(length);
  }
}

/// A part of a line that perhaps ends it.
void table_splitter::feed_within_line(std::string_view part, const row_handler& f) {
  if (is_at_line_start_ && is_before_rows_) is_in_comment_ = part.starts_with('#');
  is_at_line_start_ = false;
  if (part.find('\0') != std::string_view::npos) {
    row_line_ = line_;
    refuse("has a byte 0, expected text in UTF-8");
  }
  if (is_in_comment_) return;
  if (csv_parse(&parser_, part.data(), part.size(), keep_cell, keep_row, this) != part.size()) {
    throw std::bad_alloc();
  }
  check_limits();
  hand_out(f);
}

/// "\r\n" is one end of a line.
void table_splitter::count_line(char end) {
  const bool is_second_half = end == '\n' && was_carriage_return_;
  was_carriage_return_ = end == '\r';
  if (!is_second_half) ++line_;
  is_at_line_start_ = true;
  if (parser_.pstate == before_a_row) row_line_ = line_;
}

void table_splitter::check_limits() const {
  if (parser_.entry_pos > longest_cell) {
    refuse("has a cell of more than " + std::to_string(longest_cell) +
           " bytes: perhaps a quote is not closed");
  }
  if (text_.size() + ends_.size() * sizeof(ends_[0]) > longest_row) {
    refuse("is longer than " + std::to_string(longest_row) + " bytes");
  }
}

/// A line ends at most one row.
void table_splitter::hand_out(const row_handler& f) {
  if (!is_complete_) return;
  cells_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    cells_.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
  is_before_rows_ = false;
  f(row_line_, cells_);
  text_.clear();
  ends_.clear();
  is_complete_ = false;
}

void table_splitter::finish(const row_handler& f) {
  if (parser_.quoted != 0 && parser_.pstate != after_a_closing_quote) {
    refuse("has a quote that is not closed");
  }
  csv_fini(&parser_, keep_cell, keep_row, this);
  hand_out(f);
}

}  // namespace ktln2::data
