#include "ktln2/distribution/sgd_vector.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ktln2/distribution/sgd.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

square_matrix sigma_of(const nlohmann::json& rows) {
  square_matrix made{rows.size()};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) made(i, j) = reference_number(rows[i][j]);
  }
  return made;
}

std::vector<double> start_of(const nlohmann::json& list) {
  std::vector<double> made;
  for (const auto& one : list) made.push_back(reference_number(one));
  return made;
}

row_model walk_model(const nlohmann::json& params) {
  row_model made;
  made.covariance = sigma_of(params.at("Sigma"));
  const std::size_t d = made.covariance.size();
  made.w = params.contains("w") ? start_of(params.at("w")) : std::vector<double>(d, 0.0);
  made.mu = params.contains("mu") ? start_of(params.at("mu")) : std::vector<double>(d, 0.0);
  made.b = params.contains("b") ? reference_number(params.at("b")) : 0;
  made.sigma_xi = params.contains("sigma_xi") ? reference_number(params.at("sigma_xi")) : 1;
  return made;
}

vector_descent walk_of(const nlohmann::json& params, std::size_t features) {
  const bool intercept = params.contains("mu");
  vector_descent made{
      reference_number(params.at("eta")), reference_number(params.at("batch")), {}, intercept};
  made.start = params.contains("phi0") ? start_of(params.at("phi0"))
                                       : std::vector<double>(features + (intercept ? 1 : 0), 0.0);
  return made;
}

double walk_value(const nlohmann::json& entry) {
  const std::string quantity = entry.at("quantity");
  const nlohmann::json& params = entry.at("params");
  const row_model model = walk_model(params);
  const double batch = reference_number(params.at("batch"));
  if (quantity == "largest learning rate") {
    return largest_learning_rate(model, batch, params.contains("mu"));
  }
  const sgd_vector walk{model, walk_of(params, model.w.size())};
  if (quantity == "stationary excess risk") return walk.excess_risk(walk.stationary());
  const vector_moments at = walk.after(reference_number(params.at("steps")));
  const std::size_t i = params.at("i");
  if (quantity == "E phi") return at.mean[i] - walk.truth()[i];
  const std::size_t j = params.at("j");
  return at.covariance(i, j) + (at.mean[i] - walk.truth()[i]) * (at.mean[j] - walk.truth()[j]);
}

TEST(sgd_vector, moments_and_limits_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("sgd_vector.json")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const double truth = reference_value(entry);
    EXPECT_NEAR(walk_value(entry), truth, 1e-12 * std::fabs(truth));
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

row_model walking_features() {
  row_model made;
  made.covariance = square_matrix{3};
  const double rows[3][3] = {{1, 0.5, 0.2}, {0.5, 2, 0.3}, {0.2, 0.3, 0.5}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) made.covariance.set(i, j, rows[i][j]);
  }
  made.w = {1, -0.5, 0.8};
  made.mu = {0, 0, 0};
  made.sigma_xi = 0.7;
  return made;
}

TEST(sgd_vector, one_coefficient_is_the_paper_s) {
  row_model model;
  model.covariance = square_matrix{1};
  model.covariance.set(0, 0, 1.44);
  model.w = {2};
  model.mu = {0};
  model.sigma_xi = 0.6;
  const sgd_vector walk{model, {0.05, 4, {1.0}, false}};
  const linear_model one{2, 1.2, 0.6};
  const descent how{0.05, 4, 1.0, 0};
  for (const double steps : {1.0, 7.0, 100.0}) {
    const sgd_moments truth = exact_moments(one, how, steps);
    const vector_moments at = walk.after(steps);
    EXPECT_NEAR(at.mean[0], truth.mean, 1e-13);
    EXPECT_NEAR(std::sqrt(at.covariance(0, 0)), truth.deviation, 1e-12 * truth.deviation);
    const normal process = sgd_ou_law(one, how, steps);
    EXPECT_NEAR(walk.ou_after(steps).mean[0], process.location(), 1e-13);
    EXPECT_NEAR(std::sqrt(walk.ou_after(steps).covariance(0, 0)), process.scale(),
                1e-13 * process.scale());
  }
}

TEST(sgd_vector, the_recursion_agrees_with_the_one_along_eigenvectors) {
  // A mean of 1e-300 takes the general road, and changes nothing else.
  row_model model = walking_features();
  const vector_descent how{0.1, 3, {0.5, 0.5, -1.0}, false};
  const sgd_vector centered{model, how};
  model.mu[1] = 1e-300;
  const sgd_vector general{model, how};
  for (const double steps : {1.0, 2.0, 40.0, 1000.0}) {
    const vector_moments a = centered.after(steps);
    const vector_moments b = general.after(steps);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(a.mean[i], b.mean[i], 1e-14);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(a.covariance(i, j), b.covariance(i, j), 1e-14 * a.covariance(i, i));
      }
    }
  }
  EXPECT_NEAR(largest_learning_rate(model, 3, false),
              largest_learning_rate(walking_features(), 3, false), 1e-9);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(centered.stationary().covariance(i, i), general.stationary().covariance(i, i),
                1e-12 * centered.stationary().covariance(i, i));
  }
}

TEST(sgd_vector, stays_symmetric_and_finite_for_many_steps) {
  row_model model = walking_features();
  model.mu = {1, 0, -0.5};
  model.b = 0.3;
  const sgd_vector walk{model, {0.05, 2, {0, 0, 0, 0}, true}};
  const vector_moments late = walk.after(20000);
  const vector_moments limit = walk.stationary();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(late.mean[i], walk.truth()[i], 1e-12);
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(late.covariance(i, j), late.covariance(j, i));
      EXPECT_NEAR(late.covariance(i, j), limit.covariance(i, j), 1e-12 * limit.covariance(i, i));
    }
  }
}

/// Numbers as tables have them: far from 0, and of very different sizes.
TEST(sgd_vector, is_symmetric_to_the_last_bit_far_from_zero) {
  const row_model model{{0.04, -0.8, -0.5},
                        {387698.4375, 3193.3125, 2606.6875},
                        equally_correlated({99394.9, 934.5, 695.9}, 0.3),
                        53306.5,
                        479.3};
  const sgd_vector walk{model, {6e-13, 10, {0, 0, 0, 0}, true}};
  const square_matrix found = walk.after(3).covariance;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(found(i, j), found(j, i)) << i << j;
  }
}

TEST(sgd_vector, its_process_solves_lyapunov_s_equation) {
  // ΣM + MΣ = (ησ_ξ²/B) Σ: in the limit M is a multiple of the identity.
  const sgd_vector walk{walking_features(), {0.1, 3, {0.5, 0.5, -1.0}, false}};
  const vector_moments late = walk.ou_after(1e6);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(late.covariance(i, j), i == j ? 0.1 * 0.49 / 6 : 0, 1e-16);
    }
  }
}

TEST(sgd_vector, says_what_is_wrong) {
  const row_model model = walking_features();
  const auto made = [&](double eta, double batch, std::size_t start) {
    return message_of([&] { sgd_vector{model, {eta, batch, std::vector<double>(start), false}}; });
  };
  EXPECT_EQ(made(0.5, 2, 3),
            "sgd: eta must be below 0.418665, or the second moments grow without end, "
            "got 0.5");
  EXPECT_EQ(made(-1, 2, 3), "sgd: eta must be finite and > 0, got -1");
  EXPECT_EQ(made(0.1, 2.5, 3), "sgd: batch must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(made(0.1, 2, 2), "sgd: expected a start for each of 3 coefficients, got 2");
}

}  // namespace
