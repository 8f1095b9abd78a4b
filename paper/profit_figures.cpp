#include "profit_figures.hpp"

#include <cmath>
#include <stdexcept>

namespace ktln2::paper {
namespace {

market market_of(const parameters& given, double energy_price) {
  return {.energy_price = energy_price,
          .inference = {given.number("rho_I")},
          .wanted = {},
          .temperature = kelvin{given.number("kBT") / boltzmann_constant.value()}};
}

linear_model model_of(const parameters& given) {
  return {given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
}

register_formats formats_of(const parameters& given) {
  return one_format({given.integer("p"), given.integer("E")});
}

sgd_profit_curve sgd_profit(const parameters& given, double energy_price, double eta, double batch,
                            entropy_kind kind) {
  const descent how{eta, batch, given.number("w0")};
  return {market_of(given, energy_price), formats_of(given), sgd_training{model_of(given), how},
          kind};
}

profit_series sgd_curves(const parameters& given, double value, double energy_price, double eta,
                         double batch) {
  const sgd_profit_curve same_law =
      sgd_profit(given, energy_price, eta, batch, entropy_kind::exact);
  return {value, paper_sgd(given, energy_price, eta, batch), same_law.with(sgd_model::moments),
          same_law};
}

std::vector<double> sizes(const profit_curve& curve, const parameters& given, const effort& work) {
  return log_grid(curve.first(), given.number("n_max"), work.points(given.count("points"), 12));
}

template <class Evaluate>
table curve_table(const profit_family& family, const column& evaluated, const parameters& given,
                  const effort& work, Evaluate evaluate) {
  table result({family.varied,
                {"n", "", "data points"},
                evaluated,
                {"exact", "", "with exact entropies and, for SGD, exact moments"},
                {"difference", "", "paper's formulas minus exact"}});
  for (const profit_series& one : family.curves) {
    for (const double n : sizes(one.paper, given, work)) {
      work.pause();
      const double paper = evaluate(one.paper, n);
      const double exact = evaluate(one.exact, n);
      if (std::isnan(paper) || std::isnan(exact)) {
        throw std::domain_error("paper: the profit is out of range for these parameters");
      }
      result.add({one.value, n, paper, exact, paper - exact});
    }
  }
  return result;
}

double best_n(const best_size& found) { return found.best ? found.best->n : nothing; }
double best_profit(const best_size& found) { return found.best ? found.best->profit : nothing; }
double best_n(const profit_curve& curve) { return best_n(find_best_size(curve)); }

const column price_of_energy{"rho_J", "1/J", "price of energy"};

}  // namespace

parameters profit_settings(std::vector<parameter> own) {
  const std::vector<parameter> shared = {
      {"rho_I", {10}},
      {"kBT", {4e-21}},
      {"w", {2}},
      {"sigma_x", {1}},
      {"sigma_xi", {1}},
      {"p", {24}, origin::chosen, "single precision"},
      {"E", {8}, origin::chosen, "single precision; the approximations do not know it"},
      {"n_max", {1000}, origin::chosen, "well beyond the optima"},
      {"points", {120}, origin::chosen, "sizes a curve, evenly in log n"}};
  own.insert(own.end(), shared.begin(), shared.end());
  return {own};
}

profit_family regression_by_price(const parameters& given) {
  const regression_training what{model_of(given)};
  profit_family result{price_of_energy, {}};
  for (const double price : given.list("rho_J")) {
    const market prices = market_of(given, price);
    result.curves.push_back({price,
                             {prices, formats_of(given), what, entropy_kind::smooth},
                             {prices, formats_of(given), what, entropy_kind::exact},
                             {}});
  }
  return result;
}

profit_family sgd_by_price(const parameters& given) {
  profit_family result{price_of_energy, {}};
  for (const double price : given.list("rho_J")) {
    result.curves.push_back(
        sgd_curves(given, price, price, given.number("eta"), given.integer("B")));
  }
  return result;
}

profit_family sgd_by_learning_rate(const parameters& given) {
  profit_family result{{"eta", "", "learning rate"}, {}};
  for (const double eta : given.list("eta")) {
    result.curves.push_back(sgd_curves(given, eta, given.number("rho_J"), eta, given.integer("B")));
  }
  return result;
}

profit_family sgd_by_batch(const parameters& given) {
  profit_family result{{"B", "", "points in a batch"}, {}};
  for (const int batch : given.integers("B")) {
    result.curves.push_back(
        sgd_curves(given, batch, given.number("rho_J"), given.number("eta"), batch));
  }
  return result;
}

sgd_profit_curve paper_sgd(const parameters& given, double energy_price, double eta, double batch) {
  return sgd_profit(given, energy_price, eta, batch, entropy_kind::smooth);
}

table profit_table(const profit_family& family, const parameters& given, const effort& work) {
  return curve_table(family, {"profit", "", "by the paper's formulas"}, given, work,
                     [](const profit_curve& curve, double n) { return curve.profit(n); });
}

table derivative_table(const profit_family& family, const parameters& given, const effort& work) {
  return curve_table(family, {"derivative", "", "u'(n) by the paper's formulas"}, given, work,
                     [](const profit_curve& curve, double n) { return curve.derivative(n); });
}

table optima_table(const profit_family& family, const effort& work) {
  table result("optima", {family.varied,
                          {"n", "", "best feasible size by the paper's formulas"},
                          {"profit", "", "there"},
                          {"n_entropies", "", "with exact entropies"},
                          {"n_exact", "", "with exact entropies and, for SGD, exact moments"},
                          {"profit_exact", "", "there"}});
  for (const profit_series& one : family.curves) {
    work.pause();
    const best_size paper = find_best_size(one.paper);
    const best_size exact = find_best_size(one.exact);
    const double same_law = one.same_law ? best_n(*one.same_law) : best_n(exact);
    result.add({one.value, best_n(paper), best_profit(paper), same_law, best_n(exact),
                best_profit(exact)});
  }
  return result;
}

table zeros_table(const profit_family& family) {
  table result("zeros", {family.varied, {"n", "", "where u'(n) crosses zero from above"}});
  for (const profit_series& one : family.curves) {
    for (const local_optimum& found : find_best_size(one.paper).optima) {
      if (found.relaxed && *found.relaxed > one.paper.first()) {
        result.add({one.value, *found.relaxed});
      }
    }
  }
  return result;
}

table sizes_table(const column& varied, const std::vector<double>& values,
                  const std::function<sgd_profit_curve(double)>& curve_at, const effort& work) {
  table result("sizes", {varied,
                         {"n", "", "best feasible size by the paper's formulas"},
                         {"n_exact", "", "with exact moments"}});
  for (const double value : values) {
    work.pause();
    const sgd_profit_curve paper = curve_at(value);
    result.add({value, best_n(paper), best_n(paper.with(sgd_model::moments))});
  }
  return result;
}

}  // namespace ktln2::paper
