// The mean of what cells have, against plain enumeration in quadruple precision.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ktln2/entropy/enumeration.hpp"
#include "message_of.hpp"
#include "oracle/oracle.hpp"

namespace {

using namespace ktln2;

struct mean_case {
  std::string name;
  oracle_law known;
  law ours;
};

std::vector<mean_case> mean_cases() {
  return {{"normal", {oracle_kind::normal, {0, 1}}, normal{0, 1}},
          {"shifted normal", {oracle_kind::normal, {0.75, 0.5}}, normal{0.75, 0.5}},
          {"narrow normal", {oracle_kind::normal, {0.51, 1e-3}}, normal{0.51, 1e-3}},
          {"wide normal", {oracle_kind::normal, {-3, 1e6}}, normal{-3, 1e6}},
          {"student", {oracle_kind::student, {3, 0.25, 0.5}}, student_t{3, 0.25, 0.5}},
          {"cauchy", {oracle_kind::student, {1, -1, 2}}, student_t{1, -1, 2}},
          {"uniform", {oracle_kind::uniform, {-0.3, 1.9}}, uniform{-0.3, 1.9}},
          {"laplace", {oracle_kind::laplace, {0, 2}}, laplace{0, 2}},
          {"logistic", {oracle_kind::logistic, {1, 0.1}}, logistic{1, 0.1}}};
}

/// Of all functions of a value, some that are small where the law is, some that are large there.
const std::vector<std::function<double(double)>>& functions() {
  static const std::vector<std::function<double(double)>> all{
      [](double x) { return x; }, [](double x) { return 3 - 0.01 * x * x; },
      [](double x) { return std::floor(std::log2(std::fabs(x))); },
      [](double x) { return std::sin(17 * x); }, [](double x) { return x < 0 ? 1.0 : 0.0; }};
  return all;
}

TEST(eq_phys_ent, means_over_cells_agree_with_quadruple_precision) {
  for (const float_format& format : {float_format{1, 1}, {3, 3}, {6, 4}, {1, 5}, {8, 2}}) {
    // Values with E > 0 are doubles, and so are the edges between them.
    std::vector<double> values;
    for (register_code i = 1; i <= format.size(); ++i) {
      values.push_back(format.value_at(i).to_double());
    }
    std::vector<__float128> edges;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      edges.push_back((static_cast<__float128>(values[i]) + values[i + 1]) / 2);
    }
    for (const mean_case& x : mean_cases()) {
      for (std::size_t f = 0; f < functions().size(); ++f) {
        std::vector<double> of;
        for (const double value : values) of.push_back(functions()[f](value));
        const std::vector<__float128> exact(of.begin(), of.end());
        const oracle_result truth =
            oracle_mean(edges.data(), static_cast<int>(edges.size()), exact.data(), x.known);
        const bounded<double> mean = mean_over_cells(partition{format}, x.ours, of);
        const double distance =
            std::fabs(static_cast<double>(truth.value - static_cast<__float128>(mean.value)));
        const std::string what = format.name() + ", " + x.name + ", function " + std::to_string(f);
        EXPECT_LE(distance, mean.error + static_cast<double>(truth.error)) << what;
        double size = 0;  // of Σ P |s|
        for (double& one : of) one = std::fabs(one);
        size = mean_over_cells(partition{format}, x.ours, of).value;
        EXPECT_LE(mean.error, 1e-12 * (size + 1e-3)) << what;
      }
    }
  }
}

TEST(mean_over_cells, of_equal_numbers_is_that_number) {
  const std::vector<double> of(std::size_t{1} << 11, 2.5);
  for (const mean_case& x : mean_cases()) {
    const bounded<double> mean = mean_over_cells(partition{float_format{7, 4}}, x.ours, of);
    EXPECT_LE(std::fabs(mean.value - 2.5), mean.error) << x.name;
  }
}

TEST(mean_over_cells, needs_one_number_for_each_cell) {
  EXPECT_EQ(message_of([] {
              (void)mean_over_cells(partition{float_format{2, 1}}, normal{0, 1}, {1, 2, 3});
            }),
            "mean_over_cells: expected one number for each of 2^3 cells, got 3");
}

TEST(mean_over_cells, hears_the_stop_token) {
  const std::atomic<bool> flag{true};
  const std::vector<double> of(8, 1);
  EXPECT_THROW(
      (void)mean_over_cells(partition{float_format{2, 1}}, normal{0, 1}, of, stop_token{flag}),
      stopped);
}

}  // namespace
