#include "measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ask/json.hpp"

namespace ktln2::cli {

std::string shown_value(const simulation::measured& m) {
  if (std::isnan(m.value)) return "does not exist";
  if (std::isinf(m.value)) return "infinite";
  if (std::isinf(m.error)) return fmt::format("{:.4g} ± infinite", m.value);
  if (!(m.error > 0) || m.value == 0) return ask::plain(m.value);
  const double digits = std::ceil(std::log10(std::fabs(m.value) / m.error)) + 2;
  return fmt::format("{:#.{}g} ± {:.2g}", m.value, static_cast<int>(std::clamp(digits, 2.0, 17.0)),
                     m.error);
}

std::string shown_theory(double value) {
  if (std::isnan(value)) return "does not exist";
  return std::isinf(value) ? "infinite" : fmt::format("{:.7g}", value);
}

}  // namespace ktln2::cli
