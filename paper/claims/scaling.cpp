#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paper/claims/claim_market.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

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
    return best_n({prices_at(energy_price, {inference}), one_format({24, 8}),
                   regression_training{{.w = 2}}, entropy_kind::smooth});
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
  const linear_model model{.w = 2};
  const descent how{.eta = 0.05, .w0 = 1};
  double least = HUGE_VAL;
  for (const double k : log_grid(1, 1000, 60)) {
    least = std::min(least, std::abs(relaxed_sgd(model, how, k, sgd_model::ou).mean) /
                                sgd_stationary_law(model, how).scale());
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
    const sgd_profit_curve curve = sgd_at(price);
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
                   regression_training{{.w = 2, .sigma_xi = sigma_xi}}, entropy_kind::smooth});
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

check_table scaling_checks() {
  return {{"regression_size_falls", regression_size_falls},
          {"sgd_size_falls", sgd_size_falls},
          {"regression_needs_fewer", regression_needs_fewer},
          {"units_matter", units_matter},
          {"strong_signal", strong_signal},
          {"mean_is_far_from_zero", mean_is_far_from_zero},
          {"enough_steps", enough_steps},
          {"slower_wants_more", slower_wants_more},
          {"batch_matters", batch_matters},
          {"rising_price_wants_more", rising_price_wants_more},
          {"noise_sets_a_threshold", noise_sets_a_threshold}};
}

}  // namespace ktln2::paper
