#include "ask/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {
namespace {

const char* status_name(standing status) {
  return status == standing::theorem_backed ? "theorem-backed" : "asymptotic";
}

json number_or_null(const std::optional<bits>& value) {
  return value ? number(value->value()) : json(nullptr);
}

/// Small formats always have some mass next to zero.
constexpr double much_clipped = 0.1;
constexpr double much_underflow = 0.5;

/// Nothing where there is none.
std::optional<bits> bound_of(const approximation& one) {
  return std::isfinite(one.at_most.value()) ? std::optional(one.at_most) : std::nullopt;
}

}  // namespace

bound_set bounds_of(const float_format& format, const law& x) {
  return {smoothing_bound(format, x), zero_cells_error(format, x),
          zero_cells_error_bound(format, x), divergence_bound(format, x)};
}

bound_set bounds_of(const format_pair& formats, const regression_pair& pair) {
  return {smoothing_bound(formats, pair), zero_cells_error(formats, pair),
          zero_cells_error_bound(formats, pair), divergence_bound(formats, pair)};
}

std::string condition_of(const approximation& one, bool only_failing) {
  if (!one.value) return fmt::format("exists only for {}", one.exists_for);
  std::vector<std::string> needs;
  for (const requirement& need : one.requirements) {
    if (only_failing && need.holds()) continue;
    needs.push_back(
        fmt::format("{} <= {} (here {})", need.name, need.limit,
                    std::isnan(need.value) ? "undefined" : fmt::format("{:.2g}", need.value)));
  }
  if (one.value->value() < 0) needs.emplace_back("an estimate >= 0");
  return fmt::format("{}", fmt::join(needs, ", "));
}

void warn_of_edges(const std::string& name, const number_format& format,
                   const stored_masses& masses, std::vector<std::string>& warnings) {
  if (masses.beyond_max.value >= much_clipped) {
    warnings.push_back(fmt::format("{:.3g} % of {} is beyond the largest number of {}, {:.3g}",
                                   100 * masses.beyond_max.value, name, format.name(),
                                   format.max().to_double()));
  }
  if (masses.zero.value >= much_underflow) {
    warnings.push_back(fmt::format("{:.3g} % of {} is stored as a zero of {}",
                                   100 * masses.zero.value, name, format.name()));
  }
}

void warn_of_edges(const std::string& name, const storage& where, const law& x,
                   std::vector<std::string>& warnings) {
  if (const auto* const kept = where.number()) {
    return warn_of_edges(name, kept->format, masses_of({kept->format, kept->rule, x}), warnings);
  }
  const float_format& format = *where.ideal();
  const edge_masses masses = masses_at_edges(format, x);
  if (masses.clipped >= much_clipped) {
    warnings.push_back(fmt::format("{:.3g} % of {} is clipped: {} reaches to {:.3g}",
                                   100 * masses.clipped, name, format.name(),
                                   format.granular_edge().to_double()));
  }
  if (masses.underflow >= much_underflow) {
    warnings.push_back(fmt::format("{:.3g} % of {} underflows into the two values of {} next to 0",
                                   100 * masses.underflow, name, format.name()));
  }
}

json shown(const std::vector<approximation>& all) {
  json list = json::array();
  for (const approximation& one : all) {
    list.push_back({{"label", one.label},
                    {"value", number_or_null(one.value)},
                    {"status", status_name(one.status)},
                    {"applies", one.applies()},
                    {"at_most", number_or_null(bound_of(one))},
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
