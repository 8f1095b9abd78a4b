#include "figures.hpp"
#include "mismatch_figures.hpp"

namespace ktln2::paper {
namespace {

using namespace mismatch;

std::vector<table> compute(const parameters& given, const effort& work) {
  const descent how{given.number("eta"), given.number("B"), given.number("w0")};
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  return mismatch_tables(
      [&](const entropy_flow& flow, entropy_kind kind) {
        const sgd_model model = kind == entropy_kind::smooth ? sgd_model::ou : sgd_model::moments;
        return sgd_production(formats, given.number("w"), how, given.number("tau"), model, flow,
                              kind);
      },
      given, work);
}

}  // namespace

figure MMC_SGD() {
  return {.label = "fig:MMC_SGD",
          .parent = "fig:MMC",
          .title = "Variational mismatch cost of SGD",
          .caption =
              "The variational mismatch cost of $\\tau = 50$ steps of SGD with batches of one, in "
              "units of $k_B$, where the machine gives $C + \\alpha (\\sigma_x^2 + "
              "\\sigma_\\xi^2)$ to its environment, $\\alpha = 1$. The star is the optimum, at the "
              "lower bound of $\\sigma_x$ here too.",
          .adds =
              "The open star is the optimum with exact entropies and exact moments of SGD, the "
              "small marks those for other $\\alpha$. The right map shows the error of the closed "
              "forms.",
          .settings = mismatch_settings(
              {{"B", {1}},
               {"tau", {50}},
               {"eta", {0.01}, origin::chosen, "as in the other figures of SGD"},
               {"w0", {1}, origin::chosen, "as in the other figures of SGD"},
               {"C", {2000}, origin::chosen, "the second law asks for at least 1811.3 here"}}),
          .cost = 1.2,
          .compute = compute};
}

}  // namespace ktln2::paper
