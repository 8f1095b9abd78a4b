#include "figures.hpp"
#include "mismatch_figures.hpp"

namespace ktln2::paper {
namespace {

using namespace mismatch;

std::vector<table> compute(const parameters& given, const effort& work) {
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  return mismatch_tables(
      [&](const entropy_flow& flow, entropy_kind kind) {
        return regression_production(formats, given.number("w"), given.number("n"), flow, kind);
      },
      given, work);
}

}  // namespace

figure MMC_Ex() {
  return {.label = "fig:MMC_Ex",
          .parent = "fig:MMC",
          .title = "Variational mismatch cost of exact regression",
          .caption =
              "The variational mismatch cost of exact regression on $n = 10$ points, in units of "
              "$k_B$, where the machine gives $C + \\alpha (\\sigma_x^2 + \\sigma_\\xi^2)$ to its "
              "environment, $\\alpha = 1$. The star is the optimum. It is at the lower bound of "
              "$\\sigma_x$: the closed forms know $\\sigma_x / \\sigma_\\xi$ only, so smaller "
              "deviations with the same ratio always produce less.",
          .adds =
              "The open star is the optimum with exact entropies, the small marks those for other "
              "$\\alpha$. The right map shows the error of the closed forms.",
          .settings = mismatch_settings(
              {{"n", {10}},
               {"C", {400}, origin::chosen, "the second law asks for at least 346.1 here"}}),
          .cost = 1.6,
          .compute = compute};
}

}  // namespace ktln2::paper
