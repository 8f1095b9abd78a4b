#include <fmt/format.h>

#include <stdexcept>

#include "ktln2/entropy/bounds.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const double sigma = given.number("sigma");
  struct named {
    std::string name;
    law x;
  };
  const named laws[] = {{"normal", normal{0, sigma}},
                        {"student", student_t{given.number("dof"), 0, sigma}}};
  table curves({{"law", "", "normal or student"},
                {"E", "", "exponent bits"},
                {"p", "", "precision"},
                {"bound", "bits", "C_0 times the density at zero [eq:eps_sp_general]"},
                {"exact", "bits", "epsilon_0 itself [eq:special_error]"},
                {"excess", "", "bound/exact - 1"}});
  for (const auto& [name, x] : laws) {
    for (const int E : given.integers("E")) {
      for (const int p : given.integers("p")) {
        work.pause();
        const float_format format{p, E};
        const double bound = zero_cells_error_bound(format, x).value();
        const double exact = zero_cells_error(format, x).value();
        if (!(exact > 0)) {
          throw std::domain_error(
              fmt::format("paper: epsilon_0 is below the range of a double at E = {}", E));
        }
        curves.add({name, static_cast<double>(E), static_cast<double>(p), bound, exact,
                    bound / exact - 1});
      }
    }
  }
  return {curves};
}

}  // namespace

figure eps0_vs_p() {
  return {
      .label = "fig:eps0_vs_p",
      .parent = "fig:eps0_C0_vs_p",
      .title = "The error of the cells next to zero, against the precision",
      .caption =
          "The bound on $\\varepsilon_0$, what smoothing the widths of the two cells next to zero "
          "can cost, against the precision $p$ for several numbers $E$ of exponent bits. Circles "
          "are normal, squares Student $t_5$ variables, $\\sigma = 1$: the two nearly overlap. At "
          "$E = 4$ and $p = 24$ it is 0.155 bits.",
      .adds =
          "$\\varepsilon_0$ itself (lines). The lower panel shows by how much the bound exceeds "
          "it, relatively: by some 17, 4 and 0.3 percent at $E = 1, 2, 3$ and by $10^{-5}$ at "
          "$E = 4$.",
      .settings = parameters({{"E", {1, 2, 3, 4, 5}, origin::chosen, "the paper: several"},
                              {"p",
                               {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24},
                               origin::chosen,
                               "up to single precision"},
                              {"sigma", {1}},
                              {"dof", {5}}}),
      .cost = 0.02,
      .compute = compute};
}

}  // namespace ktln2::paper
