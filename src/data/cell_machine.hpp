#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ktln2::data {

/// The text of a table taken apart into cells, which may be quoted. Blanks around a cell do not
/// count; two quotes in a quoted cell are one; a quote within an unquoted cell, or followed by more
/// than blanks, is a character like others; "\r" and "\n" end a row; empty lines are none. All of
/// that as libcsv has it, which judges it in the tests. It knows no limits.
class cell_machine {
 public:
  explicit cell_machine(char delimiter) : delimiter_{delimiter} {}

  /// More text. Only its last byte may end a line: a row that it ends is to be taken before more
  /// comes.
  void take(std::string_view part);
  /// The end of the text, which may complete a row.
  void finish();

  [[nodiscard]] bool has_row() const { return has_row_; }
  /// Of the row, in text that stays until more comes or it is dropped.
  std::span<const std::string_view> cells();
  void drop_row();

  [[nodiscard]] bool is_between_rows() const { return state_ == state::before_row; }
  [[nodiscard]] bool is_in_quotes() const { return state_ == state::in_quotes; }
  /// Of the cell that has not ended.
  [[nodiscard]] std::size_t open_bytes() const { return text_.size() - closed_bytes(); }
  /// Of the cells of the row that have ended.
  [[nodiscard]] std::size_t closed_bytes() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] std::size_t closed_cells() const { return ends_.size(); }

 private:
  enum class state {
    before_row,
    before_cell,
    in_cell,
    in_quotes,
    after_quote,  ///< in a quoted cell, and blanks: an end, or one of two
  };
  [[nodiscard]] bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  [[nodiscard]] bool ends_cell(char c) const { return c == delimiter_ || c == '\r' || c == '\n'; }
  const char* begin_cell(const char* at);
  const char* go_on(const char* at, const char* end);
  const char* go_on_in_quotes(const char* at, const char* end);
  const char* after_quote(const char* at);
  void drop_blanks();
  void end_cell(char by);

  char delimiter_;
  state state_ = state::before_row;
  bool has_row_ = false;
  std::string text_ = {};               ///< of the cells of this row
  std::vector<std::size_t> ends_ = {};  ///< of those that have ended, in it
  std::vector<std::string_view> cells_ = {};
};

}  // namespace ktln2::data
