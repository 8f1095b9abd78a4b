#include "ktln2/measure/gap.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "ktln2/format/number_quantize.hpp"
#include "measure/bytes_of.hpp"

namespace ktln2::measure {
namespace {

constexpr std::size_t many = 400000;

/// A tensor of numbers of 16 bits.
template <class Draw>
tensor_counts short_tensor(const char* format, std::size_t count, const Draw& one) {
  std::vector<double> x(count);
  for (double& value : x) value = one();
  std::vector<std::uint16_t> codes(count);
  quantize_codes(*find_number_format(format), x, codes);
  return counted(element_of(format, 16), bytes_of(codes), count);
}

template <class Draw>
tensor_counts bfloat16_tensor(const Draw& one) {
  return short_tensor("bfloat16", many, one);
}

explained_gap explain(const std::vector<tensor_counts>& tensors, estimator how = best_estimator) {
  tensor_group group(tensors.front().type(), how);
  for (const tensor_counts& one : tensors) group.add(one);
  return *group.explain();
}

void expect_sum(const explained_gap& found) {
  const bits sum = found.pooling.value + found.few_numbers + found.zeros.value + found.tails.value +
                   found.scales + found.low_bits.value;
  EXPECT_NEAR(sum.value(), found.gap().value.value(), 1e-12);
}

TEST(gap, of_one_normal_tensor_is_none) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> law(0, 0.02);
  const auto found = explain({bfloat16_tensor([&] { return law(engine); })});
  expect_sum(found);
  EXPECT_EQ(found.pooling.value.value(), 0);
  EXPECT_NEAR(found.gap().value.value(), 0, 0.02);
  EXPECT_NEAR(found.zeros.value.value(), 0, 1e-6);
  EXPECT_NEAR(found.kurtosis, 3, 0.05);
  EXPECT_NEAR(found.normal.value(), 10.464, 0.001);
}

TEST(gap, of_tensors_with_different_scales_is_pooling) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> law;
  std::vector<tensor_counts> tensors;
  for (const double scale : {0.01, 0.03, 0.1}) {
    tensors.push_back(bfloat16_tensor([&] { return scale * law(engine); }));
  }
  const auto found = explain(tensors);
  expect_sum(found);
  EXPECT_GT(found.pooling.value.value(), 0.2);
  EXPECT_NEAR(found.pooling.value.value(), found.gap().value.value(), 0.02);
  EXPECT_TRUE(found.is_seen());
  EXPECT_EQ(found.pooling_bias.value(), 0);
  const bits bias = explain(tensors, estimator::plug_in).pooling_bias;
  EXPECT_GT(bias.value(), 0);
  EXPECT_LT(bias.value(), 0.01);
}

double entropy_of(const std::map<std::uint32_t, double>& counts, double n) {
  double sum = 0;
  for (const auto& [code, times] : counts) sum -= times / n * std::log2(times / n);
  return sum;
}

/// I(code; tensor) = H(code) + H(tensor) - H(code, tensor), of the shares that were counted.
TEST(gap, by_the_plug_in_pooling_is_what_code_and_tensor_share) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> law;
  std::vector<tensor_counts> tensors;
  std::map<std::uint32_t, double> codes;
  std::map<std::uint32_t, double> sizes;
  std::map<std::uint32_t, double> pairs;
  for (const std::uint32_t size : {100U, 3000U, 700U}) {
    tensors.push_back(short_tensor("bfloat16", size, [&] { return law(engine); }));
    const auto place = static_cast<std::uint32_t>(tensors.size());
    sizes[place] = size;
    for (const auto& [code, times] : tensors.back().codes().seen()) {
      codes[code] += static_cast<double>(times);
      pairs[code + (place << 16U)] = static_cast<double>(times);
    }
  }
  const double n = 3800;
  const double shared = entropy_of(codes, n) + entropy_of(sizes, n) - entropy_of(pairs, n);
  const auto found = explain(tensors, estimator::plug_in);
  EXPECT_NEAR(found.pooling.value.value(), shared, 1e-12);
  expect_sum(found);
}

/// What few numbers do not show is nothing that their law is.
TEST(gap, of_few_normal_numbers_is_no_shape) {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> law;
  for (const std::size_t count : {std::size_t{5}, std::size_t{1000}, std::size_t{200000}}) {
    const auto tensor = short_tensor("binary16", count, [&] { return law(engine); });
    for (const auto how : {estimator::plug_in, estimator::miller_madow, best_estimator}) {
      SCOPED_TRACE(count);
      const auto found = explain({tensor}, how);
      expect_sum(found);
      EXPECT_FALSE(found.is_seen());
      EXPECT_LE(std::fabs(found.tails.value.value()), found.tails.error.value());
      EXPECT_EQ(found.few_numbers == bits{0}, how == best_estimator);
    }
  }
  const auto plain =
      explain({short_tensor("binary16", 200000, [&] { return law(engine); })}, estimator::plug_in);
  // (codes - 1)/2n, to leading order
  EXPECT_NEAR(plain.few_numbers.value(), -0.08, 0.01);
  EXPECT_NEAR(plain.tails.value.value(), 0, 0.02);
}

TEST(gap, of_a_small_tensor_beside_a_large_one_is_no_pooling) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> law;
  const auto draw = [&] { return law(engine); };
  const std::vector<tensor_counts> tensors{short_tensor("binary16", 1000, draw),
                                           short_tensor("binary16", 100000, draw)};
  const auto found = explain(tensors);
  expect_sum(found);
  EXPECT_FALSE(found.is_seen());
  EXPECT_NEAR(found.pooling.value.value(), 0, 0.01);
  const auto plain = explain(tensors, estimator::plug_in);
  expect_sum(plain);
  EXPECT_GT(plain.pooling.value.value(), 0.02);
  EXPECT_NEAR((plain.pooling.value - plain.pooling_bias).value(), found.pooling.value.value(),
              1e-12);
}

/// Of laws whose entropies are known: normal ones, half of which were set to 0.
TEST(gap, its_bars_hold_the_parts) {
  std::mt19937_64 engine(10);
  std::normal_distribution<double> law;
  const double normal = 10.464;
  constexpr int cases = 100;
  int zeros = 0;
  int tails = 0;
  for (int i = 0; i < cases; ++i) {
    const auto found = explain({short_tensor("bfloat16", 500U << (i % 8), [&] {
      const double x = law(engine);
      return engine() % 2 == 0 ? 0 : x;
    })});
    zeros += std::fabs(found.zeros.value.value() - (1 - normal / 2)) <= found.zeros.error.value();
    tails += std::fabs(found.tails.value.value()) <= found.tails.error.value();
  }
  EXPECT_GE(zeros, 0.9 * cases);
  EXPECT_GE(tails, 0.9 * cases);
}

TEST(gap, of_a_heavy_tail_is_in_the_tails) {
  std::mt19937_64 engine(3);
  std::student_t_distribution<double> law(5);
  const auto found = explain({bfloat16_tensor([&] { return 0.02 * law(engine); })});
  expect_sum(found);
  EXPECT_NEAR(found.tails.value.value(), 10.611 - 10.464, 0.02);  // as the exact entropies say
  EXPECT_GT(found.kurtosis, 4);
}

TEST(gap, of_zeros_is_in_the_zeros) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> law;
  std::bernoulli_distribution is_zero(0.3);
  const auto found = explain({bfloat16_tensor([&] { return is_zero(engine) ? 0 : law(engine); })});
  expect_sum(found);
  const double h = -0.3 * std::log2(0.3) - 0.7 * std::log2(0.7);
  EXPECT_NEAR(found.zeros.value.value(), h - 0.3 * 10.464, 0.02);
  EXPECT_NEAR(found.tails.value.value(), 0, 0.02);
}

/// In a format where a normal law has zeros of its own, these are no gap.
TEST(gap, zeros_that_a_normal_law_has_do_not_count) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> law;
  const number_format format = *find_number_format("e2m1");
  std::vector<std::byte> bytes(many / 2);
  for (auto& both : bytes) {
    const auto code = [&] { return format.quantize(law(engine)); };
    both = static_cast<std::byte>(code() | code() << 4U);
  }
  const auto counts = counted(element_of("e2m1", 4), bytes, many);
  EXPECT_GT(counts.facts().zeros, many / 6);
  const auto found = explain({counts});
  expect_sum(found);
  EXPECT_NEAR(found.zeros.value.value(), 0, 0.02);
  EXPECT_NEAR(found.gap().value.value(), 0, 0.02);
}

TEST(gap, of_floats_is_that_of_their_leading_bits) {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> law(0, 0.02);
  std::vector<float> x(many);
  for (float& value : x) value = static_cast<float>(law(engine));
  const auto found = explain({counted(element_of("binary32", 32), bytes_of(x), many)});
  expect_sum(found);
  EXPECT_NEAR(found.gap().value.value(), 0, 0.02);
}

/// Numbers of a shorter format: all that the bits below could carry is missing.
TEST(gap, of_bits_that_are_never_set_is_in_the_low_bits) {
  std::mt19937_64 engine(11);
  std::normal_distribution<float> law;
  std::vector<float> x(many);
  for (float& value : x) {
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(law(engine)) & 0xffff0000U);
  }
  const auto found = explain({counted(element_of("binary32", 32), bytes_of(x), many)});
  expect_sum(found);
  EXPECT_NEAR(found.low_bits.value.value(), -16, 1e-3);
  EXPECT_NEAR(found.gap().value.value(), -16, 0.02);
}

TEST(gap, there_is_none_to_explain_without_a_law) {
  EXPECT_FALSE(predict_normal({"U8", 8}, 1));
  EXPECT_FALSE(predict_normal(element_of("bfloat16", 16), 0));
  EXPECT_FALSE(tensor_group({"U8", 8}).explain());
  EXPECT_FALSE(tensor_group(element_of("bfloat16", 16)).explain());
  const auto constant = counted(element_of("binary32", 32), bytes_of(std::vector<float>(9, 2)), 9);
  EXPECT_EQ(explain({constant}).gap().value.value(), 0);
  expect_sum(explain({constant}));
}

}  // namespace
}  // namespace ktln2::measure
