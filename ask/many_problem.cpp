#include "ask/many_problem.hpp"

#include <cmath>
#include <stdexcept>

#include "ask/covariance_file.hpp"
#include "core/number_list.hpp"

namespace ktln2::ask {
namespace {

std::vector<double> read_list(const reader& given, const char* name, std::size_t count) {
  return parse_numbers(given.where(name), given.word(name), count);
}

/// What a covariance has already must not be said twice.
square_matrix read_covariance_file(const reader& given, std::size_t count) {
  for (const char* name : {"sigma-x", "corr", "ar"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is in the covariance already, got " +
                              given.word(name));
    }
  }
  square_matrix found = *optional_covariance(given);
  if (found.size() == count) return found;
  throw std::domain_error(given.where("features") + " is " + std::to_string(count) +
                          ", but the covariance is of " + std::to_string(found.size()) +
                          " features");
}

feature_covariance read_covariance(const reader& given, std::size_t count) {
  if (given.has("covariance")) return read_covariance_file(given, count);
  const std::vector<double> deviations = read_list(given, "sigma-x", count);
  for (const double deviation : deviations) {
    if (deviation > 0) continue;
    throw std::domain_error(given.where("sigma-x") + " must be > 0, got " + given.word("sigma-x"));
  }
  if (given.has("corr") && given.has("ar")) {
    throw std::domain_error(given.command() + ": give --corr or --ar, not both");
  }
  if (given.has("ar")) return autoregressive(deviations, given.number("ar"));
  return equally_correlated(deviations, given.optional_number("corr").value_or(0));
}

}  // namespace

row_model read_row_model(const reader& given) {
  const auto d = static_cast<std::size_t>(given.whole("features", 1, 1000));
  row_model made;
  made.w = read_list(given, "w", d);
  made.mu = read_list(given, "mu", d);
  made.covariance = read_covariance(given, d);
  made.b = given.optional_number("intercept").value_or(0);
  if (given.kind() != "inference") made.sigma_xi = given.number("sigma-xi");
  return made;
}

vector_descent read_vector_descent(const reader& given, const row_model& model) {
  vector_descent made{given.number("eta"), given.number("batch"), {}, given.has("intercept")};
  made.start = read_list(given, "w0", model.w.size() + (made.intercept ? 1 : 0));
  return made;
}

void refuse_with_features(const reader& given, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for one feature, without --features");
    }
  }
}

void require_features(const reader& given, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (given.has(name)) throw std::domain_error(given.where(name) + " needs --features");
  }
}

json list_of_numbers(const std::vector<double>& list) {
  json made = json::array();
  for (const double value : list) made.push_back(number(value));
  return made;
}

json shown(const row_model& model) {
  std::vector<double> deviations;
  for (std::size_t j = 0; j < model.w.size(); ++j) {
    deviations.push_back(std::sqrt(model.covariance(j, j)));
  }
  return {{"features", model.w.size()},
          {"w", list_of_numbers(model.w)},
          {"mu", list_of_numbers(model.mu)},
          {"sigma_x", list_of_numbers(deviations)},
          {"b", number(model.b)},
          {"sigma_xi", number(model.sigma_xi)}};
}

}  // namespace ktln2::ask
