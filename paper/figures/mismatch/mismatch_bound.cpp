#include "ktln2/mismatch/islands.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

using mismatch::island_machine;
using mismatch::member_bounds;
using mismatch::variational_family;

/// MMC_v beside the mismatch cost that it should not exceed [eq:var_bound], by the islands of exact
/// regression on one point, on registers so small that every state can be summed over.
std::vector<table> bound_tables(const parameters& given, const effort& work) {
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  const variational_family family{
      island_machine{mismatch::stored_regression(formats, 1),
                     {.w = given.number("w"), .alpha = given.number("alpha")}},
      {},
      {.grid = work.quick ? 5 : 13},
      work.stop};
  table result({{"sigma_x", "", "deviation of x"},
                {"sigma_xi", "", "deviation of the noise"},
                {"mismatch", "k_B", "mismatch cost by relative entropies"},
                {"paper", "k_B", "variational mismatch cost, the paper's bound"},
                {"corrected", "k_B", "bound with the islands' own weights"}});
  const double noise = given.number("sigma_xi");
  for (const double sigma_x : linear_grid(given.number("sigma_x_min"), given.number("sigma_x_max"),
                                          work.points(given.count("points")))) {
    work.pause();
    const member_bounds one = family.bounds_of(sigma_x, noise);
    result.add(
        {sigma_x, noise, one.account.mismatch.value(), one.paper.value(), one.corrected.value()});
  }
  return {result};
}

}  // namespace

figure mismatch_bound() {
  return {.label = "extra:mismatch_bound",
          .settings = {{{"w", {1}},
                        {"sigma_x_min", {0.75}},
                        {"sigma_x_max", {5}},
                        {"sigma_xi", {1}, origin::chosen, "inside the box of [fig:MMC]"},
                        {"alpha", {1}, origin::chosen, "in units of k_B"},
                        {"p", {2}, origin::chosen, "so few states that all can be summed over"},
                        {"E", {2}, origin::chosen, "likewise"},
                        {"points", {52}, origin::chosen, "a curve"}}},
          .cost = 1,
          .compute = bound_tables};
}

}  // namespace ktln2::paper
