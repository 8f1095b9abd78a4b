#include "ktln2/distribution/slope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "reference_file.hpp"

namespace {

using ktln2::linear_model;
using ktln2::slope_law;
using ktln2::student_t;

constexpr double unit = 0x1p-53;

double number(const nlohmann::json& params, const char* key, double otherwise) {
  if (!params.contains(key)) return otherwise;
  const auto& value = params[key];
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

TEST(lem_compute_f_z, the_slope_is_a_scaled_student_t) {
  const student_t law = slope_law({.w = -3, .sigma_x = 2, .sigma_xi = 5}, 16);
  EXPECT_EQ(law.kernel().dof(), 16);
  EXPECT_EQ(law.location(), -3);
  EXPECT_EQ(law.scale(), 5.0 / 8);
}

/// Densities, distribution functions and entropies computed from the formulas of the paper. The
/// derivatives of h(Z) in n belong to another module.
TEST(lem_compute_f_z, density_distribution_and_entropy_agree_with_the_formulas) {
  int compared = 0;
  for (const auto& entry : reference_file("slope_law.json")) {
    const auto quantity = entry["quantity"].get<std::string>();
    const auto& params = entry["params"];
    const student_t law = slope_law({.w = number(params, "w", 0),
                                     .sigma_x = number(params, "sigx", 1),
                                     .sigma_xi = number(params, "sigxi", 1)},
                                    number(params, "n", 0));
    double got = 0;
    double shift = 0;  // by how much rounding x, z and the scale may move the answer, relative
    if (quantity == "h(Z) bits") {
      got = differential_entropy(law).value();
    } else if (quantity == "f_Z(z)") {
      const double z = number(params, "z", 0);
      got = pdf(law, z);
      shift = std::pow(z / law.scale(), 2);
    } else if (quantity == "F_What(x)") {
      const double x = number(params, "x", 0);
      got = cdf(law, x);
      shift = std::fabs(x / law.scale());  // x - w as a difference of rounded decimals
    } else {
      EXPECT_TRUE(quantity.starts_with("d h(Z)/dn")) << quantity;
      continue;
    }
    const double expected = std::strtod(entry["value"].get<std::string>().c_str(), nullptr);
    EXPECT_NEAR(got, expected, 8 * unit * (1 + shift) * std::fmax(1, std::fabs(expected)))
        << entry["id"];
    ++compared;
  }
  EXPECT_EQ(compared, 11);
}

TEST(lem_compute_f_z, the_scale_survives_a_product_that_overflows) {
  const student_t law = slope_law({.w = 0, .sigma_x = 1.5e308, .sigma_xi = 1.5e308}, 4);
  EXPECT_EQ(law.scale(), 0.5);
}

TEST(lem_compute_f_z, what_is_no_regression_is_refused) {
  const auto message = [](const linear_model& model, double n = 10) -> std::string {
    try {
      slope_law(model, n);
    } catch (const std::domain_error& error) {
      return error.what();
    }
    return "";
  };
  const double nan = std::nan("");
  for (const double n : {0.0, -1.0, 1.5, 0.5, 1e16, HUGE_VAL, nan}) {
    EXPECT_NE(message({}, n).find("slope: n must be"), std::string::npos) << n;
  }
  for (const double bad : {0.0, -1.0, HUGE_VAL, nan}) {
    EXPECT_NE(message({.sigma_x = bad}).find("sigma_x"), std::string::npos) << bad;
    EXPECT_NE(message({.sigma_xi = bad}).find("sigma_xi"), std::string::npos) << bad;
  }
  EXPECT_NE(message({.w = nan}).find("w must be"), std::string::npos);
  EXPECT_NE(message({.sigma_x = 1e-200, .sigma_xi = 1e200}).find("scale"), std::string::npos);
  EXPECT_NE(message({.sigma_x = 1e200, .sigma_xi = 1e-200}).find("scale"), std::string::npos);
  EXPECT_EQ(message({}), "");
}

}  // namespace
