#include "ktln2/entropy/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/catalogue.hpp"

namespace {

using namespace ktln2;

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

/// An independent count: every code of a small format with its probability, from tails written down
/// here and the documented layout sign | exponent | mantissa. Nothing of the library takes part.
namespace counted {

/// P(Z > z) of the standardized variable, z ≥ 0, and what lies below 0.
struct tails {
  const char* description;  ///< of the library's law
  long double location, scale;
  long double (*above)(long double);
  bool starts_at_location = false;  ///< nothing lies below; otherwise the law is even
};

long double normal_above(long double z) { return std::erfc(z / std::sqrt(2.0L)) / 2; }
long double cauchy_above(long double z) { return std::atan2(1.0L, z) / std::acos(-1.0L); }
long double student_2_above(long double z) {
  const long double root = std::sqrt(2 + z * z);
  return std::isinf(z) ? 0 : 1 / (root * (root + z));
}
long double uniform_above(long double z) { return std::fmax(0.0L, 1 - z); }
long double laplace_above(long double z) { return std::exp(-z) / 2; }
long double logistic_above(long double z) { return 1 / (1 + std::exp(z)); }

constexpr tails laws[] = {
    {"normal", 0, 1, normal_above},
    {"normal:mu=0.3,sigma=1.1", 0.3, 1.1, normal_above},
    {"normal:mu=-2.75,sigma=0.5", -2.75L, 0.5, normal_above},
    {"student:dof=1,loc=0,scale=1", 0, 1, cauchy_above},
    {"student:dof=2,loc=-1.5,scale=4", -1.5L, 4, student_2_above},
    {"uniform", 0, 1, uniform_above, true},
    {"uniform:low=-0.75,high=2.5", -0.75L, 3.25L, uniform_above, true},
    {"uniform:low=-4,high=-0.375", -4, 3.625L, uniform_above, true},
    {"laplace:loc=3,scale=0.75", 3, 0.75L, laplace_above},
    {"logistic:loc=0.25,scale=0.5", 0.25L, 0.5L, logistic_above},
};

/// P(low < X < high), on the side of the tail.
long double mass(const tails& x, long double low, long double high) {
  const long double a = (low - x.location) / x.scale;
  const long double b = (high - x.location) / x.scale;
  if (x.starts_at_location) return x.above(std::fmax(a, 0.0L)) - x.above(std::fmax(b, 0.0L));
  if (a >= 0) return x.above(a) - x.above(b);
  if (b <= 0) return x.above(-b) - x.above(-a);
  return 1 - x.above(-a) - x.above(b);
}

/// 2^emin … of [cor:gauss_fp_ent], in ascending order, and the same beyond the largest.
std::vector<long double> magnitudes(int p, int exponent_bits) {
  const int mantissas = 1 << (p - 1);
  std::vector<long double> result;
  for (int exponent = 0; exponent < 1 << exponent_bits; ++exponent) {
    const long double unit =
        exponent_bits == 0
            ? std::sqrt(2.0L)
            : std::exp2(static_cast<long double>(exponent) - ((1 << (exponent_bits - 1)) - 1));
    for (int m = 0; m < mantissas; ++m) {
      result.push_back(unit * (1 + static_cast<long double>(m) / mantissas));
    }
  }
  return result;
}

struct code {
  std::string bits;  ///< sign, exponent, mantissa, each from its top bit down
  long double probability;
};

std::string binary(std::size_t number, int digits) {
  std::string text;
  for (int k = digits - 1; k >= 0; --k) text += (number >> k) % 2 == 1 ? '1' : '0';
  return text;
}

std::vector<code> codes(int p, int exponent_bits, const tails& x) {
  const std::vector<long double> u = magnitudes(p, exponent_bits);
  std::vector<code> all;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const long double low = i == 0 ? 0 : (u[i - 1] + u[i]) / 2;
    const long double high =
        i + 1 == u.size() ? static_cast<long double>(infinity) : (u[i] + u[i + 1]) / 2;
    const std::size_t mantissas = std::size_t{1} << (p - 1);
    const std::string fields = binary(i / mantissas, exponent_bits) + binary(i % mantissas, p - 1);
    all.push_back({"0" + fields, mass(x, low, high)});
    all.push_back({"1" + fields, mass(x, -high, -low)});
  }
  return all;
}

/// The entropy of the bits from `first` on, `count` of them, given all the bits before: the average
/// over the prefixes of the entropy among the codes that share them.
long double conditional_entropy(const std::vector<code>& all, int first, int count) {
  std::map<std::string, std::map<std::string, long double>> groups;
  for (const code& one : all) {
    const auto start = static_cast<std::size_t>(first);
    groups[one.bits.substr(0, start)][one.bits.substr(start, static_cast<std::size_t>(count))] +=
        one.probability;
  }
  long double sum = 0;
  for (const auto& [given, parts] : groups) {
    long double whole = 0;
    for (const auto& [bits_here, part] : parts) whole += part;
    for (const auto& [bits_here, part] : parts) {
      if (part > 0) sum -= part * std::log2(part / whole);
    }
  }
  return sum;
}

/// A probability is off by a few units of 2^-64, and -P log2 P by at most 64 times that: for 1024
/// codes and the two sums of a conditional entropy below 1e-14 bits.
constexpr long double rounding = 1e-14L;

void expect_same(const bounded<bits>& found, long double truth) {
  EXPECT_LE(std::fabs(found.value.value() - truth), found.error.value() + rounding)
      << found.value.value() << " where the count says " << static_cast<double>(truth);
  EXPECT_LE(found.error.value(), 10 * default_tolerance.value());
}

void expect_fields_and_bits(int p, int exponent_bits, const tails& x) {
  const float_format format{p, exponent_bits};
  SCOPED_TRACE(format.name() + " " + x.description);
  const law known = parse_law(x.description);
  const std::vector<code> all = codes(p, exponent_bits, x);

  const field_entropies fields = entropy_by_field(format, known);
  expect_same(fields.total, conditional_entropy(all, 0, p + exponent_bits));
  expect_same(fields.sign, conditional_entropy(all, 0, 1));
  expect_same(fields.exponent, conditional_entropy(all, 1, exponent_bits));
  expect_same(fields.mantissa, conditional_entropy(all, 1 + exponent_bits, p - 1));

  const std::vector<bit_entropy> each = entropy_by_bit(format, known);
  ASSERT_EQ(each.size(), static_cast<std::size_t>(p + exponent_bits));
  for (int position = 0; position < p + exponent_bits; ++position) {
    const bit_entropy& bit = each[static_cast<std::size_t>(position)];
    SCOPED_TRACE(bit.name);
    expect_same(bit.entropy, conditional_entropy(all, position, 1));
  }
}

}  // namespace counted

TEST(entropy_by_field, and_by_bit_are_what_a_count_of_all_codes_says) {
  for (const counted::tails& x : counted::laws) {
    for (int p = 1; p <= 10; ++p) {
      for (int exponent_bits = 0; p + exponent_bits <= 10; ++exponent_bits) {
        counted::expect_fields_and_bits(p, exponent_bits, x);
      }
    }
  }
}

TEST(entropy_by_bit, no_bit_holds_more_than_a_bit_nor_less_than_nothing) {
  for (const auto& [name, h] : entropy_by_bit({53, 11}, student_t{3, 0.7, 2})) {
    EXPECT_LE(h.value.value(), 1 + h.error.value()) << name;
    EXPECT_GE(h.value.value(), -h.error.value()) << name;
  }
}

}  // namespace
