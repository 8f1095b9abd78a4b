#include <fmt/format.h>

#include <stdexcept>

#include "ktln2/entropy/bounds.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> constants(const parameters& given, const effort& /*work*/) {
  table curves({{"E", "", "exponent bits"},
                {"p", "", "precision"},
                {"C0", "", "the constant of the bound on epsilon_0 [cor:eps_sp_bound]"}});
  for (const int E : given.integers("E")) {
    for (const int p : given.integers("p")) {
      curves.add({E, p, zero_cells_constant(float_format{p, E})});
    }
  }
  return {curves};
}

std::vector<table> errors_of_zero_cells(const parameters& given, const effort& work) {
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
        curves.add({name, E, p, bound, exact, bound / exact - 1});
      }
    }
  }
  return {curves};
}

}  // namespace

figure C0_vs_p() {
  return {.label = "fig:C0_vs_p",
          .settings = parameters({{"E", {1, 2, 3, 4, 5, 6}, origin::chosen, "the paper: several"},
                                  {"p",
                                   {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 32, 40, 53},
                                   origin::chosen,
                                   "to single and to double precision"}}),
          .cost = 0.01,
          .compute = constants};
}

figure eps0_vs_p() {
  return {.label = "fig:eps0_vs_p",
          .settings = parameters({{"E", {1, 2, 3, 4, 5}, origin::chosen, "the paper: several"},
                                  {"p",
                                   {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24},
                                   origin::chosen,
                                   "up to single precision"},
                                  {"sigma", {1}},
                                  {"dof", {5}}}),
          .cost = 0.02,
          .compute = errors_of_zero_cells};
}

}  // namespace ktln2::paper
