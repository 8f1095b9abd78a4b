#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "data/cell_machine.hpp"

namespace ktln2::data {

/// What is done with a row: the number of the line that it begins in, from 1 on, and its cells.
using row_handler = std::function<void(std::size_t, std::span<const std::string_view>)>;

/// The text of a table taken apart into rows, as it comes, with lines counted and limits kept.
/// Empty lines are no rows, nor are lines before the first row that begin with '#'.
class table_splitter {
 public:
  table_splitter(std::string file, char delimiter);

  /// More text; its rows go to f. Throws file_error for a byte 0 and for what is too long, and what
  /// f throws.
  void feed(std::string_view text, const row_handler& f);
  /// The end, which may complete a row. Throws file_error for a quote that is not closed.
  void finish(const row_handler& f);

 private:
  void feed_within_line(std::string_view part, const row_handler& f);
  void count_line(char end);
  void hand_out(const row_handler& f);
  void check_limits() const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string file_;
  cell_machine machine_;
  std::size_t line_ = 1;
  std::size_t row_line_ = 1;
  bool was_carriage_return_ = false;
  bool is_at_line_start_ = true;
  bool is_before_rows_ = true;
  bool is_in_comment_ = false;
};

}  // namespace ktln2::data
