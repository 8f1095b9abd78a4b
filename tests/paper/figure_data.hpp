#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "paper/figures/figures.hpp"
#include "reference_file.hpp"

namespace ktln2::paper::testing {

/// The tables of a figure, with some of its parameters changed, on coarse grids unless asked.
inline std::vector<table> tables_of(const std::string& label,
                                    const std::map<std::string, std::vector<double>>& changes = {},
                                    bool quick = true) {
  figure one = chosen({label}).at(0);
  for (const auto& [name, values] : changes) one.settings.set(name, values);
  return one.compute(one.settings, effort{.quick = quick});
}

/// The entry of a column in the first row that has these values in other columns, which must be
/// there to 1e-9.
inline double at(const table& data, const std::vector<std::pair<std::string, double>>& where,
                 const std::string& column) {
  const std::vector<double> wanted = data.numbers(column);
  std::vector<std::vector<double>> keys;
  for (const auto& [name, value] : where) keys.push_back(data.numbers(name));
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    bool is_here = true;
    for (std::size_t i = 0; i < where.size(); ++i) {
      const double value = where[i].second;
      is_here = is_here && std::abs(keys[i][row] - value) <= 1e-9 * std::max(1.0, std::abs(value));
    }
    if (is_here) return wanted[row];
  }
  throw std::logic_error("no such row for column " + column);
}

/// The value of an entry of the reference, which must be there.
inline double reference(const std::string& file, const std::string& id) {
  for (const auto& entry : reference_file(file)) {
    if (entry.at("id") == id) return reference_value(entry);
  }
  throw std::logic_error("no reference value " + id);
}

/// A parameter of an entry of the reference.
inline double number(const nlohmann::json& entry, const std::string& name) {
  return reference_number(entry.at("params").at(name));
}

}  // namespace ktln2::paper::testing
