#include "ask/many_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/scaling/many_entropy.hpp"
#include "ktln2/scaling/many_error.hpp"

namespace ktln2::ask {
namespace {

// Reading.

many_method method_of(const std::string& kind) {
  if (kind == "ridge") return many_method::ridge;
  return kind == "sgd" ? many_method::sgd : many_method::least_squares;
}

double needed_price(const reader& given, const char* name) {
  const auto price = given.optional_number(name);
  if (!price) throw std::domain_error(given.where(name) + " is needed (see ktln2 scaling --help)");
  if (*price > 0) return *price;
  throw std::domain_error(given.where(name) + " must be > 0 with --features, got " +
                          given.word(name));
}

/// --snr, or what the same --w for all features makes.
double read_snr(const reader& given, double features, double sigma_x, double sigma_xi) {
  const auto snr = given.optional_number("snr");
  if (snr && given.has("w")) throw std::domain_error("scaling: give --snr or --w, not both");
  if (snr) return *snr;
  const double gain = given.number("w") * sigma_x / sigma_xi;
  return features * gain * gain;
}

many_descent read_many_descent(const reader& given, double sigma_x) {
  if (given.kind() != "sgd") return {.sigma_x = sigma_x};
  if (given.word("law") != "moments") {
    throw std::domain_error(given.where("law") + " must be moments with --features, got '" +
                            given.word("law") + "'");
  }
  if (given.number("w0-sigma") != 0) {
    throw std::domain_error(given.where("w0-sigma") + " must be 0 with --features, got " +
                            given.word("w0-sigma"));
  }
  return {given.number("eta"), given.number("batch"), given.number("w0"), sigma_x};
}

many_problem read_many_problem(const reader& given) {
  many_problem what;
  what.method = method_of(given.kind());
  what.features = static_cast<double>(given.whole("features", 1, 100'000));
  what.sigma_xi = given.number("sigma-xi");
  const double sigma_x = given.number("sigma-x");
  require_positive("scaling", "sigma_x", sigma_x);
  require_positive("scaling", "sigma_xi", what.sigma_xi);
  what.snr = read_snr(given, what.features, sigma_x, what.sigma_xi);
  what.how = read_many_descent(given, sigma_x);
  what.intercept = given.kind() != "sgd" && given.flag("intercept");
  return what;
}

baseline read_baseline(const reader& given) {
  const std::string name = given.word("baseline");
  if (name == "zero") return baseline::zero;
  if (name == "null") return baseline::null;
  throw std::domain_error(given.where("baseline") + " must be zero or null, got '" + name + "'");
}

many_optimized read_many_optimize(const reader& given) {
  const auto what = given.optional_word("optimize");
  if (!what) return many_optimized::nothing;
  const bool is_sgd = given.kind() == "sgd";
  if (*what == "p" && (given.has("y-format") || given.has("model-format"))) {
    throw std::domain_error(
        "scaling: --optimize p gives all registers one precision; leave out --y-format and "
        "--model-format");
  }
  if (*what == "p") return many_optimized::precision;
  if (*what == "features" && !is_sgd) return many_optimized::features;
  if (*what == "eta" && is_sgd) return many_optimized::learning_rate;
  if (*what == "batch" && is_sgd) return many_optimized::batch;
  throw std::domain_error(given.where("optimize") + " must be " +
                          (is_sgd ? "p, eta or batch" : "p or features") + " for " + given.kind() +
                          " with --features, got '" + *what + "'");
}

market read_market(const reader& given) {
  market prices;
  prices.energy_price = needed_price(given, "energy-price");
  prices.inference.base = needed_price(given, "inference-price");
  prices.inference.rise = given.number("price-rise");
  prices.wanted = parse_demand(given.word("demand"));
  prices.temperature = read_temperature(given);
  prices.speed = {given.number("memory-price"), given.number("time-price"),
                  given.number("relaxation")};
  return prices;
}

// Solving.

template <class Choice>
const Choice& best_choice(const std::vector<Choice>& all) {
  return *std::max_element(all.begin(), all.end(), [](const Choice& a, const Choice& b) {
    return a.point.profit < b.point.profit;
  });
}

/// The curve of the asked problem, or of the best that is sought.
many_scaling_answer with_choice(const many_scaling_question& asked, const many_profit& plain,
                                const stop_token& stop) {
  many_scaling_answer made{asked, plain, {}};
  many_problem chosen = asked.what;
  switch (asked.optimize) {
    case many_optimized::nothing:
      break;
    case many_optimized::precision: {
      made.precisions = many_sizes_by_precision(plain, stop);
      const int p = best_choice(made.precisions).p;
      const int exponent_bits = asked.formats.data.x.ideal("scaling").exponent_bits();
      chosen.added_noise = chosen.snr * rounding_noise(p);
      made.curve = {asked.prices, one_format(float_format{p, exponent_bits}), chosen,
                    asked.entropies, asked.terms};
      break;
    }
    case many_optimized::features: {
      made.features = many_sizes_by_features(plain, asked.decay, asked.what.features, stop);
      made.curve = with_features(plain, asked.decay, best_choice(made.features).features);
      break;
    }
    case many_optimized::learning_rate:
    case many_optimized::batch: {
      made.sgd = asked.optimize == many_optimized::batch ? best_many_batch(plain, stop)
                                                         : best_many_learning_rate(plain, stop);
      chosen.how.eta = made.sgd->eta;
      chosen.how.batch = made.sgd->batch;
      made.curve = plain.with(chosen);
      break;
    }
  }
  return made;
}

// Reporting.

json point_row(const profit_point& point) {
  return {{"n", number(point.n)},
          {"profit", number(point.profit)},
          {"mse", number(point.mse)},
          {"revenue", number(point.revenue)},
          {"energy_joules", number(point.energy.value())}};
}

json optima_of(const many_best& size) {
  json list = json::array();
  for (const many_candidate& one : size.candidates) {
    json row = {{"phase", name_of(one.phase)}};
    row.update(point_row(one.point));
    row["critical_price"] = number(one.critical_price);
    row["global"] = one.point.n == size.best.n;
    list.push_back(row);
  }
  return list;
}

json points_of(const std::vector<profit_point>& at) {
  json list = json::array();
  for (const profit_point& point : at) list.push_back(point_row(point));
  return list;
}

const char* many_optimized_name(many_optimized what) {
  switch (what) {
    case many_optimized::nothing:
      break;
    case many_optimized::precision:
      return "p";
    case many_optimized::features:
      return "features";
    case many_optimized::learning_rate:
      return "eta";
    case many_optimized::batch:
      return "batch";
  }
  return "";
}

void add_problem(report& made, const many_scaling_answer& answer) {
  const many_problem& what = answer.asked.what;
  made.add("features", what.features);
  made.add("snr", what.snr);
  made.add("sigma_x", what.how.sigma_x);
  made.add("sigma_xi", what.sigma_xi);
  made.add("intercept", json(what.intercept));
  if (what.method == many_method::sgd) {
    made.add("batch", what.how.batch);
    made.add("eta", what.how.eta);
    made.add("w0", what.how.w0);
    made.add("eta_max", largest_learning_rate(what.how.batch, what.features, what.how.sigma_x));
  }
}

void add_choices(report& made, const many_scaling_answer& answer) {
  if (answer.asked.optimize == many_optimized::nothing) return;
  made.add("optimize", json(many_optimized_name(answer.asked.optimize)));
  json list = json::array();
  for (const many_precision& one : answer.precisions) {
    json row = {{"p", one.p}};
    row.update(point_row(one.point));
    list.push_back(row);
  }
  for (const many_features& one : answer.features) {
    json row = {{"features", number(one.features)}};
    row.update(point_row(one.point));
    list.push_back(row);
  }
  const many_problem& best = answer.curve.what();
  made.add("optimized", {{"p", answer.curve.formats().model.p()},
                         {"features", number(best.features)},
                         {"eta", number(best.how.eta)},
                         {"batch", number(best.how.batch)}});
  if (!list.empty()) made.add("choices", list);
}

}  // namespace

bool asks_for_many_scaling(const words& asked) {
  return asked.command == "scaling" && (asked.kind == "ridge" || asked.has("features"));
}

many_scaling_question read_many_scaling(const words& asked) {
  const reader given{asked};
  many_scaling_question made{given.kind(),
                             read_market(given),
                             given.word("demand"),
                             read_formats(given),
                             read_many_problem(given),
                             {read_baseline(given), given.flag("count-inference")},
                             read_entropy_kind(given),
                             read_many_optimize(given),
                             1,
                             given.numbers("at")};
  if (given.kind() != "sgd") made.decay = given.number("decay");
  return made;
}

many_scaling_answer solve(const many_scaling_question& asked, const stop_token& stop) {
  const many_profit plain{asked.prices, asked.formats, asked.what, asked.entropies, asked.terms};
  many_scaling_answer made = with_choice(asked, plain, stop);
  made.size = find_best_size(made.curve, stop);
  for (const double n : asked.at) made.at.push_back(made.curve.best_known_at(n, stop));
  return made;
}

std::vector<profit_point> curve_around(const many_scaling_answer& made) {
  std::map<double, profit_point> looked_at;
  for (const profit_point& point : made.at) looked_at[point.n] = point;
  for (const many_candidate& one : made.size.candidates) looked_at[one.point.n] = one.point;
  const double step = made.curve.step();
  const double end = std::max(30 * made.size.best.n, 20 * step);
  std::vector<profit_point> points;
  for (double k = 1; k * step <= end; k = std::max(k + 1, std::floor(k * 1.02))) {
    const auto known = looked_at.find(k * step);
    points.push_back(known != looked_at.end() ? known->second : made.curve.at(k * step));
  }
  return points;
}

double many_scaling_answer::output_share() const {
  return size.best.model_entropy.value() / (size.best.n * curve.row_entropy().value.value());
}

bool many_scaling_answer::is_uncounted() const {
  return curve.what().method == many_method::ridge || !curve.what().counts_output;
}

double many_scaling_answer::uncounted_share() const {
  if (!is_uncounted()) return 0;
  return curve.what().features * curve.formats().model.width() /
         (size.best.n * curve.row_entropy().value.value());
}

std::vector<std::string> many_scaling_answer::warnings() const {
  std::vector<std::string> list;
  const many_problem& what = curve.what();
  // What the features' cells add to the noise, that the chain of entropies leaves out.
  const double smear = what.snr * rounding_noise(curve.formats().data.x.p()) / 2 * bits_per_nat;
  if (smear > 0.01) {
    list.push_back(fmt::format(
        "the signal is so strong that the features' cells hide part of it: the entropy of a row "
        "may be off by {:.2g} bits",
        smear));
  }
  if (uncounted_share() > 0.01) {
    list.push_back(
        fmt::format("{}: what they hold, at most {:.2g} % of what goes in, is not counted",
                    what.method == many_method::ridge ? "no law of ridge's coefficients is known"
                                                      : "these coefficients are not alike",
                    100 * std::min(1.0, uncounted_share())));
  }
  if (what.method == many_method::ridge) {
    const estimated_error error = ridge_error(size.best.n, what.features, what.snr);
    if (error.off > 0.01 * error.value) {
      list.push_back(fmt::format(
          "the error of ridge with so few features is an estimate, off by {:.2g} of {:.3g}",
          error.off, error.value));
    }
  }
  if (!size.is_exhaustive) {
    list.emplace_back(
        "there are too many sizes to look at each one that might win; the search was local");
  }
  return list;
}

report many_scaling_answer::report() const {
  ask::report made{"scaling"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.formats.data.x.name()));
  add_problem(made, *this);
  made.add_all(shown(asked.formats));
  made.add("energy_price", asked.prices.energy_price);
  made.add("inference_price", asked.prices.inference.base);
  made.add("price_rise", asked.prices.inference.rise);
  made.add("demand", json(asked.demand));
  made.add("baseline", json(asked.terms.against == baseline::zero ? "zero" : "null"));
  made.add("count_inference", json(asked.terms.count_inference));
  made.add("entropy", json(ask::name_of(asked.entropies)));
  made.add("temperature", asked.prices.temperature.value());
  made.add("phase", json(name_of(size.phase)));
  made.headline("n_star", size.best.n);
  made.headline_lazy("n_relaxed",
                     [this] { return size.relaxed ? number(*size.relaxed) : json(nullptr); });
  made.headline("profit", size.best.profit);
  made.headline("mse", size.best.mse);
  made.headline("energy_joules", size.best.energy.value());
  made.headline("revenue", size.best.revenue);
  made.headline("critical_price", size.critical_price);
  made.add("baseline_profit", curve.baseline_profit());
  made.add("row_entropy", curve.row_entropy().value.value());
  made.add("row_entropy_error", curve.row_entropy().error.value());
  made.add("model_entropy", size.best.model_entropy.value());
  made.add("model_entropy_error", size.model ? number(size.model->error.value()) : json(nullptr));
  made.add("model_entropy_kind", json(size.model       ? "exact"
                                      : is_uncounted() ? "not counted"
                                                       : "smooth"));
  made.add("output_share", output_share());
  if (asked.terms.count_inference) made.add("inference_bits", curve.inference().value());
  made.add("optima", optima_of(size));
  made.add("exhaustive", json(size.is_exhaustive));
  add_choices(made, *this);
  if (!at.empty()) made.add("at", points_of(at));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
