#pragma once

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "test_configuration.hpp"

/// A table in tests/reference/: its generator, its digits and its entries.
inline nlohmann::json reference_table(const std::string& name) {
  std::ifstream stream(std::string(KTLN2_REFERENCE_DIR) + "/" + name);
  if (!stream) throw std::runtime_error("cannot read tests/reference/" + name);
  return nlohmann::json::parse(stream);
}

inline nlohmann::json reference_file(const std::string& name) {
  return reference_table(name).at("entries");
}

/// A parameter: a decimal string or a number.
inline double reference_number(const nlohmann::json& value) {
  // strtod, not stod: a value below double's range is 0, not an error
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

/// What a program whose parameters are doubles must find.
inline double reference_value(const nlohmann::json& entry) {
  const char* const exact_parameters = "value";
  const char* const double_parameters = "value_double_params";
  return reference_number(entry.contains(double_parameters) ? entry.at(double_parameters)
                                                            : entry.at(exact_parameters));
}
