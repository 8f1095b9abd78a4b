#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {
namespace {

finding snr_values(const claim& what, const effort& /*work*/) {
  double worst = 0;
  std::string shown;
  const std::vector<double>& stated = what.list("snr", slopes_of_the_figures.size());
  for (std::size_t i = 0; i < slopes_of_the_figures.size(); ++i) {
    const double snr = regression_pair{slopes_of_the_figures[i], 1, 1}.snr();
    worst = std::max(worst, std::fabs(snr - stated[i]));
    shown += fmt::format("{}{}", shown.empty() ? "" : ", ", snr);
  }
  return {.found = R"($w = \frac{1}{4}, \frac{1}{2}, 1, 2, 5$ with unit deviations: )" + shown,
          .as_stated = worst <= what.number("tolerance")};
}

double slope_bits(const float_format& format, double w, double n) {
  return exact_bits(format, slope_law({.w = w}, n));
}

finding slope_entropy_falls(const claim& what, const effort& /*work*/) {
  extreme rise;
  double n_of_rise = 0;
  for (const double w : slopes_of_the_figures) {
    double last = std::numeric_limits<double>::infinity();
    for (const double n : whole_log_grid(what.number("from") + 1, 1000, 60)) {
      const double h = slope_bits({24, 8}, w, n);
      if (h - last > rise.value) n_of_rise = n;
      rise.add(h - last, w);
      last = h;
    }
  }
  return {.found = fmt::format(
              "$w = 1$: {:.3f} bits at $n = 3$, {:.3f} at 30, {:.3f} at 1000; no rise "
              "for any $w$",
              slope_bits({24, 8}, 1, 3), slope_bits({24, 8}, 1, 30), slope_bits({24, 8}, 1, 1000)),
          .as_stated = rise.value < 0,
          .counterexample = rise.value < 0
                                ? ""
                                : fmt::format("$w = {}$: ${:+.4f}$ bits on the way to $n = {:.0f}$",
                                              rise.at, rise.value, n_of_rise)};
}

finding cost_slope(const claim& what, const effort& /*work*/) {
  extreme gap;   // cost/n against the joint entropy
  extreme bend;  // one point more against the joint entropy
  const float_format format{24, 8};
  for (const double w : slopes_of_the_figures) {
    const computation c = regression_cost(one_format(format), {.w = w}, 1000);
    const double joint = c.device.input()[0].each.value.value();
    gap.add(std::fabs(c.device.erased().value.value() / 1000 - joint), w);
    for (const double n : {10.0, 30.0, 100.0}) {
      bend.add(std::fabs(slope_bits(format, w, n) - slope_bits(format, w, n + 1)), n);
    }
  }
  return {.found = fmt::format(
              "the cost a point is {:.3f} bits below $H(X, Y)$ at $n = 1000$; from $n = 10$ on one "
              "point more costs $H(X, Y)$ to within {:.2f} bits",
              gap.value, bend.value),
          .as_stated = gap.value <= what.number("close") && bend.value <= what.number("linear")};
}

finding precision_share(const claim& what, const effort& /*work*/) {
  bool is_formula = true;
  double low = 1;
  double high = 0;
  for (const double w : slopes_of_the_figures) {
    const computation c = regression_cost(one_format({24, 8}), {.w = w}, 1000);
    const double share = c.device.precision() / c.device.erased().value;
    is_formula = is_formula && c.device.precision().value() == (2 * 1000 - 1) * 24;
    low = std::min(low, share);
    high = std::max(high, share);
  }
  return {.found = fmt::format("{:.1f} to {:.1f}% at $n = 1000$", 100 * low, 100 * high),
          .as_stated = is_formula &&
                       std::fabs(low - what.number("share")) <= what.number("tolerance") &&
                       std::fabs(high - what.number("share")) <= what.number("tolerance")};
}

/// Does the exact cost fall along the SNRs of the figure?
finding cost_falls_with_snr(const claim& what, const effort& /*work*/) {
  std::vector<double> joint;
  joint.reserve(slopes_of_the_figures.size());
  for (const double w : slopes_of_the_figures) {
    joint.push_back(joint_entropy({{24, 8}, {24, 8}}, {w, 1, 1}).joint.value.value());
  }
  const auto worst_rise = [&](double n) {
    extreme rise;
    for (std::size_t i = 1; i < joint.size(); ++i) {
      const double after = n * joint[i] - slope_bits({24, 8}, slopes_of_the_figures[i], n);
      const double before = n * joint[i - 1] - slope_bits({24, 8}, slopes_of_the_figures[i - 1], n);
      rise.add(after - before, slopes_of_the_figures[i]);
    }
    return rise;
  };
  double from = std::numeric_limits<double>::infinity();
  std::vector<double> sizes = whole_log_grid(1, 1000, 40);
  std::reverse(sizes.begin(), sizes.end());
  for (const double n : sizes) {
    if (!(worst_rise(n).value < 0)) break;
    from = n;
  }
  return {.found = fmt::format(
              "falls from one SNR of the figure to the next for $n$ from {} to 1000; at $n = 1$ it "
              "rises by {:.3f} bits once",
              from, worst_rise(1).value),
          .as_stated = from <= what.number("large")};
}

/// H - H̃_s^w.
double slope_error(const float_format& format, double w, double n) {
  const law x = slope_law({.w = w}, n);
  return exact_bits(format, x) - smooth_entropy_offset(format.p(), x)->value();
}

finding improves_with_precision(const claim& what, const effort& /*work*/) {
  (void)what.list("p", 2);
  (void)what.list("E", 2);
  const auto format = [&](std::size_t i) {
    return float_format{what.integers("p")[i], what.integers("E")[i]};
  };
  const float_format coarse = format(0);
  const float_format fine = format(1);
  int points = 0;
  int better = 0;
  extreme worse;  // by how much, and for which n
  double worse_w = 0;
  for (const double w : slopes_of_the_figures) {
    for (const double n : whole_log_grid(3, 1000, 12)) {
      const double before = std::fabs(slope_error(coarse, w, n));
      const double after = std::fabs(slope_error(fine, w, n));
      ++points;
      if (after < before) ++better;
      if (after - before > worse.value) worse_w = w;
      worse.add(after - before, n);
    }
  }
  const double n = worse.at;
  return {.found = fmt::format("from {} to {} it improves at {} of {} points of the figure",
                               coarse.name(), fine.name(), better, points),
          .as_stated = better == points,
          .as_qualified = better > what.number("most") * points,
          .qualification = fmt::format("at {} of {} points", better, points),
          .counterexample =
              fmt::format("$w = {}$, $n = {:.0f}$: off by ${:+.3f}$ bits in {}, by ${:+.3f}$ in {}",
                          worse_w, n, slope_error(coarse, worse_w, n), coarse.name(),
                          slope_error(fine, worse_w, n), fine.name())};
}

/// Approximation 3 for the slope at p = 4, E = 4, where the paper looks at it.
finding fits_at_low_precision(const claim& what, const effort& /*work*/) {
  const double fairly = what.number("fairly");
  extreme all;
  extreme far;  // |w| √(n-2) ≥ 2 and deviation at least a cell
  double w_of_all = 0;
  for (const double w : slopes_of_the_figures) {
    for (const double n : whole_log_grid(3, 1000, 40)) {
      const double error = std::fabs(slope_error({4, 4}, w, n));
      if (error > all.value) w_of_all = w;
      all.add(error, n);
      const bool is_offset = w * std::sqrt(n - 2) >= what.number("offset");
      const bool is_wide = deviation(slope_law({.w = w}, n)) >= bin_size({4, 4}, w);
      if (is_offset && is_wide) far.add(error, n);
    }
  }
  return {
      .found = fmt::format(
          "$w = 1$: off by ${:+.3f}$ bits at $n = 3$, ${:+.3f}$ at $n = 10$; at most {:.3f} where "
          "its conditions are met",
          slope_error({4, 4}, 1, 3), slope_error({4, 4}, 1, 10), far.value),
      .as_stated = all.value <= fairly,
      .as_qualified = far.value <= fairly,
      .qualification = fmt::format(
          R"(where $\abs{{w}} \ge {} \sigma_\xi/(\sigma_x \sqrt{{n - 2}})$ and the deviation )"
          R"(of the slope )"
          "is at least one cell",
          what.number("offset")),
      .counterexample =
          fmt::format("$w = {}$, $n = {:.0f}$: off by {:.2f} bits", w_of_all, all.at, all.value)};
}

/// The paper's condition is met, and the formula is negative.
finding slope_condition(const claim& what, const effort& /*work*/) {
  const law x = slope_law({.w = what.number("w")}, what.number("n"));
  const double smooth = smooth_entropy_offset(4, x)->value();
  const bounded<bits> exact = exact_entropy(float_format{4, 4}, x);
  const double fine = smooth_entropy_offset(24, x)->value();
  const double fine_exact = exact_bits({24, 8}, x);
  return {
      .found = fmt::format("p4e4, $w = {}$, $n = {}$: the formula gives ${:.2f}$ bits, while the "
                           "register holds ${}$",
                           what.number("w"), what.number("n"), smooth, tex(exact.value.value(), 2)),
      .as_stated = std::fabs(smooth - exact.value.value()) <= what.number("close"),
      .as_qualified = std::fabs(fine - fine_exact) <= what.number("close"),
      .qualification = fmt::format(
          "where cells are narrower than the law, as in p24e8: {:.3f} against {:.3f} bits", fine,
          fine_exact),
      .counterexample = fmt::format("an entropy of ${:.2f}$ bits", smooth)};
}

finding averaging_cost(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double n : {2.0, 10.0, 100.0, 1000.0}) {
    for (const int p : {8, 24}) {
      const float_format format{p, 8};
      const double erased = average_cost(format, format, {}, n).device.erased().value.value();
      gap.add(std::fabs(erased / (n - 1) - p - what.number("offset")), n);
    }
  }
  return {.found = fmt::format("the exact cost is within ${:.4f} (n - 1)$ bits of it", gap.value),
          .as_stated = gap.value <= what.number("tolerance")};
}

finding summing_cost(const claim& what, const effort& /*work*/) {
  extreme gap;
  const float_format format{24, 8};
  for (const double n : {2.0, 3.0, 10.0, 100.0, 1000.0}) {
    const bits mean = average_cost(format, format, {}, n).device.erased().value;
    const bits sum = average_cost(format, format, {.sum = true}, n).device.erased().value;
    gap.add(std::fabs((mean - sum).value()), n);
  }
  return {.found = fmt::format("the exact costs differ by at most ${}$ bits, at $n = {}$",
                               tex(gap.value), gap.at),
          .as_stated = gap.value <= what.number("equal")};
}

}  // namespace

check_table regression_checks() {
  return {{"snr_values", snr_values},
          {"slope_entropy_falls", slope_entropy_falls},
          {"cost_slope", cost_slope},
          {"precision_share", precision_share},
          {"cost_falls_with_snr", cost_falls_with_snr},
          {"improves_with_precision", improves_with_precision},
          {"fits_at_low_precision", fits_at_low_precision},
          {"slope_condition", slope_condition},
          {"averaging_cost", averaging_cost},
          {"summing_cost", summing_cost}};
}

}  // namespace ktln2::paper
