#include "ask/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2::ask {
namespace {

const char* status_name(standing status) {
  return status == standing::theorem_backed ? "theorem-backed" : "asymptotic";
}

json number_or_null(const std::optional<bits>& value) {
  return value ? number(value->value()) : json(nullptr);
}

}  // namespace

bound_set bounds_of(const float_format& format, const law& x) {
  // What the mass Q outside of 𝕌 adds to the two outermost cells is at most Q log(2/Q) + Q.
  return {smoothing_bound(format, x), zero_cells_error(format, x),
          zero_cells_error_bound(format, x), divergence_bound(format, x), bits{2}};
}

bound_set bounds_of(const format_pair& formats, const regression_pair& pair) {
  // The mass Q outside of 𝕌² is in rows and columns of at most 4·2^width cells.
  const int width = std::max(formats.x.width(), formats.y.width());
  return {smoothing_bound(formats, pair), zero_cells_error(formats, pair),
          zero_cells_error_bound(formats, pair), divergence_bound(formats, pair),
          bits{width + 4.0}};
}

std::string condition_of(const approximation& one, bool only_failing) {
  if (!one.value) return fmt::format("exists only for {}", one.exists_for);
  std::string text;
  for (const requirement& need : one.requirements) {
    if (only_failing && need.holds()) continue;
    text += fmt::format("{}{} <= {} (here {})", text.empty() ? "" : ", ", need.name, need.limit,
                        std::isnan(need.value) ? "undefined" : fmt::format("{:.2g}", need.value));
  }
  return text;
}

json shown(const std::vector<approximation>& all) {
  json list = json::array();
  for (const approximation& one : all) {
    list.push_back({{"label", one.label},
                    {"value", number_or_null(one.value)},
                    {"status", status_name(one.status)},
                    {"applies", one.applies()},
                    {"condition", condition_of(one, false)}});
  }
  return list;
}

json shown(const bound_set& bounds) {
  return {{{"label", "thm:steps"}, {"value", number(bounds.smoothing.value())}},
          {{"label", "eq:special_error"}, {"value", number(bounds.zero_cells.value())}},
          {{"label", "cor:eps_sp_bound"}, {"value", number(bounds.zero_cells_bound.value())}},
          {{"label", "divergence"}, {"value", number_or_null(bounds.divergence)}}};
}

}  // namespace ktln2::ask
