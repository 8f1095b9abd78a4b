// Parts of the code of wide registers: against going through all codes, where they are few.
#include "entropy/wide_marginal.hpp"

#include <gtest/gtest.h>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace {

using ktln2::bits;
using ktln2::bounded;
using ktln2::number_format;
using ktln2::stored_variable;

std::uint64_t mask_of(int from, int count) { return ((std::uint64_t{1} << count) - 1) << from; }

stored_variable stored_in(const char* format, const char* law) {
  const number_format known = ktln2::find_number_format(format).value();
  return {known, known.usual(), ktln2::parse_law(law)};
}

constexpr const char* laws_with_parts[] = {
    "normal",        "normal:sigma=0.02",       "normal:mu=2.5,sigma=0.01", "uniform:low=-1,high=3",
    "student:dof=3", "laplace:loc=0.1,scale=8", "gamma:shape=0.5",          "normal:sigma=30000"};

/// The number of bits where there is a bar, 0 where there is none.
int expect_as_counted(const stored_variable& stored, int from, int count) {
  const auto got = wide_marginal(stored, mask_of(from, count));
  if (!got) return 0;
  const bounded<bits> counted = marginal_entropy(stored, mask_of(from, count)).value();
  EXPECT_TRUE(overlap(*got, counted))
      << got->value.value() << " ± " << got->error.value() << " counted " << counted.value.value();
  EXPECT_LE(got->error.value(), 1e-6);
  return count;
}

void expect_all_parts_as_counted(stored_variable stored, const std::string& law) {
  const int mantissa_bits = stored.format.fields().p - 1;
  const int exponent_bits = stored.format.fields().exponent_bits;
  for (const ktln2::rounding how : stored.format.roundings()) {
    stored.rule.how = how;
    SCOPED_TRACE(stored.format.name() + " " + law + " " + std::string(name_of(how)));
    EXPECT_EQ(expect_as_counted(stored, 8, 8), 8);
    EXPECT_EQ(expect_as_counted(stored, mantissa_bits, exponent_bits), exponent_bits);
    const bool is_odd = how == ktln2::rounding::to_odd;
    EXPECT_EQ(expect_as_counted(stored, 0, mantissa_bits), is_odd ? 0 : mantissa_bits);
    expect_as_counted(stored, 0, 1);
    expect_as_counted(stored, 0, 3);
  }
}

TEST(wide_marginal, is_that_of_all_codes) {
  expect_all_parts_as_counted(stored_in("bfloat16", "normal"), "normal");
}

TEST(wide_marginal_campaign, is_that_of_all_codes) {
  for (const char* name : {"binary16", "bfloat16"}) {
    for (const char* law : laws_with_parts) expect_all_parts_as_counted(stored_in(name, law), law);
  }
}

TEST(wide_marginal, of_the_mantissa_is_summed_where_it_is_long) {
  for (const char* law : {"normal", "normal:mu=2.5,sigma=0.01", "uniform:low=-1,high=3"}) {
    EXPECT_EQ(expect_as_counted(stored_in("tf32", law), 0, 10), 10) << law;
  }
}

TEST(wide_marginal, of_last_bits_is_nearly_uniform) {
  const auto last = wide_marginal(stored_in("binary32", "normal"), mask_of(0, 8));
  ASSERT_TRUE(last);
  EXPECT_NEAR(last->value.value(), 8, 1e-7);
  // One cell holds half of it.
  EXPECT_FALSE(wide_marginal(stored_in("binary32", "normal:mu=1,sigma=1e-8"), mask_of(0, 8)));
  EXPECT_FALSE(wide_marginal(stored_in("int32", "normal:sigma=10"), mask_of(0, 8)));
  EXPECT_TRUE(wide_marginal(stored_in("int32", "normal:sigma=1e7"), mask_of(0, 8)));
}

TEST(wide_marginal, is_known_for_binary32_and_binary64) {
  for (const char* name : {"binary32", "binary64"}) {
    for (const char* law : {"normal", "laplace", "student:dof=3"}) {
      SCOPED_TRACE(std::string(name) + " " + law);
      const stored_variable stored = stored_in(name, law);
      const int mantissa_bits = stored.format.fields().p - 1;
      const auto part = [&](int from, int count) {
        return marginal_entropy(stored, mask_of(from, count)).value();
      };
      // The exponent knows nothing of the sign of a symmetric law.
      const auto leading = exact_leading_entropy(stored);
      EXPECT_TRUE(overlap(part(mantissa_bits, stored.format.fields().exponent_bits),
                          entropy_by_field(stored, leading).fields.exponent));
      EXPECT_TRUE(overlap(part(stored.format.width() - 8, 8), leading(8)));
      // Of the mantissa, all bits but the first ten are nearly uniform, as in tf32.
      const stored_variable shorter = stored_in("tf32", law);
      const bounded<bits> mantissa = part(0, mantissa_bits);
      EXPECT_NEAR(mantissa.value.value() - mantissa_bits,
                  marginal_entropy(shorter, mask_of(0, 10))->value.value() - 10, 1e-3);
      EXPECT_LE(mantissa.error.value(), 1e-9);
    }
  }
}

TEST(wide_marginal, is_not_known_for_other_parts) {
  EXPECT_FALSE(marginal_entropy(stored_in("binary32", "normal"), 0x00ff0000));
  EXPECT_FALSE(marginal_entropy(stored_in("binary32", "relu:normal"), mask_of(0, 8)));
  EXPECT_TRUE(marginal_entropy(stored_in("binary32", "relu:normal"), mask_of(23, 8)));
  EXPECT_TRUE(marginal_entropy(stored_in("posit32", "normal"), mask_of(24, 8)));
}

}  // namespace
