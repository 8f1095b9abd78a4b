#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "ktln2/core/units.hpp"

namespace ktln2::paper {

struct column {
  std::string name;  ///< a word, as in the first row of the CSV
  std::string unit;  ///< "bits", "J"; empty for a plain number
  std::string meaning;
  bool is_error_bar = false;
};

/// The column of error bars beside exact values.
inline column error_bar(std::string unit = "bits") {
  return {"error", std::move(unit), "its error bar", true};
}

/// A number, plain or of bits, or a word.
struct cell : std::variant<double, std::string> {
  cell(double value) : variant(value) {}                    // NOLINT: in rows
  cell(int value) : variant(static_cast<double>(value)) {}  // NOLINT
  cell(bits value) : variant(value.value()) {}              // NOLINT
  cell(std::string word) : variant(std::move(word)) {}      // NOLINT
  cell(const char* word) : variant(std::string(word)) {}    // NOLINT
};

/// A cell for what does not exist there; it is written as nothing.
inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Rows of numbers and words, one of the files that a figure is drawn from.
class table {
 public:
  /// The main table of a figure has no name, the others one such as "optima".
  table(std::string name, std::vector<column> columns);
  explicit table(std::vector<column> columns) : table("", std::move(columns)) {}

  /// Throws std::logic_error unless there is one cell a column, std::domain_error for an infinite
  /// number.
  void add(std::vector<cell> row);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::vector<cell>>& rows() const { return rows_; }
  /// Which column has this name, from 0. Throws std::logic_error if none has.
  [[nodiscard]] std::size_t position(const std::string& column) const;
  /// The numbers of one column.
  [[nodiscard]] std::vector<double> numbers(const std::string& column) const;

  /// The lines of `preamble` and the columns as comments behind '#', then CSV.
  [[nodiscard]] std::string csv(const std::vector<std::string>& preamble) const;

 private:
  std::string name_;
  std::vector<column> columns_;
  std::vector<std::vector<cell>> rows_;
};

}  // namespace ktln2::paper
