#include "measure/float_block.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "measure/bytes_of.hpp"

namespace ktln2::measure {
namespace {

std::vector<float> floats_from(std::size_t count, unsigned seed,
                               const std::function<double(std::mt19937&)>& one) {
  std::mt19937 engine(seed);
  std::vector<float> x(count);
  for (float& value : x) value = static_cast<float>(one(engine));
  return x;
}

/// One by one, in whole numbers.
moments moments_plainly(const std::vector<float>& x) {
  exact_sums sums;
  for (const float value : x) sums.add(static_cast<double>(value), 1);
  return sums.moments_of(x.size());
}

struct shape {
  const char* name;
  std::function<double(std::mt19937&)> one;
};

/// Blocks of every kind, so that some go in lanes, some leave numbers out and some are of no use.
std::vector<shape> shapes() {
  std::normal_distribution<double> normals;
  std::uniform_real_distribution<double> units(-1, 1);
  return {
      {"normal", [=](std::mt19937& e) mutable { return 0.02 * normals(e); }},
      {"shifted", [=](std::mt19937& e) mutable { return 1000 + 1e-3 * normals(e); }},
      {"far apart", [=](std::mt19937& e) mutable { return std::exp(10 * normals(e)); }},
      {"tiny", [=](std::mt19937& e) mutable { return 1e-40 * normals(e); }},
      {"large", [=](std::mt19937& e) mutable { return 3e38 * units(e); }},
      {"mostly zeros", [=](std::mt19937& e) mutable { return units(e) < 0.9 ? 0 : normals(e); }},
      {"just below two", [](std::mt19937& /*e*/) { return 0x1.fffffep0; }},
      {"a few too small",
       [=](std::mt19937& e) mutable { return units(e) < 0.98 ? 1 : 1e-9 * normals(e); }}};
}

TEST(float_block, sums_are_exact) {
  for (const shape& which : shapes()) {
    SCOPED_TRACE(which.name);
    for (const std::size_t count : {1U, 7U, 255U, 264U, 16384U, 40003U}) {
      const auto x = floats_from(count, 1, which.one);
      const number_facts facts = counted(element_of("binary32", 32), bytes_of(x), count).facts();
      const moments expected = moments_plainly(x);
      EXPECT_EQ(facts.mean, expected.mean);
      EXPECT_EQ(facts.deviation, expected.deviation);
    }
  }
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> pairs_of(const code_table& table) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> made;
  for (const auto& [code, times] : table.seen()) made.emplace_back(code, times);
  return made;
}

/// One by one; a NaN and an infinity among them as well.
TEST(float_block, what_is_added_up_is_counted_once) {
  for (const shape& which : shapes()) {
    for (const std::size_t count : {1U, 7U, 255U, 264U, 16384U, 40003U}) {
      for (const bool is_finite : {true, false}) {
        SCOPED_TRACE(which.name + std::to_string(count));
        auto x = floats_from(count, 2, which.one);
        if (!is_finite) x[count / 2] = count % 2 == 0 ? NAN : INFINITY;
        code_table leading(16);
        code_table upper(8);
        code_table lower(8);
        for (const float value : x) {
          const auto word = std::bit_cast<std::uint32_t>(value);
          leading.add(word >> 16, 1);
          upper.add((word >> 8) & 0xff, 1);
          lower.add(word & 0xff, 1);
        }
        const tensor_counts found = counted(element_of("binary32", 32), bytes_of(x), count);
        EXPECT_EQ(pairs_of(found.codes()), pairs_of(leading));
        ASSERT_EQ(found.low_bytes().size(), 2U);
        EXPECT_EQ(pairs_of(found.low_bytes()[0]), pairs_of(upper));
        EXPECT_EQ(pairs_of(found.low_bytes()[1]), pairs_of(lower));
      }
    }
  }
}

TEST(float_block, leaves_out_what_is_too_small) {
  const auto block_of = [](const std::vector<float>& x) {
    float largest = 0;
    for (const float value : x) largest = std::max(largest, std::fabs(value));
    return float_block(bytes_of(x), std::bit_cast<std::uint32_t>(largest));
  };
  std::vector<float> x(1000, 1.5F);
  x[3] = 0;
  EXPECT_TRUE(block_of(x).left_out().empty());
  x[500] = -0x1p-15F;
  EXPECT_TRUE(block_of(x).left_out().empty());
  x[500] = -0x1.8p-16F;
  EXPECT_EQ(block_of(x).left_out(),
            std::vector<std::uint32_t>{std::bit_cast<std::uint32_t>(-0x1.8p-16F)});
  EXPECT_TRUE(block_of(x).is_of_use());
  std::fill(x.begin() + 100, x.begin() + 200, 1e-9F);
  EXPECT_FALSE(block_of(x).is_of_use());
}

}  // namespace
}  // namespace ktln2::measure
