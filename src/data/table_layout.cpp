#include <algorithm>
#include <array>
#include <stdexcept>

#include "data/refuse.hpp"
#include "data/table_cell.hpp"
#include "data/table_splitter.hpp"
#include "ktln2/data/table.hpp"

namespace ktln2::data {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t rows_looked_at = 1000;
/// Each is counted in tables of its own.
constexpr std::size_t most_columns = 100'000;

/// How often each character occurs in a line outside of quotes. The comma comes last: where another
/// is in every line as well, it may be the decimal one.
constexpr std::string_view delimiters = "\t;|,";
using occurrences = std::array<std::size_t, delimiters.size()>;

occurrences occurrences_in(std::string_view line) {
  occurrences found{};
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') is_quoted = !is_quoted;
    const std::size_t which = delimiters.find(c);
    if (!is_quoted && which != std::string_view::npos) ++found.at(which);
  }
  return found;
}

/// The one that most lines have as often as the first line.
char guess_delimiter(std::string_view front, bool decimal_comma) {
  std::vector<occurrences> lines;
  while (!front.empty() && lines.size() < 100) {
    const std::size_t end = std::min(front.find_first_of("\r\n"), front.size());
    const std::string_view line = front.substr(0, end);
    front.remove_prefix(std::min(end + 1, front.size()));
    const bool is_comment = lines.empty() && line.starts_with('#');
    if (!line.empty() && !is_comment) lines.push_back(occurrences_in(line));
  }
  char best = decimal_comma ? ';' : ',';
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < delimiters.size() && !lines.empty(); ++i) {
    if (lines[0].at(i) == 0 || (decimal_comma && delimiters[i] == ',')) continue;
    const auto agree = std::count_if(lines.begin(), lines.end(), [&](const occurrences& line) {
      return line.at(i) == lines[0].at(i);
    });
    if (agree > most) {
      most = agree;
      best = delimiters[i];
    }
  }
  return best;
}

/// The cells of the first rows, by columns.
struct first_rows {
  std::vector<std::string> names;             ///< the first row's
  std::vector<std::vector<cell>> cells = {};  ///< [column][row]
};

first_rows look_at_rows(const std::string& file, std::string_view front, bool is_whole,
                        const table_layout& layout) {
  first_rows rows;
  table_splitter splitter{file, layout.delimiter};
  const auto keep = [&](std::size_t, std::span<const std::string_view> cells) {
    if (rows.cells.empty()) {
      rows.names.assign(cells.begin(), cells.end());
      rows.cells.resize(cells.size());
    }
    // A row of another length is an error, but not yet.
    if (cells.size() != rows.cells.size() || rows.cells[0].size() >= rows_looked_at) return;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      rows.cells[i].push_back(parse_cell(cells[i], layout.decimal_comma));
    }
  };
  splitter.feed(front, keep);
  if (is_whole) splitter.finish(keep);
  return rows;
}

bool is_text(const cell& one) { return one.what == cell::kind::text; }
bool is_numeric(const cell& one) { return one.is_numeric(); }

/// Whether most cells from the given row on that hold anything are no numbers.
bool holds_text(const std::vector<cell>& column, std::ptrdiff_t from) {
  const auto begin = column.begin() + std::min(from, std::ssize(column));
  return std::count_if(begin, column.end(), is_text) >
         std::count_if(begin, column.end(), is_numeric);
}

bool has_header(const first_rows& rows) {
  bool has_number = false;
  bool has_text = false;
  for (const std::vector<cell>& column : rows.cells) {
    const cell& top = column.front();
    const bool is_above_numbers =
        std::any_of(column.begin() + 1, column.end(), is_numeric) && !holds_text(column, 1);
    if (is_text(top) && is_above_numbers) return true;
    has_number = has_number || top.is_numeric();
    has_text = has_text || is_text(top);
  }
  return has_text && !has_number;
}

std::string column_name(const first_rows& rows, std::size_t i, bool is_named) {
  const std::string& name = rows.names[i];
  return is_named && !name.empty() ? name : "column " + std::to_string(i + 1);
}

}  // namespace

char parse_delimiter(std::string_view name) {
  for (const auto& [word, character] : std::initializer_list<std::pair<std::string_view, char>>{
           {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"bar", '|'}, {"\\t", '\t'}}) {
    if (name == word || name == std::string_view(&character, 1)) return character;
  }
  throw std::domain_error("delimiter must be comma, semicolon, tab or bar, got " + in_quotes(name));
}

table_layout guess_table_layout(const std::string& file, std::string_view front, bool is_whole,
                                const table_options& options) {
  if (front.starts_with("\xFF\xFE") || front.starts_with("\xFE\xFF")) {
    refuse_file(file, "is written in UTF-16, expected UTF-8");
  }
  table_layout layout{.decimal_comma = options.decimal_comma};
  if (front.starts_with(byte_order_mark)) layout.start = byte_order_mark.size();
  front.remove_prefix(layout.start);
  layout.delimiter = options.delimiter.value_or(guess_delimiter(front, options.decimal_comma));
  const first_rows rows = look_at_rows(file, front, is_whole, layout);
  if (rows.cells.empty()) refuse_file(file, "has no rows");
  if (rows.cells.size() > most_columns) {
    refuse_file(file, "has " + std::to_string(rows.cells.size()) + " columns, expected at most " +
                          std::to_string(most_columns));
  }
  layout.has_header = options.has_header.value_or(has_header(rows));
  for (std::size_t i = 0; i < rows.cells.size(); ++i) {
    layout.columns.push_back({column_name(rows, i, layout.has_header),
                              !holds_text(rows.cells[i], layout.has_header ? 1 : 0)});
    if (!is_utf8(layout.columns.back().name)) {
      refuse_file(file, "column " + std::to_string(i + 1) + ": its name " +
                            in_quotes(layout.columns.back().name) + " is no UTF-8");
    }
  }
  if (std::none_of(layout.columns.begin(), layout.columns.end(),
                   [](const table_column& one) { return one.is_number; })) {
    refuse_file(file, "has no column of numbers, between commas, semicolons, tabs or bars");
  }
  return layout;
}

}  // namespace ktln2::data
