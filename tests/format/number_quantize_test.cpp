#include "ktln2/format/number_quantize.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "format/number_samples.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "message_of.hpp"

namespace {

using ktln2::array_kernels;
using ktln2::number_format;
using ktln2::overflow;
using ktln2::rounding;
using ktln2::storing;
using number_samples::named;

constexpr array_kernels kernels_to_try[] = {array_kernels::fastest, array_kernels::portable};

/// What an array must hold, from the scalar quantizer. Numbers that it refuses are left out.
template <class Real>
struct expectation {
  std::vector<Real> in;
  std::vector<std::uint64_t> codes;
  std::vector<Real> values;

  expectation(const number_format& format, const std::vector<double>& samples,
              const storing& rule) {
    for (const double sample : samples) {
      const auto x = static_cast<Real>(sample);
      try {
        codes.push_back(format.quantize(x, rule));
      } catch (const std::domain_error&) {
        continue;
      }
      in.push_back(x);
      const auto value = format.value(codes.back());
      values.push_back(value ? static_cast<Real>(value->to_double())
                             : std::numeric_limits<Real>::quiet_NaN());
    }
  }
};

template <class Real>
auto bits_of(Real x) {
  if constexpr (std::is_integral_v<Real>) {
    return static_cast<std::uint64_t>(x);
  } else {
    return std::bit_cast<std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>>(x);
  }
}

/// Equal bit by bit, zeros and NaNs too.
template <class Real, class Got, class Expected>
void expect_same(const number_format& format, const std::vector<Real>& in,
                 const std::vector<Got>& got, const std::vector<Expected>& expected) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (bits_of(got[i]) == bits_of(expected[i])) continue;
    std::ostringstream text;
    text << format.name() << ": " << std::hexfloat << in[i] << " became " << std::hex
         << bits_of(got[i]) << ", not " << bits_of(expected[i]) << " (element " << std::dec << i
         << ", " << 8 * sizeof(Got) << " bits)";
    FAIL() << text.str();
  }
}

template <class Code, class Real>
void expect_codes(const number_format& format, const expectation<Real>& expected,
                  const storing& rule, array_kernels use) {
  if (static_cast<std::size_t>(format.width()) > 8 * sizeof(Code)) return;
  std::vector<Code> codes(expected.in.size());
  quantize_codes(format, expected.in, codes, rule, use);
  expect_same(format, expected.in, codes, expected.codes);
}

/// Whether all values fit into what comes out.
template <class Real>
bool has_values(const number_format& format) {
  if (std::is_same_v<Real, double>) {
    return std::isfinite(format.max().to_double()) && format.min_positive().to_double() != 0;
  }
  const std::vector<float> nothing;
  std::vector<float> out;
  return message_of([&] { quantize_values(format, nothing, out); }) == "nothing was thrown";
}

template <class Real>
void expect_the_scalar(const number_format& format, const std::vector<double>& samples,
                       const storing& rule) {
  const expectation<Real> expected{format, samples, rule};
  for (const array_kernels use : kernels_to_try) {
    expect_codes<std::uint64_t>(format, expected, rule, use);
    expect_codes<std::uint16_t>(format, expected, rule, use);
    expect_codes<std::uint8_t>(format, expected, rule, use);
    if (!has_values<Real>(format)) continue;
    std::vector<Real> values(expected.in.size());
    quantize_values(format, expected.in, values, rule, use);
    expect_same(format, expected.in, values, expected.values);
  }
}

void expect_the_scalar(const number_format& format, const std::vector<double>& samples) {
  for (const overflow beyond : format.overflows()) {
    const storing rule{rounding::nearest_even, beyond};
    expect_the_scalar<double>(format, samples, rule);
    expect_the_scalar<float>(format, samples, rule);
  }
}

TEST(number_quantize, is_the_scalar_quantizer_in_every_small_format) {
  for (const std::string& name : number_samples::names_up_to(8)) {
    expect_the_scalar(named(name), number_samples::of(named(name), 500));
    if (HasFailure()) return;
  }
}

TEST(number_quantize, is_the_scalar_quantizer_in_wide_formats) {
  for (const ktln2::number_entry& entry : ktln2::number_catalogue()) {
    const number_format format = named(std::string(entry.name));
    if (format.width() > 8) expect_the_scalar(format, number_samples::of(format, 4000));
    if (HasFailure()) return;
  }
}

/// What no catalogue has: the ends of what the kernels can do, and beyond them.
TEST(number_quantize, is_the_scalar_quantizer_in_odd_formats) {
  for (const char* fields : {"p=5,exponent_bits=4,subnormals=no",
                             "p=5,exponent_bits=4,subnormals=no,zero=one",
                             "p=5,exponent_bits=4,subnormals=no,zero=none",
                             "p=1,exponent_bits=6,nan=top",
                             "p=1,exponent_bits=6,nan=none,bias=30",
                             "p=3,exponent_bits=5,subnormals=no,zero=none,signed=no,nan=top",
                             "p=3,exponent_bits=5,infinity=no",
                             "p=3,exponent_bits=5,infinity=no,nan=top,zero=one",
                             "p=3,exponent_bits=5,nan=none",
                             "p=3,exponent_bits=5,nan=none,zero=one,signed=no,infinity=no",
                             "p=4,exponent_bits=1,nan=none",
                             "p=2,exponent_bits=1",
                             "p=4,exponent_bits=1",
                             "p=8,exponent_bits=8,bias=-760",
                             "p=8,exponent_bits=8,bias=-900",
                             "p=8,exponent_bits=7,bias=1020",
                             "p=8,exponent_bits=7,bias=1023",
                             "p=8,exponent_bits=7,bias=1024",
                             "p=53,exponent_bits=10",
                             "p=54,exponent_bits=8",
                             "p=52,exponent_bits=11",
                             "p=53,exponent_bits=11,infinity=no,nan=none",
                             "p=20,exponent_bits=12",
                             "p=24,exponent_bits=7",
                             "p=23,exponent_bits=8",
                             "p=25,exponent_bits=8",
                             "p=24,exponent_bits=8,infinity=no,nan=none",
                             "p=5,exponent_bits=8,bias=130",
                             "p=5,exponent_bits=7,bias=1"}) {
    const number_format format = named("float:" + std::string(fields));
    expect_the_scalar(format, number_samples::of(format, 2000));
    if (HasFailure()) return;
  }
  for (const char* name : {"binary10p1se", "binary12p5uf", "binary16p11se", "binary16p3sf",
                           "binary16p1se", "binary16p16ue", "binary11p11uf"}) {
    expect_the_scalar(named(name), number_samples::of(named(name), 2000));
    if (HasFailure()) return;
  }
}

TEST(number_quantize, takes_every_rounding) {
  for (const char* name : {"e4m3", "bfloat16", "e8m0", "int8", "binary8p4ue"}) {
    const number_format format = named(name);
    for (const rounding how : format.roundings()) {
      for (const overflow beyond : format.overflows()) {
        expect_the_scalar<double>(format, number_samples::of(format, 100), {how, beyond});
        expect_the_scalar<float>(format, number_samples::of(format, 100), {how, beyond});
      }
    }
  }
}

TEST(number_quantize, every_float_becomes_the_same_through_doubles) {
  const number_format format = named("binary16");
  std::vector<float> in;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 3001) {
    in.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  const std::vector<double> wider(in.begin(), in.end());
  std::vector<std::uint16_t> codes(in.size());
  std::vector<std::uint16_t> expected(in.size());
  quantize_codes(format, in, codes);
  quantize_codes(format, wider, expected);
  EXPECT_EQ(codes, expected);
}

/// Every part of an array, from any address to any other, and nothing around it.
template <class In, class Stored>
void expect_every_part(const number_format& format, const std::vector<double>& samples,
                       const auto& quantize) {
  const std::vector<In> in(samples.begin(), samples.end());
  std::vector<Stored> whole(in.size());
  quantize(format, std::span<const In>(in), std::span<Stored>(whole), array_kernels::portable);
  for (const array_kernels use : kernels_to_try) {
    for (std::size_t size = 0; size <= 80; size = size < 17 ? size + 1 : size + 21) {
      for (std::size_t offset = 0; offset < 9; ++offset) {
        std::vector<Stored> out(100, Stored{77});
        quantize(format, std::span<const In>(in).subspan(offset, size),
                 std::span<Stored>(out).subspan(3 + offset % 5, size), use);
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t at = i - (3 + offset % 5);
          ASSERT_EQ(bits_of(out[i]), bits_of(at < size ? whole[offset + at] : Stored{77}));
        }
      }
    }
  }
}

TEST(number_quantize, every_offset_and_length_gives_the_same) {
  const auto codes = [](const auto& format, auto in, auto out, array_kernels use) {
    quantize_codes(format, in, out, {}, use);
  };
  const auto values = [](const auto& format, auto in, auto out, array_kernels use) {
    quantize_values(format, in, out, {}, use);
  };
  for (const char* name : {"e4m3", "e5m2fnuz", "binary8p3ue"}) {
    const number_format format = named(name);
    const std::vector<double> samples = number_samples::of(format, 100);
    expect_every_part<double, double>(format, samples, values);
    expect_every_part<double, std::uint64_t>(format, samples, codes);
    expect_every_part<double, std::uint16_t>(format, samples, codes);
    expect_every_part<double, std::uint8_t>(format, samples, codes);
    expect_every_part<float, float>(format, samples, values);
    expect_every_part<float, std::uint64_t>(format, samples, codes);
    expect_every_part<float, std::uint16_t>(format, samples, codes);
    expect_every_part<float, std::uint8_t>(format, samples, codes);
  }
}

TEST(number_quantize, in_place_gives_the_same) {
  const number_format format = named("bfloat16");
  const std::vector<double> in = number_samples::of(format, 1001);
  std::vector<double> expected(in.size());
  quantize_values(format, in, expected);
  for (const array_kernels use : kernels_to_try) {
    std::vector<double> array = in;
    quantize_values(format, array, array, {}, use);
    expect_same(format, in, array, expected);
    std::vector<float> floats(in.begin(), in.end());
    const std::vector<float> before = floats;
    std::vector<float> apart(floats.size());
    quantize_values(format, floats, apart, {}, use);
    quantize_values(format, floats, floats, {}, use);
    expect_same(format, before, floats, apart);
  }
}

/// Beyond the caches the results are stored past them, from an aligned address on.
template <class In, class Stored>
void expect_large_as_small(const auto& quantize) {
  constexpr std::size_t size = (std::size_t{33} << 20) / sizeof(Stored);
  std::mt19937_64 random{17};
  std::vector<In> in(size);
  for (std::size_t i = 0; i < size; ++i) {
    in[i] = i < 1 << 20 ? static_cast<In>(std::ldexp(static_cast<double>(random() >> 11), -47) - 30)
                        : in[i - (1 << 20)];
  }
  std::vector<Stored> whole(size + 1);
  quantize(std::span<const In>(in), std::span<Stored>(whole).subspan(1));
  std::vector<Stored> part(std::size_t{1} << 20);
  for (std::size_t done = 0; done < size; done += part.size()) {
    const std::size_t count = std::min(part.size(), size - done);
    quantize(std::span<const In>(in).subspan(done, count), std::span<Stored>(part).first(count));
    ASSERT_EQ(std::memcmp(part.data(), &whole[done + 1], count * sizeof(Stored)), 0);
  }
}

TEST(number_quantize, large_arrays_are_stored_like_small_ones) {
  const number_format format = named("e4m3");
  const auto codes = [&](auto in, auto out) { quantize_codes(format, in, out); };
  const auto values = [&](auto in, auto out) { quantize_values(format, in, out); };
  expect_large_as_small<double, double>(values);
  expect_large_as_small<double, std::uint64_t>(codes);
  expect_large_as_small<double, std::uint16_t>(codes);
  expect_large_as_small<double, std::uint8_t>(codes);
  expect_large_as_small<float, float>(values);
  expect_large_as_small<float, std::uint8_t>(codes);
}

TEST(number_quantize, what_cannot_be_stored_is_named_and_nothing_is_stored_from_it_on) {
  const number_format format = named("e2m1");
  for (const array_kernels use : kernels_to_try) {
    for (std::size_t first = 0; first < 70; first += 3) {
      std::vector<double> in(70, 1.5);
      in[first] = first % 2 == 0 ? ktln2::undefined : -ktln2::undefined;
      std::vector<double> values(in.size(), -7);
      std::vector<std::uint8_t> codes(in.size(), 77);
      const std::string why = ": element " + std::to_string(first) + ": e2m1 has no NaN, got nan";
      EXPECT_EQ(message_of([&] { quantize_values(format, in, values, {}, use); }),
                "quantize_values" + why);
      EXPECT_EQ(message_of([&] { quantize_codes(format, in, codes, {}, use); }),
                "quantize_codes" + why);
      const std::vector<float> floats(in.begin(), in.end());
      std::vector<std::uint8_t> float_codes(in.size(), 77);
      EXPECT_EQ(message_of([&] { quantize_codes(format, floats, float_codes, {}, use); }),
                "quantize_codes" + why);
      for (std::size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(values[i], i < first ? 1.5 : -7);
        EXPECT_EQ(codes[i], i < first ? 3 : 77);
        EXPECT_EQ(float_codes[i], i < first ? 3 : 77);
      }
    }
  }
}

TEST(number_quantize, arrays_and_rules_that_do_not_fit_are_refused) {
  const number_format half = named("binary16");
  std::vector<double> in(4);
  std::vector<double> out(4);
  std::vector<std::uint8_t> bytes(4);
  std::vector<std::uint16_t> words(3);
  EXPECT_EQ(message_of([&] { quantize_codes(half, in, words); }),
            "quantize_codes: out must have the size of in, 4, got 3");
  EXPECT_EQ(message_of([&] { quantize_codes(half, in, bytes); }),
            "quantize_codes: the codes of binary16 need 16 bits, more than 8");
  EXPECT_EQ(message_of([&] {
              quantize_values(half, in, out, storing{rounding::up, overflow::to_nan});
            }),
            "binary16 has no overflow 'nan': expected saturate, infinity");
  EXPECT_EQ(
      message_of([&] {
        quantize_values(half, in, out, storing{rounding::up, overflow::saturate, ktln2::chance{}});
      }),
      "binary16: rounding 'stochastic' needs random bits, got none");
  const std::span<double> all{in};
  EXPECT_EQ(message_of([&] { quantize_values(half, all.first(3), all.last(3)); }),
            "quantize_values: in and out must not overlap in part");
  const std::span same{reinterpret_cast<std::uint8_t*>(in.data()), 4};
  EXPECT_EQ(message_of([&] { quantize_codes(named("e4m3"), in, same); }),
            "quantize_codes: in and out must not overlap");
  std::vector<float> floats(4);
  EXPECT_EQ(message_of([&] { quantize_values(named("int32"), floats, floats); }),
            "quantize_values: not every value of int32 is a float: expected an array of doubles");
  EXPECT_NO_THROW(quantize_values(named("int16"), floats, floats));
  EXPECT_NO_THROW(quantize_values(named("binary32"), floats, floats));
  EXPECT_THROW(quantize_values(named("float:p=25,exponent_bits=8"), floats, floats),
               std::domain_error);
  EXPECT_THROW(quantize_values(named("float:p=24,exponent_bits=8,bias=128"), floats, floats),
               std::domain_error);
  in[2] = ktln2::infinity;
  EXPECT_EQ(message_of([&] {
              quantize_values(named("float:p=8,exponent_bits=12"), in, out,
                              storing{rounding::nearest_even, overflow::saturate});
            }),
            "quantize_values: element 2: code 524159 of float:p=8,exponent_bits=12 is outside the "
            "range of double");
}

TEST(number_decode, reads_every_code) {
  for (const char* name : {"e4m3", "e2m1", "binary16", "e8m0", "posit8", "int8", "binary8p3ue"}) {
    const number_format format = named(name);
    std::vector<std::uint64_t> codes;
    std::vector<double> expected;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << format.width(); ++code) {
      codes.push_back(code);
      const auto value = format.value(code);
      expected.push_back(value ? value->to_double() : ktln2::undefined);
    }
    const auto check = [&](auto narrow, std::size_t count) {  // a few, and all by a table
      const std::vector<decltype(narrow)> in(codes.begin(),
                                             codes.begin() + static_cast<std::ptrdiff_t>(count));
      std::vector<double> out(count);
      decode(format, in, out);
      expect_same(format, in, out, expected);
    };
    for (const std::size_t count : {codes.size(), codes.size() - 1}) {
      check(std::uint64_t{}, count);
      check(std::uint16_t{}, count);
      if (format.width() <= 8) check(std::uint8_t{}, count);
    }
  }
}

TEST(number_decode, names_what_is_no_code) {
  std::vector<double> out(3, 7);
  EXPECT_EQ(message_of([&] {
              decode(named("e2m1"), std::vector<std::uint8_t>{1, 16, 2}, out);
            }),
            "decode: element 1: a code of e2m1 has 4 bits, got 16");
  EXPECT_EQ(out, (std::vector<double>{0.5, 7, 7}));
  EXPECT_EQ(
      message_of([&] {
        decode(named("float:p=8,exponent_bits=12"), std::vector<std::uint64_t>{0, 1, 2}, out);
      }),
      "decode: element 1: code 1 of float:p=8,exponent_bits=12 is outside the range of double");
}

// What well-known libraries fell into.

/// Through a float, a number is rounded twice: to a tie, and then to the wrong side of it, in one
/// of 2^(25 - p) cases.
TEST(number_quantize, straight_from_the_double_is_not_through_a_float) {
  constexpr std::size_t count = 10'000'000;
  std::mt19937_64 random{19};
  std::vector<double> in(count);
  for (double& x : in) x = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
  const std::vector<float> through(in.begin(), in.end());
  const auto differences = [&](const char* name) {
    std::vector<std::uint16_t> once(count);
    std::vector<std::uint16_t> twice(count);
    quantize_codes(named(name), in, once);
    quantize_codes(named(name), through, twice);
    double differ = 0;
    for (std::size_t i = 0; i < count; ++i) differ += once[i] != twice[i] ? 1 : 0;
    return differ;
  };
  EXPECT_NEAR(differences("bfloat16"), 76.3, 4 * std::sqrt(76.3));
  EXPECT_NEAR(differences("binary16"), 610.4, 4 * std::sqrt(610.4));
}

TEST(number_quantize, traps_of_others) {
  const auto values = [](const char* name, const std::vector<double>& in, overflow beyond) {
    std::vector<double> out(in.size());
    quantize_values(named(name), in, out, storing{rounding::nearest_even, beyond});
    return out;
  };
  // Enough of each to fill a vector.
  EXPECT_EQ(values("e4m3", std::vector<double>(9, 470), overflow::saturate),
            std::vector<double>(9, 448));
  EXPECT_EQ(values("e4m3", std::vector<double>(9, -464), overflow::to_nan),
            std::vector<double>(9, -448));
  for (const double x : values("e4m3", std::vector<double>(9, 464.01), overflow::to_nan)) {
    EXPECT_TRUE(std::isnan(x));
  }
  // Ties go to the even code, whose exponent is odd; nothing but that is rounded up at the end.
  EXPECT_EQ(values("e8m0", {0x1p-127, 1.25 * 0x1p-127, 1.5 * 0x1p-127, 1.51 * 0x1p-127},
                   overflow::saturate),
            (std::vector<double>{0x1p-127, 0x1p-127, 0x1p-127, 0x1p-126}));
  EXPECT_EQ(values("e8m0", {1.5 * 0x1p-126, 1.5 * 0x1p-125, 1.5, 3, 6}, overflow::saturate),
            (std::vector<double>{0x1p-125, 0x1p-125, 2, 2, 8}));
  EXPECT_EQ(values("binary16", std::vector<double>(5, 65519.99), overflow::to_infinity),
            std::vector<double>(5, 65504));
  EXPECT_EQ(values("binary16", std::vector<double>(5, 65520), overflow::to_infinity),
            std::vector<double>(5, ktln2::infinity));
}

}  // namespace
