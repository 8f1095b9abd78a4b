// Every law against values of 30 digits, in units of u = 2^-53 of what can be asked for:
//
// - A probability: u P (1 + z²). Rounding z to double alone moves a normal tail by z² u.
// - The logarithm of a cell, P ≤ 1/2: u |ln P|. There d ln P / d ln z is at most 2 |ln P|.
//   For P > 1/2 ln P is minus the mass outside, a probability: u |ln P| (1 + z²), z the far edge.
// - A logarithm of a density: u of the larger of ln f and ln scale, whose difference it is.
// - A differential entropy: u max(1, |h|): it passes through 0 with the scale.
// - The uniform law has no tails, but edges: a cell that one of them cuts, and the part above x,
//   are differences from 1, good to u and not to u P.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

#include "ktln2/distribution/law.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

/// A probability is a few roundings of the exponent (which (1 + z²) allows for) and a few of its
/// factors; for Student's t five of the incomplete beta function, and the difference of two of them
/// may be a third of each.
const std::map<std::string, double> units_of_probability = {
    {"normal", 6}, {"student", 16}, {"uniform", 3}, {"laplace", 4}, {"logistic", 6}};
/// Of a logarithm: twice the two roundings of z, and its own; for Student's t those above.
const std::map<std::string, double> units_of_logarithm = {
    {"normal", 6}, {"student", 12}, {"uniform", 3}, {"laplace", 4}, {"logistic", 5}};
constexpr double units_of_entropy = 4;
constexpr double units_of_moments = 2;

struct point {
  double location;
  double scale;
  double x;
  double width;  ///< 0 but for cells
  [[nodiscard]] long double z() const { return (static_cast<long double>(x) - location) / scale; }
  [[nodiscard]] long double far_edge() const { return std::fabs(z()) + width / (2.0L * scale); }
};

double number(const nlohmann::json& params, const char* key) {
  return params.contains(key) ? std::strtod(params[key].get<std::string>().c_str(), nullptr) : 0;
}

law made(const nlohmann::json& params) {
  const auto at = [&params](const char* key) { return number(params, key); };
  const auto name = params["law"].get<std::string>();
  if (name == "normal") return normal{at("mu"), at("sigma")};
  if (name == "student") return student_t{at("dof"), at("loc"), at("scale")};
  if (name == "uniform") return uniform{at("low"), at("high")};
  if (name == "laplace") return laplace{at("loc"), at("scale")};
  return logistic{at("loc"), at("scale")};
}

template <class Law>
double computed(const Law& known, const std::string& quantity, const point& at) {
  if (quantity == "log_pdf") return log_pdf(known, at.x);
  if (quantity == "pdf") return pdf(known, at.x);
  if (quantity == "cdf") return cdf(known, at.x);
  if (quantity == "ccdf") return ccdf(known, at.x);
  if (quantity == "cell_probability") return cell_probability(known, at.x, at.width);
  if (quantity == "log_cell_probability") return log_cell_probability(known, at.x, at.width);
  if (quantity == "differential_entropy") return differential_entropy(known).value();
  if (quantity == "mean") return mean(known);
  if (quantity == "deviation") return deviation(known);
  ADD_FAILURE() << "unknown quantity " << quantity;
  return 0;
}

struct claim {
  long double scale;  ///< u times this is one unit
  double units;
};

claim claim_of(const std::string& name, const std::string& quantity, const point& at,
               long double value) {
  const long double size = std::fabs(value);
  const long double log_scale = std::fabs(std::log(static_cast<long double>(at.scale)));
  if (quantity == "differential_entropy") return {std::fmax(1.0L, size), units_of_entropy};
  if (quantity == "mean") return {std::fmax(size, std::fabs(at.location)), units_of_moments};
  if (quantity == "deviation") return {size, units_of_moments};
  if (quantity == "log_pdf") return {std::fmax(size, log_scale), units_of_logarithm.at(name)};
  const double units =
      quantity.starts_with("log") ? units_of_logarithm.at(name) : units_of_probability.at(name);
  if (name == "uniform" && quantity != "pdf") {
    const bool cut = at.width > 0 && (at.z() * at.scale < at.width / 2.0L ||
                                      (1 - at.z()) * at.scale < at.width / 2.0L);
    if (quantity == "log_cell_probability") {
      return {cut ? std::fmax(1 / std::exp(value), 1.0L) : std::fmax(size, 1.0L), units};
    }
    return {cut || quantity == "ccdf" ? 1 : size, units};
  }
  if (quantity == "log_cell_probability") {
    const bool most = value > -std::numbers::ln2_v<long double>;
    return {most ? size * (1 + at.far_edge() * at.far_edge()) : size, units};
  }
  return {size * (1 + at.z() * at.z()), units};
}

TEST(distributions, agree_with_values_of_thirty_digits) {
  const auto reference = reference_table("distributions.json");
  ASSERT_GE(reference["guaranteed_digits"].get<int>(), 30);

  struct record {
    int count = 0;
    long double worst = 0;
    double claimed = 0;
    std::string id;
  };
  std::map<std::pair<std::string, std::string>, record> table;
  for (const auto& entry : reference["entries"]) {
    const auto id = entry["id"].get<std::string>();
    const auto quantity = entry["quantity"].get<std::string>();
    const auto& params = entry["params"];
    const auto name = params["law"].get<std::string>();
    const law known = made(params);
    const bool is_cell = params.contains("width");
    const point at = std::visit(
        [&](const auto& l) {
          return point{l.location(), l.scale(), number(params, is_cell ? "center" : "x"),
                       is_cell ? number(params, "width") : 0};
        },
        known);
    const double got = std::visit([&](const auto& l) { return computed(l, quantity, at); }, known);
    const long double value = std::strtold(entry["value"].get<std::string>().c_str(), nullptr);
    if (!std::isfinite(value)) {
      EXPECT_TRUE(std::isnan(value) ? std::isnan(got) : got == static_cast<double>(value)) << id;
      continue;
    }
    const claim claimed = claim_of(name, quantity, at, value);
    // Where the value is below the smallest normal double, its last digits are gone.
    const long double underflow = std::numeric_limits<double>::denorm_min();
    const long double error = std::fmax(0.0L, std::fabs(got - value) - 2 * underflow);
    const long double in_units = error == 0 ? 0 : error / (0x1p-53L * claimed.scale);
    EXPECT_LE(in_units, claimed.units)
        << id << ": " << quantity << ' ' << params << ": got " << got << ", expected " << value;
    record& line = table[{name, quantity}];
    ++line.count;
    line.claimed = claimed.units;
    if (!(in_units <= line.worst)) {
      line.worst = in_units;
      line.id = id;
    }
  }

  std::printf("%-10s%-22s%8s%10s%10s  %s\n", "law", "quantity", "values", "worst", "claimed", "at");
  for (const auto& [key, line] : table) {
    std::printf("%-10s%-22s%8d%10.2Lf%10.0f  %s\n", key.first.c_str(), key.second.c_str(),
                line.count, line.worst, line.claimed, line.id.c_str());
    EXPECT_GT(line.count, 3) << key.first << ' ' << key.second;
  }
  EXPECT_EQ(table.size(), 5 * 9);
}

}  // namespace
