#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/covariance_file.hpp"
#include "ask/energy.hpp"
#include "ask/number.hpp"
#include "ask/problem.hpp"
#include "ask/row.hpp"

namespace ktln2::ask {
namespace {

/// "x2,x1,y"
std::vector<std::size_t> read_order(const reader& given, std::size_t features) {
  std::vector<std::size_t> order;
  if (!given.has("order")) return order;
  const std::string text = given.word("order");
  const std::string expected = " must have each of x1 ... x" + std::to_string(features) +
                               " and y once, with commas between them, got '" + text + "'";
  for (const std::string& name : split(text, ',')) {
    std::size_t found = features;
    for (std::size_t j = 0; j < features && name != "y"; ++j) {
      if (name == "x" + std::to_string(j + 1)) found = j;
    }
    const bool is_known = name == "y" || found < features;
    if (!is_known || std::find(order.begin(), order.end(), found) != order.end()) {
      throw std::domain_error(given.where("order") + expected);
    }
    order.push_back(found);
  }
  if (order.size() != features + 1) throw std::domain_error(given.where("order") + expected);
  return order;
}

storage read_register(const reader& given, std::string_view argument) {
  if (auto known = optional_number_format(given, argument)) {
    const storing rule = read_storing(given, *known);
    return {*std::move(known), rule};
  }
  for (const char* name : {"rounding", "overflow"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for formats such as bfloat16, got " +
                              given.word(argument));
    }
  }
  return given.format(argument);
}

void refuse_options_of_one(const reader& given, const char* what) {
  for (const char* name : {"bits", "certify", "terms"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for one register, got " + what);
    }
  }
}

/// "2", "w2" or "b": which of the coefficients.
std::size_t read_coefficient(const reader& given, const coefficients& estimate) {
  const std::string text = given.word("coefficient");
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    if (text == estimate.name(j) || text == std::to_string(j + 1)) return j;
  }
  throw std::domain_error(given.where("coefficient") + " must be 1 ... " +
                          std::to_string(estimate.features()) +
                          (estimate.task().intercept ? ", or b" : "") + ", got '" + text + "'");
}

}  // namespace

bool asks_for_row(const reader& given) { return describes_row(given.word("distribution")); }

bool asks_for_estimate(const reader& given) {
  return describes_estimate(given.word("distribution")) && !given.has("coefficient");
}

void refuse_options_of_many(const reader& given) {
  const std::string distribution = given.word("distribution");
  const bool is_row = describes_row(distribution);
  const bool is_estimate = describes_estimate(distribution);
  const auto refuse = [&](const char* name, const char* what) {
    if (!given.has(name)) return;
    throw std::domain_error(given.where(name) + " is for " + what + ", got " + distribution);
  };
  if (!is_row) refuse("order", "rows such as row:d=3");
  if (!is_estimate) refuse("coefficient", "estimates such as ols:n=20,d=3");
  if (!is_row && !is_estimate) refuse("covariance", "row and ols");
}

row_model read_described_row(const reader& given) {
  const auto covariance = optional_covariance(given);
  return parse_row(given.word("distribution"), covariance ? &*covariance : nullptr);
}

least_squares read_least_squares(const reader& given) {
  const auto covariance = optional_covariance(given);
  return parse_estimate(given.word("distribution"), covariance ? &*covariance : nullptr);
}

law read_one_law(const reader& given) {
  const std::string distribution = given.word("distribution");
  if (!describes_estimate(distribution)) return parse_law(distribution);
  if (given.has("certify")) {
    throw std::domain_error(given.where("certify") + " is not for " + distribution +
                            ", whose scale is rounded: give the law itself");
  }
  const coefficients estimate{read_least_squares(given)};
  return estimate.marginal(read_coefficient(given, estimate));
}

row_question read_row(const reader& given) {
  refuse_options_of_one(given, "a row");
  const storage x = read_register(given, "format");
  normal_row row{read_described_row(given)};
  std::vector<storage> formats(row.features(), x);
  formats.push_back(given.has("y-format") ? read_register(given, "y-format") : x);
  std::vector<std::size_t> order = read_order(given, row.features());
  return {std::move(formats),
          given.word("distribution"),
          std::move(row),
          std::move(order),
          read_tolerance(given, default_joint_tolerance),
          read_temperature(given)};
}

estimate_question read_estimate(const reader& given) {
  refuse_options_of_one(given, "several coefficients");
  if (given.has("y-format")) {
    throw std::domain_error(given.where("y-format") + " is for pairs and rows, got " +
                            given.word("distribution"));
  }
  return {read_register(given, "format"), given.word("distribution"),
          coefficients{read_least_squares(given)}, read_tolerance(given, default_joint_tolerance),
          read_temperature(given)};
}

}  // namespace ktln2::ask
