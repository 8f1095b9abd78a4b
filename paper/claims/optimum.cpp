#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "paper/claims/claim_market.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

/// f'(n) by differences of the sixth order.
template <class Function>
double difference_quotient(Function f, double n) {
  const double h = n / 64;
  const auto slope = [&](double step) { return (f(n + step) - f(n - step)) / (2 * step); };
  return (15 * slope(h) - 6 * slope(2 * h) + slope(3 * h)) / 10;
}

/// u'(n) against differences of u(n), over the scale of the terms in u'.
double worst_derivative_error(const profit_curve& curve) {
  double worst = 0;
  for (const double n : log_grid(1.2 * curve.first(), 1000, 40)) {
    const double numeric = difference_quotient([&](double m) { return curve.profit(m); }, n);
    const double scale =
        std::abs(numeric) + curve.bit_price() * std::abs(curve.data_entropy().value());
    worst = std::max(worst, std::abs(curve.derivative(n) - numeric) / scale);
  }
  return worst;
}

template <class CurveAt>
finding derivative_agrees(const claim& what, CurveAt curve_at) {
  double worst = 0;
  for (const double price : what.list("rho_J")) {
    worst = std::max(worst, worst_derivative_error(curve_at(price)));
  }
  return {.found = "agrees with differences of $u(n)$ " + agreement(worst),
          .as_stated = worst <= what.number("tolerance")};
}
finding regression_derivative(const claim& what, const effort& /*work*/) {
  return derivative_agrees(what, [](double price) { return regression_at(price); });
}
finding sgd_derivative(const claim& what, const effort& /*work*/) {
  return derivative_agrees(what, [](double price) { return sgd_at(price); });
}

finding slope_entropy_derivative(const claim& what, const effort& /*work*/) {
  using boost::math::trigamma;
  const profit_curve curve = regression_at(5e16);  // its smooth entropy of ŵ is h(Z) + constants
  double worst = 0;
  for (const double n : log_grid(4, 1000, 40)) {
    const double numeric =
        difference_quotient([&](double m) { return curve.model_entropy(m).value(); }, n);
    const double formula =
        std::numbers::log2e * (n + 1) / 4 * (trigamma((n + 1) / 2) - trigamma(n / 2));
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
  return boost::math::tools::bisect([&](double n) { return curve.derivative(n); }, low, high,
                                    boost::math::tools::eps_tolerance<double>())
      .first;
}

/// The zeros of u' up to n = 3000.
struct zeros_of_profit {
  int count = 0;
  double minimum = 0;  ///< the first one that is no maximum, if there is one
};

void add_zeros(const profit_curve& curve, zeros_of_profit& zeros) {
  double before = curve.derivative(curve.first());
  for (double n = curve.first(); n < 3000; n *= 1.01) {
    const double here = curve.derivative(n * 1.01);
    if ((before > 0) != (here > 0)) {
      const double zero = zero_between(curve, n, n * 1.01);
      ++zeros.count;
      if (zeros.minimum == 0 && !(before > 0 && is_maximum(curve, zero))) zeros.minimum = zero;
    }
    before = here;
  }
}

finding zeros_are_maxima(const claim& what, const effort& /*work*/) {
  zeros_of_profit stated;
  zeros_of_profit other;
  double price_of_minimum = 0;
  for (const double price : what.list("rho_J")) {
    add_zeros(regression_at(price), stated);
    add_zeros(sgd_at(price), stated);
    add_zeros(sgd_at(price, {.w = what.number("other_w")}), other);
    if (price_of_minimum == 0 && other.minimum > 0) price_of_minimum = price;
  }
  const bool as_figure = stated.count > 0 && stated.minimum == 0;
  return {.found = fmt::format("{} zeros on {} curves of the figures, {}", stated.count,
                               2 * what.list("rho_J").size(),
                               as_figure ? "all of them maxima" : "not all of them maxima"),
          .as_stated = as_figure && other.minimum == 0,
          .as_qualified = as_figure,
          .qualification = "for the curves of the figures",
          .counterexample =
              fmt::format(R"(SGD with $w = {:g}$, $\rho_J = {}$: the zero at )"
                          "$n = {:.1f}$ is a minimum",
                          what.number("other_w"), tex(price_of_minimum, 2), other.minimum)};
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
  // As it is printed, so that it can be tried.
  return std::stod(fmt::format("{:.4e}", std::exp(ends.first)));
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
        set.w, eta, tex(price, 5), rounded, best, curve.profit(best) - curve.profit(rounded));
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

}  // namespace

check_table optimum_checks() {
  return {{"regression_derivative", regression_derivative},
          {"sgd_derivative", sgd_derivative},
          {"slope_entropy_derivative", slope_entropy_derivative},
          {"zeros_are_maxima", zeros_are_maxima},
          {"may_have_no_zero", may_have_no_zero},
          {"regression_rounding", regression_rounding},
          {"sgd_rounding", sgd_rounding},
          {"regression_is_unimodal", regression_is_unimodal},
          {"sgd_is_unimodal", sgd_is_unimodal}};
}

}  // namespace ktln2::paper
