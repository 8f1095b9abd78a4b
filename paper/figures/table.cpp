#include "paper/figures/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ktln2::paper {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    result += c;
    if (c == '"') result += c;
  }
  return result + '"';
}

std::string written(const cell& entry) {
  if (const auto* text = std::get_if<std::string>(&entry)) return quoted(*text);
  const double value = std::get<double>(entry);
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

template <class Range, class Write>
std::string line(const Range& entries, Write write) {
  std::string result;
  for (const auto& entry : entries) {
    if (!result.empty() || &entry != &*entries.begin()) result += ',';
    result += write(entry);
  }
  return result + '\n';
}

}  // namespace

table::table(std::string name, std::vector<column> columns)
    : name_{std::move(name)}, columns_{std::move(columns)} {}

void table::add(std::vector<cell> row) {
  if (row.size() != columns_.size()) {
    throw std::logic_error(fmt::format("table '{}': a row of {} cells under {} columns", name_,
                                       row.size(), columns_.size()));
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto* value = std::get_if<double>(&row[i]);
    if (value != nullptr && std::isinf(*value)) {
      throw std::domain_error(
          fmt::format("paper: {} is out of range for these parameters", columns_[i].name));
    }
  }
  rows_.push_back(std::move(row));
}

std::size_t table::position(const std::string& column) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const auto& c) { return c.name == column; });
  if (found == columns_.end()) {
    throw std::logic_error(fmt::format("table '{}' has no column '{}'", name_, column));
  }
  return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<double> table::numbers(const std::string& column) const {
  const std::size_t at = position(column);
  std::vector<double> result;
  result.reserve(rows_.size());
  for (const auto& row : rows_) result.push_back(std::get<double>(row[at]));
  return result;
}

std::string table::csv(const std::vector<std::string>& preamble) const {
  std::string result;
  for (const std::string& text : preamble) result += "# " + text + '\n';
  for (const column& c : columns_) {
    result += fmt::format("# column {}{}: {}\n", c.name, c.unit.empty() ? "" : " (" + c.unit + ")",
                          c.meaning);
  }
  result += line(columns_, [](const column& c) { return quoted(c.name); });
  for (const auto& row : rows_) result += line(row, written);
  return result;
}

}  // namespace ktln2::paper
