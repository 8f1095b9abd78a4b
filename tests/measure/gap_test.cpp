#include "ktln2/measure/gap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ktln2/format/number_quantize.hpp"
#include "measure/bytes_of.hpp"

namespace ktln2::measure {
namespace {

constexpr std::size_t many = 400000;

/// A tensor of bfloat16 numbers.
template <class Draw>
tensor_counts bfloat16_tensor(const Draw& one) {
  std::vector<double> x(many);
  for (double& value : x) value = one();
  std::vector<std::uint16_t> codes(many);
  quantize_codes(*find_number_format("bfloat16"), x, codes);
  return counted(element_of("bfloat16", 16), bytes_of(codes), many);
}

explained_gap explain(const std::vector<tensor_counts>& tensors) {
  tensor_group group(tensors.front().type());
  for (const tensor_counts& one : tensors) group.add(one);
  return *group.explain();
}

void expect_sum(const explained_gap& found) {
  const bits sum = found.pooling + found.zeros + found.tails + found.scales;
  EXPECT_NEAR(sum.value(), found.gap().value(), 1e-12);
}

TEST(gap, of_one_normal_tensor_is_none) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> law(0, 0.02);
  const auto found = explain({bfloat16_tensor([&] { return law(engine); })});
  expect_sum(found);
  EXPECT_EQ(found.pooling.value(), 0);
  EXPECT_NEAR(found.gap().value(), 0, 0.02);
  EXPECT_NEAR(found.zeros.value(), 0, 1e-6);
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
  EXPECT_GT(found.pooling.value(), 0.2);
  EXPECT_NEAR(found.pooling.value(), found.gap().value(), 0.02);
  EXPECT_GT(found.pooling_bias.value(), 0);
  EXPECT_LT(found.pooling_bias.value(), 0.01);
}

TEST(gap, of_a_heavy_tail_is_in_the_tails) {
  std::mt19937_64 engine(3);
  std::student_t_distribution<double> law(5);
  const auto found = explain({bfloat16_tensor([&] { return 0.02 * law(engine); })});
  expect_sum(found);
  EXPECT_NEAR(found.tails.value(), 10.611 - 10.464, 0.02);  // as the exact entropies say
  EXPECT_GT(found.kurtosis, 4);
}

TEST(gap, of_zeros_is_in_the_zeros) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> law;
  std::bernoulli_distribution is_zero(0.3);
  const auto found = explain({bfloat16_tensor([&] { return is_zero(engine) ? 0 : law(engine); })});
  expect_sum(found);
  const double h = -0.3 * std::log2(0.3) - 0.7 * std::log2(0.7);
  EXPECT_NEAR(found.zeros.value(), h - 0.3 * 10.464, 0.02);
  EXPECT_NEAR(found.tails.value(), 0, 0.02);
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
  EXPECT_NEAR(found.zeros.value(), 0, 0.02);
  EXPECT_NEAR(found.gap().value(), 0, 0.02);
}

TEST(gap, of_floats_is_that_of_their_leading_bits) {
  std::mt19937_64 engine(6);
  std::normal_distribution<float> law(0, 0.02F);
  std::vector<float> x(many);
  for (float& value : x) value = law(engine);
  const auto found = explain({counted(element_of("binary32", 32), bytes_of(x), many)});
  expect_sum(found);
  EXPECT_NEAR(found.gap().value(), 0, 0.02);
}

TEST(gap, there_is_none_to_explain_without_a_law) {
  EXPECT_FALSE(predict_normal({"U8", 8}, 1));
  EXPECT_FALSE(predict_normal(element_of("bfloat16", 16), 0));
  EXPECT_FALSE(tensor_group({"U8", 8}).explain());
  EXPECT_FALSE(tensor_group(element_of("bfloat16", 16)).explain());
  const auto constant = counted(element_of("binary32", 32), bytes_of(std::vector<float>(9, 2)), 9);
  EXPECT_EQ(explain({constant}).gap().value(), 0);
  expect_sum(explain({constant}));
}

}  // namespace
}  // namespace ktln2::measure
