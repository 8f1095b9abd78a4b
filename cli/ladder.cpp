#include "ladder.hpp"

#include <cmath>

namespace ktln2::cli {
namespace {

const char* status_name(standing status) {
  return status == standing::theorem_backed ? "theorem-backed" : "asymptotic";
}

/// "D(f||g) <= 0.01 (here 1.4e-15), …", all of them or only those that fail.
std::string condition(const approximation& one, bool only_failing) {
  if (!one.value) return fmt::format("exists only for {}", one.exists_for);
  std::string text;
  for (const requirement& need : one.requirements) {
    if (only_failing && need.holds()) continue;
    text += fmt::format("{}{} <= {} (here {:.2g})", text.empty() ? "" : ", ", need.name, need.limit,
                        need.value);
  }
  return text;
}

/// How far an approximation can be off by a theorem, where there is one: D, what clipping adds, and
/// what smoothing moves.
std::string bound_of(const approximation& one, const bound_set& bounds) {
  if (!bounds.divergence || !one.applies()) return "";
  double bound = bounds.divergence->value();
  for (const requirement& need : one.requirements) {
    const bool clips = need.name == "P(outside U)" && need.value > 0;
    if (clips) bound += need.value * (bounds.clipping.value() - std::log2(need.value));
  }
  if (one.label == "eq:Ht_s_U") bound += bounds.smoothing.value();
  const bool is_bounded = one.label == "eq:Ht_s_U" || one.label == "eq:diff_approx";
  return is_bounded && std::isfinite(bound) ? fmt::format("{:.1e}", bound) : "";
}

/// The error of an approximation, as far as the exact value and the rounding of both can tell.
std::string error_against(bounded<bits> exact, bits value) {
  const double difference = (value - exact.value).value();
  const double bar = exact.error.value() + 0x1p-49 * std::fabs(value.value());
  return std::fabs(difference) > bar ? fmt::format("{:+.1e}", difference)
                                     : fmt::format("<{:.1e}", bar);
}

}  // namespace

json_value approximation_list(const std::vector<approximation>& all) {
  json_value list = json_value::array();
  for (const approximation& one : all) {
    list.push_back({{"label", one.label},
                    {"value", one.value ? number(one.value->value()) : json_value(nullptr)},
                    {"status", status_name(one.status)},
                    {"applies", one.applies()},
                    {"condition", condition(one, false)}});
  }
  return list;
}

json_value bound_list(const bound_set& bounds) {
  const std::optional<bits> divergence = bounds.divergence;
  return {{{"label", "thm:steps"}, {"value", number(bounds.smoothing.value())}},
          {{"label", "eq:special_error"}, {"value", number(bounds.zero_cells.value())}},
          {{"label", "cor:eps_sp_bound"}, {"value", number(bounds.zero_cells_bound.value())}},
          {{"label", "divergence"},
           {"value", divergence ? number(divergence->value()) : json_value(nullptr)}}};
}

std::string ladder(bounded<bits> exact, const std::vector<approximation>& all,
                   const bound_set& bounds) {
  table rows({"approximation", "bits", "error", "at most", "to be trusted here?"});
  for (const approximation& one : all) {
    if (!one.value) continue;
    rows.add({std::string(one.label), fmt::format("{:.6f}", one.value->value()),
              error_against(exact, *one.value), bound_of(one, bounds),
              one.applies() ? "yes" : "no: needs " + condition(one, true)});
  }
  return rows.text();
}

}  // namespace ktln2::cli
