#include "ask/many_cost.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace ktln2::ask {
namespace {

double read_penalty(const reader& given, const row_model& model) {
  if (given.word("ridge") == "optimal") return best_penalty(model);
  const double penalty = given.number("ridge");
  if (penalty >= 0) return penalty;
  throw std::domain_error(given.where("ridge") + " must be >= 0 or optimal, got " +
                          given.word("ridge"));
}

many_sgd_state state_of(const many_cost_question& asked) {
  const sgd_vector walk{asked.model, asked.how};
  many_sgd_state made{walk.after(asked.n), walk.ou_after(asked.n)};
  made.excess_risk = walk.excess_risk(made.reached);
  made.eta_max = largest_learning_rate(asked.model, asked.how.batch, asked.how.intercept);
  return made;
}

json deviations_of(const vector_moments& at) {
  std::vector<double> list;
  for (std::size_t j = 0; j < at.mean.size(); ++j) list.push_back(std::sqrt(at.covariance(j, j)));
  return list_of_numbers(list);
}

void add_joint(report& made, const std::string& name, const joint_bits& of) {
  made.add(name, of.value.value.value());
  made.add(name + "_error", of.value.error.value());
  made.add(name + "_low", of.low.value());
  made.add(name + "_high", of.high.value());
  made.add(name + "_method", json(of.how));
}

void add_bill(report& made, const many_cost_answer& answer) {
  const many_computation& bill = *answer.bill;
  const cyclic_device& device = bill.priced.device;
  made.headline("bits", device.erased().value.value());
  made.headline("error", device.erased().error.value());
  made.headline("joules", device.cost(answer.asked.temperature).value.value());
  made.headline("input_bits", device.input_entropy().value.value());
  made.headline("output_bits", device.output_entropy().value.value());
  made.add("precision_bits", device.precision().value());
  made.headline("bits_per_parameter", bill.bits_per_parameter().value());
  made.headline("output_share", bill.output_share());
  made.add("parameters", bill.coefficients);
  add_joint(made, "row_entropy", bill.row);
  add_joint(made, "model_entropy", bill.model);
}

void add_prediction(report& made, const many_cost_answer& answer) {
  const many_prediction& one = *answer.prediction;
  const kelvin temperature = answer.asked.temperature;
  made.headline("bits", one.erased().value.value());
  made.headline("error", one.erased().error.value());
  made.headline("joules", landauer_cost(one.erased().value, temperature).value());
  made.add("input_bits", one.features.value.value());
  made.add("output_bits", one.output.value.value());
  made.add("ideal_bits", one.ideal().value.value());
  if (one.smooth) {
    made.add("smooth_bits", one.smooth->value());
  } else {
    made.add("smooth_bits", json());
  }
  made.add("method", json(name_of(one.how)));
  const auto d = static_cast<double>(answer.asked.model.w.size());
  made.headline("bits_per_parameter", one.erased().value.value() / d);
  made.headline("output_share", one.output.value / one.features.value);
}

void add_sgd(report& made, const many_cost_answer& answer) {
  const many_sgd_state& state = *answer.sgd;
  made.add("steps", answer.asked.n);
  made.add("batch", answer.asked.how.batch);
  made.add("eta", answer.asked.how.eta);
  made.add("w0", list_of_numbers(answer.asked.how.start));
  made.add("eta_max", state.eta_max);
  made.add("mean", list_of_numbers(state.reached.mean));
  made.add("deviation", deviations_of(state.reached));
  made.add("ou_mean", list_of_numbers(state.by_process.mean));
  made.add("ou_deviation", deviations_of(state.by_process));
  made.add("excess_risk", state.excess_risk);
}

}  // namespace

bool asks_for_many_cost(const words& asked) {
  return asked.command == "cost" && asked.has("features");
}

many_cost_question read_many_cost(const words& asked) {
  const reader given{asked};
  const std::string& kind = given.kind();
  refuse_with_features(given, {"internal", "reset", "per-op"});
  const storage format = given.storage("format");
  many_cost_question made{kind, one_format(format), {}};
  made.model = read_row_model(given);
  made.entropies = read_entropy_kind(given);
  made.temperature = read_temperature(given);
  if (kind == "inference") {
    refuse_with_features(given, {"slope"});
    return made;
  }
  made.formats = read_formats(given);
  made.intercept = given.has("intercept");
  if (kind == "exact") {
    made.n = given.number("n");
    made.ridge = read_penalty(given, made.model);
    return made;
  }
  refuse_with_features(given, {"w0-sigma"});
  if (given.word("law") != "moments") {
    throw std::domain_error(given.where("law") + " must be moments with --features, got '" +
                            given.word("law") + "'");
  }
  made.n = read_steps(given);
  made.how = read_vector_descent(given, made.model);
  return made;
}

many_cost_answer solve(const many_cost_question& asked, const stop_token& stop) {
  many_cost_answer made{asked};
  if (asked.kind == "inference") {
    made.prediction = many_prediction_cost(asked.formats, asked.model, stop);
  } else if (asked.kind == "sgd") {
    made.bill =
        many_sgd_cost(asked.formats, asked.model, asked.how, asked.n, asked.entropies, stop);
    made.sgd = state_of(asked);
  } else {
    made.bill = many_regression_cost(
        asked.formats, {asked.model, asked.n, asked.intercept, asked.ridge}, asked.entropies, stop);
  }
  return made;
}

bounded<bits> many_cost_answer::erased() const {
  return bill ? bill->priced.device.erased() : prediction->erased();
}

std::vector<std::string> many_cost_answer::warnings() const {
  std::vector<std::string> list;
  const double error = erased().error.value();
  if (prediction && prediction->how == many_prediction::method::bracket) {
    list.push_back(
        fmt::format("known to +-{:.2g} bits: the output is held against that of features that were "
                    "not stored",
                    error));
  } else if (error > 1e-6 * (1 + std::fabs(erased().value.value())) &&
             !(bill && bill->model.how == "unknown")) {
    list.push_back(
        fmt::format("known to +-{:.2g} bits only: cells are coarse against the noise", error));
  }
  if (bill && bill->model.how == "unknown") {
    list.push_back(fmt::format(
        "no law of these coefficients is known: what they hold may be anything from 0 to {:.6g} "
        "bits, and the error bar says so",
        bill->model.high.value()));
  }
  if (bill && asked.entropies == entropy_kind::exact && (bill->model.how == "smooth")) {
    list.emplace_back("the entropy of the model is the smooth one: fewer rows than features");
  }
  return list;
}

report many_cost_answer::report() const {
  ask::report made{"cost"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.formats.data.x.name()));
  made.add_all(shown(asked.model));
  made.add("snr", normal_row{asked.model}.snr());
  if (asked.kind == "exact") {
    made.add("n", asked.n);
    made.add("intercept", json(asked.intercept));
    made.add("ridge", asked.ridge);
  }
  made.add_all(shown(asked.formats));
  made.add("entropy", json(ask::name_of(asked.entropies)));
  made.add("temperature", asked.temperature.value());
  made.add("unit", json("bit"));
  if (sgd) add_sgd(made, *this);
  if (bill) add_bill(made, *this);
  if (prediction) add_prediction(made, *this);
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
