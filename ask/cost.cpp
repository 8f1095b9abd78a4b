#include "ask/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/energy.hpp"
#include "ask/ladder.hpp"
#include "ask/many_problem.hpp"
#include "ask/operations.hpp"
#include "core/attempt.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {
namespace {

/// The fields of X and of Y, less what the two share.
input_fields data_fields(const storage_pair& formats, const regression_pair& pair, double count,
                         bits each) {
  const field_entropies x = entropy_by_field(formats.x, pair.x());
  const field_entropies y = entropy_by_field(formats.y, pair.y());
  const bits sign = x.sign.value + y.sign.value;
  const bits exponent = x.exponent.value + y.exponent.value;
  const bits mantissa = x.mantissa.value + y.mantissa.value;
  return {count * sign, count * exponent, count * mantissa,
          count * (sign + exponent + mantissa - each)};
}

input_fields single_fields(const storage& format, const law& x, double count) {
  const field_entropies h = entropy_by_field(format, x);
  return {count * h.sign.value, count * h.exponent.value, count * h.mantissa.value, bits{0}};
}

/// Of the slope after the last step and before it.
struct sgd_laws {
  std::optional<law> before;
  law after;
};

/// Exact laws by one evolution.
sgd_laws laws_of(const sgd_task& task) {
  const double before = task.steps - 1;
  if (before < 1) return {{}, sgd_law(task.model, task.how, task.steps, task.which)};
  if (task.which == sgd_model::exact) {
    const std::vector<sgd_exact> both = sgd_exact_laws(task.model, task.how, {before, task.steps});
    return {law{both[0]}, law{both[1]}};
  }
  return {sgd_law(task.model, task.how, before, task.which),
          sgd_law(task.model, task.how, task.steps, task.which)};
}

/// How far the Ornstein-Uhlenbeck law is from the exact one, which is not within reach of every
/// problem, or not soon.
std::optional<sgd_ou_gap> process_gap(const sgd_task& task) {
  const linear_model& model = task.model;
  const double start =
      (std::fabs(model.w - task.how.w0) + task.how.w0_sigma) * model.sigma_x / model.sigma_xi;
  if (!(start < 1000)) return {};
  std::optional<sgd_ou_gap> found;
  (void)mistake_in([&] { found = compare_with_ou(model, task.how, task.steps); });
  return found;
}

/// The same range with so many bits of precision more. Throws std::domain_error where there is no
/// such format.
storage with_precision(const storage& one, int more) {
  if (const float_format* const ideal = one.ideal()) {
    return float_format{ideal->p() + more, ideal->exponent_bits()};
  }
  const auto& [format, rule] = *one.number();
  const int width = format.width() + more;
  switch (format.kind()) {
    case number_format::family::floating: {
      float_description fields = format.fields();
      fields.p += more;
      return {number_format::floating(format.name(), fields, format.usual().beyond), rule};
    }
    case number_format::family::posit:
      return {number_format::posit(format.name(), width), rule};
    case number_format::family::twos_complement:
      break;
  }
  const int unit = format.min_positive().exponent();
  return {number_format::fixed(format.name(), width, unit - more), rule};
}

register_formats with_precision(const register_formats& formats, int more) {
  return {{with_precision(formats.data.x, more), with_precision(formats.data.y, more)},
          with_precision(formats.model, more)};
}

json parameters_of(const cost_question& asked) {
  if (const auto* regression = std::get_if<regression_task>(&asked.what)) {
    return joined({{{"n", number(regression->n)}}, shown(regression->model), shown(asked.formats)});
  }
  if (const auto* sgd = std::get_if<sgd_task>(&asked.what)) {
    return joined({{{"steps", number(sgd->steps)}, {"points", number(sgd->steps * sgd->how.batch)}},
                   shown(sgd->how),
                   shown(sgd->model),
                   {{"law", name_of(sgd->which)}},
                   shown(asked.formats)});
  }
  if (const auto* average = std::get_if<averaging_task>(&asked.what)) {
    const law one = average->number();
    return {{"n", number(average->n)},
            {"of", average->of},
            {"mu", number(mean(one))},
            {"sigma", number(deviation(one))},
            {"sum", average->numbers.sum},
            {"x_format", asked.format().name()},
            {"model_format", asked.formats.model.name()}};
  }
  const auto& prediction = std::get<prediction_task>(asked.what);
  return {{"slope", number(prediction.slope)},
          {"slope_is_representable", nullptr},  // filled in below, in its place
          {"sigma_x", number(prediction.sigma_x)},
          {"x_format", asked.format().name()}};
}

averaging_task read_averaging(const reader& given) {
  averaging_task made{
      {.mu = given.number("mu"), .sigma = given.number("sigma"), .sum = given.flag("sum")},
      given.number("n")};
  made.of = "normal:mu=" + given.word("mu") + ",sigma=" + given.word("sigma");
  const auto of = given.optional_word("of");
  if (!of) return made;
  for (const char* name : {"mu", "sigma"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for normal numbers, got --of " + *of);
    }
  }
  made.of = *of;
  made.one = parse_law(*of);
  return made;
}

json as_json(const std::optional<sgd_ou_gap>& gap) {
  if (!gap) return nullptr;
  return {{"deviation_ratio", number(gap->deviation_ratio)},
          {"total_variation", number(gap->total_variation)},
          {"entropy_gap", number(gap->entropy_gap.value())}};
}

json as_json(const std::optional<limit_gap>& limit) {
  if (!limit) return nullptr;
  return {{"output_bits", number(limit->output.value.value())},
          {"gap", number(limit->gap.value.value())},
          {"gap_error", number(limit->gap.error.value())}};
}

json as_json(const chip_bill& chip, joules floor) {
  return {{"products", number(chip.operations.products)},
          {"sums", number(chip.operations.sums)},
          {"divisions", number(chip.operations.divisions)},
          {"joules", number(chip.energy.value())},
          {"above_landauer", floor > joules{0} ? number(chip.energy / floor) : json(nullptr)},
          {"basis", chip.basis}};
}

json as_json(const input_fields& fields) {
  return {{"sign", number(fields.sign.value())},
          {"exponent", number(fields.exponent.value())},
          {"mantissa", number(fields.mantissa.value())},
          {"shared", number(fields.shared.value())}};
}

}  // namespace

/// A computation with what was made on the way.
struct cost_answer::priced_task {
  computation priced;
  std::optional<law> before = {};
  std::optional<law> after = {};
  std::optional<inference_cost> prediction = {};
};

cost_answer::priced_task cost_answer::price(const cost_question& asked, const stop_token& stop) {
  if (const auto* regression = std::get_if<regression_task>(&asked.what)) {
    return {
        regression_cost(asked.formats, regression->model, regression->n, asked.entropies, stop)};
  }
  if (const auto* sgd = std::get_if<sgd_task>(&asked.what)) {
    const sgd_laws laws = laws_of(*sgd);
    return {sgd_cost(asked.formats, sgd->model, sgd->how, sgd->steps, laws.after, asked.entropies,
                     stop),
            laws.before, laws.after};
  }
  if (const auto* average = std::get_if<averaging_task>(&asked.what)) {
    // A bad parameter of the normal law is told as that of an average.
    const law total = average->one ? total_law(*average->one, average->n, average->what(), stop)
                                   : law{average_law(average->numbers, average->n)};
    return {average_cost(asked.format(), asked.formats.model, average->number(), total, average->n,
                         average->what(), asked.entropies),
            {},
            total};
  }
  const auto& task = std::get<prediction_task>(asked.what);
  const inference_cost cost = inference(asked.format(), task.slope, task.sigma_x);
  if (asked.entropies == entropy_kind::exact) return {computation{cost.device}, {}, {}, cost};
  // The smooth entropies of x and of the product are the same.
  const register_group x = cost.device.input()[0];
  register_group product = cost.device.output()[0];
  product.each = x.each;
  product.significand = x.significand;
  const bounded<bits> loss = cost.device.erased();  // it is what they leave out
  product.each.error += bits{std::fabs(loss.value.value())} + loss.error;
  return {computation{cyclic_device{{x}, {product}}, task.slope != 0}, {}, {}, cost};
}

cost_answer::cost_answer(cost_question asked, priced_task made)
    : asked_{std::move(asked)},
      priced_{std::move(made.priced)},
      before_{std::move(made.before)},
      after_{std::move(made.after)},
      prediction_{std::move(made.prediction)} {}

cost_answer::cost_answer(const cost_question& asked, const stop_token& stop)
    : cost_answer(asked, price(asked, stop)) {
  stop_ = stop;
  if (!asked.internal) return;
  tables_ = asked.internal->of(asked.formats, stop);
  internal_ = price_internal(stop);
  const cyclic_device& known = priced_.device;
  priced_.device = cyclic_device{known.input(), known.output(), internal_->above_reset()};
}

internal_bill cost_answer::price_internal(const stop_token& stop) const {
  if (const auto* regression = std::get_if<regression_task>(&asked_.what)) {
    return regression_internal(*tables_, regression->model, regression->n, stop);
  }
  if (const auto* sgd = descends()) {
    return sgd_internal(*tables_, sgd->model, sgd->how, sgd->steps, *after_, stop);
  }
  if (const auto* average = std::get_if<averaging_task>(&asked_.what)) {
    return average_internal(tables_->x, tables_->model, average->number(), *after_, average->n,
                            average->what(), stop);
  }
  const auto& task = std::get<prediction_task>(asked_.what);
  return inference_internal(tables_->x, task.slope, task.sigma_x, stop);
}

cost_answer::range cost_answer::possible() const {
  const auto of = [](const std::vector<register_group>& groups) {
    range all{bits{0}, bits{0}};
    for (const register_group& group : groups) {
      const double value = group.each.value.value();
      const double error = group.each.error.value();
      double least = std::max(0.0, value - error);
      double most = std::min(group.width, value + error);
      if (!(least <= most)) {  // the bar reaches nothing that is possible
        least = 0;
        most = group.width;
      }
      all.least += bits{group.count * least};
      all.most += bits{group.count * most};
    }
    return all;
  };
  const range in = of(device().input());
  const range out = of(device().output());
  const bounded<bits> internal = device().internal();
  return {in.least - out.most + internal.value - internal.error,
          in.most - out.least + internal.value + internal.error};
}

double cost_answer::inputs() const {
  if (const auto* regression = std::get_if<regression_task>(&asked_.what)) return regression->n;
  if (const auto* sgd = std::get_if<sgd_task>(&asked_.what)) return sgd->steps * sgd->how.batch;
  if (const auto* average = std::get_if<averaging_task>(&asked_.what)) return average->n;
  return 1;
}

const input_fields& cost_answer::fields() const {
  return fields_.get([&]() -> input_fields {
    if (const auto* average = std::get_if<averaging_task>(&asked_.what)) {
      return single_fields(asked_.format(), average->number(), average->n);
    }
    if (const auto* task = std::get_if<prediction_task>(&asked_.what)) {
      return single_fields(asked_.format(), normal{0, task->sigma_x}, 1);
    }
    const auto* sgd = descends();
    const linear_model& model =
        sgd != nullptr ? sgd->model : std::get<regression_task>(asked_.what).model;
    input_fields fields = data_fields(asked_.formats.data, regression_pair{model}, inputs(),
                                      device().input()[0].each.value);
    if (sgd != nullptr && sgd->how.has_random_start()) {
      const input_fields start = single_fields(asked_.formats.model, sgd_start_law(sgd->how), 1);
      fields.sign += start.sign;
      fields.exponent += start.exponent;
      fields.mantissa += start.mantissa;
    }
    return fields;
  });
}

bool precision_step::is_full() const {
  constexpr double share = 0.05;  // closed forms are off by as much in registers of a few bits
  const double most = share * std::max(1.0, std::fabs(registers.value()));
  return std::fabs(erased.value() - registers.value()) <= most;
}

/// The same computation by the same laws, stored otherwise.
cyclic_device cost_answer::device_in(const register_formats& formats) const {
  if (const auto* regression = std::get_if<regression_task>(&asked_.what)) {
    return regression_cost(formats, regression->model, regression->n, asked_.entropies, stop_)
        .device;
  }
  if (const auto* sgd = descends()) {
    return sgd_cost(formats, sgd->model, sgd->how, sgd->steps, *after_, asked_.entropies, stop_)
        .device;
  }
  if (const auto* average = std::get_if<averaging_task>(&asked_.what)) {
    return average_cost(formats.data.x, formats.model, average->number(), *after_, average->n,
                        average->what(), asked_.entropies)
        .device;
  }
  const auto& task = std::get<prediction_task>(asked_.what);
  return inference(formats.data.x, task.slope, task.sigma_x).device;
}

const std::optional<precision_step>& cost_answer::one_bit() const {
  return one_bit_.get([&]() -> std::optional<precision_step> {
    for (const int more : {-1, +1}) {  // no register has less than one bit, nor more than 64
      std::optional<cyclic_device> changed;
      if (mistake_in([&] { changed = device_in(with_precision(asked_.formats, more)); })) continue;
      return precision_step{more * (changed->erased().value - device().erased().value),
                            more * (changed->precision() - device().precision())};
    }
    return {};
  });
}

bounded<bits> cost_answer::start() const {
  return descends()->how.has_random_start() ? device().input()[1].entropy() : exactly(bits{0});
}

const bounded<bits>& cost_answer::last_step() const {
  return last_step_.get([&] {
    const auto& sgd = std::get<sgd_task>(asked_.what);
    const bounded<bits> erased =
        sgd_step_cost(asked_.formats, sgd.model, sgd.how, before_, *after_, asked_.entropies)
            .device.erased();
    if (!tables_) return erased;
    const internal_entropies internal =
        sgd_step_internal(*tables_, sgd.model, sgd.how, before_, *after_).above_reset();
    return erased + internal.loaded - internal.computed;
  });
}

double cost_answer::limit_deviation() const {
  const auto& sgd = std::get<sgd_task>(asked_.what);
  return sgd_limit_deviation(sgd.model, sgd.how);
}

const std::optional<law_gap>& cost_answer::gap() const {
  return gap_.get([&] { return gap_of(*descends(), asked_.formats.model); });
}

const std::optional<sgd_ou_gap>& cost_answer::ou_gap() const {
  return ou_gap_.get([&] { return process_gap(*descends()); });
}

const std::optional<limit_gap>& cost_answer::central_limit() const {
  return central_limit_.get([&]() -> std::optional<limit_gap> {
    const std::optional<normal> limit = ktln2::central_limit(*after_);
    if (!limit) return {};
    const bounded<bits> output = exact_entropy(asked_.formats.model, *limit);
    const bounded<bits> truth =
        is_exact() ? device().output_entropy() : exact_entropy(asked_.formats.model, *after_);
    return limit_gap{output, output - truth};
  });
}

bool cost_answer::slope_is_representable() const {
  const double slope = std::get<prediction_task>(asked_.what).slope;
  return asked_.format().rounded(slope) == wide(slope);
}

void cost_answer::warn_of_registers(std::vector<std::string>& list) const {
  const auto warn = [&](const char* name, const storage& where, const law& x) {
    warn_of_edges(name, where, x, list);
  };
  if (const auto* average = std::get_if<averaging_task>(&asked_.what)) {
    warn("the numbers", asked_.format(), average->number());
    return warn("the result", asked_.formats.model, *after_);
  }
  if (const auto* task = std::get_if<prediction_task>(&asked_.what)) {
    return warn("x", asked_.format(), normal{0, task->sigma_x});
  }
  const auto* regression = std::get_if<regression_task>(&asked_.what);
  const regression_pair pair{regression != nullptr ? regression->model : descends()->model};
  warn("x", asked_.formats.data.x, pair.x());
  warn("y", asked_.formats.data.y, pair.y());
  if (descends() != nullptr && descends()->how.has_random_start()) {
    warn("the start", asked_.formats.model, sgd_start_law(descends()->how));
  }
  warn("the slope", asked_.formats.model,
       regression != nullptr ? slope_law(pair.model(), regression->n) : *after_);
}

std::vector<std::string> cost_answer::warnings() const {
  std::vector<std::string> list;
  if (descends() != nullptr) warn_of(*descends(), gap(), list);
  if (!asked_.caution.empty()) list.push_back(asked_.caution);
  if (!is_exact() && !applies()) list.emplace_back(smooth_warning);
  warn_of_registers(list);
  return list;
}

json cost_answer::shown_internal() const {
  const auto groups = [](const std::vector<internal_group>& all) {
    json list = json::array();
    for (const internal_group& group : all) {
      const bounded<bits> mean = group.each.mean();
      list.push_back({{"name", group.name},
                      {"count", number(group.count)},
                      {"mean", number(mean.value.value())},
                      {"error", number(mean.error.value())},
                      {"reset", number(group.each.reset.value())}});
    }
    return list;
  };
  const bounded<bits> loaded = internal_->loaded();
  const bounded<bits> computed = internal_->computed();
  const bounded<bits> lost = device().internal();
  const auto joules = [&](bits of) {
    return number(landauer_cost(of, asked_.temperature).value());
  };
  return {{"of", asked_.internal->text()},
          {"reset", number(asked_.internal->reset())},
          {"input", groups(internal_->input)},
          {"output", groups(internal_->output)},
          {"loaded_bits", number(loaded.value.value())},
          {"loaded_error", number(loaded.error.value())},
          {"computed_bits", number(computed.value.value())},
          {"computed_error", number(computed.error.value())},
          {"bits", number(lost.value.value())},
          {"error", number(lost.error.value())},
          {"joules", joules(lost.value)},
          {"joules_error", joules(lost.error)}};
}

/// What only one kind has.
void cost_answer::add_details(ask::report& made) const {
  if (std::holds_alternative<sgd_task>(asked_.what)) {
    made.add("start_bits", start().value.value());
    made.add_lazy("last_step_bits", [this] { return number(last_step().value.value()); });
    made.add("limit_deviation", limit_deviation());
    made.add_lazy("law_gap", [this] { return shown(gap()); });
    if (descends()->which == sgd_model::ou) {
      made.add_lazy("ou_gap", [this] { return as_json(ou_gap()); });
    }
  }
  if (std::holds_alternative<averaging_task>(asked_.what)) {
    made.add_lazy("central_limit", [this] { return as_json(central_limit()); });
  }
  if (prediction_) {
    made.add("smooth_bits", 0.0);
    made.add("ideal_bits", prediction_->ideal.value());
    made.add("method", json("collisions"));
  }
}

report cost_answer::report() const {
  ask::report made{"cost"};
  made.add("kind", json(asked_.kind));
  made.add("format", json(asked_.format().name()));
  json parameters = parameters_of(asked_);
  if (prediction_) parameters["slope_is_representable"] = slope_is_representable();
  made.add_all(parameters);
  made.add("entropy", json(name_of(asked_.entropies)));
  made.add("temperature", asked_.temperature.value());
  made.headline("bits", lost().value.value());
  made.headline("error", lost().error.value());
  made.headline("joules", cost().value.value());
  made.headline("joules_error", cost().error.value());
  made.headline("input_bits", device().input_entropy().value.value());
  made.headline("output_bits", device().output_entropy().value.value());
  made.headline("precision_bits", device().precision().value());
  made.add("applies", json(applies()));
  if (!is_exact()) {
    made.add("least_bits", possible().least.value());
    made.add("most_bits", possible().most.value());
  }
  made.add("chip", as_json(on_a_chip(asked_), cost().value));
  if (internal_) made.add_lazy("internal", [this] { return shown_internal(); });
  if (is_exact()) made.add_lazy("fields", [this] { return as_json(fields()); });
  add_details(made);
  made.set_warnings([this] { return warnings(); });
  return made;
}

cost_question read_cost(const words& asked) {
  const reader given{asked};
  if (given.kind() != "average")
    require_features(given, {"mu", "corr", "ar", "covariance", "intercept", "ridge"});
  const std::string& kind = given.kind();
  const storage format = given.storage("format");
  cost_question made{kind,
                     {{format, format}, format},
                     prediction_task{},
                     read_entropy_kind(given),
                     read_temperature(given)};
  if (given.has("per-op")) {
    made.per_operation =
        parse_energy(given.where("per-op"), given.word("per-op"), made.temperature);
  }
  if (kind == "inference") {
    made.what = prediction_task{given.number("slope"), given.number("sigma-x")};
    made.internal = read_internal(given, made.formats);
    return made;
  }
  made.formats.model = given.storage("model-format", format);
  if (kind == "average") {
    made.what = read_averaging(given);
    made.internal = read_internal(given, made.formats);
    return made;
  }
  made.formats = read_formats(given);
  if (kind == "exact") {
    made.what = regression_task{read_model(given), given.number("n")};
  } else {
    made.what =
        sgd_task{read_model(given), read_descent(given), read_steps(given), read_sgd_model(given)};
  }
  if (kind == "sgd") made.caution = passes_warning(given);
  made.internal = read_internal(given, made.formats);
  return made;
}

}  // namespace ktln2::ask
