#include "ask/terms.hpp"

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/bounds.hpp"

namespace ktln2::ask {

std::vector<entropy_term> identity_terms_of(const identity_terms& sum, const partition& cells,
                                            const law& x) {
  const char* const identity = "eq:exact_identity";
  return {{"differential", identity, "-E log f in the bounded cells", sum.differential},
          {"log_width", identity, "less E log(width of the cell)", sum.log_width},
          {"divergence", identity, "D(f||g), what a flat density in each cell leaves out",
           sum.divergence},
          {"clipped", identity, "-P log P of the two unbounded cells", sum.clipped},
          {"sum", identity, "the entropy by this road", sum.entropy.value.value()},
          {"sum_error", identity, "its error", sum.entropy.error.value()},
          {"log_magnitude", "eq:G_int_non_gauss", "G = E log(|X|/sqrt 2)", mean_log_magnitude(x)},
          {"outside", "eq:diff_approx", "P(X outside of U)",
           cells.size() == 1 ? 0 : mass_outside(cells, x), "1"}};
}

std::vector<entropy_term> format_terms_of(const float_format& format, const law& x) {
  std::vector<entropy_term> list{
      {"underflow", "eq:special_bins", "P(X in the two cells next to zero)",
       masses_at_edges(format, x).underflow, "1"},
      {"zero_cells", "eq:special_error", "eps0, what smoothing those two can cost",
       zero_cells_error(format, x).value()},
      {"zero_cells_bound", "eq:eps_sp_general", "its bound C0 sup f",
       zero_cells_error_bound(format, x).value()},
      {"zero_cells_constant", "cor:eps_sp_bound", "C0 = 2a(p - 1/2 + log e), times a density",
       zero_cells_constant(format), "bit x"},
      {"smoothing_bound", "thm:steps", "1/2 + eps0, what smoothing all widths can cost",
       smoothing_bound(format, x).value()}};
  if (const auto leading = divergence_leading_order(format, x)) {
    list.push_back({"divergence_leading_order", "eq:exact_identity",
                    "D(f||g) on U to leading order for fine cells", leading->value()});
  }
  const normal* const gaussian = std::get_if<normal>(&x);
  if (gaussian == nullptr || gaussian->location() == 0) return list;
  list.push_back(
      {"far_from_mean", "eq:p_ac_bound", "P(|X - mu| > |mu|/2)", offset_tail_mass(*gaussian), "1"});
  list.push_back({"far_from_mean_bound", "eq:p_ac_bound", "its bound",
                  offset_tail_mass_bound(*gaussian), "1"});
  list.push_back({"far_log_bound", "lem:Ac-bound", "bound on E|ln|X/mu|| there",
                  offset_log_tail_bound(*gaussian), "nat"});
  return list;
}

json shown(const std::vector<entropy_term>& all) {
  json list = json::array();
  for (const entropy_term& one : all) {
    list.push_back({{"name", one.name},
                    {"value", number(one.value)},
                    {"unit", one.unit},
                    {"formula", one.label},
                    {"says", one.says}});
  }
  return list;
}

}  // namespace ktln2::ask
