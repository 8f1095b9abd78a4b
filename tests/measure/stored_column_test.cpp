#include "ktln2/measure/stored_column.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace ktln2;
using measure::stored_column;

TEST(stored_column, measures_what_the_law_of_its_numbers_says) {
  std::mt19937_64 random{5};
  std::normal_distribution<double> draw{0.3, 1.7};
  for (const char* name : {"p5e4", "p24e8", "p64e15", "p1e3", "p9e0", "bfloat16", "binary64",
                           "posit16", "int8", "e2m1", "binary8p3uf"}) {
    stored_column column{parse_storage(name)};
    for (int i = 0; i < 30000; ++i) column.add(draw(random));
    int bits_seen = 0;
    for (const measure::counted_field& one : column.fields(normal{0.3, 1.7})) {
      EXPECT_TRUE(overlap(one.measured, one.modelled))
          << name << ", " << one.name << ": " << one.measured.value.value() << " ± "
          << one.measured.error.value() << ", " << one.modelled.value.value();
      EXPECT_GT(one.counted_bits, 0);
      EXPECT_LE(one.counted_bits, one.bits);
      bits_seen += one.counted_bits;
    }
    EXPECT_EQ(bits_seen, std::min(16, column.where().width())) << name;
  }
}

TEST(stored_column, counts_fields_as_the_code_has_them) {
  // +1, -1, +2, +3 in p2e2, whose codes are sign, two bits of the exponent, one of the mantissa
  stored_column column{parse_storage("p2e2")};
  for (const double x : {1.0, -1.0, 2.0, 3.0}) column.add(x);
  const auto fields = column.fields(normal{0, 1}, measure::estimator::plug_in);
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_STREQ(fields[0].name, "sign");
  EXPECT_NEAR(fields[0].measured.value.value(), 2 - 0.75 * std::log2(3), 1e-12);
  // Of three positive numbers one has the exponent of 1 and two that of 2.
  EXPECT_NEAR(fields[1].measured.value.value(), 0.75 * (std::log2(3) - 2.0 / 3), 1e-12);
  EXPECT_NEAR(fields[2].measured.value.value(), 0.5, 1e-12);
}

TEST(stored_column, finds_the_steps_in_which_numbers_were_written) {
  const auto unit_of = [](const std::vector<double>& numbers) {
    stored_column column{parse_storage("p24e8")};
    for (const double x : numbers) column.add(x);
    return column.unit();
  };
  EXPECT_EQ(unit_of({0.1, 0.25, -3}), 0.01);
  EXPECT_EQ(unit_of({100, -2300, 0}), 100);
  EXPECT_EQ(unit_of({1e-15, 0.5}), 1e-15);
  EXPECT_EQ(unit_of({3, 5}), 1);
  EXPECT_EQ(unit_of({1.0 / 3}), std::nullopt);
  EXPECT_EQ(unit_of({0.1, 1.0 / 3, 0.1}), std::nullopt);
  EXPECT_EQ(unit_of({std::nextafter(0.1, 1)}), std::nullopt);
  EXPECT_EQ(unit_of({0, 0}), std::nullopt);
  EXPECT_EQ(unit_of({1e-300}), std::nullopt);
}

}  // namespace
