#include <gtest/gtest.h>

#include "figure_data.hpp"
#include "reference_file.hpp"

namespace ktln2::paper::testing {
namespace {

using nlohmann::json;

/// The first number of a column in the rows of a law.
double of_law(const table& data, const std::string& law, const std::string& key, double value,
              const std::string& column) {
  const std::vector<double> keys = data.numbers(key);
  const std::vector<double> numbers = data.numbers(column);
  const std::size_t name = data.position("law");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == value && std::get<std::string>(data.rows()[i][name]) == law) return numbers[i];
  }
  throw std::logic_error("no such law");
}

double sum(const std::vector<double>& numbers) {
  double total = 0;
  for (const double x : numbers) total += x;
  return total;
}

TEST(fig_assymp_fit, is_near_the_limit_from_the_slope_itself) {
  const auto data = tables_of("fig:assymp_fit", {{"w0", {2}}, {"B", {25}}}, false);
  EXPECT_LT(of_law(data.at(2), "stationary", "B", 25, "distance"), 1.95 / std::sqrt(1000));
}

TEST(fig_assymp_fit, is_not_at_the_limit_from_elsewhere) {
  const auto data = tables_of("fig:assymp_fit", {{"w0", {1}}, {"B", {25}}}, false);
  // 1000 runs, 9.6 deviations off: no run is on the far side of the limit's median.
  const table& fits = data.at(2);
  EXPECT_GT(of_law(fits, "stationary", "B", 25, "distance"), 0.99);
  EXPECT_GT(of_law(fits, "exact", "B", 25, "p_value"), 1e-3);  // p-value
  EXPECT_LT(of_law(fits, "exact", "B", 25, "distance"), 1.95 / std::sqrt(1000));
  EXPECT_LT(of_law(fits, "ou", "B", 25, "distance"), 0.15);
}

TEST(fig_assymp_fit, histograms_hold_all_trials) {
  const table bars = tables_of("fig:assymp_fit", {{"w0", {1}}, {"B", {5}}}, false).at(0);
  EXPECT_EQ(bars.rows().size(), 36U);
  EXPECT_GE(sum(bars.numbers("count")), 999);
  const double width = bars.numbers("high").at(0) - bars.numbers("low").at(0);
  EXPECT_NEAR(sum(bars.numbers("density")) * width, 1, 1.1e-3);
}

TEST(fig_assymp_fit_campaign, depends_on_the_seed_only) {
  const figure one = chosen({"fig:assymp_fit"}).at(0);
  const auto counts = [&](std::uint64_t seed) {
    return one.compute(one.settings, effort{.quick = true, .seed = seed}).at(0).numbers("count");
  };
  EXPECT_EQ(counts(7), counts(7));
  EXPECT_NE(counts(7), counts(8));
  EXPECT_TRUE(one.is_random);
}

TEST(fig_non_assymp_fit, runs_refute_the_process_and_not_the_law) {
  const auto data = tables_of("fig:non_assymp_fit", {{"k", {1, 100}}}, false);
  for (const double k : {1.0, 100.0}) {
    EXPECT_LT(of_law(data.at(2), "ou", "k", k, "p_value"), 1e-9);
    EXPECT_GT(of_law(data.at(2), "exact", "k", k, "p_value"), 1e-3);
  }
}

TEST(fig_non_assymp_fit, densities_are_those_of_the_laws) {
  const auto data = tables_of("fig:non_assymp_fit", {{"k", {100}}, {"points", {3}}});
  // 4.5 deviations below the mean; sgd_moments.json has the variance of the process (K.ouvar).
  const double sigma = std::sqrt(0.0004323323583816936);
  const double bell = std::exp(-4.5 * 4.5 / 2) / (std::sqrt(2 * std::acos(-1.0)) * sigma);
  EXPECT_NEAR(of_law(data.at(1), "ou", "k", 100, "density") / bell, 1, 1e-9);
  EXPECT_NEAR(of_law(data.at(1), "ou", "k", 100, "x"), 2 - std::exp(-1) - 4.5 * sigma, 1e-12);
  const double exact = 1.281 * sigma;  // docs/sgd.md
  EXPECT_NEAR(of_law(data.at(1), "exact", "k", 100, "x"), 2 - std::pow(0.99, 100) - 4.5 * exact,
              1e-4);
}

TEST(fig_mean_fit, has_the_moments) {
  int found = 0;
  for (const json& entry : reference_file("sgd_moments.json")) {
    const json& p = entry.at("params");
    if (number(entry, "eta") != 0.01 || number(entry, "sigx") != 1 || number(entry, "sigxi") != 1) {
      continue;
    }
    const table data = tables_of("fig:mean_fit", {{"w", {number(entry, "w")}},
                                                  {"w0", {number(entry, "what0")}},
                                                  {"B", {number(entry, "B")}},
                                                  {"tau", {number(entry, "k")}},
                                                  {"simulated_k", {1}}})
                           .at(0);
    const auto quantity = entry.at("quantity").get<std::string>();
    const bool is_variance = quantity.find("ar") != std::string::npos;
    const bool is_process = quantity.starts_with("OU");
    const std::string column =
        std::string(is_process ? "process_" : "") + (is_variance ? "deviation" : "mean");
    const double value = data.numbers(column).back();
    EXPECT_NEAR(is_variance ? value * value : value, reference_value(entry), 1e-13) << p;
    ++found;
  }
  EXPECT_GE(found, 10);
}

TEST(fig_mean_fit, process_is_too_narrow) {
  const auto ratio = [](double w, double k) {
    return tables_of("fig:mean_fit", {{"w", {w}}, {"tau", {k}}, {"simulated_k", {1}}})
        .at(0)
        .numbers("ratio")
        .back();
  };
  EXPECT_NEAR(ratio(2, 100), 1.28, 0.005);
  EXPECT_NEAR(ratio(5, 100), 3.34, 0.005);
  EXPECT_NEAR(ratio(2, 500), 1, 0.01);
}

TEST(fig_mean_fit, simulation_agrees_with_the_exact_moments) {
  const auto data = tables_of("fig:mean_fit", {{"simulated_k", {1, 100}}, {"tau", {100}}}, false);
  const table& points = data.at(1);
  for (const double k : {1.0, 100.0}) {
    const auto found = [&](const std::string& column) { return at(points, {{"k", k}}, column); };
    const double mean = at(data.at(0), {{"k", k}}, "mean");
    const double deviation = at(data.at(0), {{"k", k}}, "deviation");
    EXPECT_NEAR(found("mean"), mean, 4 * found("mean_error"));
    EXPECT_NEAR(found("deviation"), deviation, 4 * found("deviation_error"));
    // 5000 trials tell the process apart: its deviation is off by more than 20 errors.
    EXPECT_GT(found("ratio") - 1, 20 * found("ratio_error"));
  }
}

TEST(fig_z_fit, has_the_density) {
  // slope_law.json: F.fZ.n1.z2.5, F.fZ.n10.z-0.7
  const auto first = tables_of("fig:z_fit_3", {{"n", {1}}, {"z_max", {2.5}}});
  EXPECT_NEAR(at(first.at(1), {{"z", 2.5}}, "density"), 0.043904811887419402, 1e-14);
  EXPECT_TRUE(std::isnan(at(first.at(1), {{"z", 2.5}}, "normal")));
  const auto second =
      tables_of("fig:z_fit_10", {{"z_max", {0.7}}, {"sigma_x", {0.83}}, {"sigma_xi", {1.91}}});
  EXPECT_NEAR(at(second.at(1), {{"z", -0.7}}, "density"), 0.328647542766738112, 1e-14);
}

TEST(fig_z_fit, law_agrees_with_the_simulation) {
  for (const char* label : {"fig:z_fit_3", "fig:z_fit_10", "fig:z_fit_30"}) {
    const auto data = tables_of(label, {}, false);
    const table& fit = data.at(2);
    EXPECT_EQ(fit.numbers("trials").at(0), 50000);
    EXPECT_GT(fit.numbers("p_value").at(0), 1e-3) << label;
    EXPECT_GT(fit.numbers("chi_square_p_value").at(0), 1e-3) << label;
    EXPECT_EQ(sum(data.at(0).numbers("count")) + fit.numbers("outside").at(0), 50000);
    double squares = 0;
    int bins = 0;
    for (const double residual : data.at(0).numbers("residual")) {
      if (std::isnan(residual)) continue;
      squares += residual * residual;
      ++bins;
    }
    EXPECT_GT(bins, 20);
    EXPECT_NEAR(squares / bins, 1, 4 * std::sqrt(2.0 / bins)) << label;
  }
}

TEST(fig_z_fit, knows_the_number_of_points) {
  // The same trials against the law of another n would not agree.
  const double narrow = tables_of("fig:z_fit_30").at(1).numbers("density").at(200);
  const double wide = tables_of("fig:z_fit_3").at(1).numbers("density").at(200);
  EXPECT_NEAR(narrow / wide, 3.4, 0.05);  // at z = 0
}

}  // namespace
}  // namespace ktln2::paper::testing
