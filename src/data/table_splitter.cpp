#include "data/table_splitter.hpp"

#include <algorithm>
#include <utility>

#include "data/refuse.hpp"

namespace ktln2::data {
namespace {

constexpr std::size_t longest_cell = 1 << 20;
constexpr std::size_t longest_row = 1 << 26;
/// What a cell takes besides its text, everywhere the same.
constexpr std::size_t bytes_a_cell = 8;
/// So much is taken apart before the limits are looked at.
constexpr std::size_t most_at_once = 1 << 16;

bool ends_line(char c) { return c == '\r' || c == '\n'; }

}  // namespace

table_splitter::table_splitter(std::string file, char delimiter)
    : file_{std::move(file)}, machine_{delimiter} {}

void table_splitter::refuse(const std::string& what) const {
  refuse_file(file_, "line " + std::to_string(row_line_) + ": " + what);
}

void table_splitter::feed(std::string_view text, const row_handler& f) {
  while (!text.empty()) {
    const std::string_view front = text.substr(0, most_at_once);
    const auto end = std::find_if(front.begin(), front.end(), ends_line);
    const bool has_end = end != front.end();
    const auto length = static_cast<std::size_t>(end - front.begin()) + (has_end ? 1 : 0);
    feed_within_line(front.substr(0, length), f);
    if (has_end) count_line(*end);
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
  machine_.take(part);
  check_limits();
  hand_out(f);
}

/// "\r\n" is one end of a line.
void table_splitter::count_line(char end) {
  const bool is_second_half = end == '\n' && was_carriage_return_;
  was_carriage_return_ = end == '\r';
  if (!is_second_half) ++line_;
  is_at_line_start_ = true;
  if (machine_.is_between_rows()) row_line_ = line_;
}

void table_splitter::check_limits() const {
  if (machine_.open_bytes() > longest_cell) {
    refuse("has a cell of more than " + std::to_string(longest_cell) +
           " bytes: perhaps a quote is not closed");
  }
  if (machine_.closed_bytes() + machine_.closed_cells() * bytes_a_cell > longest_row) {
    refuse("is longer than " + std::to_string(longest_row) + " bytes");
  }
}

void table_splitter::hand_out(const row_handler& f) {
  if (!machine_.has_row()) return;
  is_before_rows_ = false;
  f(row_line_, machine_.cells());
  machine_.drop_row();
}

void table_splitter::finish(const row_handler& f) {
  if (machine_.is_in_quotes()) refuse("has a quote that is not closed");
  machine_.finish();
  hand_out(f);
}

}  // namespace ktln2::data
