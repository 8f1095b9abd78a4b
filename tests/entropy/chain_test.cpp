#include "ktln2/entropy/chain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

#include "box_oracle.hpp"
#include "entropy/cell_moments.hpp"
#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/entropy/exact.hpp"
#include "message_of.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

/// d = 2 as the table has it: x2 given x1.
struct three {
  double mu1, mu2, sigma1, slope, sigma2, b, w1, w2, noise;

  explicit three(const nlohmann::json& given)
      : mu1{given.at("mu")[0]},
        mu2{given.at("mu")[1]},
        sigma1{given.at("x1_sigma")},
        slope{given.at("x2_given_x1").at("slope")},
        sigma2{given.at("x2_given_x1").at("sigma")},
        b{given.at("b")},
        w1{given.at("w")[0]},
        w2{given.at("w")[1]},
        noise{given.at("sigma_xi")} {}

  [[nodiscard]] normal_row row() const {
    square_matrix covariance(2);
    covariance(0, 0) = sigma1 * sigma1;
    covariance(0, 1) = covariance(1, 0) = slope * sigma1 * sigma1;
    covariance(1, 1) = slope * slope * sigma1 * sigma1 + sigma2 * sigma2;
    return normal_row{{{w1, w2}, {mu1, mu2}, covariance, b, noise}};
  }
};

double smear_of(const chain_entropy& chain) {
  double sum = 0;
  for (const chain_step& step : chain.steps) sum += step.smear.value();
  return sum;
}

/// The smear with Δ²/12 in place of the variance inside a cell; the outermost cells end with 𝕌.
double plain_smear(const normal_vector& z, const float_format& format) {
  const double edge = format.granular_edge().to_double();
  double sum = 0;
  const std::vector<normal_link> links = z.chain();
  for (const normal_link& link : links) {
    for (std::size_t k = 0; k < link.slopes.size(); ++k) {
      const normal one = z.marginal(links[k].variable);
      const cell_moments moments = cell_moments_of(partition{format}, one);
      const double last = bin_size(format, edge * (1 - 1e-9));
      const double inside =
          cdf(one, edge) - cdf(one, edge - last) + cdf(one, last - edge) - cdf(one, -edge);
      const double slope = link.slopes[k] / link.deviation;
      sum += slope * slope * (moments.width_square + inside * last * last);
    }
  }
  return sum / (24 * std::log(2.0));
}

TEST(chain, has_the_values_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("three-")) continue;
    SCOPED_TRACE(id);
    const auto& given = entry.at("params");
    const float_format format{given.at("p"), given.at("E")};
    const normal_row row = three{given}.row();
    const std::vector<partition> cells(3, partition{format});
    const chain_entropy chain = entropy_by_chain(cells, row.registers());
    const double truth = reference_value(entry);
    const double slack = reference_number(entry.at("est_error"));
    ++cases;
    if (id.ends_with("-low")) {
      EXPECT_NEAR(chain.low.value(), truth, 1e-11);
    } else if (id.ends_with("-high")) {
      EXPECT_NEAR(chain.high.value(), truth, 1e-11);
    } else if (id.ends_with("-smear")) {
      EXPECT_NEAR(smear_of(chain), truth, 1e-10 * truth);
    } else if (id.ends_with("-iota")) {
      EXPECT_NEAR(plain_smear(row.registers(), format), truth, 1e-8 * truth);
    } else if (id.ends_with("-features")) {
      const chain_entropy two = entropy_by_chain({2, cells[0]}, row.x());
      EXPECT_NEAR(two.value.value.value(), truth, two.value.error.value() + slack);
    } else {
      EXPECT_LE(chain.low.value(), truth + slack);
      EXPECT_GE(chain.high.value(), truth - slack);
      EXPECT_NEAR(chain.value.value.value(), truth, chain.value.error.value() + slack);
    }
  }
  EXPECT_EQ(cases, 18);
}

TEST(entropy_given_mean, has_the_value_of_the_reference_table) {
  for (const auto& entry : reference_file("many_parameters.json")) {
    if (entry.at("id") != "conditional-3") continue;
    const auto& given = entry.at("params");
    const bounded<bits> found =
        entropy_given_mean(partition{float_format{given.at("p"), given.at("E")}},
                           {given.at("mean"), given.at("sigma_M")}, given.at("s"));
    EXPECT_NEAR(found.value.value(), reference_value(entry), found.error.value() + 1e-12);
    EXPECT_LT(found.error.value(), 1e-11);
  }
}

/// Given M, the register of M + noise holds what the mean over M of one-register entropies is.
TEST(entropy_given_mean, is_a_mean_of_entropies_of_one_register) {
  const partition cells{float_format{4, 4}};
  double sum = 0;
  double weights = 0;
  for (int k = -400; k <= 400; ++k) {
    const double t = k * 0.02;
    const double weight = std::exp(-t * t / 2);
    sum += weight * exact_entropy(cells, normal{0.5 + 1.5 * t, 0.7}).value.value();
    weights += weight;
  }
  const bounded<bits> found = entropy_given_mean(cells, normal{0.5, 1.5}, 0.7);
  EXPECT_NEAR(found.value.value(), sum / weights, found.error.value() + 1e-11);
}

/// Random rows of three registers, in several orders, against all boxes one by one.
void expect_brackets_to_cover(int cases, unsigned seed) {
  std::mt19937_64 draw(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(draw);
  };
  double largest = 0;  // where the bar ends well inside the bracket, which is proved
  for (int i = 0; i < cases; ++i) {
    const double s1 = std::exp(between(-1, 1));
    const double s2 = std::exp(between(-1, 1));
    const double r = i % 3 == 0 ? 0 : between(-0.95, 0.95);
    const double mu1 = i % 2 == 0 ? 0 : between(-3, 3);
    const double mu2 = i % 2 == 0 ? 0 : between(-3, 3);
    const double b = i % 2 == 0 ? 0 : between(-2, 2);
    const double w1 = between(-2, 2);
    const double w2 = between(-2, 2);
    const double noise = std::exp(between(-1.5, 1));
    int p[3];
    int e[3];
    std::vector<partition> cells;
    for (int k = 0; k < 3; ++k) {
      p[k] = 1 + static_cast<int>(draw() % 3);
      e[k] = 1 + static_cast<int>(draw() % 2);
      cells.emplace_back(float_format{p[k], e[k]});
    }
    square_matrix covariance(2);
    covariance(0, 0) = s1 * s1;
    covariance(0, 1) = covariance(1, 0) = r * s1 * s2;
    covariance(1, 1) = s2 * s2;
    const normal_row row{{{w1, w2}, {mu1, mu2}, covariance, b, noise}};
    box_oracle::boxes witness(
        {{box_oracle::edges_of(p[0], e[0]), mu1, {}, s1},
         {box_oracle::edges_of(p[1], e[1]), mu2, {r * s2 / s1}, s2 * std::sqrt(1 - r * r)},
         {box_oracle::edges_of(p[2], e[2]), b + w1 * mu1 + w2 * mu2, {w1, w2}, noise}});
    const double truth = witness.entropy();
    ASSERT_NEAR(witness.mass(), 1, 1e-10);
    for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
      const chain_entropy chain = entropy_by_chain(cells, row.registers(), order);
      EXPECT_LE(chain.low.value(), truth + 1e-10) << "case " << i;
      EXPECT_GE(chain.high.value(), truth - 1e-10) << "case " << i;
      EXPECT_NEAR(chain.value.value.value(), truth, chain.value.error.value() + 1e-10)
          << "case " << i;
      const double bar = chain.value.error.value();
      const double off = truth - chain.value.value.value();
      const double left = off < 0 ? chain.value.value.value() - bar - chain.low.value()
                                  : chain.high.value() - chain.value.value.value() - bar;
      if (left > 0.1 * bar) largest = std::max(largest, std::fabs(off) / bar);
    }
  }
  std::printf("largest difference: %.3f of the bar\n", largest);
}

TEST(chain, brackets_random_rows) { expect_brackets_to_cover(2, 1); }

// KTLN2_HONESTY_SEED=… draws others.
TEST(chain_campaign, brackets_random_rows) {
  expect_brackets_to_cover(120, static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 2)));
}

/// Independent variables have nothing to smear.
TEST(chain, of_independent_variables_is_the_sum) {
  const normal_row row{{{0, 0}, {1, 0}, equally_correlated({1, 2}, 0), 0, 0.5}};
  const partition cells{float_format{11, 5}};
  const chain_entropy chain = entropy_by_chain({3, cells}, row.registers());
  bounded<bits> sum = exactly(bits{0});
  for (std::size_t j = 0; j < 3; ++j) sum += exact_entropy(cells, row.registers().marginal(j));
  EXPECT_TRUE(overlap(chain.value, sum));
  EXPECT_EQ(smear_of(chain), 0);
}

/// Cells that count how often they are looked at.
class counted_cells : public cell_source {
 public:
  [[nodiscard]] cell_facts facts() const override {
    return {cells_.size(), cells_.block_count(), cells_.is_symmetric(), cells_.widens_outward(),
            cells_.granular()};
  }
  [[nodiscard]] wide block_left(std::size_t block) const override {
    return block < cells_.block_count() ? cells_.block_left(block)
                                        : cells_.block_right(cells_.block_count() - 1);
  }
  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const override {
    ++looks_;
    return cells_.block(block);
  }
  [[nodiscard]] int looks() const { return looks_; }

 private:
  partition cells_{float_format{8, 4}};
  mutable int looks_ = 0;
};

chain_entropy alike_chain(std::size_t d, const std::vector<partition>& cells) {
  return entropy_by_chain(cells, normal_vector{"test", std::vector<double>(d, 0.3),
                                               equally_correlated(std::vector<double>(d, 2), 0)});
}

TEST(chain, looks_once_at_registers_that_are_alike) {
  const auto looks = [](std::size_t d) {
    const auto source = std::make_shared<const counted_cells>();
    (void)alike_chain(d, {d, partition{source}});
    return source->looks();
  };
  EXPECT_GT(looks(2), 0);
  EXPECT_EQ(looks(20), looks(2));
}

TEST(chain, of_copies_is_that_of_cells_of_their_own) {
  std::vector<partition> own;
  for (int j = 0; j < 5; ++j) own.emplace_back(float_format{5, 3});
  const chain_entropy shared = alike_chain(5, {5, own.front()});
  const chain_entropy apart = alike_chain(5, own);
  EXPECT_EQ(shared.value.value, apart.value.value);
  EXPECT_EQ(shared.low, apart.low);
  EXPECT_EQ(shared.high, apart.high);
}

void expect_a_narrow_chain(std::size_t d) {
  const std::vector<double> ones(d, 1.0);
  const square_matrix covariance = autoregressive(ones, 0.9);
  const double gain = normal_row{{ones, ones, covariance, 0, 1}}.gain();
  const normal_row row{{ones, ones, covariance, 0, gain / 2}};
  EXPECT_NEAR(row.snr(), 4, 1e-12);
  const chain_entropy chain = entropy_by_chain(
      std::vector<partition>(d + 1, partition{float_format{24, 8}}), row.registers());
  EXPECT_LT((chain.high - chain.low).value(), 1e-10);
  EXPECT_LT(chain.value.error.value(), 1e-10);
}

TEST(chain, is_narrow_for_some_correlated_features) { expect_a_narrow_chain(4); }

TEST(chain_campaign, is_narrow_for_a_hundred_correlated_features) { expect_a_narrow_chain(100); }

TEST(chain, refuses_what_does_not_fit) {
  const normal_row row{{{1}, {0}, equally_correlated({1}, 0), 0, 1}};
  const partition cells{float_format{4, 4}};
  EXPECT_EQ(message_of([&] {
              entropy_by_chain({3, cells}, row.registers());
            }),
            "chain: there are 2 variables, but 3 registers");
  EXPECT_EQ(message_of([&] {
              entropy_by_chain({2, cells}, row.registers(), {0, 0});
            }),
            "order: expected each of 2 variables once");
  EXPECT_NE(message_of([] { register_partitions({parse_storage("int8")}); }), "");
}

}  // namespace
