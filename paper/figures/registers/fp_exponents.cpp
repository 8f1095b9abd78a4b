#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ktln2/entropy/fields.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

/// P(exponent = e_min + level) for N(0, σ²): both signs, whatever the mantissa.
double exponent_probability(const partition& signs_and_exponents, std::size_t level,
                            const normal& x) {
  // One block a sign and exponent; the positive ones come second, and a negative one weighs as
  // much.
  const std::size_t block = signs_and_exponents.block_count() / 2 + level;
  const double left = x.standard(signs_and_exponents.block_left(block));
  const double right = x.standard(signs_and_exponents.block_right(block));
  return 2 * x.kernel().between(left, right).probability;
}

table histograms(const parameters& given, const float_format& format, const effort& work) {
  table result({{"sigma", "", "standard deviation"},
                {"exponent", "", "exponent of the stored number"},
                {"probability", "", "of that exponent"},
                {"entropy", "bits", "entropy of the exponent"}});
  const partition signs_and_exponents{format, rounding::nearest, format.p() - 1};
  for (const double sigma : given.list("sigma")) {
    work.pause();
    const normal x{0, sigma};
    const double entropy = entropy_by_field(format, x).exponent.value.value();
    for (std::size_t level = 0; level < format.run_count() / 2; ++level) {
      const double P = exponent_probability(signs_and_exponents, level, x);
      if (P < given.number("least_probability")) continue;
      result.add({sigma, format.emin() + static_cast<double>(level), P, entropy});
    }
  }
  if (result.rows().empty()) {
    throw std::domain_error(fmt::format("paper: no exponent is as likely as least_probability, {}",
                                        given.number("least_probability")));
  }
  return result;
}

table octave(const parameters& given, const float_format& format, const effort& work) {
  table result("octave", {{"sigma", "", "standard deviation"},
                          {"entropy", "bits", "entropy of the exponent"},
                          error_bar()});
  for (const double sigma : log_grid(1, 2, work.points(given.count("points")))) {
    work.pause();
    const bounded<bits> exponent = entropy_by_field(format, normal{0, sigma}).exponent;
    result.add({sigma, exponent.value.value(), exponent.error.value()});
  }
  return result;
}

std::vector<table> exponents(const parameters& given, const effort& work) {
  const float_format format{given.integer("p"), given.integer("E")};
  return {histograms(given, format, work), octave(given, format, work)};
}

}  // namespace

figure fp_exponents() {
  return {.label = "fig:fp_exponents",
          .settings = parameters(
              {{"sigma", {1e-3, 1, 1e3}},
               {"p", {24}, origin::chosen, "single precision"},
               {"E", {8}, origin::chosen, "single precision"},
               {"least_probability", {1e-5}, origin::chosen, "rarer exponents cannot be seen"},
               {"points", {65}, origin::chosen, "a smooth curve"}}),
          .cost = 0.02,
          .compute = exponents};
}

}  // namespace ktln2::paper
