#pragma once

#include <string>
#include <string_view>

namespace ktln2 {

/// Argument checks for the constructors of values. Each throws std::domain_error with a message
/// such as "normal: sigma must be finite and > 0, got -1".
void require_finite(std::string_view where, std::string_view name, double value);
void require_positive(std::string_view where, std::string_view name, double value);
void require_in_range(std::string_view where, std::string_view name, long long value, long long low,
                      long long high);

/// A number as a message shows it: the shortest decimal that reads back as the same double.
std::string shown(double value);

/// A computed limit as a message shows it: 0.8 for 0.7999999999999998, otherwise six digits,
/// rounded toward zero, so that all short of what is shown is allowed.
std::string shown_limit(double value);

}  // namespace ktln2
