#include "ask/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "ask/fit_parts.hpp"
#include "ask/how_many.hpp"
#include "ask/ladder.hpp"
#include "ask/scaling.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/measure/row_bound.hpp"

namespace ktln2::ask {
namespace {

/// By how much a function of the model moves with the errors of the estimates: each parameter by
/// its standard error up and down, the changes added as squares.
template <class F>
double spread_of(const line_fit& line, const F& f) {
  double sum = 0;
  for (double linear_model::*const which :
       {&linear_model::w, &linear_model::sigma_x, &linear_model::sigma_xi}) {
    linear_model low = line.model;
    linear_model high = line.model;
    const double error = line.errors.*which;
    high.*which += error;
    low.*which -= which == &linear_model::w ? error : std::min(error, line.model.*which / 2);
    sum += std::pow((f(high) - f(low)) / 2, 2);
  }
  return std::sqrt(sum);
}

template <class Price>
fit_bill bill_of(const line_fit& line, const Price& price) {
  return {price(line.model), bits{spread_of(line, [&](const linear_model& model) {
            return price(model).device.erased().value.value();
          })}};
}

fit_advice advice_of(const fit_question& asked, const line_fit& line, const stop_token& stop) {
  const auto size_for = [&](const linear_model& model) {
    throw_if_stopped(stop);
    return find_best_size(profit_curve{*asked.prices, asked.formats,
                                       training{regression_training{model}}, asked.entropies, 0,
                                       stop});
  };
  fit_advice made{size_for(line.model)};
  if (made.size.place != best_place::interior) return made;
  const double spread = spread_of(line, [&](const linear_model& model) {
    const best_size size = size_for(model);
    return size.best ? size.best->n : std::nan("");
  });
  if (!std::isnan(spread)) made.spread = spread;
  return made;
}

/// Counts the rows as they are stored.
class stored_rows {
 public:
  explicit stored_rows(const storage_pair& formats)
      : x_{formats.x}, y_{formats.y}, rows_{{formats.x, formats.y}} {}

  void add(double x, double y) {
    x_.add(x);
    y_.add(y);
    rows_.add({x, y});
  }
  [[nodiscard]] fit_stored found(const regression_pair& model) const {
    return {x_.fields(model.x()), y_.fields(model.y()), x_.unit(), y_.unit(),
            rows_.most({x_.unit(), y_.unit()})};
  }

 private:
  measure::stored_column x_;
  measure::stored_column y_;
  measure::row_bound rows_;
};

/// What the table says, as the beginning of an answer.
struct fitted_table {
  std::string x;
  std::string y;
  std::uint64_t missing = 0;
  line_fit line = {};
  fit_stored stored = {};
};

fitted_table read_line(const fit_question& asked, const stop_token& stop) {
  fitted_table made;
  with_table(asked.file, asked.how_to_read, [&](const data::table& from) {
    const std::vector<std::size_t> columns{from.column(asked.x), from.column(asked.y)};
    made.x = from.layout().columns[columns[0]].name;
    made.y = from.layout().columns[columns[1]].name;
    stored_rows stored{asked.formats.data};
    bool is_first = true;
    const auto all_rows = [&](const auto& f) {
      made.missing = each_complete_row(from, columns, stop, [&](const std::vector<double>& row) {
        if (is_first) stored.add(row[0], row[1]);
        f(row[0], row[1]);
      });
      is_first = false;
    };
    made.line = fit_line(all_rows, asked.has_intercept, from.can_be_read_again());
    made.stored = stored.found(regression_pair{made.line.model});
  });
  return made;
}

json as_json(const fit_bill& bill) {
  const cyclic_device& device = bill.priced.device;
  return {{"erased", number(bill.erased().value.value())},
          {"input", number(device.input_entropy().value.value())},
          {"output", number(device.output_entropy().value.value())},
          {"error", number(bill.erased().error.value())},
          {"spread", number(bill.spread.value())}};
}

json as_json(const fit_stored& stored, const bounded<bits>& modelled) {
  const auto& most = stored.most;
  return {{"x", fields_json(stored.x, stored.x_unit)},
          {"y", fields_json(stored.y, stored.y_unit)},
          {"row",
           {{"modelled", number(modelled.value.value())},
            {"modelled_error", number(modelled.error.value())},
            {"at_most", most ? number(most->value.value()) : json(nullptr)},
            {"at_most_error", most ? number(most->error.value()) : json(nullptr)}}}};
}

json as_json(const std::optional<fit_advice>& advice, double rows) {
  if (!advice) return nullptr;
  const best_size& size = advice->size;
  const bool is_endless = size.place == best_place::infinity;
  const json n_star = size.best    ? number(size.best->n)
                      : is_endless ? number(std::numeric_limits<double>::infinity())
                                   : json(nullptr);
  return {{"n_star", n_star},
          {"n_star_error", advice->spread ? number(*advice->spread) : json(nullptr)},
          {"place", ask::name_of(size.place)},
          {"profit", size.best ? number(size.best->profit) : json(nullptr)},
          {"rows", number(rows)}};
}

}  // namespace

std::string fit_answer::law() const {
  return fmt::format("slope:n={},w={},sigma_x={},sigma_xi={}", line.slope_points(), line.model.w,
                     line.model.sigma_x, line.model.sigma_xi);
}

const std::optional<law_gap>& fit_answer::gap() const {
  return kept_gap.get([&] { return gap_of(descent_task(), asked.formats.model); });
}

bounded<bits> fit_answer::row() const { return exact.priced.device.input_entropy() / line.n; }

fit_question read_fit(const words& asked) {
  const reader given{asked};
  for (const char* name : {"x", "y"}) {
    if (!given.has(name)) {
      throw std::domain_error(given.where(name) +
                              " is needed: the name of a column, or its number");
    }
  }
  fit_question made{.file = given.word("file"),
                    .x = given.word("x"),
                    .y = given.word("y"),
                    .has_intercept = given.flag("intercept"),
                    .formats = read_formats(given),
                    .entropies = read_entropy_kind(given),
                    .temperature = read_temperature(given),
                    .batch = static_cast<double>(given.whole("batch", 1, 1'000'000'000'000'000)),
                    .epochs = static_cast<double>(given.whole("epochs", 1, 1'000'000'000)),
                    .eta = given.optional_number("eta"),
                    .w0 = given.number("w0"),
                    .law = read_sgd_model(given),
                    .demand = given.word("demand")};
  if (const auto sign = given.optional_word("delimiter")) {
    made.how_to_read.delimiter = data::parse_delimiter(*sign);
  }
  made.how_to_read.decimal_comma = given.flag("decimal-comma");
  made.prices = read_fit_market(given, made.demand);
  return made;
}

fit_answer solve(const fit_question& asked, const stop_token& stop) {
  const fitted_table found = read_line(asked, stop);
  const line_fit& line = found.line;
  const double square = line.model.sigma_x * line.model.sigma_x;
  const descent how{.eta = asked.eta.value_or(0.1 / square),
                    .batch = std::min(asked.batch, line.n),
                    .w0 = asked.w0};
  const double batches = std::floor(line.n / how.batch);
  const double steps = asked.epochs * batches;
  const auto exact = [&](const linear_model& model) {
    throw_if_stopped(stop);
    return regression_cost(asked.formats, model, line.n, slope_law(model, line.slope_points()),
                           asked.entropies, stop);
  };
  const auto sgd = [&](const linear_model& model) {
    throw_if_stopped(stop);
    return sgd_cost(asked.formats, model, how, steps, asked.law, asked.entropies);
  };
  fit_answer made{asked,        found.x, found.y, found.missing,        line,
                  found.stored, how,     steps,   bill_of(line, exact), bill_of(line, sgd)};
  made.unused = line.n - batches * how.batch;
  if (asked.prices) made.advice = advice_of(asked, line, stop);
  return made;
}

std::vector<std::string> fit_answer::warnings() const {
  std::vector<std::string> list;
  if (missing > 0) {
    list.push_back(fmt::format("{} x or y and {} left out",
                               how_many(missing, "row lacks", "rows lack"),
                               missing == 1 ? "was" : "were"));
  }
  warn_of_residuals(line.residuals, line.n, line.model.sigma_xi, line.has_intercept,
                    fmt::format("{:.3g}", line.robust_error.value_or(line.errors.w)), list);
  const double centered =
      line.has_intercept
          ? line.model.sigma_x
          : std::sqrt(std::max(0.0, std::pow(line.model.sigma_x, 2) - std::pow(line.mean_x, 2)));
  if (std::fabs(line.mean_x) > 4 * centered / std::sqrt(line.n)) {
    list.push_back(fmt::format("x has the mean {:.3g}: the bits are those of a normal law around 0",
                               line.mean_x));
  }
  warn_of_bound(stored.most, row(), list);
  const regression_pair pair{line.model};
  warn_of_edges("x", asked.formats.data.x, pair.x(), list);
  warn_of_edges("y", asked.formats.data.y, pair.y(), list);
  warn_of_edges("the slope", asked.formats.model, slope_law(line.model, line.slope_points()), list);
  warn_of(descent_task(), gap(), list);
  warn_of_edges("the slope of SGD", asked.formats.model, sgd_law(line.model, how, steps, asked.law),
                list);
  warn_of_unused_rows(unused, line.n, how.batch, list);
  if (!exact.priced.applies || !sgd.priced.applies) list.emplace_back(smooth_warning);
  return list;
}

report fit_answer::report() const {
  ask::report made{"fit"};
  made.add_all({{"file", asked.file},
                {"x", x_name},
                {"y", y_name},
                {"rows", number(line.n)},
                {"rows_left_out", number(static_cast<double>(missing))},
                {"with_intercept", line.has_intercept},
                {"format", asked.formats.data.x.name()}});
  made.add_all(ask::shown(asked.formats));
  made.add("entropy", json(ask::name_of(asked.entropies)));
  made.add("temperature", asked.temperature.value());
  made.add("estimates", joined({ask::shown(line.model),
                                {{"intercept", number(line.intercept)},
                                 {"mean_x", number(line.mean_x)},
                                 {"mean_y", number(line.mean_y)}}}));
  made.add(
      "errors",
      joined({ask::shown(line.errors),
              {{"intercept", number(line.intercept_error)},
               {"w_robust", line.robust_error ? number(*line.robust_error) : json(nullptr)}}}));
  made.add("snr", {{"value", number(line.snr)}, {"error", number(line.snr_error)}});
  made.add("law", json(law()));
  made.add("residuals", residuals_json(line.residuals));
  made.add("stored", as_json(stored, row()));
  made.add("sgd", joined({{{"steps", number(steps)},
                           {"epochs", number(asked.epochs)},
                           {"rows_unused", number(unused)}},
                          ask::shown(how),
                          {{"law", name_of(asked.law)}}}));
  made.add_lazy("law_gap", [this] { return ask::shown(gap()); });
  made.add("bits", {{"exact", as_json(exact)}, {"sgd", as_json(sgd)}});
  const auto cost = [&](const fit_bill& bill) {
    return number(bill.priced.device.cost(asked.temperature).value.value());
  };
  made.add("joules", {{"exact", cost(exact)}, {"sgd", cost(sgd)}});
  if (asked.prices) {
    made.add("energy_price", asked.prices->energy_price);
    made.add("inference_price", asked.prices->inference.base);
    made.add("demand", json(asked.demand));
  }
  made.add("advice", as_json(advice, line.n));
  made.add("measured", json{"rows", "estimates", "errors", "snr", "residuals", "stored"});
  made.add("modelled", json{"law", "law_gap", "bits", "joules", "advice"});
  made.add("not_estimated", json{uncounted_rows(line.n)});
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
