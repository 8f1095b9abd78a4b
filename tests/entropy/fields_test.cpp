#include "ktln2/entropy/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace ktln2;

constexpr double infinity = std::numeric_limits<double>::infinity();

double sum_of_bits(const std::vector<bit_entropy>& all) {
  double sum = 0;
  for (const bit_entropy& bit : all) sum += bit.entropy.value.value();
  return sum;
}

TEST(entropy_by_field, adds_up_to_the_total) {
  for (const char* description : {"normal", "slope:n=1", "laplace:loc=3", "uniform"}) {
    const law x = parse_law(description);
    for (const float_format& format :
         {float_format{24, 8}, float_format{5, 0}, float_format{1, 4}}) {
      const field_entropies h = entropy_by_field(format, x);
      const bounded<bits> sum = h.sign + h.exponent + h.mantissa;
      EXPECT_NEAR(sum.value.value(), h.total.value.value(), 1e-14) << description;
      EXPECT_TRUE(overlap(h.total, exact_entropy(format, x))) << description;
    }
  }
}

TEST(entropy_by_bit, names_every_bit_from_the_top_and_adds_up) {
  const float_format format{11, 5};
  const auto all = entropy_by_bit(format, normal{0, 1});
  ASSERT_EQ(all.size(), 16U);
  EXPECT_EQ(all[0].name, "sign");
  EXPECT_EQ(all[1].name, "exponent 4");
  EXPECT_EQ(all[5].name, "exponent 0");
  EXPECT_EQ(all[6].name, "mantissa 9");
  EXPECT_EQ(all[15].name, "mantissa 0");
  EXPECT_NEAR(sum_of_bits(all), exact_entropy(format, normal{0, 1}).value.value(), 1e-13);
}

TEST(entropy_by_bit, is_the_chain_rule_on_every_cell) {
  // p3e2 by hand: group the 32 cells by their code's leading bits.
  const float_format format{3, 2};
  const normal x{0.3, 1.1};
  std::vector<double> probability(32);
  for (register_code i = 1; i <= 32; ++i) {
    const double from =
        i == 1 ? -infinity : midpoint(format.value_at(i - 1), format.value_at(i)).to_double();
    const double to =
        i == 32 ? infinity : midpoint(format.value_at(i), format.value_at(i + 1)).to_double();
    const auto code =
        static_cast<std::size_t>(format.encode(format.quantize(format.value_at(i).to_double())));
    probability[code] = cdf(x, to) - cdf(x, from);
  }
  const auto all = entropy_by_bit(format, x);
  double above = 0;
  for (std::size_t kept = 1; kept <= 5; ++kept) {
    std::vector<double> group(std::size_t{1} << kept, 0.0);
    for (std::size_t code = 0; code < 32; ++code) group[code >> (5 - kept)] += probability[code];
    double h = 0;
    for (const double mass : group) h -= mass > 0 ? mass * std::log2(mass) : 0;
    EXPECT_NEAR(all[kept - 1].entropy.value.value(), h - above, 1e-14) << all[kept - 1].name;
    above = h;
  }
}

TEST(entropy_by_bit, no_bit_holds_more_than_a_bit_nor_less_than_nothing) {
  for (const auto& [name, h] : entropy_by_bit({53, 11}, student_t{3, 0.7, 2})) {
    EXPECT_LE(h.value.value(), 1 + h.error.value()) << name;
    EXPECT_GE(h.value.value(), -h.error.value()) << name;
  }
}

}  // namespace
