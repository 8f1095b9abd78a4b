#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include "ktln2/scaling/optimum.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

/// One curve of such a figure.
struct profit_series {
  double value;        ///< of what varies from curve to curve
  profit_curve paper;  ///< smooth entropies and, for SGD, the Ornstein–Uhlenbeck law
  profit_curve exact;  ///< exact entropies and, for SGD, exact moments
  std::optional<profit_curve> same_law;  ///< for SGD, exact entropies of the paper's law
};

/// The curves of such a figure, and what varies from one to the next.
struct profit_family {
  column varied;
  std::vector<profit_series> curves;
};

market market_of(const parameters& given, double energy_price) {
  return {.energy_price = energy_price,
          .inference = {given.number("rho_I")},
          .wanted = {},
          .temperature = kelvin{given.number("kBT") / boltzmann_constant.value()}};
}

register_formats formats_of(const parameters& given) {
  return one_format({given.integer("p"), given.integer("E")});
}

linear_model model_of(const parameters& given) {
  return {given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
}

sgd_profit_curve sgd_profit(const parameters& given, double energy_price, double eta, double batch,
                            entropy_kind kind, const effort& work) {
  const descent how{eta, batch, given.number("w0")};
  return {market_of(given, energy_price),
          formats_of(given),
          sgd_training{model_of(given), how, sgd_model::ou},
          kind,
          0,
          work.stop};
}

/// SGD by the paper's formulas.
sgd_profit_curve paper_sgd(const parameters& given, double energy_price, double eta, double batch,
                           const effort& work) {
  return sgd_profit(given, energy_price, eta, batch, entropy_kind::smooth, work);
}

profit_series sgd_curves(const parameters& given, double value, double energy_price, double eta,
                         double batch, const effort& work) {
  const sgd_profit_curve same_law =
      sgd_profit(given, energy_price, eta, batch, entropy_kind::exact, work);
  return {value, paper_sgd(given, energy_price, eta, batch, work),
          same_law.with(sgd_model::moments), same_law};
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
const column learning_rate{"eta", "", "learning rate"};
const column points_in_a_batch{"B", "", "points in a batch"};

/// The parameters that all of them have, after those that are the figure's own.
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

/// A curve for each energy price.
profit_family regression_by_price(const parameters& given, const effort& work) {
  const regression_training what{model_of(given)};
  profit_family result{price_of_energy, {}};
  for (const double price : given.list("rho_J")) {
    const market prices = market_of(given, price);
    result.curves.push_back({price,
                             {prices, formats_of(given), what, entropy_kind::smooth, 0, work.stop},
                             {prices, formats_of(given), what, entropy_kind::exact, 0, work.stop},
                             {}});
  }
  return result;
}

profit_family sgd_by_price(const parameters& given, const effort& work) {
  profit_family result{price_of_energy, {}};
  for (const double price : given.list("rho_J")) {
    result.curves.push_back(
        sgd_curves(given, price, price, given.number("eta"), given.integer("B"), work));
  }
  return result;
}

/// A curve for each learning rate, or for each batch.
profit_family sgd_by_learning_rate(const parameters& given, const effort& work) {
  profit_family result{learning_rate, {}};
  for (const double eta : given.list("eta")) {
    result.curves.push_back(
        sgd_curves(given, eta, given.number("rho_J"), eta, given.integer("B"), work));
  }
  return result;
}

profit_family sgd_by_batch(const parameters& given, const effort& work) {
  profit_family result{points_in_a_batch, {}};
  for (const int batch : given.integers("B")) {
    result.curves.push_back(
        sgd_curves(given, batch, given.number("rho_J"), given.number("eta"), batch, work));
  }
  return result;
}

/// u(n) and u'(n), by the paper's formulas and exactly, up to n = n_max.
table profit_table(const profit_family& family, const parameters& given, const effort& work) {
  return curve_table(family, {"profit", "", "by the paper's formulas"}, given, work,
                     [](const profit_curve& curve, double n) { return curve.profit(n); });
}

table derivative_table(const profit_family& family, const parameters& given, const effort& work) {
  return curve_table(family, {"derivative", "", "u'(n) by the paper's formulas"}, given, work,
                     [](const profit_curve& curve, double n) { return curve.derivative(n); });
}

/// The best feasible size of each curve.
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

/// The maxima of the relaxed profit inside the range: where u' crosses zero from above.
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

/// The best feasible size of SGD, followed over many values of what varies.
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

using family_maker = profit_family (*)(const parameters&, const effort&);

/// u(n), and the best sizes.
template <family_maker Family>
std::vector<table> profits(const parameters& given, const effort& work) {
  const profit_family all = Family(given, work);
  return {profit_table(all, given, work), optima_table(all, work)};
}

/// u'(n), and where it crosses zero.
template <family_maker Family>
std::vector<table> derivatives(const parameters& given, const effort& work) {
  const profit_family all = Family(given, work);
  return {derivative_table(all, given, work), zeros_table(all)};
}

std::vector<table> sgd_profits_by_price(const parameters& given, const effort& work) {
  std::vector<table> tables = profits<sgd_by_price>(given, work);
  const std::vector<double> all = log_grid(given.number("rho_J_min"), given.number("rho_J_max"),
                                           work.points(given.count("prices"), 8));
  const auto curve_at = [&](double price) {
    return paper_sgd(given, price, given.number("eta"), given.integer("B"), work);
  };
  tables.push_back(sizes_table(price_of_energy, all, curve_at, work));
  return tables;
}

std::vector<table> profits_by_learning_rate(const parameters& given, const effort& work) {
  std::vector<table> tables = profits<sgd_by_learning_rate>(given, work);
  const std::vector<double> rates = log_grid(given.number("eta_min"), given.number("eta_max"),
                                             work.points(given.count("rates"), 8));
  const auto curve_at = [&](double eta) {
    return paper_sgd(given, given.number("rho_J"), eta, given.integer("B"), work);
  };
  tables.push_back(sizes_table(learning_rate, rates, curve_at, work));
  return tables;
}

std::vector<table> profits_by_batch(const parameters& given, const effort& work) {
  std::vector<table> tables = profits<sgd_by_batch>(given, work);
  const std::vector<double> batches =
      whole_log_grid(1, given.number("B_max"), work.points(given.count("batches"), 8));
  const auto curve_at = [&](double batch) {
    return paper_sgd(given, given.number("rho_J"), given.number("eta"), batch, work);
  };
  tables.push_back(sizes_table(points_in_a_batch, batches, curve_at, work));
  return tables;
}

const char* const as_in_the_profit = "as in the figure of the profit";

parameter prices(const char* why) {
  return {"rho_J", {1e16, 2e16, 5e16, 1e17, 1.5e17}, origin::chosen, why};
}
parameter rates(const char* why) {
  return {"eta", {0.03, 0.04, 0.05, 0.07, 0.1}, origin::chosen, why};
}
parameter batches(const char* why) { return {"B", {1, 5, 10, 20, 50}, origin::chosen, why}; }
const parameter one_price{"rho_J", {5e16}};
const parameter one_rate{"eta", {0.05}};
const parameter one_batch{"B", {10}};
const parameter start{"w0", {1}};

std::vector<figure> profit_itself() {
  return {
      {.label = "fig:profit_ex",
       .settings = profit_settings(
           {prices("the paper says 'each value'; those whose optimum is inside, for SGD too")}),
       .cost = 0.2,
       .compute = profits<regression_by_price>},
      {.label = "fig:profit_sgd",
       .settings = profit_settings({prices("the same as for exact regression"),
                                    {"rho_J_min", {1e16}, origin::chosen, "of the lowest panel"},
                                    {"rho_J_max", {1e18}, origin::chosen, "of the lowest panel"},
                                    {"prices", {150}, origin::chosen, "of the lowest panel"},
                                    one_rate,
                                    one_batch,
                                    start}),
       .cost = 0.15,
       .compute = sgd_profits_by_price},
      {.label = "fig:profit_sgd_eta",
       .settings = profit_settings(
           {rates("the paper says 'varying values'; those of which its caption is true"),
            {"eta_min", {0.008}, origin::chosen, "of the lower panel"},
            {"eta_max", {0.2}, origin::chosen, "of the lower panel"},
            {"rates", {150}, origin::chosen, "of the lower panel"},
            one_price,
            one_batch,
            start}),
       .cost = 0.08,
       .compute = profits_by_learning_rate},
      {.label = "fig:profit_sgd_B",
       .settings = profit_settings({batches("the paper says 'various values'"),
                                    {"B_max", {100}, origin::chosen, "of the lower panel"},
                                    {"batches", {150}, origin::chosen, "of the lower panel"},
                                    one_price,
                                    one_rate,
                                    start}),
       .cost = 0.08,
       .compute = profits_by_batch}};
}

std::vector<figure> its_derivative() {
  return {{.label = "fig:ddn_profit_ex",
           .settings = profit_settings({prices(as_in_the_profit)}),
           .cost = 0.3,
           .compute = derivatives<regression_by_price>},
          {.label = "fig:ddn_profit_sgd",
           .settings = profit_settings({prices(as_in_the_profit), one_rate, one_batch, start}),
           .cost = 0.08,
           .compute = derivatives<sgd_by_price>},
          {.label = "fig:ddn_profit_sgd_eta",
           .settings = profit_settings({rates(as_in_the_profit), one_price, one_batch, start}),
           .cost = 0.08,
           .compute = derivatives<sgd_by_learning_rate>},
          {.label = "fig:ddn_profit_sgd_B",
           .settings = profit_settings({batches(as_in_the_profit), one_price, one_rate, start}),
           .cost = 0.08,
           .compute = derivatives<sgd_by_batch>}};
}

}  // namespace

std::vector<figure> profit_figures() {
  std::vector<figure> all = profit_itself();
  for (figure& one : its_derivative()) all.push_back(std::move(one));
  return all;
}

}  // namespace ktln2::paper
