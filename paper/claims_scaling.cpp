#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>

#include "claim_tools.hpp"
#include "claims.hpp"
#include "figures.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/scaling/optimum.hpp"

namespace ktln2::paper {
namespace {

/// The market of [fig:scaling_laws]; every claim there is about it.
market prices_at(double energy_price, inference_price inference = {10}) {
  return {.energy_price = energy_price,
          .inference = inference,
          .wanted = {},
          .temperature = kelvin{4e-21 / boltzmann_constant.value()}};
}

profit_curve regression_at(double energy_price, entropy_kind kind = entropy_kind::smooth) {
  return {prices_at(energy_price), one_format({24, 8}), regression{.w = 2}, kind};
}

struct sgd_setting {
  double eta = 0.05;
  double batch = 10;
  double w = 2;
};

profit_curve sgd_at(double energy_price, const sgd_setting& set = {},
                    entropy_kind kind = entropy_kind::smooth) {
  const sgd_problem problem{.eta = set.eta, .batch = set.batch, .w0 = 1, .w = set.w};
  return {prices_at(energy_price), one_format({24, 8}), problem, sgd_model::ou, kind};
}

double best_n(const profit_curve& curve) { return find_best_size(curve).best.value().n; }

std::vector<double> best_sizes(const std::vector<double>& energy_prices,
                               profit_curve (*curve_at)(double)) {
  std::vector<double> result;
  result.reserve(energy_prices.size());
  for (const double price : energy_prices) result.push_back(best_n(curve_at(price)));
  return result;
}
profit_curve paper_regression(double energy_price) { return regression_at(energy_price); }
profit_curve paper_sgd(double energy_price) { return sgd_at(energy_price); }

bool is_falling(const std::vector<double>& values) {
  return std::is_sorted(values.rbegin(), values.rend()) && values.front() > values.back();
}

finding size_falls(const claim& what, profit_curve (*curve_at)(double)) {
  const std::vector<double> sizes = best_sizes(what.list("rho_J"), curve_at);
  return {.found = fmt::format("$n^* = {:g}$ as energy gets dearer", fmt::join(sizes, ", ")),
          .as_stated = is_falling(sizes)};
}
finding regression_size_falls(const claim& what, const effort& /*work*/) {
  return size_falls(what, paper_regression);
}
finding sgd_size_falls(const claim& what, const effort& /*work*/) {
  return size_falls(what, paper_sgd);
}

finding regression_needs_fewer(const claim& what, const effort& /*work*/) {
  finding result{.found = {}, .as_stated = true, .as_qualified = true};
  double last_true = 0;
  for (const double price : log_grid(what.number("rho_J_min"), what.number("rho_J_max"), 60)) {
    const double exact = best_n(regression_at(price));
    const best_size sgd = find_best_size(sgd_at(price));
    if (exact <= sgd.best.value().n) {
      last_true = price;
      continue;
    }
    result.as_stated = false;
    if (sgd.place != best_place::corner) result.as_qualified = false;
    if (result.counterexample.empty()) {
      result.counterexample =
          fmt::format(R"($\rho_J = {}$: exact regression wants {:g} points, SGD {:g})",
                      tex(price, 3), exact, sgd.best.value().n);
    }
  }
  result.found = fmt::format(R"(true up to $\rho_J = {}$)", tex(last_true, 2));
  result.qualification = "where SGD wants more than a single batch";
  return result;
}

finding units_matter(const claim& what, const effort& /*work*/) {
  const double factor = what.number("factor");
  const auto size = [](double energy_price, double inference) {
    return best_n({prices_at(energy_price, {inference}), one_format({24, 8}), regression{.w = 2},
                   entropy_kind::smooth});
  };
  const double before = size(5e16, 10);
  const double energy_only = size(5e16 * factor, 10);
  const double both = size(5e16 * factor, 10 * factor);
  return {
      .found = fmt::format("$n^* = {:g}$; with energy {:g} times dearer {:g}; with predictions as "
                           "much dearer too, {:g} again",
                           before, factor, energy_only, both),
      .as_stated = energy_only != before && both == before};
}

/// ∫ z² f(z) dz of Student's t, by quadrature.
double second_moment(const standard_student_t& kernel) {
  boost::math::quadrature::exp_sinh<double> rule;
  return 2 * rule.integrate([&](double z) { return z * z * std::exp(kernel.log_pdf(z)); });
}

finding regression_error(const claim& what, const effort& /*work*/) {
  double worst = 0;
  for (const double n : what.list("n")) {
    const student_t slope = slope_law({.n = n, .w = 2});
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
    const auto& rule = gauss_legendre<16>();
    double sum = 0;
    for (std::size_t i = 0; i < rule.node.size(); ++i) {
      const double z = R * (1.5 + rule.node[i] / 2);
      sum += rule.weight[i] * z * z * std::exp(kernel.log_pdf(z));
    }
    return R * sum;
  };
  return octave(0x1p21) / octave(0x1p20);
}

finding regression_error_is_infinite(const claim& what, const effort& /*work*/) {
  std::vector<double> infinite;
  std::string ratios;
  for (double n = 1; n <= 5; ++n) {
    const double ratio = octave_ratio(slope_law({.n = n}).kernel());
    ratios += fmt::format("{}{:.3f} ($n = {:g}$)", n == 1 ? "" : ", ", ratio, n);
    if (ratio > 1 - 1e-6) infinite.push_back(n);
  }
  return {
      .found = R"(each octave of the tail adds to $\mathbb{E} Z^2$, as a multiple of the last, )" +
               ratios,
      .as_stated = infinite == what.list("n")};
}

finding sgd_error(const claim& what, const effort& /*work*/) {
  double worst = 0;
  double worst_k = 0;
  const sgd_problem problem{.eta = 0.05, .w0 = 1, .w = 2};
  for (double k = 1; k <= 200; ++k) {
    const double ratio =
        sgd_mse(problem, k, sgd_model::ou) / sgd_mse(problem, k, sgd_model::moments);
    if (std::abs(ratio - 1) > worst) {
      worst = std::abs(ratio - 1);
      worst_k = k;
    }
  }
  return {.found = fmt::format("within {:.2g}% of the exact error, worst after {:g} steps",
                               100 * worst, worst_k),
          .as_stated = worst <= what.number("share")};
}

finding inference_is_free(const claim& what, const effort& work) {
  double ideal = 0;
  double worst = 0;
  double worst_slope = 0;
  for (const double slope : linear_grid(1, 2, work.points(65))) {
    const inference_cost cost = inference({24, 8}, slope, 1);
    ideal = std::max(ideal, std::abs(cost.ideal.value()));
    if (cost.device.erased().value.value() > worst) {
      worst = cost.device.erased().value.value();
      worst_slope = slope;
    }
  }
  const double most = what.number("bits");
  return {.found = fmt::format("{:.1g} bits if the product is taken before storing, up to {:.3f} "
                               "bits for the map of stored numbers",
                               ideal, worst),
          .as_stated = worst <= most,
          .as_qualified = ideal <= most,
          .qualification = "where $x$ is multiplied before it is stored",
          .counterexample =
              fmt::format(R"($\hat w = {:.4g}$, $p = 24$: {:.3f} bits)", worst_slope, worst)};
}

finding inference_merges(const claim& what, const effort& work) {
  double least = HUGE_VAL;
  std::string found;
  for (const double p : what.list("p")) {
    double worst = 0;
    double worst_slope = 0;
    for (const double slope : linear_grid(1, 2, work.points(41))) {
      const inference_cost cost = inference({static_cast<int>(p), 6}, slope, 1);
      if (cost.device.erased().value.value() <= worst) continue;
      worst = cost.device.erased().value.value();
      worst_slope = slope;
    }
    least = std::min(least, worst);
    found += fmt::format(R"({}{:.3f} bits at $p = {:g}$ ($\hat w = {:g}$))",
                         found.empty() ? "up to " : ", ", worst, p, worst_slope);
  }
  return {.found = found, .as_stated = least > what.number("bits")};
}

finding strong_signal(const claim& what, const effort& /*work*/) {
  const parameters figure = chosen({"fig:profit_ex"}).at(0).settings;
  const double ratio =
      std::abs(figure.number("w")) * figure.number("sigma_x") / figure.number("sigma_xi");
  bool is_same = true;
  for (const double price : what.list("rho_J")) {
    is_same = is_same &&
              best_n(regression_at(price)) == best_n(regression_at(price, entropy_kind::exact));
  }
  return {
      .found = fmt::format(
          R"($\abs{{w}}$ is {:g} times $\sigma_\xi/\sigma_x$; exact entropies {} the best sizes)",
          ratio, is_same ? "do not change" : "change"),
      .as_stated = ratio >= what.number("much"),
      .as_qualified = is_same,
      .qualification = "as far as the best sizes go, which are the same without this assumption",
      .counterexample =
          fmt::format(R"($w = {:g}$ in the figures: {:g} times $\sigma_\xi/\sigma_x$)",
                      figure.number("w"), ratio)};
}

finding mean_is_far_from_zero(const claim& what, const effort& /*work*/) {
  const sgd_problem problem{.eta = 0.05, .w0 = 1, .w = 2};
  double least = HUGE_VAL;
  for (const double k : log_grid(1, 1000, 60)) {
    least = std::min(least, std::abs(relaxed_sgd(problem, k, sgd_model::ou).mean) /
                                sgd_stationary_law(problem).scale());
  }
  return {.found = fmt::format("the mean is at least {:.3g} times as large", least),
          .as_stated = least >= what.number("much")};
}

finding enough_steps(const claim& what, const effort& work) {
  double least = HUGE_VAL;
  double least_price = 0;
  double moved = 0;
  for (const double price : what.list("rho_J")) {
    work.pause();
    const profit_curve curve = sgd_at(price);
    const double n = best_n(curve);
    if (n / curve.step() < least) {
      least = n / curve.step();
      least_price = price;
    }
    moved = std::max(moved, std::abs(best_n(curve.with(sgd_model::moments)) - n) / curve.step());
  }
  return {
      .found = fmt::format("{:g} steps or more at the best sizes; exact moments move these by {:g} "
                           "batch at most",
                           least, moved),
      .as_stated = least >= what.number("steps"),
      .as_qualified = moved <= what.number("batches"),
      .qualification = "if an error of one batch in the best size may be neglected",
      .counterexample = fmt::format(R"($\rho_J = {}$: {:g} steps)", tex(least_price), least)};
}

/// u'(n) against differences of the sixth order of u(n), over the scale of the terms in u'.
double worst_derivative_error(const profit_curve& curve, double last) {
  double worst = 0;
  for (const double n : log_grid(1.2 * curve.first(), last, 40)) {
    const double h = n / 64;
    const auto slope = [&](double step) {
      return (curve.profit(n + step) - curve.profit(n - step)) / (2 * step);
    };
    const double numeric = (15 * slope(h) - 6 * slope(2 * h) + slope(3 * h)) / 10;
    const double scale =
        std::abs(numeric) + curve.bit_price() * std::abs(curve.data_entropy().value());
    worst = std::max(worst, std::abs(curve.derivative(n) - numeric) / scale);
  }
  return worst;
}

finding regression_derivative(const claim& what, const effort& /*work*/) {
  double worst = 0;
  for (const double price : what.list("rho_J")) {
    worst = std::max(worst, worst_derivative_error(regression_at(price), 1000));
  }
  return {.found = "agrees with differences of $u(n)$ " + agreement(worst),
          .as_stated = worst <= what.number("tolerance")};
}

finding sgd_derivative(const claim& what, const effort& /*work*/) {
  double worst = 0;
  for (const double price : what.list("rho_J")) {
    worst = std::max(worst, worst_derivative_error(sgd_at(price), 1000));
  }
  return {.found = "agrees with differences of $u(n)$ " + agreement(worst),
          .as_stated = worst <= what.number("tolerance")};
}

finding slope_entropy_derivative(const claim& what, const effort& /*work*/) {
  using boost::math::trigamma;
  const profit_curve curve = regression_at(5e16);  // its smooth entropy of ŵ is h(Z) + constants
  double worst = 0;
  for (const double n : log_grid(4, 1000, 40)) {
    const double h = n / 64;
    const auto slope = [&](double step) {
      return (curve.model_entropy(n + step) - curve.model_entropy(n - step)).value() / (2 * step);
    };
    const double numeric = (15 * slope(h) - 6 * slope(2 * h) + slope(3 * h)) / 10;
    const double formula = std::log2(M_E) * (n + 1) / 4 * (trigamma((n + 1) / 2) - trigamma(n / 2));
    worst = std::max(worst, std::abs(formula / numeric - 1));
  }
  return {.found = "agrees with differences of $h(Z)$ " + agreement(worst),
          .as_stated = worst <= what.number("tolerance")};
}

/// Is the profit at a zero of u' no less than at its sides?
bool is_maximum(const profit_curve& curve, double n) {
  const double here = curve.profit(n);
  return here >= curve.profit(n * 0.99) && here >= curve.profit(n * 1.01);
}

/// Where the derivative changes its sign between two sizes.
double zero_between(const profit_curve& curve, double low, double high) {
  const bool rises = curve.derivative(low) > 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    ((curve.derivative(middle) > 0) == rises ? low : high) = middle;
  }
  return low;
}

finding zeros_are_maxima(const claim& what, const effort& /*work*/) {
  int zeros = 0;
  bool all = true;
  for (const double price : what.list("rho_J")) {
    for (const profit_curve& curve : {regression_at(price), sgd_at(price)}) {
      double before = curve.derivative(curve.first());
      for (double n = curve.first(); n < 3000; n *= 1.01) {
        const double here = curve.derivative(n * 1.01);
        if ((before > 0) != (here > 0)) {
          ++zeros;
          all = all && before > 0 && is_maximum(curve, zero_between(curve, n, n * 1.01));
        }
        before = here;
      }
    }
  }
  return {.found = fmt::format("{} zeros on {} curves, {}", zeros, 2 * what.list("rho_J").size(),
                               all ? "all of them maxima" : "not all of them maxima"),
          .as_stated = all && zeros > 0};
}

finding may_have_no_zero(const claim& what, const effort& /*work*/) {
  const profit_curve curve = regression_at(what.number("rho_J"));
  const std::vector<double> sizes = log_grid(curve.first(), 1e6, 200);
  const bool has_zero =
      !std::all_of(sizes.begin(), sizes.end(), [&](double n) { return curve.derivative(n) < 0; });
  return {.found = fmt::format(R"(at $\rho_J = {}$ the derivative is {}; the best size is {:g})",
                               tex(what.number("rho_J")),
                               has_zero ? "positive somewhere" : "negative from $n = 3$ on",
                               best_n(curve)),
          .as_stated = !has_zero};
}

/// The best of all feasible sizes up to 5000, one by one.
double best_by_enumeration(const profit_curve& curve) {
  double best = curve.first();
  double most = -HUGE_VAL;
  for (double n = curve.first(); n <= 5000; n += curve.step()) {
    const double here = curve.profit(n);
    if (here > most) {
      most = here;
      best = n;
    }
  }
  return best;
}

finding regression_rounding(const claim& what, const effort& work) {
  int wrong = 0;
  int count = 0;
  for (const double price :
       log_grid(what.number("rho_J_min"), what.number("rho_J_max"), work.points(60))) {
    const profit_curve curve = regression_at(price);
    ++count;
    if (find_best_size(curve).rounded.value() != best_by_enumeration(curve)) ++wrong;
  }
  return {.found = fmt::format("rounding finds the best whole size at {} of {} prices",
                               count - wrong, count),
          .as_stated = wrong == 0};
}

/// The price of energy, just below the one at which an inner maximum earns as much as the first
/// batch: the relaxed optimum is inside, but perhaps no multiple of the batch earns as much there.
double tied_price(const sgd_setting& set) {
  const auto gain = [&](double log_price) {
    const profit_curve curve = sgd_at(std::exp(log_price), set);
    double most = std::numeric_limits<double>::lowest();
    for (const local_optimum& one : find_best_size(curve).optima) {
      if (!one.is_corner && one.relaxed) most = std::max(most, curve.profit(*one.relaxed));
    }
    return most - curve.profit(curve.first());
  };
  std::uintmax_t most = 60;
  const auto ends = boost::math::tools::bisect(gain, std::log(1e15), std::log(1e18),
                                               boost::math::tools::eps_tolerance<double>(30), most);
  return std::exp(ends.first);
}

finding sgd_rounding(const claim& what, const effort& work) {
  int wrong = 0;
  for (const double price :
       log_grid(what.number("rho_J_min"), what.number("rho_J_max"), work.points(60))) {
    const profit_curve curve = sgd_at(price);
    if (find_best_size(curve).rounded.value() != best_by_enumeration(curve)) ++wrong;
  }
  finding result{.found = {}, .as_stated = wrong == 0, .as_qualified = wrong == 0};
  for (const double eta : {0.05, 0.04, 0.03, 0.02}) {
    const sgd_setting set{.eta = eta, .w = what.number("other_w")};
    const double price = tied_price(set);
    const profit_curve curve = sgd_at(price, set);
    const double rounded = find_best_size(curve).rounded.value();
    const double best = best_by_enumeration(curve);
    if (rounded == best) continue;
    result.as_stated = false;
    result.counterexample = fmt::format(
        R"($w = {:g}$, $\eta = {:g}$, $B = 10$, $\rho_J = {}$: rounding gives $n = {:g}$, but )"
        "$n = {:g}$ earns {:.5f} more",
        set.w, eta, tex(price, 8), rounded, best, curve.profit(best) - curve.profit(rounded));
    break;
  }
  result.found =
      fmt::format(R"(rounding is wrong at {} of the prices with $\eta = 0.05$, $B = 10${})", wrong,
                  result.counterexample.empty() ? "" : "; elsewhere it is where two maxima tie");
  result.qualification = R"(for $w = 2$, $\eta = 0.05$, $B = 10$, as in the figure)";
  return result;
}

finding regression_is_unimodal(const claim& what, const effort& work) {
  std::size_t most = 0;
  bool falls = true;
  for (const double price :
       log_grid(what.number("rho_J_min"), what.number("rho_J_max"), work.points(30))) {
    const profit_curve curve = regression_at(price);
    most = std::max(most, find_best_size(curve).optima.size());
    double before = HUGE_VAL;
    for (double n = 3; n < 1e4; n *= 1.05) {
      const double here = (n - 1) * (n - 1) * curve.derivative(n);
      falls = falls && here < before;
      before = here;
    }
  }
  return {.found = fmt::format(
              "at most {} maximum; $(n - 1)^2 u'(n)$ {}, so $u'$ changes its sign once at most",
              most, falls ? "falls throughout" : "does not fall throughout"),
          .as_stated = most == 1 && falls};
}

finding sgd_is_unimodal(const claim& what, const effort& work) {
  std::size_t on_figures = 0;
  for (const double price :
       log_grid(what.number("rho_J_min"), what.number("rho_J_max"), work.points(30))) {
    on_figures = std::max(on_figures, find_best_size(sgd_at(price)).optima.size());
  }
  const double w = what.number("other_w");
  const auto elsewhere = find_best_size(sgd_at(5e16, {.w = w})).optima;
  finding result{.found = fmt::format("at most {} maximum at $w = 2$; {} at $w = {:g}$", on_figures,
                                      elsewhere.size(), w),
                 .as_stated = on_figures == 1 && elsewhere.size() == 1,
                 .as_qualified = on_figures == 1,
                 .qualification = R"(for $w = 2$, $\eta = 0.05$, $B = 10$, as in the figure)"};
  if (elsewhere.size() > 1) {
    result.counterexample = fmt::format(
        R"($w = {:g}$, $\rho_J = 5 \cdot 10^{{16}}$: $n = {:g}$ and $n = {:g}$ are both )"
        R"(maxima, they earn {:.3f} and {:.3f})",
        w, elsewhere[0].point.n, elsewhere[1].point.n, elsewhere[0].point.profit,
        elsewhere[1].point.profit);
  }
  return result;
}

finding slower_wants_more(const claim& what, const effort& /*work*/) {
  const std::vector<double>& rates = what.list("eta");
  std::vector<double> sizes;
  sizes.reserve(rates.size());
  for (const double eta : rates) sizes.push_back(best_n(sgd_at(5e16, {.eta = eta})));
  const auto peak = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  const double turn = rates[static_cast<std::size_t>(peak)];
  finding result{.found = fmt::format(R"($n^* = {:g}$ at $\eta = {:g}$)", fmt::join(sizes, ", "),
                                      fmt::join(rates, ", ")),
                 .as_stated = is_falling(sizes),
                 .as_qualified = is_falling({sizes.begin() + peak, sizes.end()}),
                 .qualification = fmt::format(R"(for $\eta \ge {:g}$)", turn)};
  if (!result.as_stated) {
    result.counterexample =
        fmt::format(R"($n^* = {:g}$ at $\eta = {:g}$, but {:g} at $\eta = {:g}$)", sizes.front(),
                    rates.front(), sizes[static_cast<std::size_t>(peak)], turn);
  }
  return result;
}

finding batch_matters(const claim& what, const effort& /*work*/) {
  std::vector<double> sizes;
  for (const double batch : what.list("B")) sizes.push_back(best_n(sgd_at(5e16, {0.05, batch, 2})));
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return {.found = fmt::format("$n^* = {:g}$ at $B = {:g}$", fmt::join(sizes, ", "),
                               fmt::join(what.list("B"), ", ")),
          .as_stated = *most > *least};
}

finding rising_price_wants_more(const claim& what, const effort& /*work*/) {
  const auto size = [&](double base, double rise, double sigma_xi) {
    return best_n({prices_at(5e16, {base, rise}), one_format({24, 8}),
                   regression{.w = 2, .sigma_xi = sigma_xi}, entropy_kind::smooth});
  };
  const double constant = size(10, 0, 1);
  const double on_top = size(10, what.number("rise"), 1);
  const double noisy = size(10, 0, 2);
  const double instead = size(0, what.number("rise"), 2);
  return {.found = fmt::format("$n^* = {:g}$ at a constant price of 10, {:g} if ${:g} d$ is added "
                               "to it, where $d$ is the demand",
                               constant, on_top, what.number("rise")),
          .as_stated = on_top > constant && instead > noisy,
          .as_qualified = on_top > constant,
          .qualification = "if the rise comes on top of the constant price",
          .counterexample = fmt::format(
              R"($\sigma_\xi = 2$: $n^* = {:g}$ at the price 10, but {:g} at the price ${:g} d$)",
              noisy, instead, what.number("rise"))};
}

finding noise_sets_a_threshold(const claim& what, const effort& /*work*/) {
  bool all = true;
  double share = 1;
  for (const double price : what.list("rho_J")) {
    const profit_curve curve = regression_at(price);
    const best_size found = find_best_size(curve);
    const double most = revenue(curve.prices(), curve.limit_mse());
    all = all && found.place == best_place::interior && curve.derivative(2 * found.best->n) < 0;
    share = std::min(share, found.best->revenue / most);
  }
  return {.found = fmt::format("a best size at every price, where predictions already earn {:.0f}% "
                               "or more of what perfect knowledge of $w$ would",
                               std::floor(100 * share)),
          .as_stated = all};
}

}  // namespace

void add_scaling_checks(check_table& all) {
  all["inference_is_free"] = inference_is_free;
  all["inference_merges"] = inference_merges;
  all["regression_error"] = regression_error;
  all["regression_error_is_infinite"] = regression_error_is_infinite;
  all["sgd_error"] = sgd_error;
  all["regression_size_falls"] = regression_size_falls;
  all["sgd_size_falls"] = sgd_size_falls;
  all["regression_needs_fewer"] = regression_needs_fewer;
  all["units_matter"] = units_matter;
  all["strong_signal"] = strong_signal;
  all["mean_is_far_from_zero"] = mean_is_far_from_zero;
  all["enough_steps"] = enough_steps;
  all["regression_derivative"] = regression_derivative;
  all["sgd_derivative"] = sgd_derivative;
  all["slope_entropy_derivative"] = slope_entropy_derivative;
  all["zeros_are_maxima"] = zeros_are_maxima;
  all["may_have_no_zero"] = may_have_no_zero;
  all["regression_rounding"] = regression_rounding;
  all["sgd_rounding"] = sgd_rounding;
  all["regression_is_unimodal"] = regression_is_unimodal;
  all["sgd_is_unimodal"] = sgd_is_unimodal;
  all["slower_wants_more"] = slower_wants_more;
  all["batch_matters"] = batch_matters;
  all["rising_price_wants_more"] = rising_price_wants_more;
  all["noise_sets_a_threshold"] = noise_sets_a_threshold;
}

}  // namespace ktln2::paper
