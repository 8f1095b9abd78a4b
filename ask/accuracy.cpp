#include "ask/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/exact.hpp"

namespace ktln2::ask {

bits read_tolerance(const reader& given, bits otherwise) {
  const auto asked = given.optional_number("tolerance");
  return asked ? bits{*asked} : otherwise;
}

bits usual_tolerance(double width, const law& x) {
  const double off = std::visit([](const auto& known) { return table_error(known.kernel()); }, x);
  if (off == 0) return default_tolerance;
  // Mass ε in the wrong places of N moves the entropy by ε (log N + log(1/ε) + 1.5); what is added
  // up afterwards may be as much again.
  return std::max(default_tolerance, bits{2 * off * (width - std::log2(off) + 1.5)});
}

int decimals_of(const bounded<bits>& value) {
  const double error = value.error.value();
  if (!std::isfinite(error)) return 0;
  return error > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(error))), 0, 17) : 17;
}

std::string shown_bar(const bounded<bits>& value) {
  double error = value.error.value();
  if (value.how == evidence::proved) {
    // What is shown is proved too: one digit more, its rounding in the bar, and the bar rounded up,
    // since two digits of it are off by less than 6 %.
    error = 1.06 * (error + 0.5 * std::pow(10.0, -(decimals_of(value) + 1)));
  }
  return fmt::format("{:.1e}", error);  // two significant digits are enough
}

std::vector<std::string> tolerance_warnings(bits tolerance, const bounded<bits>& value,
                                            double allowed) {
  if (value.error <= allowed * tolerance) return {};
  return {fmt::format("tolerance {} not reached: the error bar is {} bits", tolerance.value(),
                      shown_bar(value))};
}

void add_value(report& made, const bounded<bits>& value, const char* method) {
  made.headline("value", value.value.value());
  made.headline("error", value.error.value());
  made.add("proved", json(value.how == evidence::proved));
  made.add("unit", json("bit"));
  made.add("method", json(method));
}

}  // namespace ktln2::ask
