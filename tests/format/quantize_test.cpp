#include "ktln2/format/quantize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "format/definition.hpp"
#include "message_of.hpp"

namespace {

using ktln2::infinity;

using definition::format;
using ktln2::array_kernels;
using ktln2::float_format;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr array_kernels both_kernels[] = {array_kernels::fastest, array_kernels::portable};

float_format library(format f) { return {f.p, f.E}; }

std::vector<double> values_of(format f, std::span<const double> in,
                              array_kernels use = array_kernels::fastest) {
  std::vector<double> out(in.size());
  quantize_values(library(f), in, out, use);
  return out;
}

std::vector<std::uint64_t> codes_of(format f, std::span<const double> in,
                                    array_kernels use = array_kernels::fastest) {
  std::vector<std::uint64_t> out(in.size());
  quantize_codes(library(f), in, out, use);
  return out;
}

template <class Stored>
std::string mismatch(format f, const char* what, double x, Stored got, Stored expected) {
  std::ostringstream text;
  text << f.name() << ": the " << what << " of " << std::hexfloat << x << std::hex << " is " << got
       << ", not " << expected;
  return text.str();
}

/// Compares both outputs of both kernels with the definition on every element of `in`, bit by bit.
/// Values outside the range of double must be refused.
void expect_the_definition(format f, const std::vector<double>& in) {
  std::vector<double> storable;
  std::vector<double> values;
  std::vector<std::uint64_t> codes;
  std::set<double> beyond;
  for (const double x : in) {
    const definition::stored y = definition::quantize(f, x);
    codes.push_back(definition::code(f, y));
    const double value = definition::value(f, y);
    if (value == 0 || std::isinf(value)) {
      beyond.insert(x);
    } else {
      storable.push_back(x);
      values.push_back(value);
    }
  }
  for (const array_kernels use : both_kernels) {
    const std::vector<double> got = values_of(f, storable, use);
    for (std::size_t i = 0; i < got.size(); ++i) {
      // The bit patterns of equal doubles are equal here: 0 is no stored value.
      if (got[i] != values[i]) FAIL() << mismatch(f, "value", storable[i], got[i], values[i]);
    }
    if (f.p + f.E <= 64) {
      const std::vector<std::uint64_t> got_codes = codes_of(f, in, use);
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (got_codes[i] != codes[i]) {
          FAIL() << mismatch(f, "code", in[i], got_codes[i], codes[i]);
        }
      }
    }
    for (const double x : beyond) {
      const std::vector<double> several(5, x);  // a vector's worth and more
      ASSERT_THROW(values_of(f, several, use), std::domain_error) << f.name() << " " << x;
    }
  }
}

TEST(Quantize, EqSemFpHoldsOnEveryPointAndMidpointOfSmallFormats) {
  for (const format f : definition::formats_up_to(12)) {
    expect_the_definition(f, definition::points_and_midpoints(f));
    if (HasFatalFailure()) return;
  }
}

TEST(Quantize, EqSemFpHoldsOnTheExtremesOfEveryFormat) {
  for (int p = 1; p <= 64; ++p) {
    for (int E = 0; E <= 15; ++E) {
      const format f{p, E};
      std::vector<double> in;
      for (const double x : definition::extremes()) in.insert(in.end(), 5, x);  // fills a vector
      expect_the_definition(f, in);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Quantize, EqSemFpTiesGoAwayFromZero) {
  const std::vector<double> in{1.0625, -1.0625, 1.9375, -1.9375, std::nextafter(1.9375, 0)};
  EXPECT_EQ(values_of({4, 4}, in), (std::vector<double>{1.125, -1.125, 2, -2, 1.875}));
}

TEST(Quantize, EqSemFpStoresZeroOfEitherSignAsTheSmallestPositiveValue) {
  const std::vector<double> in{0.0, -0.0, 0.0, -0.0, -0.0};
  for (const array_kernels use : both_kernels) {
    EXPECT_EQ(values_of({24, 8}, in, use), std::vector<double>(5, 0x1p-127));
    EXPECT_EQ(values_of({24, 11}, in, use), std::vector<double>(5, 0x1p-1023));
    EXPECT_EQ(values_of({5, 0}, in, use), std::vector<double>(5, M_SQRT2));
    EXPECT_EQ(codes_of({24, 15}, in, use), std::vector<std::uint64_t>(5, 0));
  }
}

/// The doubles nearest to a midpoint of p<P>e0 (down to 1e-19 of a spacing), and those whose value
/// there is nearest to a midpoint between two doubles: closest vectors of the lattice spanned by
/// (1, √2·2^k) and (0, 1), searched in 400-bit integers.
TEST(Quantize, EqSemFpHoldsWhereTheSingleLevelIsHardest) {
  struct hard_case {
    int p;
    double x;
  };
  const hard_case next_to_a_midpoint[] = {
      {3, 0x1.974b2334f2346p+0},  {3, 0x1.f1cd9cceef239p+0},  {4, 0x1.04371d9ab72fbp+1},
      {4, 0x1.adebc19b71703p+0},  {5, 0x1.207fe39ad63a7p+1},  {5, 0x1.755a359b335abp+0},
      {6, 0x1.2ea4469ae5bfdp+1},  {6, 0x1.4aed0c9b04ca9p+1},  {8, 0x1.6e48041b2b980p+0},
      {8, 0x1.7c6c671b3b1d6p+0},  {11, 0x1.4588c6dc98795p+1}, {11, 0x1.a9dae52506937p+0},
      {12, 0x1.038d68f6b6757p+1}, {12, 0x1.e06402ea0f3a9p+0}, {16, 0x1.31cc7fb4c2d07p+1},
      {16, 0x1.aa9ca4715434ep+0}, {18, 0x1.c1bc2fd05a626p+0}, {18, 0x1.effb468e66bd6p+0},
      {19, 0x1.cd4bf57fdd792p+0}, {19, 0x1.e46b80dee3a6ap+0}, {24, 0x1.8881de2ca4ad4p+0},
      {24, 0x1.c5c84aa379538p+0}, {27, 0x1.7dbda63154ff8p+0}, {27, 0x1.ef2fb8da33546p+0},
      {31, 0x1.59479b1d000cbp+1}, {31, 0x1.baf759cce66f3p+0}, {36, 0x1.4fd71698104f2p+1},
      {36, 0x1.a9367b54cf856p+0}, {40, 0x1.1adc9e62872f6p+1}, {40, 0x1.ba7d63d765d25p+0},
      {43, 0x1.1f693bf36df23p+1}, {43, 0x1.b16428b5984cbp+0}, {44, 0x1.63da14c39c5cap+1},
      {44, 0x1.acd78b24b189ep+0}, {45, 0x1.43e7f723f888dp+1}, {45, 0x1.f5d50185c6b72p+0},
      {48, 0x1.22d5ebf545945p+1}, {48, 0x1.6f4012583263bp+0}, {50, 0x1.18db1128ad062p+1},
      {50, 0x1.5305d9f3548a3p+1}, {51, 0x1.8d30a2bdfc0e4p+0}, {51, 0x1.c75b6b88a3925p+0},
      {52, 0x1.a54899bd03893p+0}, {52, 0x1.df736287ab0d4p+0}, {53, 0x1.679689e5c049fp+1},
      {53, 0x1.b65202a2d38dcp+0}, {54, 0x1.5d4e31ec8a6a1p+1}, {54, 0x1.cae2b2953f4d8p+0},
      {57, 0x1.04b19a7241139p+1}, {57, 0x1.96aa883f3253cp+0}, {60, 0x1.523a9efd413f4p+1},
      {60, 0x1.acd1ae1dc4a96p+0}, {63, 0x1.9bb5b3cd48644p+0}, {63, 0x1.d414ce4cd3442p+0},
      {64, 0x1.100abc71f2b8bp+1}, {64, 0x1.34c846d9f64b3p+1}, {64, 0x1.50f7d419bbbb2p+1},
      {64, 0x1.76f8296544d1cp+0}, {64, 0x1.9327b6a50a41bp+0}};
  const hard_case next_to_a_midpoint_of_doubles[] = {
      {12, 0x1.f3bf6a6bbe12cp+0}, {12, 0x1.cd089b6860627p+0}, {16, 0x1.85541d7211b03p+0},
      {16, 0x1.28d5eff5f8fa2p+1}, {20, 0x1.686caf3b49f74p+1}, {20, 0x1.6e3492130b82bp+0},
      {24, 0x1.4cad6a6bc069ep+1}, {24, 0x1.2e0a34305616bp+1}, {30, 0x1.d2d3342ffbbf2p+0},
      {30, 0x1.7363caa3a67f5p+0}, {36, 0x1.34159e52255f1p+1}, {36, 0x1.af51773fcdeb8p+0},
      {40, 0x1.01a39e72e8ffbp+1}, {40, 0x1.34159e52255f1p+1}, {42, 0x1.f81b504e3a189p+0},
      {42, 0x1.587a8ad95b759p+1}, {43, 0x1.f81b504e3a189p+0}, {43, 0x1.6193c5fb28fb3p+1},
      {44, 0x1.6620638c0fbe1p+1}, {44, 0x1.f81b504e3a189p+0}, {45, 0x1.6620638c0fbe1p+1},
      {45, 0x1.1d22ed2afa90cp+1}, {48, 0x1.6620638c0fbe1p+1}, {48, 0x1.53e105f3ca72bp+1},
      {50, 0x1.da75f5215ec63p+0}, {50, 0x1.a04b2c56b7422p+0}, {52, 0x1.35f0758e00c83p+1},
      {52, 0x1.701b3e58a84c3p+0}, {53, 0x1.fc88c6ecfecf4p+0}, {53, 0x1.35f0758e00c83p+1}};
  for (const auto& [p, x] : next_to_a_midpoint) {
    const double left = std::nextafter(x, 0);
    const double right = std::nextafter(x, infinity);
    expect_the_definition({p, 0}, {x, x, x, x, -x, left, right, -left, -right});
  }
  for (const auto& [p, x] : next_to_a_midpoint_of_doubles) {
    expect_the_definition({p, 0}, {x, x, x, x, -x});
  }
}

/// With E ≥ 11 the format keeps p digits where doubles are subnormal.
TEST(Quantize, EqSemFpHoldsOnSubnormalDoubles) {
  std::mt19937_64 random{5};
  for (int E = 10; E <= 15; ++E) {
    for (const int p : {1, 2, 3, 8, 24, 40, 48, 49, 50, 51, 52, 53, 54, 64}) {
      std::vector<double> in;
      for (int i = 0; i < 500; ++i) {
        const auto bits = static_cast<double>((random() >> 11) >> (random() % 53));
        const double x = std::ldexp(bits, -1074);
        in.push_back(i % 2 == 0 ? x : -x);
        if (i % 7 == 0) in.push_back(1.0 / 3);
      }
      expect_the_definition({p, E}, in);
      if (HasFatalFailure()) return;
    }
  }
}

/// Any bit pattern, exponents around those of the format, and the neighborhoods of its points and
/// midpoints, in equal parts.
std::vector<double> random_doubles(format f, std::size_t count, std::mt19937_64& random) {
  std::vector<double> in;
  in.reserve(count);
  const int e_min = f.E == 0 ? 0 : std::max(f.e_min() - 2, -1074);
  const int e_max = f.E == 0 ? 2 : std::min(f.e_max() + 2, 1023);
  const auto levels = static_cast<std::uint64_t>(e_max - e_min + 1);
  while (in.size() < count) {
    const std::uint64_t bits = random();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    const auto significand = static_cast<double>((std::uint64_t{1} << 52) + (random() >> 12));
    const double in_range =
        std::ldexp(significand, e_min + static_cast<int>(random() % levels) - 52);
    const double sign = random() % 2 == 0 ? 1 : -1;
    const int digits = std::min(f.p + 1, 53);  // one more than a point has: a midpoint
    const double unit = std::ldexp(f.E == 0 ? M_SQRT2 : 1.0, std::ilogb(in_range) - (digits - 1));
    const double near = std::round(in_range / unit) * unit;
    const double beside = std::nextafter(near, random() % 2 == 0 ? infinity : 0);
    for (const double candidate : {x, sign * in_range, sign * near, sign * beside}) {
      if (!std::isnan(candidate)) in.push_back(candidate);
    }
  }
  in.resize(count);
  return in;
}

/// KTLN2_RANDOM_DOUBLES=100000000 tries so many doubles in each format (a tenth where the
/// definition needs a long square root) and takes about ten minutes.
TEST(Quantize, EqSemFpHoldsOnRandomDoubles) {
  const char* asked = std::getenv("KTLN2_RANDOM_DOUBLES");
  const std::size_t total = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 100'000;
  ASSERT_GT(total, 0U) << "KTLN2_RANDOM_DOUBLES must be a positive number, got " << asked;
  const std::vector<format> formats{
      {24, 8},  {11, 5},  {8, 8},   {4, 4},   {1, 1},   {5, 0},   {24, 0}, {44, 0}, {45, 0},
      {64, 0},  {3, 2},   {52, 10}, {53, 10}, {54, 10}, {64, 10}, {63, 1}, {1, 11}, {24, 11},
      {52, 11}, {53, 11}, {64, 11}, {1, 15},  {24, 12}, {49, 15}, {64, 15}};
  for (const format f : formats) {
    std::mt19937_64 random{static_cast<std::uint64_t>(100 * f.p + f.E)};
    const std::size_t count = f.E == 0 && f.p > 12 ? total / 10 : total;
    constexpr std::size_t batch = 20'000;
    for (std::size_t done = 0; done < count; done += batch) {
      expect_the_definition(f, random_doubles(f, std::min(batch, count - done), random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Quantize, EveryOffsetAndLengthGivesTheSame) {
  std::mt19937_64 random{7};
  for (const format f : {format{11, 5}, format{5, 0}, format{24, 12}}) {
    const std::vector<double> in = random_doubles({11, 5}, 64, random);
    std::vector<double> values;
    std::vector<std::uint64_t> codes;
    for (const double x : in) {
      values.push_back(definition::value(f, definition::quantize(f, x)));
      codes.push_back(definition::code(f, definition::quantize(f, x)));
    }
    for (const array_kernels use : both_kernels) {
      for (std::size_t offset = 0; offset < 9; ++offset) {
        for (std::size_t size = 0; size + offset < 30; ++size) {
          const auto part = std::span(in).subspan(offset, size);
          std::vector<double> value_out(40, -1);
          std::vector<std::uint64_t> code_out(40, 1);
          quantize_values(library(f), part, std::span(value_out).subspan(3, size), use);
          quantize_codes(library(f), part, std::span(code_out).subspan(3, size), use);
          for (std::size_t i = 0; i < 40; ++i) {
            const bool inside = i >= 3 && i < 3 + size;
            ASSERT_EQ(value_out[i], inside ? values[offset + i - 3] : -1);
            ASSERT_EQ(code_out[i], inside ? codes[offset + i - 3] : 1);
          }
        }
      }
    }
  }
}

TEST(Quantize, InPlaceGivesTheSame) {
  std::mt19937_64 random{11};
  const format f{8, 8};
  const std::vector<double> in = random_doubles(f, 1001, random);
  for (const array_kernels use : both_kernels) {
    std::vector<double> array = in;
    quantize_values(library(f), array, array, use);
    EXPECT_EQ(array, values_of(f, in));
  }
}

/// Beyond the caches the results are stored past them, from an aligned address on.
TEST(Quantize, LargeArraysAreStoredLikeSmallOnes) {
  constexpr std::size_t size = (std::size_t{33} << 20) / sizeof(double);
  std::mt19937_64 random{13};
  for (const format f : {format{24, 8}, format{5, 0}}) {
    std::vector<double> in(size);
    for (double& x : in) x = std::ldexp(static_cast<double>(random() >> 11), -51) - 2;
    std::vector<double> whole(size + 1);
    std::vector<std::uint64_t> whole_codes(size + 1);
    quantize_values(library(f), in, std::span(whole).subspan(1));
    quantize_codes(library(f), in, std::span(whole_codes).subspan(1));
    for (std::size_t done = 0; done < size; done += size / 8) {
      const auto part = std::span(in).subspan(done, size / 8);
      const std::vector<double> values = values_of(f, part);
      const std::vector<std::uint64_t> codes = codes_of(f, part);
      ASSERT_EQ(std::memcmp(values.data(), &whole[done + 1], part.size_bytes()), 0);
      ASSERT_EQ(std::memcmp(codes.data(), &whole_codes[done + 1], part.size_bytes()), 0);
    }
    in[size - 5] = nan;
    EXPECT_EQ(
        message_of([&] { quantize_values(library(f), in, std::span(whole).subspan(1)); }),
        "quantize_values: element " + std::to_string(size - 5) + " must be a number, got nan");
  }
}

TEST(Quantize, TheFirstNanIsNamedAndNothingIsStoredFromItOn) {
  for (const format f : {format{11, 5}, format{5, 0}, format{60, 0}, format{53, 11}}) {
    for (const array_kernels use : both_kernels) {
      for (std::size_t first = 0; first < 19; ++first) {
        std::vector<double> in(19, 1.5);
        in[first] = first % 2 == 0 ? nan : -nan;
        in.back() = nan;
        std::vector<double> values(19, -7);
        std::vector<std::uint64_t> codes(19, 7);
        EXPECT_EQ(
            message_of([&] { quantize_values(library(f), in, values, use); }),
            "quantize_values: element " + std::to_string(first) + " must be a number, got nan");
        EXPECT_EQ(
            message_of([&] { quantize_codes(library(f), in, codes, use); }),
            "quantize_codes: element " + std::to_string(first) + " must be a number, got nan");
        for (std::size_t i = 0; i < in.size(); ++i) {
          EXPECT_EQ(values[i] == -7, i >= first) << i;
          EXPECT_EQ(codes[i] == 7, i >= first) << i;
        }
      }
    }
  }
}

TEST(Quantize, ValuesOutsideTheRangeOfDoubleAreNamed) {
  constexpr double max = std::numeric_limits<double>::max();
  const std::vector<double> zero{1, 2, 3, 4, 5, 0};
  const std::vector<double> infinite{1, 2, 3, 4, 5, 6, -infinity};
  const std::vector<double> rounded_up(5, max);
  for (const array_kernels use : both_kernels) {
    EXPECT_EQ(message_of([&] {
                values_of({8, 12}, zero, use);
              }),
              "quantize_values: element 5: p8e12 stores 0 outside the range of double");
    EXPECT_EQ(message_of([&] {
                values_of({53, 11}, infinite, use);
              }),
              "quantize_values: element 6: p53e11 stores -inf outside the range of double");
    EXPECT_EQ(message_of([&] {
                values_of({52, 11}, rounded_up, use);
              }),
              "quantize_values: element 0: p52e11 stores 1.7976931348623157e+308 outside the range "
              "of double");
    EXPECT_EQ(values_of({53, 11}, rounded_up, use), rounded_up);
    EXPECT_EQ(values_of({64, 10}, infinite, use).back(), -0x1p513);
  }
}

TEST(Quantize, SpansThatDoNotFitAreRefused) {
  std::vector<double> values(10);
  std::vector<std::uint64_t> codes(9);
  const float_format f{24, 8};
  EXPECT_EQ(message_of([&] { quantize_codes(f, values, codes); }),
            "quantize_codes: out must have the size of in, 10, got 9");
  const std::span<double> all{values};
  EXPECT_EQ(message_of([&] { quantize_values(f, all.first(9), all.last(9)); }),
            "quantize_values: in and out must not overlap in part");
  EXPECT_EQ(message_of([&] { quantize_values(f, all.last(9), all.first(9)); }),
            "quantize_values: in and out must not overlap in part");
  EXPECT_NO_THROW(quantize_values(f, all.first(5), all.last(5)));
  EXPECT_NO_THROW(quantize_values(f, all.first(0), all.first(0)));
}

TEST(Quantize, CodesOfMoreThan64BitsAreRefused) {
  const std::vector<double> in{1};
  EXPECT_EQ(message_of([&] {
              codes_of({53, 12}, in);
            }),
            "quantize_codes: the codes of p53e12 need 65 bits, more than 64");
  EXPECT_EQ(codes_of({49, 15}, in).front(), std::uint64_t{16383} << 48);
}

}  // namespace
