#include "ask/problem.hpp"

#include <cmath>
#include <stdexcept>

namespace ktln2::ask {

const char* const smooth_warning =
    "the smooth entropies are not to be trusted here; see --entropy exact";

linear_model read_model(const reader& given) {
  return {.w = given.number("w"),
          .sigma_x = given.number("sigma-x"),
          .sigma_xi = given.number("sigma-xi")};
}

descent read_descent(const reader& given) {
  return {.eta = given.number("eta"),
          .batch = given.number("batch"),
          .w0 = given.number("w0"),
          .w0_sigma = given.optional_number("w0-sigma").value_or(0)};
}

double read_steps(const reader& given) {
  const auto n = given.optional_number("n");
  if (!n) {
    if (!given.has("epochs")) return given.number("steps");
    throw std::domain_error(given.where("epochs") + " needs --n, the points of a pass");
  }
  if (given.has("steps")) {
    throw std::domain_error(given.command() + ": give --steps or --n, not both");
  }
  const double passes = given.has("epochs") ? static_cast<double>(given.whole("epochs", 1)) : 1;
  const double steps = *n / given.number("batch");
  if (steps >= 1 && steps == std::floor(steps)) return passes * steps;
  throw std::domain_error(given.where("n") + " must be a multiple of --batch, " +
                          given.word("batch") + ", got " + given.word("n"));
}

std::string passes_warning(const reader& given) {
  if (!given.has("epochs") || given.whole("epochs", 1) == 1) return "";
  return "in later epochs the points are not fresh, as the law of the slope has them";
}

sgd_model read_sgd_model(const reader& given) { return parse_sgd_model(given.word("law")); }

kelvin read_temperature(const reader& given) {
  const auto temperature = given.optional_number("temperature");
  const auto kbt = given.optional_number("kbt");
  if (temperature && kbt) {
    throw std::domain_error(given.command() + ": give --temperature or --kbt, not both");
  }
  if (temperature && !(*temperature > 0)) {
    throw std::domain_error(given.where("temperature") + " must be > 0, got " +
                            given.word("temperature"));
  }
  if (!kbt) return kelvin{temperature.value_or(300)};
  const double kelvins = *kbt / boltzmann_constant.value();
  if (!(*kbt > 0) || !std::isfinite(kelvins) || !(kelvins > 0)) {
    throw std::domain_error(given.where("kbt") + " must be > 0 and within range, got " +
                            given.word("kbt"));
  }
  return kelvin{kelvins};
}

entropy_kind read_entropy_kind(const reader& given) {
  const std::string kind = given.word("entropy");
  if (kind == "exact") return entropy_kind::exact;
  if (kind == "smooth") return entropy_kind::smooth;
  throw std::domain_error(given.where("entropy") + " must be exact or smooth, got '" + kind + "'");
}

register_formats read_formats(const reader& given) {
  const storage format = given.storage("format");
  return {{format, given.storage("y-format", format)}, given.storage("model-format", format)};
}

json shown(const linear_model& model) {
  return {{"w", number(model.w)},
          {"sigma_x", number(model.sigma_x)},
          {"sigma_xi", number(model.sigma_xi)}};
}

json shown(const descent& how) {
  return {{"batch", number(how.batch)},
          {"eta", number(how.eta)},
          {"w0", number(how.w0)},
          {"w0_sigma", number(how.w0_sigma)}};
}

json shown(const register_formats& formats) {
  return {{"x_format", formats.data.x.name()},
          {"y_format", formats.data.y.name()},
          {"model_format", formats.model.name()}};
}

const char* name_of(entropy_kind kind) { return kind == entropy_kind::smooth ? "smooth" : "exact"; }

json joined(std::initializer_list<json> objects) {
  json all = json::object();
  for (const json& one : objects) all.update(one);
  return all;
}

}  // namespace ktln2::ask
