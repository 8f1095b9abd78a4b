#include "options.hpp"

#include <cmath>
#include <stdexcept>

#include "core/parse.hpp"

namespace ktln2::cli {

std::optional<std::string> option_reader::take(const std::string& name) {
  const auto found = left_.find(name);
  if (found == left_.end()) return {};
  std::string text = found->second;
  left_.erase(found);
  return text;
}

double option_reader::number(const std::string& name, double otherwise) {
  const auto text = take(name);
  return text ? parse_number(where(name), *text) : otherwise;
}

std::uint64_t option_reader::count(const std::string& name, std::uint64_t otherwise) {
  const auto text = take(name);
  if (!text) return otherwise;
  const uint128 value = parse_count(where(name), *text);
  if (value >> 64 != 0) {
    throw std::domain_error(where(name) + " must be below 2^64, got " + *text);
  }
  return static_cast<std::uint64_t>(value);
}

void option_reader::expect_no_more() const {
  if (left_.empty()) return;
  throw std::domain_error(command_ + ": " + kind_ + " has no option --" + left_.begin()->first +
                          " (see ktln2 " + command_ + " --help)");
}

kelvin read_temperature(option_reader& options) {
  const auto given = options.take("temperature");
  const auto given_kbt = options.take("kbt");
  if (given && given_kbt) {
    throw std::domain_error(options.command() + ": give --temperature or --kbt, not both");
  }
  double temperature = 300;
  if (given) {
    temperature = parse_number(options.where("temperature"), *given);
    if (!(temperature > 0)) {
      throw std::domain_error(options.where("temperature") + " must be > 0, got " + *given);
    }
  }
  if (given_kbt) {
    const double kbt = parse_number(options.where("kbt"), *given_kbt);
    temperature = kbt / boltzmann_constant.value();
    if (!(kbt > 0) || !std::isfinite(temperature) || !(temperature > 0)) {
      throw std::domain_error(options.where("kbt") + " must be > 0 and within range, got " +
                              *given_kbt);
    }
  }
  return kelvin{temperature};
}

entropy_kind read_entropy_kind(option_reader& options) {
  const std::string kind = options.take("entropy").value_or("exact");
  if (kind != "exact" && kind != "smooth") {
    throw std::domain_error(options.where("entropy") + " must be exact or smooth, got '" + kind +
                            "'");
  }
  return kind == "exact" ? entropy_kind::exact : entropy_kind::smooth;
}

float_format read_format(option_reader& options, const char* name, const float_format& otherwise) {
  const auto text = options.take(name);
  return text ? float_format::parse(*text) : otherwise;
}

register_formats read_formats(option_reader& options, const float_format& format) {
  return {{format, read_format(options, "y-format", format)},
          read_format(options, "model-format", format)};
}

namespace {

void read(option_reader& options, linear_model& model) {
  model.w = options.number("w", model.w);
  model.sigma_x = options.number("sigma-x", model.sigma_x);
  model.sigma_xi = options.number("sigma-xi", model.sigma_xi);
}

}  // namespace

void read(option_reader& options, asked_regression& problem) {
  problem.n = options.number("n", problem.n);
  read(options, problem.model);
}

void read_descent(option_reader& options, asked_sgd& problem) {
  problem.steps = options.number("steps", problem.steps);
  problem.how.batch = options.number("batch", problem.how.batch);
  problem.how.eta = options.number("eta", problem.how.eta);
  problem.how.w0 = options.number("w0", problem.how.w0);
}

void read(option_reader& options, asked_sgd& problem) {
  read_descent(options, problem);
  read(options, problem.model);
}

json_value shown(const register_formats& formats) {
  return {{"x_format", formats.data.x.name()},
          {"y_format", formats.data.y.name()},
          {"model_format", formats.model.name()}};
}

json_value shown(const asked_regression& problem) {
  return {{"n", number(problem.n)},
          {"w", number(problem.model.w)},
          {"sigma_x", number(problem.model.sigma_x)},
          {"sigma_xi", number(problem.model.sigma_xi)}};
}

json_value shown(const asked_sgd& problem) {
  return {{"steps", number(problem.steps)},
          {"batch", number(problem.how.batch)},
          {"eta", number(problem.how.eta)},
          {"w0", number(problem.how.w0)},
          {"w", number(problem.model.w)},
          {"sigma_x", number(problem.model.sigma_x)},
          {"sigma_xi", number(problem.model.sigma_xi)}};
}

}  // namespace ktln2::cli
