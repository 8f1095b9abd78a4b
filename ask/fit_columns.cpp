#include "ask/fit_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "ask/fit_parts.hpp"
#include "ask/how_many.hpp"
#include "ask/ladder.hpp"
#include "ask/many_problem.hpp"
#include "ktln2/measure/row_bound.hpp"

namespace ktln2::ask {
namespace {

constexpr std::size_t most_columns = 100;

// Reading the table.

/// Where the columns are, the features' first and y's last.
std::vector<std::size_t> columns_of(const data::table& from, const fit_columns_question& asked) {
  std::vector<std::size_t> found;
  for (const std::string& name : asked.x) found.push_back(from.column(name));
  found.push_back(from.column(asked.given.y));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::find(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(i), found[i]) ==
        found.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;
    }
    throw std::domain_error("column '" + from.layout().columns[found[i]].name +
                            "' is asked for twice");
  }
  return found;
}

/// Counts the rows as they are stored.
class counted_rows {
 public:
  explicit counted_rows(const std::vector<storage>& registers)
      : columns_(registers.begin(), registers.end()), rows_{registers} {}

  void add(const std::vector<double>& row) {
    for (std::size_t j = 0; j < row.size(); ++j) columns_[j].add(row[j]);
    rows_.add(row);
  }
  void finish(fit_columns_answer& made) const {
    const normal_row model{made.plane.model};
    std::vector<std::optional<double>> units;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      stored_fields& column = made.columns[j];
      column.unit = columns_[j].unit();
      column.fields = columns_[j].fields(model.registers().marginal(j));
      units.push_back(column.unit);
    }
    made.most = rows_.most(std::move(units));
  }

 private:
  std::vector<measure::stored_column> columns_;
  measure::row_bound rows_;
};

std::vector<storage> registers_of(const register_formats& formats, std::size_t features) {
  std::vector<storage> made(features, formats.data.x);
  made.push_back(formats.data.y);
  return made;
}

void read_plane(fit_columns_answer& made, const stop_token& stop) {
  const fit_question& asked = made.asked.given;
  with_table(asked.file, asked.how_to_read, [&](const data::table& from) {
    const std::vector<std::size_t> columns = columns_of(from, made.asked);
    std::vector<std::string> names;
    for (const std::size_t column : columns) {
      made.columns.push_back({from.layout().columns[column].name, {}, {}});
      names.push_back(made.columns.back().name);
    }
    names.pop_back();
    counted_rows stored{registers_of(asked.formats, names.size())};
    bool is_first = true;
    const auto all_rows = [&](const auto& f) {
      made.missing = each_complete_row(from, columns, stop, [&](const std::vector<double>& row) {
        if (is_first) stored.add(row);
        f(row);
      });
      is_first = false;
    };
    made.plane = fit_plane(all_rows, names, asked.has_intercept, from.can_be_read_again());
    stored.finish(made);
  });
}

// The bill.

/// What the estimates are drawn from. Without an intercept the features vary about 0.
least_squares task_of(const row_model& model, double n, bool has_intercept) {
  least_squares made{model, n, has_intercept, 0};
  if (has_intercept) return made;
  const std::size_t d = model.w.size();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      made.model.covariance.set(i, j,
                                model.covariance(i, j) * (n - 1) / n + model.mu[i] * model.mu[j]);
    }
  }
  made.model.mu.assign(d, 0);
  made.model.b = 0;
  return made;
}

/// Where the law of the estimates is not known, as with an intercept far from all features, the
/// normal one of their covariance stands for it.
many_computation exact_bill(const fit_question& asked, const plane_fit& plane,
                            const stop_token& stop) {
  const normal_row row{plane.model};
  try {
    const coefficients law{task_of(plane.model, plane.n, plane.has_intercept)};
    return many_regression_cost(asked.formats, row, law, asked.entropies, stop);
  } catch (const std::domain_error&) {
    std::vector<double> means = plane.model.w;
    if (plane.has_intercept) means.push_back(plane.model.b);
    return many_regression_cost(
        asked.formats, row, plane.n,
        normal_vector::from_factor("fit", std::move(means), plane.factor, plane.factor_doubt),
        asked.entropies, stop);
  }
}

/// Formats of the same precisions for which there are closed forms.
register_formats smooth_formats(const register_formats& formats) {
  const auto of = [](const storage& one) { return storage{float_format{one.p(), 15}}; };
  return {{of(formats.data.x), of(formats.data.y)}, of(formats.model)};
}

bits smooth_row(const fit_question& asked, const row_model& model) {
  return row_bits(smooth_formats(asked.formats), normal_row{model}, entropy_kind::smooth)
      .value.value;
}

/// Of what a row holds, from table to table.
std::optional<bits> spread_of_row(const fit_question& asked, const plane_fit& plane) {
  std::vector<double> values;
  for (const row_model& one : plane.without) values.push_back(smooth_row(asked, one).value());
  const auto found = jackknife_error(values);
  if (!found) return {};
  return bits{*found};
}

vector_descent descent_of(const fit_question& asked, const plane_fit& plane) {
  const row_model& model = plane.model;
  double square = plane.has_intercept ? 1 : 0;  // E|x|², with the constant
  for (std::size_t j = 0; j < model.w.size(); ++j) {
    square += model.covariance(j, j) + model.mu[j] * model.mu[j];
  }
  return {asked.eta.value_or(0.1 / square), std::min(asked.batch, plane.n),
          std::vector<double>(plane.errors.size(), asked.w0), plane.has_intercept};
}

/// A bill of SGD, where there is one: columns of very different sizes may have none.
void add_sgd_bill(fit_columns_answer& made, const std::optional<bits>& spread,
                  const stop_token& stop) {
  const fit_question& asked = made.asked.given;
  const auto size = static_cast<double>(made.plane.errors.size());
  // Each step multiplies matrices: about a minute
  if (made.steps * size * size * size > 2e10) {
    made.no_sgd = fmt::format("{} with {} take too long", how_many(made.steps, "step"),
                              how_many(size, "coefficient"));
    return;
  }
  try {
    const bits rows = spread.value_or(bits{0}) * (made.steps * made.how.batch);
    made.sgd = {
        many_sgd_cost(asked.formats, made.plane.model, made.how, made.steps, asked.entropies, stop),
        spread ? std::optional<bits>{rows} : std::nullopt};
  } catch (const std::domain_error& mistake) {
    if (std::string_view(mistake.what())
            .starts_with("sgd: the covariance")) {  // by no fault of a rate
      made.no_sgd =
          "in double precision no digit is left of its coefficients' covariance, as columns are "
          "far "
          "from 0 or hardly told apart";
      return;
    }
    // A rate that the user has given is the user's mistake.
    if (asked.eta) throw std::domain_error(std::string("fit: ") + mistake.what());
    made.no_sgd = mistake.what();
  }
}

many_problem problem_of(const fit_columns_answer& made, const row_model& model, double snr,
                        const bounded<bits>& row) {
  many_problem what;
  what.features = static_cast<double>(made.features());
  what.snr = snr;
  what.sigma_xi = model.sigma_xi;
  what.intercept = made.plane.has_intercept;
  what.row = row;
  return what;
}

fit_columns_advice advice_of(const fit_columns_answer& made, const stop_token& stop) {
  const fit_question& asked = made.asked.given;
  const auto size_for = [&](const many_problem& what) {
    return find_best_size(many_profit{*asked.prices, asked.formats, what, entropy_kind::exact},
                          stop);
  };
  fit_columns_advice found{
      size_for(problem_of(made, made.plane.model, made.plane.snr, made.row().value)), {}};
  std::vector<double> sizes;
  for (const row_model& one : made.plane.without) {
    throw_if_stopped(stop);
    const many_problem what =
        problem_of(made, one, normal_row{one}.snr(), exactly(smooth_row(asked, one)));
    sizes.push_back(size_for(what).best.n);
  }
  found.spread = jackknife_error(sizes);
  return found;
}

// Reporting.

json bill_json(const std::optional<fit_columns_bill>& bill) {
  if (!bill) return nullptr;
  const cyclic_device& device = bill->priced.priced.device;
  return {{"erased", number(bill->erased().value.value())},
          {"input", number(device.input_entropy().value.value())},
          {"output", number(device.output_entropy().value.value())},
          {"error", number(bill->erased().error.value())},
          {"spread", bill->spread ? number(bill->spread->value()) : json(nullptr)},
          {"bits_per_parameter", number(bill->priced.bits_per_parameter().value())},
          {"output_share", number(bill->priced.output_share())}};
}

json advice_json(const std::optional<fit_columns_advice>& advice, double rows) {
  if (!advice) return nullptr;
  const many_best& size = advice->size;
  return {{"n_star", number(size.best.n)},
          {"n_star_error", advice->spread ? number(*advice->spread) : json(nullptr)},
          {"phase", name_of(size.phase)},
          {"profit", number(size.best.profit)},
          {"critical_price", number(size.critical_price)},
          {"rows", number(rows)}};
}

json stored_json(const fit_columns_answer& made) {
  json columns = json::array();
  for (const stored_fields& one : made.columns) {
    json entry = {{"name", one.name}};
    entry.update(fields_json(one.fields, one.unit));
    columns.push_back(std::move(entry));
  }
  const joint_bits& row = made.row();
  return {{"columns", columns},
          {"row",
           {{"modelled", number(row.value.value.value())},
            {"modelled_error", number(row.value.error.value())},
            {"low", number(row.low.value())},
            {"high", number(row.high.value())},
            {"at_most", made.most ? number(made.most->value.value()) : json(nullptr)},
            {"at_most_error", made.most ? number(made.most->error.value()) : json(nullptr)}}}};
}

json deviations_json(const row_model& model) {
  std::vector<double> list;
  for (std::size_t j = 0; j < model.w.size(); ++j) {
    list.push_back(std::sqrt(model.covariance(j, j)));
  }
  return list_of_numbers(list);
}

json estimates_json(const fit_columns_answer& made) {
  const row_model& model = made.plane.model;
  return {{"w", list_of_numbers(model.w)},       {"intercept", number(model.b)},
          {"mean_x", list_of_numbers(model.mu)}, {"mean_y", number(made.plane.mean_y)},
          {"sigma_x", deviations_json(model)},   {"sigma_xi", number(model.sigma_xi)}};
}

json errors_json(const plane_fit& plane) {
  const std::size_t d = plane.model.w.size();
  const auto slopes = [&](const std::vector<double>& list) {
    return list_of_numbers({list.begin(), list.begin() + static_cast<std::ptrdiff_t>(d)});
  };
  json rows = json::array();
  for (std::size_t i = 0; i < plane.errors.size(); ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < plane.errors.size(); ++j) row.push_back(plane.covariance(i, j));
    rows.push_back(list_of_numbers(row));
  }
  return {{"w", slopes(plane.errors)},
          {"intercept", number(plane.has_intercept ? plane.errors.back() : 0)},
          {"sigma_xi", number(plane.sigma_xi_error)},
          {"w_robust", plane.robust_errors.empty() ? json(nullptr) : slopes(plane.robust_errors)},
          {"covariance", rows}};
}

}  // namespace

std::string fit_columns_answer::name(std::size_t coefficient) const {
  return coefficient < features() ? "w of " + columns[coefficient].name : "intercept";
}

double fit_columns_answer::estimate(std::size_t coefficient) const {
  return coefficient < features() ? plane.model.w[coefficient] : plane.model.b;
}

double fit_columns_answer::dof() const {
  return plane.n - static_cast<double>(features()) + (plane.has_intercept ? 0 : 1);
}

bool asks_for_columns(const words& asked) {
  return asked.command == "fit" && asked.get("x").find(',') != std::string::npos;
}

fit_columns_question read_fit_columns(const words& asked) {
  const reader given{asked};
  fit_columns_question made{read_fit(asked), split(given.word("x"), ',')};
  if (made.given.law != sgd_model::moments) {
    throw std::domain_error(given.where("law") + " must be moments for several columns, got '" +
                            given.word("law") + "'");
  }
  if (made.given.prices && made.given.prices->energy_price == 0) {
    throw std::domain_error(given.where("energy-price") +
                            " must be > 0 for several columns, got 0");
  }
  if (made.x.size() > most_columns) {
    throw std::domain_error(fmt::format("{} must be at most {} columns, got {}", given.where("x"),
                                        most_columns, made.x.size()));
  }
  for (const std::string& name : made.x) {
    if (!name.empty()) continue;
    throw std::domain_error(given.where("x") + " has no name between two commas, got '" +
                            given.word("x") + "'");
  }
  return made;
}

fit_columns_answer solve(const fit_columns_question& asked, const stop_token& stop) {
  fit_columns_answer made{asked, {}};
  read_plane(made, stop);
  const fit_question& given = asked.given;
  const std::optional<bits> spread = spread_of_row(given, made.plane);
  const double n = made.plane.n;
  made.exact = {exact_bill(given, made.plane, stop),
                spread ? std::optional<bits>{n * *spread} : std::nullopt};
  made.how = descent_of(given, made.plane);
  const double batches = std::floor(n / made.how.batch);
  made.steps = given.epochs * batches;
  made.unused = n - batches * made.how.batch;
  add_sgd_bill(made, spread, stop);
  if (given.prices) made.advice = advice_of(made, stop);
  return made;
}

std::vector<std::string> fit_columns_answer::warnings() const {
  std::vector<std::string> list;
  if (missing > 0) {
    list.push_back(fmt::format("{} a number and {} left out",
                               how_many(missing, "row lacks", "rows lack"),
                               missing == 1 ? "was" : "were"));
  }
  std::string robust;
  for (std::size_t j = 0; j < features() && !plane.robust_errors.empty(); ++j) {
    robust += fmt::format("{}{:.3g}", j > 0 ? ", " : "", plane.robust_errors[j]);
  }
  warn_of_residuals(plane.residuals, plane.n, plane.model.sigma_xi, plane.has_intercept, robust,
                    list);
  if (plane.least_share < 1e-7) {
    list.push_back(fmt::format(
        "column '{}' is a combination of others but for {:.1g} of its variance: their coefficients "
        "are hardly told apart",
        columns[plane.nearest].name, plane.least_share));
  }
  warn_of_bound(most, row().value, list);
  const normal_row model{plane.model};
  const std::vector<storage> registers = registers_of(asked.given.formats, features());
  const std::size_t others = list.size();
  constexpr std::size_t enough = 3;  // of many columns that are all alike
  for (std::size_t j = 0; j < registers.size() && list.size() < others + enough; ++j) {
    warn_of_edges(columns[j].name, registers[j], model.registers().marginal(j), list);
  }
  if (sgd) warn_of_unused_rows(unused, plane.n, how.batch, list);
  if (!no_sgd.empty()) list.push_back("SGD has no bill: " + no_sgd);
  return list;
}

report fit_columns_answer::report() const {
  ask::report made{"fit"};
  const fit_question& given = asked.given;
  json names = json::array();
  for (std::size_t j = 0; j < features(); ++j) names.push_back(columns[j].name);
  made.add_all({{"file", given.file},
                {"x", names},
                {"y", columns.back().name},
                {"features", features()},
                {"rows", number(plane.n)},
                {"rows_left_out", number(static_cast<double>(missing))},
                {"with_intercept", plane.has_intercept},
                {"format", given.formats.data.x.name()}});
  made.add_all(ask::shown(given.formats));
  made.add("entropy", json(ask::name_of(given.entropies)));
  made.add("temperature", given.temperature.value());
  made.add("estimates", estimates_json(*this));
  made.add("errors", errors_json(plane));
  made.add("snr", {{"value", number(plane.snr)},
                   {"error", plane.snr_error ? number(*plane.snr_error) : json(nullptr)}});
  made.add("dof", dof());
  made.add("residuals", residuals_json(plane.residuals));
  made.add("stored", stored_json(*this));
  made.add("sgd", {{"steps", number(steps)},
                   {"epochs", number(given.epochs)},
                   {"rows_unused", number(unused)},
                   {"batch", number(how.batch)},
                   {"eta", number(how.eta)},
                   {"w0", number(given.w0)},
                   {"law", name_of(given.law)}});
  made.add("bits", {{"exact", bill_json(exact)}, {"sgd", bill_json(sgd)}});
  const auto cost = [&](const std::optional<fit_columns_bill>& bill) {
    if (!bill) return json(nullptr);
    return number(bill->priced.priced.device.cost(given.temperature).value.value());
  };
  made.add("joules", {{"exact", cost(exact)}, {"sgd", cost(sgd)}});
  if (given.prices) {
    made.add("energy_price", given.prices->energy_price);
    made.add("inference_price", given.prices->inference.base);
    made.add("demand", json(given.demand));
  }
  made.add("advice", advice_json(advice, plane.n));
  made.add("measured", json{"rows", "estimates", "errors", "snr", "residuals", "stored.columns",
                            "stored.row.at_most"});
  made.add("modelled", json{"dof", "stored.row.modelled", "bits", "joules", "advice"});
  made.add("not_estimated", json{uncounted_rows(plane.n)});
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
