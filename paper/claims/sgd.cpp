#include "ktln2/distribution/sgd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/simulation/sample.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"
#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {
namespace {

/// The setting of the paper's figures: η = 0.01, B = 10, ŵ₀ = 1, unit deviations.
constexpr descent figure_descent{.eta = 0.01, .batch = 10, .w0 = 1};

/// The gradient at a start, from many simulated steps: its mean and its variance, C(ŵ₀), for one
/// point, each with its standard error.
struct gradient_noise {
  double mean;
  double mean_error;
  double variance;
  double variance_error;
};
gradient_noise simulated_gradient(const linear_model& model, double start, const effort& work) {
  const descent how{.eta = 0.01, .batch = 10, .w0 = start};
  const simulation::sample slopes(
      simulated(simulation::sgd_trial{model, how, 1}, work.points(200'000), work));
  const auto count = static_cast<double>(slopes.size());
  const auto moment = [&](double around, int power) {
    compensated_sum sum;
    for (const double w : slopes.sorted()) sum.add(std::pow((w - around) / how.eta, power));
    return sum.value() / count;
  };
  const double step = moment(start, 1);
  const double middle = start + how.eta * step;
  const double variance = moment(middle, 2);
  const double spread = std::sqrt((moment(middle, 4) - variance * variance) / count);
  return {step, std::sqrt(variance / count), variance * how.batch, spread * how.batch};
}

finding gradient_variance_at_optimum(const claim& what, const effort& work) {
  const linear_model model{.w = 2, .sigma_x = 1.5, .sigma_xi = 0.5};
  const double product = std::pow(1.5, what.number("power")) * std::pow(0.5, what.number("power"));
  const gradient_noise at_optimum = simulated_gradient(model, 2, work);
  const gradient_noise away = simulated_gradient(model, 1, work);
  return {
      .found = fmt::format(
          R"(${:.4f} \pm {:.4f}$ at $w$, where $1.5^2 \cdot 0.5^2 = {:.4f}$; {:.2f} at a distance of 1)",
          at_optimum.variance, at_optimum.variance_error, product, away.variance),
      .as_stated = std::fabs(at_optimum.variance - product) <=
                   what.number("errors") * at_optimum.variance_error};
}

finding effective_temperature(const claim& what, const effort& /*work*/) {
  const linear_model model{.w = 2, .sigma_x = 1.5, .sigma_xi = 0.7};
  extreme gap;  // in units of η σ_x²
  for (const double eta : {1e-4, 1e-3, 1e-2}) {
    for (const double batch : {1.0, 10.0}) {
      const descent how{.eta = eta, .batch = batch};
      const double temperature = eta * std::pow(1.5 * 0.7, 2) / (what.number("two") * batch);
      const double energy = std::pow(1.5 * sgd_limit_deviation(model, how), 2);  // equipartition
      gap.add(relative_gap(energy, temperature) / (eta * 1.5 * 1.5), eta);
    }
  }
  return {
      .found = fmt::format(
          R"($\sigma_x^2\,\mathrm{{Var}}(\hat w)$ of SGD is $T_{{\mathrm{{eff}}}}$ to {:.2f} times $\eta \sigma_x^2$)",
          gap.value),
      .as_stated = gap.value <= what.number("order")};
}

/// One step from w, against the normal law with its moments.
finding gradient_noise_normal(const claim& what, const effort& /*work*/) {
  const auto distance = [](double batch) {
    const linear_model model{.w = 2};
    const descent how{.batch = batch, .w0 = 2};
    return total_variation(sgd_exact{model, how, 1}, sgd_moments_law(model, how, 1));
  };
  return {.found = fmt::format(
              "total variation {:.3f} at $B = 1$, {:.4f} at $B = 10$, {:.4f} at $B = 100$",
              distance(1), distance(10), distance(100)),
          .as_stated = distance(1) > distance(10) && distance(10) > distance(100) &&
                       distance(what.number("large")) <= what.number("close")};
}

/// The mean step is η σ_x² (w - ŵ).
finding drift(const claim& what, const effort& work) {
  extreme gap;  // in standard errors
  for (const double sigma_x : {0.5, 1.0, 3.0}) {
    const linear_model model{.w = 4, .sigma_x = sigma_x};
    for (const double start : {1.0, model.w}) {
      const gradient_noise step = simulated_gradient(model, start, work);
      const double force = std::pow(sigma_x, what.number("power")) * (model.w - start);
      gap.add(std::fabs(step.mean - force) / step.mean_error, sigma_x);
    }
  }
  return {
      .found = fmt::format(
          R"(the mean step over $\eta$ is $\sigma_x^2 (w - \hat w)$ to {:.1f} standard errors or less)",
          gap.value),
      .as_stated = gap.value <= what.number("errors")};
}

finding small_steps_concentrate(const claim& what, const effort& /*work*/) {
  const auto limit = [](double eta) { return sgd_limit_deviation({}, {.eta = eta}); };
  const double ratio = limit(1e-6) / limit(1e-4);
  return {
      .found = fmt::format(
          R"(the limit deviation is ${}$ at $\eta = 10^{{-4}}$ and ${}$ at $10^{{-6}}$; infinite )"
          R"(from $\eta = 2/(1 + 2/B)$ on ($B = 10$))",
          tex(limit(1e-4), 3), tex(limit(1e-6), 3)),
      .as_stated = std::fabs(ratio - what.number("ratio")) <= 1e-4 &&
                   std::isinf(limit(2 / 1.2 + 1e-9)) && std::isfinite(limit(2 / 1.2 - 1e-3))};
}

finding stationary_variance(const claim& what, const effort& /*work*/) {
  const auto excess = [](double eta, double batch) {
    const descent how{.eta = eta, .batch = batch};
    const double ratio = sgd_limit_deviation({}, how) / deviation(sgd_stationary_law({}, how));
    return ratio * ratio - 1;
  };
  const double small = what.number("small_eta");
  const extreme worst = largest(std::vector<double>{1, 5, 10, 25},
                                [&](double batch) { return std::fabs(excess(small, batch)); });
  return {.found = fmt::format(
              R"($\eta = {}$: the true variance is {:.2f}% larger for $B = 10$, {:.2f}% for )"
              R"($B = 1$; $\eta = 0.2$: {:.0f}% and {:.0f}%)",
              small, 100 * excess(small, 10), 100 * excess(small, 1), 100 * excess(0.2, 10),
              100 * excess(0.2, 1)),
          .as_stated = worst.value <= what.number("neglected")};
}

finding ou_mean(const claim& what, const effort& /*work*/) {
  extreme gap;  // in units of the offset w0 - w
  for (const double k : whole_log_grid(1, 2000, 40)) {
    const linear_model model{.w = 2};
    gap.add(std::fabs(exact_moments(model, figure_descent, k).mean -
                      mean(sgd_ou_law(model, figure_descent, k))),
            k);
  }
  return {.found = fmt::format(
              R"($e^{{-\eta k}}$ and $(1 - \eta)^k$ differ by at most {:.5f} of the offset, at )"
              R"($k = {:.0f}$)",
              gap.value, gap.at),
          .as_stated = gap.value <= what.number("close")};
}

double deviation_ratio(double w, double k) {
  const linear_model model{.w = w};
  return exact_moments(model, figure_descent, k).deviation /
         deviation(sgd_ou_law(model, figure_descent, k));
}

finding ou_tracks(const claim& what, const effort& /*work*/) {
  const double well = what.number("well");
  // Where it starts at w itself, there is no way to track.
  const std::vector<double> slopes = {0.25, 0.5, 2, 5};
  const auto worst = [&](double k) {
    return largest(slopes, [&](double w) { return std::fabs(deviation_ratio(w, k) - 1); });
  };
  const double stated = what.number("k");
  double from = 2000;
  while (from > 1 && worst(from - 1).value <= well) --from;
  const extreme there = worst(stated);
  return {.found = fmt::format(
              "the deviation of SGD is {1:.3f} ($w = 2$) and {2:.3f} ($w = 5$) "
              "times that of the process at $k = {0}$; within {3:.0f}% from $k = {4:.0f}$ on",
              stated, deviation_ratio(2, stated), deviation_ratio(5, stated), 100 * well, from),
          .as_stated = there.value <= well,
          .counterexample =
              fmt::format("$w = {}$, $k = {}$: the deviation of SGD is {:.2f} times that of "
                          "the process",
                          there.at, stated, 1 + there.value)};
}

/// η = 0.01 and τ = 200, as in the figure; the start is not stated.
finding asymptotic_after_200(const claim& what, const effort& /*work*/) {
  const linear_model model{.w = 2};
  const double tau = what.number("tau");
  const auto left = [&](double batch) {
    return std::fabs(exact_moments(model, {.batch = batch, .w0 = 1}, tau).mean - 2);
  };
  const auto offset = [&](double batch) {  // of the mean, in stationary deviations
    return left(batch) / deviation(sgd_stationary_law(model, {.batch = batch, .w0 = 1}));
  };
  const descent at_home{.batch = 10, .w0 = 2};
  const double ratio =
      exact_moments(model, at_home, tau).deviation / deviation(sgd_stationary_law(model, at_home));
  const double close = what.number("close");
  return {.found = fmt::format("{:.3f} of the first offset is left: {:.1f}, {:.1f} and {:.1f} "
                               R"(deviations for $B = 1, 5, 25$ and $\abs{{w - \hat w_0}} = 1$)",
                               left(1), offset(1), offset(5), offset(25)),
          .as_stated = offset(1) <= close && offset(5) <= close && offset(25) <= close,
          .as_qualified = std::fabs(ratio - 1) <= close,
          .qualification = fmt::format(
              R"(if it starts at $\hat w_0 = w$: the deviation is then {:.4f} times the )"
              "stationary one",
              ratio),
          .counterexample = fmt::format(
              R"($B = 25$, $\hat w_0 = 1$, $w = 2$: the mean is {:.1f} deviations away )"
              "from $w$",
              offset(25))};
}

/// From ŵ₀ = w, so that only the shape counts.
finding single_sample_batches(const claim& what, const effort& work) {
  const linear_model model{.w = 2};
  const descent how{.eta = 0.01, .batch = what.number("batch"), .w0 = 2};
  const double steps = work.quick ? 100 : 200;
  const sgd_exact exact{model, how, steps};
  const double to_limit = total_variation(exact, sgd_stationary_law(model, how));
  const double to_process = total_variation(exact, sgd_ou_law(model, how, steps));
  return {.found = fmt::format(
              "$B = {}$: total variation {:.4f} from the process after {} steps, {:.4f} "
              "from its limit",
              how.batch, to_process, steps, to_limit),
          .as_stated = std::max(to_process, work.quick ? 0 : to_limit) <= what.number("effective")};
}

finding sufficient_condition(const claim& what, const effort& /*work*/) {
  extreme process;
  extreme truth;
  for (const double w : slopes_of_the_figures) {
    for (const double k : whole_log_grid(1, 2000, 60)) {
      const linear_model model{.w = w};
      const double limit = deviation(sgd_stationary_law(model, figure_descent));
      process.add(deviation(sgd_ou_law(model, figure_descent, k)) / limit, k);
      truth.add(exact_moments(model, figure_descent, k).deviation / limit, k);
    }
  }
  return {.found = fmt::format("the deviation of the process is at most {:.6f} times its limit, "
                               "that of SGD itself {:.2f} "
                               "times ($k = {:.0f}$)",
                               process.value, truth.value, truth.at),
          .as_stated = truth.value <= what.number("ratio") && process.value <= what.number("ratio"),
          .as_qualified = process.value <= what.number("ratio"),
          .qualification = "for the process, not for SGD itself",
          .counterexample = fmt::format(
              R"(SGD from $\hat w_0 = 1$ to $w = 5$ is {:.2f} times as wide at $k = {:.0f}$)",
              truth.value, truth.at)};
}

finding sgd_cost_linear(const claim& what, const effort& /*work*/) {
  extreme gap;
  extreme early;
  for (const double w : slopes_of_the_figures) {
    for (const double k : {10.0, 100.0, 1000.0}) {
      const computation c =
          sgd_cost(one_format({24, 8}), {.w = w}, figure_descent, k, sgd_model::moments);
      const double joint = c.device.input()[0].each.value.value();
      const double rate = c.device.erased().value.value() / (k * 10);
      (k < 100 ? early : gap).add(std::fabs(rate / joint - 1), k);
    }
  }
  return {.found = fmt::format(
              "the cost a point is within {:.2f}% of $H(X, Y)$ from $k = 100$ on, within {:.1f}% "
              "at $k = 10$",
              100 * gap.value, 100 * early.value),
          .as_stated = gap.value <= what.number("close")};
}

finding sgd_precision_share(const claim& what, const effort& /*work*/) {
  double low = 1;
  double high = 0;
  for (const double w : slopes_of_the_figures) {
    const computation c = sgd_cost(one_format({24, 8}), {.w = w}, figure_descent, 1000,
                                   sgd_model::ou, entropy_kind::smooth);
    const double share = c.device.precision() / c.device.erased().value;
    low = std::min(low, share);
    high = std::max(high, share);
  }
  return {
      .found = fmt::format("{:.1f} to {:.1f}% of the cost at $k = 1000$", 100 * low, 100 * high),
      .as_stated = low > what.number("primary")};
}

finding sgd_cost_falls_with_snr(const claim& what, const effort& /*work*/) {
  bool falls = true;
  std::string shown;
  double last = std::numeric_limits<double>::infinity();
  for (const double w : slopes_of_the_figures) {
    const double erased = sgd_cost(one_format({24, 8}), {.w = w}, figure_descent, what.number("k"),
                                   sgd_model::moments)
                              .device.erased()
                              .value.value();
    falls = falls && erased < last;
    last = erased;
    shown += fmt::format("{}{:.1f}", shown.empty() ? "" : ", ", erased);
  }
  return {.found = shown + fmt::format(" bits at $k = {}$ as the SNR rises", what.number("k")),
          .as_stated = falls};
}

/// The closed form near the start, where the law shrinks to a point.
finding small_step_entropy(const claim& what, const effort& /*work*/) {
  const float_format format{24, 8};
  const auto smooth = [](double w, double k) {
    return smooth_entropy_offset(24, sgd_ou_law({.w = w}, figure_descent, k))->value();
  };
  const auto exact = [&](double w, double k) {
    return exact_bits(format, sgd_moments_law({.w = w}, figure_descent, k));
  };
  const double close = what.number("close");
  extreme early;
  for (const double w : slopes_of_the_figures) {
    for (const double k : {1.0, 10.0, 100.0}) early.add(std::fabs(smooth(w, k) - exact(w, k)), w);
  }
  extreme late;
  for (const double w : slopes_of_the_figures) {
    for (const double k : {500.0, 1000.0, 2000.0}) {
      late.add(std::fabs(smooth(w, k) - exact(w, k)), w);
    }
  }
  const double first = exact_bits(format, sgd_exact{{.w = 5}, figure_descent, 1});
  return {.found = fmt::format(
              R"(off by up to {:.2f} bits for $k \le 100$ and {:.2f} from $k = 500$ on, over )"
              "the figure's $w$",
              early.value, late.value),
          .as_stated = early.value <= close && late.value <= close,
          .as_qualified = late.value <= close,
          .qualification = R"(for $k \ge 500$)",
          .counterexample = fmt::format("$w = 5$, $k = 1$: {:.2f} bits, while the register holds "
                                        "{:.2f}; toward $k = 0$ it falls without "
                                        "end, although the register holds 0 bits there",
                                        smooth(5, 1), first)};
}

finding entropy_settles(const claim& what, const effort& /*work*/) {
  const auto entropy = [](double w, double k) {
    return exact_bits({24, 8}, sgd_moments_law({.w = w}, figure_descent, k));
  };
  extreme moves;
  for (const double w : slopes_of_the_figures) {
    moves.add(std::fabs(entropy(w, 2000) - entropy(w, what.number("from"))), w);
  }
  return {.found = fmt::format("the entropy moves by at most ${}$ bits between $k = {}$ and 2000",
                               tex(moves.value), what.number("from")),
          .as_stated = moves.value <= what.number("constant")};
}

finding slope_near_zero(const claim& what, const effort& /*work*/) {
  const auto error = [](double ratio) {  // w in stationary deviations
    const double w = ratio * deviation(sgd_stationary_law({.w = 0}, figure_descent));
    return exact_bits({24, 8}, sgd_stationary_law({.w = w}, figure_descent)) -
           smooth_entropy_zero_mean(24).value();
  };
  const auto worst = [&](double to) {
    return largest(linear_grid(0, to, 17), [&](double ratio) { return std::fabs(error(ratio)); });
  };
  const double close = what.number("close");
  const double near = what.number("near");
  const double nearer = what.number("nearer");
  return {.found = fmt::format(
              "off by ${:+.4f}$ bits at $w = 0$, ${:+.3f}$ at half a deviation, ${:+.3f}$ at one, "
              "${:+.3f}$ at two",
              error(0), error(0.5), error(1), error(2)),
          .as_stated = worst(near).value <= close,
          .as_qualified = worst(nearer).value <= close,
          .qualification = fmt::format(R"(for $\abs{{w}}$ up to {} of the deviation)", nearer),
          .counterexample = fmt::format("$w$ one deviation from zero: ${:+.3f}$ bits", error(1))};
}

}  // namespace

check_table sgd_checks() {
  return {{"gradient_variance_at_optimum", gradient_variance_at_optimum},
          {"effective_temperature", effective_temperature},
          {"gradient_noise_normal", gradient_noise_normal},
          {"drift", drift},
          {"small_steps_concentrate", small_steps_concentrate},
          {"stationary_variance", stationary_variance},
          {"ou_mean", ou_mean},
          {"ou_tracks", ou_tracks},
          {"asymptotic_after_200", asymptotic_after_200},
          {"single_sample_batches", single_sample_batches},
          {"sufficient_condition", sufficient_condition},
          {"sgd_cost_linear", sgd_cost_linear},
          {"sgd_precision_share", sgd_precision_share},
          {"sgd_cost_falls_with_snr", sgd_cost_falls_with_snr},
          {"small_step_entropy", small_step_entropy},
          {"entropy_settles", entropy_settles},
          {"slope_near_zero", slope_near_zero}};
}

}  // namespace ktln2::paper
