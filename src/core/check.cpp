#include "ktln2/core/check.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ktln2 {
namespace {

[[noreturn]] void refuse(std::string_view where, std::string_view name, std::string_view expected,
                         const std::string& got) {
  throw std::domain_error(std::string(where) + ": " + std::string(name) + " must be " +
                          std::string(expected) + ", got " + got);
}

}  // namespace

std::string shown(double value) {
  // std::to_chars for doubles is missing from the standard library of the browser build.
  char text[32];
  if (std::fabs(value) < 1000 && value == std::floor(value) && value != 0) {  // 30, not 3e+01
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string shown_limit(double value) {
  if (!std::isfinite(value)) return shown(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  const double rounded = std::strtod(text, nullptr);
  constexpr double rounding = 1e-12;  // of the computation, relative
  if (std::fabs(rounded) - std::fabs(value) <= rounding * std::fabs(value)) return shown(rounded);
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 5);
  std::snprintf(text, sizeof text, "%.6g", std::trunc(value / unit) * unit);
  return shown(std::strtod(text, nullptr));
}

void require_finite(std::string_view where, std::string_view name, double value) {
  if (!std::isfinite(value)) refuse(where, name, "finite", shown(value));
}

void require_positive(std::string_view where, std::string_view name, double value) {
  if (!(std::isfinite(value) && value > 0)) refuse(where, name, "finite and > 0", shown(value));
}

void require_in_range(std::string_view where, std::string_view name, long long value, long long low,
                      long long high) {
  if (value < low || value > high) {
    refuse(where, name, "from " + std::to_string(low) + " to " + std::to_string(high),
           std::to_string(value));
  }
}

}  // namespace ktln2
