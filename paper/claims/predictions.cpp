#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>

#include "ktln2/cost/inference.hpp"
#include "ktln2/scaling/profit.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

/// ∫ z² f(z) dz of Student's t, by quadrature.
double second_moment(const standard_student_t& kernel) {
  boost::math::quadrature::exp_sinh<double> rule;
  return 2 * rule.integrate([&](double z) { return z * z * std::exp(kernel.log_pdf(z)); });
}

finding regression_error(const claim& what, const effort& /*work*/) {
  double worst = 0;
  for (const double n : what.list("n")) {
    const student_t slope = slope_law({.w = 2}, n);
    const double mse = slope.scale() * slope.scale() * second_moment(slope.kernel()) + 1;
    worst = std::max(worst, std::abs(regression_mse(n, 1) / mse - 1));
  }
  return {.found = "the second moment of the slope gives the same " + agreement(worst),
          .as_stated = worst <= what.number("tolerance")};
}

/// What the octave above R adds to the second moment, as a multiple of what the one below did, far
/// out: the moment is finite if and only if that is less than 1.
double octave_ratio(const standard_student_t& kernel) {
  const auto octave = [&](double R) {
    return integral([&](double z) { return z * z * std::exp(kernel.log_pdf(z)); }, R, 2 * R, 1);
  };
  return octave(0x1p21) / octave(0x1p20);
}

finding regression_error_is_infinite(const claim& what, const effort& /*work*/) {
  std::vector<double> infinite;
  std::string ratios;
  for (double n = 1; n <= 5; ++n) {
    const double ratio = octave_ratio(slope_law({}, n).kernel());
    ratios += fmt::format("{}{:.3f} ($n = {:g}$)", n == 1 ? "" : ", ", ratio, n);
    if (ratio > 1 - 1e-6) infinite.push_back(n);
  }
  return {
      .found = R"(each octave of the tail adds to $\mathbb{E} Z^2$, as a multiple of the last, )" +
               ratios,
      .as_stated = infinite == what.list("n")};
}

finding sgd_error(const claim& what, const effort& /*work*/) {
  const linear_model model{.w = 2};
  const descent how{.eta = 0.05, .w0 = 1};
  const extreme worst = largest(linear_grid(1, 200, 200), [&](double k) {
    return relative_gap(sgd_mse(model, how, k, sgd_model::ou),
                        sgd_mse(model, how, k, sgd_model::moments));
  });
  return {.found = fmt::format("within {:.2g}% of the exact error, worst after {:g} steps",
                               100 * worst.value, worst.at),
          .as_stated = worst.value <= what.number("share")};
}

finding inference_is_free(const claim& what, const effort& work) {
  extreme ideal;
  extreme stored;
  for (const double slope : linear_grid(1, 2, work.points(65))) {
    const inference_cost cost = inference({24, 8}, slope, 1);
    ideal.add(std::abs(cost.ideal.value()), slope);
    stored.add(cost.device.erased().value.value(), slope);
  }
  return {.found = fmt::format(
              "{:.1g} bits; the map of stored numbers, which merges some, costs up to {:.3f}",
              ideal.value, stored.value),
          .as_stated = ideal.value <= what.number("bits")};
}

/// The numbers as the format stores them, each once.
std::vector<double> storable(const float_format& format, std::vector<double> numbers) {
  for (double& x : numbers) x = format.value(format.quantize(x)).to_double();
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

finding inference_merges(const claim& what, const effort& work) {
  double least = HUGE_VAL;
  std::string found;
  for (const int p : what.integers("p")) {
    const float_format format{p, 6};
    const extreme worst = largest(
        storable(format, linear_grid(1, 2, work.points(41))),
        [&](double slope) { return inference(format, slope, 1).device.erased().value.value(); });
    least = std::min(least, worst.value);
    found += fmt::format(R"({}{:.3f} bits at $p = {}$ ($\hat w = {:g}$))",
                         found.empty() ? "up to " : ", ", worst.value, p, worst.at);
  }
  return {.found = found, .as_stated = least > what.number("bits")};
}

}  // namespace

check_table prediction_checks() {
  return {{"regression_error", regression_error},
          {"regression_error_is_infinite", regression_error_is_infinite},
          {"sgd_error", sgd_error},
          {"inference_is_free", inference_is_free},
          {"inference_merges", inference_merges}};
}

}  // namespace ktln2::paper
