#pragma once

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "test_configuration.hpp"

/// The entries of a file in tests/reference/.
inline nlohmann::json reference_file(const std::string& name) {
  std::ifstream stream(std::string(KTLN2_REFERENCE_DIR) + "/" + name);
  if (!stream) throw std::runtime_error("cannot read tests/reference/" + name);
  return nlohmann::json::parse(stream);
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
