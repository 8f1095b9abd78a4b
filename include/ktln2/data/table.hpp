#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ktln2::data {

/// How a table is written, where its beginning does not show it.
struct table_options {
  std::optional<char> delimiter = {};  ///< one of , ; tab | where not given
  bool decimal_comma = false;          ///< 1,5 for 1.5
  std::optional<bool> has_header = {};
};

/// Names for `delimiter`: "comma", "semicolon", "tab", "bar", or the character itself. Throws
/// std::domain_error.
char parse_delimiter(std::string_view name);

struct table_column {
  std::string name;  ///< from the header, else "column 3"
  bool is_number = true;
};

/// What the beginning of a table shows.
struct table_layout {
  char delimiter = ',';
  bool decimal_comma = false;
  bool has_header = false;
  std::size_t start = 0;  ///< behind a byte order mark
  std::vector<table_column> columns = {};
};

/// From the first bytes, which are the whole table or at least one row of it. A column is one of
/// text if most of its first cells that hold anything are no numbers; the first row is a header if
/// it holds no number, or a text above numbers. Throws file_error.
table_layout guess_table_layout(const std::string& file, std::string_view front, bool is_whole,
                                const table_options& options);

class source;

/// The rows of some columns from the first on, as numbers: for who needs them together, as a
/// regression does. In memory that does not grow with the table.
class table_rows {
 public:
  table_rows(std::shared_ptr<source> from, table_layout layout, std::vector<std::size_t> columns);
  ~table_rows();
  table_rows(const table_rows&) = delete;
  table_rows& operator=(const table_rows&) = delete;
  table_rows(table_rows&&) = delete;
  table_rows& operator=(table_rows&&) = delete;

  /// Replaces `values` by the next rows, row by row, and says how many there are, at most about
  /// `most`; none at the end. A missing cell is NaN. Throws file_error that names line and column
  /// for a cell that is no number, and for a row that has more or fewer cells than the first.
  std::size_t next(std::vector<double>& values, std::size_t most);

 private:
  class reading;
  std::unique_ptr<reading> reading_;
};

/// A table in a file; "-" is standard input.
class table {
 public:
  /// Throws file_error.
  explicit table(const std::string& path, const table_options& options = {});

  /// The file, as messages call it.
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const table_layout& layout() const { return layout_; }
  /// The column of that name, or else of that number, from 1 on. Throws file_error if there is
  /// none, if there are two, or if it holds text.
  [[nodiscard]] std::size_t column(std::string_view name) const;
  /// Standard input cannot.
  [[nodiscard]] bool can_be_read_again() const;
  [[nodiscard]] std::unique_ptr<table_rows> rows(std::vector<std::size_t> columns) const;

 private:
  std::shared_ptr<source> from_;
  table_layout layout_;
};

}  // namespace ktln2::data
