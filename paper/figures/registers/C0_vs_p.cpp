#include "ktln2/entropy/bounds.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& /*work*/) {
  table curves({{"E", "", "exponent bits"},
                {"p", "", "precision"},
                {"C0", "", "the constant of the bound on epsilon_0 [cor:eps_sp_bound]"}});
  for (const int E : given.integers("E")) {
    for (const int p : given.integers("p")) {
      curves.add({static_cast<double>(E), static_cast<double>(p),
                  zero_cells_constant(float_format{p, E})});
    }
  }
  return {curves};
}

}  // namespace

figure C0_vs_p() {
  return {.label = "fig:C0_vs_p",
          .parent = "fig:eps0_C0_vs_p",
          .title = "The constant of the bound, against the precision",
          .caption =
              "$C_0$, which times the largest density near zero bounds $\\varepsilon_0$, against "
              "the precision $p$ for several numbers $E$ of exponent bits. It grows like $p$ and "
              "falls like $2^{e_{min}}$, doubly exponentially in $E$. It is a matter of the format "
              "alone, so that there is one curve for both laws.",
          .adds = "Every precision up to $p = 24$, and double precision, $p = 53$.",
          .settings = parameters({{"E", {1, 2, 3, 4, 5, 6}, origin::chosen, "the paper: several"},
                                  {"p",
                                   {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 32, 40, 53},
                                   origin::chosen,
                                   "to single and to double precision"}}),
          .cost = 0.01,
          .compute = compute};
}

}  // namespace ktln2::paper
