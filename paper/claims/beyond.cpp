// Beyond the paper: models with many features. What the paper expects of them, and what is true of
// all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/entropy/row_entropy.hpp"
#include "ktln2/scaling/many_entropy.hpp"
#include "ktln2/scaling/many_error.hpp"
#include "paper/claims/claim_market.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/many/many_figures.hpp"

namespace ktln2::paper {
namespace {

class draws {
 public:
  explicit draws(std::uint64_t seed) : random_{seed} {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<>{low, high}(random_);
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

 private:
  std::mt19937_64 random_;
};

finding never_below_twice(const claim& what, const effort& work) {
  draws random{work.seed};
  const int wanted = work.points(what.integer("settings"), 40);
  double least = std::numeric_limits<double>::infinity();  // of (n* - 1)/2d
  std::string worst;
  int found = 0;
  for (int i = 0; i < 20 * wanted && found < wanted; ++i) {
    work.pause();
    const double d = std::floor(random.log_uniform(1, 100));
    const many_problem model = many_features_of(d, random.log_uniform(0.05, 50));
    const auto p = static_cast<int>(random.uniform(2, 50));
    const many_profit any{prices_at(1e15), one_format(float_format{p, 8}), model,
                          entropy_kind::smooth};
    // Around the price at which training with n > d just pays: there n* is least.
    const double edge = find_best_size(any).candidates.back().critical_price;
    const double price = edge * (1 - random.log_uniform(1e-9, 0.9));
    const many_candidate over = find_best_size(any.at_energy_price(price)).candidates.back();
    if (!(over.point.profit > 0)) continue;
    ++found;
    const double ratio = (over.point.n - 1) / (2 * d);
    if (ratio < least) {
      least = ratio;
      worst = fmt::format(R"($d = {:g}$, $p = {}$, SNR {}, $\rho_J = {}$: $n^* = {:g}$)", d, p,
                          tex(model.snr, 3), tex(price, 3), over.point.n);
    }
  }
  return {
      .found = fmt::format(R"(in {} markets in which training pays $n^* \ge 2d + 1$; closest: {})",
                           found, worst),
      .as_stated = found >= wanted && least >= 1,
      .counterexample = least >= 1 ? "" : worst};
}

/// What n rows cost and earn; n = 0 is the predictor that was not trained.
struct offer {
  double n;
  double energy;
  double earned;
};

/// The offers that win at some price of energy: the corners of the upper hull, from cheap to dear.
std::vector<offer> winners(std::vector<offer> all) {
  std::sort(all.begin(), all.end(), [](const offer& a, const offer& b) {
    return a.energy != b.energy ? a.energy < b.energy : a.earned > b.earned;
  });
  std::vector<offer> hull;
  for (const offer& one : all) {
    if (!hull.empty() && one.earned <= hull.back().earned) continue;
    const auto is_below = [&](const offer& a, const offer& b) {
      return (b.earned - a.earned) * (one.energy - b.energy) <=
             (one.earned - b.earned) * (b.energy - a.energy);
    };
    while (hull.size() > 1 && is_below(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(one);
  }
  return hull;
}

finding never_interpolate(const claim& what, const effort& work) {
  int markets = 0;
  int lost = 0;
  finding result{.found = {}, .as_stated = true};
  for (const double d : what.list("d")) {
    for (const double snr :
         log_grid(what.number("snr_min"), what.number("snr_max"), work.points(41, 9))) {
      work.pause();
      const many_profit curve = many_curve(1, many_features_of(d, snr), {baseline::null, false});
      std::vector<offer> all{{0, 0, curve.baseline_profit()}};
      const auto add = [&](double n) {
        const profit_point point = curve.at(n);
        all.push_back({n, point.energy.value(), point.revenue});
      };
      // Of those with more rows than features some are enough: to leave one out helps the others.
      for (double n = 1; n <= d + 1; ++n) add(n);
      for (const double n : whole_log_grid(d + 2, 40 * d, 120)) add(n);
      ++markets;
      const std::vector<offer> won = winners(all);
      const auto between =
          std::ranges::find_if(won, [&](const offer& one) { return one.n > 1 && one.n <= d; });
      if (between == won.end()) continue;
      ++lost;
      result.counterexample = fmt::format("$d = {:g}$, SNR {}: $n = {:g}$ wins at some price", d,
                                          tex(snr, 3), between->n);
    }
  }
  // For many features: t(S-t)/(S+t²) with t = d/(d-n) must stay below S²/4(1+S).
  double most = -std::numeric_limits<double>::infinity();
  for (const double snr : log_grid(1e-3, 1e4, 200)) {
    for (const double t : log_grid(1, 1e4, 1000)) {
      const double gain = t * (snr - t) / (snr + t * t);
      most = std::max(most, gain - snr * snr / (4 * (1 + snr)));
    }
  }
  result.as_stated = lost == 0 && most <= 1e-12;
  result.found = fmt::format(
      "for {} of {} pairs of $d$ and SNR at no price of energy; with many features the best of "
      "$1 < n < d$ {} by at least ${}$",
      markets - lost, markets, most <= 1e-12 ? "falls short" : "wins",
      tex(most <= 1e-12 ? std::max(0.0, -most) : most, 2));
  return result;
}

finding ridge_stops_at_twice_the_noise(const claim& what, const effort& work) {
  double gap = 0;
  double off = 0;
  for (const double snr : what.list("snr")) {
    // What is earned more than untrained, for each d rows: largest where the tangent is.
    extreme best;
    for (const double r : log_grid(1e-6, 100, work.points(200000, 20000))) {
      const double e = ridge_excess_limit(r, snr);
      best.add((1 / (1 + e) - 1 / (1 + snr)) / r, r);
    }
    const double limit = snr > 1 ? snr / (4 * (1 + snr)) : snr * snr / std::pow(1 + snr, 3);
    gap = std::max(gap, relative_gap(best.value, limit));
    if (snr > 1) off = std::max(off, std::fabs(ridge_excess_limit(best.at, snr) - 1));
  }
  // With finitely many features, the same at the best whole number of rows.
  const double d = what.number("d");
  const many_profit curve =
      many_curve(1e15, many_features_of(d, 4, many_method::ridge), {baseline::null, false});
  const double edge = find_best_size(curve).critical_price;
  const double mse = find_best_size(curve.at_energy_price(edge * (1 - 1e-9))).best.mse;
  return {.found = fmt::format(R"(MSE $= 2\sigma_\xi^2$ to ${}$ and the price to ${}$ for many )"
                               R"(features; MSE $= {:.4f}\,\sigma_\xi^2$ for $d = {:g}$, SNR 4)",
                               tex(off), tex(gap), mse, d),
          .as_stated = gap < what.number("tolerance") && off < 100 * what.number("tolerance") &&
                       std::fabs(mse - 2) < 2 / d};  // one row more or less moves it by 1/d
}

finding least_squares_stops(const claim& what, const effort& work) {
  double size_off = 0;
  double price_off = 0;
  const double d = what.number("d");
  for (const double snr : what.list("snr")) {
    work.pause();
    const many_profit curve = many_curve(1e15, many_features_of(d, snr), {baseline::null, false});
    const double edge = find_best_size(curve).candidates.back().critical_price;
    const many_profit there = curve.at_energy_price(edge);
    const double n = find_best_size(there).candidates.back().point.n;
    const double price = there.bit_price() * there.row_entropy().value.value() * d / 10;
    size_off = std::max(size_off, relative_gap(n, 1 + 2 * d * (1 + 1 / snr)));
    price_off = std::max(price_off, relative_gap(price, std::pow(snr / (1 + snr), 2) / 4));
  }
  return {.found = fmt::format("$n^*$ to ${}$, the price to ${}$, at $d = {:g}$", tex(size_off),
                               tex(price_off), d),
          .as_stated = size_off < 2 / d && price_off < 2 / d};
}

finding chain_brackets(const claim& what, const effort& work) {
  draws random{work.seed};
  const int rows = work.points(what.integer("rows"), 5);
  int covered = 0;
  double widest = 0;
  const std::vector<partition> cells(3, partition{float_format{what.integer("p"), 3}});
  for (int i = 0; i < rows; ++i) {
    work.pause();
    row_model model;
    model.w = {random.uniform(-1, 1), random.uniform(-1, 1)};
    model.mu = {random.uniform(-1, 1), random.uniform(-1, 1)};
    model.covariance = equally_correlated({random.uniform(0.5, 1.5), random.uniform(0.5, 1.5)},
                                          random.uniform(-0.8, 0.8));
    model.b = random.uniform(-1, 1);
    model.sigma_xi = random.uniform(0.4, 1.2);
    const normal_vector z = normal_row{model}.registers();
    const chain_entropy chain = entropy_by_chain(cells, z);
    const bounded<bits> truth = enumerated_entropy(cells, z, work.stop);
    const bits slack = truth.error;
    const bool in_bracket = chain.low <= truth.value + slack && truth.value - slack <= chain.high;
    covered += in_bracket && overlap(chain.value, truth) ? 1 : 0;
    widest = std::max(widest, (chain.high - chain.low).value());
  }
  return {
      .found = fmt::format("{} of {} rows inside bracket and bar; brackets up to {:.2g} bits wide",
                           covered, rows, widest),
      .as_stated = covered == rows};
}

finding output_may_matter(const claim& what, const effort& /*work*/) {
  const auto share = [&](double d, double n) {
    return many_curve(what.number("rho_J"), many_features_of(d, 4)).output_share(n);
  };
  const auto best = [&](double d) {
    return find_best_size(many_curve(what.number("rho_J"), many_features_of(d, 4))).best.n;
  };
  const double one = share(1, best(1));
  finding result{.found = {}, .as_stated = true};
  std::string list;
  for (const double d : what.list("d")) {
    const double here = share(d, best(d));
    if (!(here > one && here < 2 * one && here < 1 / (2 * d))) result.as_stated = false;
    list += fmt::format(", {:.2g} % for $d = {:g}$", 100 * here, d);
  }
  const double few = share(what.list("d").back(), 1);
  result.found = fmt::format("at the best size {:.2g} % for $d = 1${}; after one row {:.1f} %",
                             100 * one, list, 100 * few);
  return result;
}

finding inference_costs(const claim& what, const effort& /*work*/) {
  double least = std::numeric_limits<double>::infinity();
  std::string list;
  for (const double d : what.list("d")) {
    const double bits = smooth_inference_cost(24, 24, d).value();
    least = std::min(least, bits);
    list += fmt::format("{}{:.1f} bits for $d = {:g}$", list.empty() ? "" : ", ", bits, d);
  }
  const double one = smooth_inference_cost(24, 24, 1).value();
  return {.found = list + fmt::format(", {:g} for one", one), .as_stated = least > 20 && one == 0};
}

}  // namespace

check_table beyond_checks() {
  return {{"never_below_twice", never_below_twice},
          {"never_interpolate", never_interpolate},
          {"ridge_stops_at_twice_the_noise", ridge_stops_at_twice_the_noise},
          {"least_squares_stops", least_squares_stops},
          {"chain_brackets", chain_brackets},
          {"output_may_matter", output_may_matter},
          {"inference_costs", inference_costs}};
}

}  // namespace ktln2::paper
