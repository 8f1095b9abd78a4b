// The quantizers, for one number and for arrays, against MPFR: every code and every edge of the
// small formats, and random doubles in all of them, under all roundings and overflow rules.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <sstream>
#include <vector>

#include "format/mpfr_quantizer.hpp"
#include "format/number_samples.hpp"
#include "ktln2/format/number_quantize.hpp"

namespace {

using ktln2::number_format;
using ktln2::overflow;
using ktln2::rounding;
using ktln2::storing;
using mpfr_oracle::layout;

std::vector<layout> layouts() {
  std::vector<layout> all = mpfr_oracle::well_known();
  for (int k = 3; k <= 8; ++k) {
    for (int p = 1; p <= k; ++p) {
      for (const bool is_signed : {true, false}) {
        if (is_signed && p == k) continue;
        for (const bool extended : {true, false}) {
          all.push_back(mpfr_oracle::p3109(k, p, is_signed, extended));
        }
      }
    }
  }
  all.push_back(mpfr_oracle::p3109(12, 5, false, false));
  all.push_back(mpfr_oracle::p3109(16, 11, true, true));
  // binary3p2se has no number but zero, and others as small not even that.
  std::erase_if(
      all, [](const layout& f) { return mpfr_oracle::quantizer(f).largest() - 1 > 1ULL << 62; });
  return all;
}

/// The code of every number under one rule, by the library and by MPFR.
void expect_mpfrs(mpfr_oracle::quantizer& oracle, const number_format& format,
                  const std::vector<double>& in, rounding how, overflow beyond) {
  const storing rule{how, beyond};
  std::vector<std::uint64_t> array(in.size());
  quantize_codes(format, in, array, rule);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint64_t expected = oracle.quantize(in[i], how, beyond);
    // Only for this rounding arrays have a road of their own.
    const std::uint64_t alone =
        how == rounding::nearest_even ? format.quantize(in[i], rule) : array[i];
    if (alone == expected && array[i] == expected) continue;
    std::ostringstream text;
    text << format.name() << ", " << name_of(how) << ", " << name_of(beyond) << ": "
         << std::hexfloat << in[i] << " is " << std::hex << alone << ", in an array " << array[i]
         << ", by MPFR " << expected;
    FAIL() << text.str();
  }
}

void expect_mpfrs(mpfr_oracle::quantizer& oracle, const number_format& format,
                  std::vector<double> in) {
  std::erase_if(in, [&](double x) { return std::isnan(x) && !format.nan_code(); });
  for (const rounding how : format.roundings()) {
    for (const overflow beyond : format.overflows()) {
      expect_mpfrs(oracle, format, in, how, beyond);
    }
  }
}

/// What every code stands for, and that it is stored as itself.
void expect_mpfrs_codes(mpfr_oracle::quantizer& oracle, const number_format& format) {
  std::vector<std::uint16_t> codes;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << format.width(); ++code) {
    codes.push_back(static_cast<std::uint16_t>(code));
  }
  std::vector<double> values(codes.size());
  decode(format, codes, values);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double expected = oracle.decode(codes[i]);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(expected))
        << format.name() << " " << codes[i];
    if (!std::isfinite(expected)) continue;
    for (const rounding how : format.roundings()) {
      ASSERT_EQ(format.quantize(expected, {how, format.usual().beyond}), codes[i])
          << format.name() << " " << name_of(how);
    }
  }
}

void expect_mpfrs_edges(mpfr_oracle::quantizer& oracle, const number_format& format) {
  std::vector<double> in;
  for (std::uint64_t m = 0; m <= oracle.largest() + 1; ++m) {
    number_samples::add_with_neighbors(in, oracle.edge_above(m));
    if (m <= oracle.largest()) number_samples::add_with_neighbors(in, oracle.decode(m));
  }
  expect_mpfrs(oracle, format, in);
}

/// So many random numbers, spread over all formats, each under every rule that its format has.
void expect_mpfrs_random(std::size_t count) {
  const std::vector<layout> all = layouts();
  std::mt19937_64 random{23};
  constexpr std::size_t batch = 100;
  for (std::size_t done = 0; done < count; done += batch) {
    const layout& f = all[done / batch % all.size()];
    mpfr_oracle::quantizer oracle{f};
    const number_format format = number_samples::named(f.name);
    std::vector<double> in(batch);
    for (double& x : in) x = number_samples::random_number(format, random);
    expect_mpfrs(oracle, format, in);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(mpfr, agrees_on_every_code_and_edge_of_small_formats) {
  for (const layout& f : layouts()) {
    if (f.width() > 8) continue;
    mpfr_oracle::quantizer oracle{f};
    const number_format format = number_samples::named(f.name);
    ASSERT_EQ(format.width(), f.width());
    expect_mpfrs_codes(oracle, format);
    expect_mpfrs_edges(oracle, format);
    if (HasFailure()) return;
  }
}

TEST(mpfr, agrees_on_the_ends_of_wide_formats) {
  for (const layout& f : layouts()) {
    if (f.width() <= 8) continue;
    mpfr_oracle::quantizer oracle{f};
    const number_format format = number_samples::named(f.name);
    ASSERT_EQ(format.width(), f.width());
    expect_mpfrs(oracle, format, number_samples::of(format, 100));
    if (HasFailure()) return;
  }
}

TEST(mpfr, agrees_on_random_doubles) { expect_mpfrs_random(20'000); }

TEST(mpfr_campaign, agrees_on_every_code_and_edge_up_to_16_bits) {
  for (const layout& f : layouts()) {
    if (f.width() <= 8 || f.width() > 16) continue;
    mpfr_oracle::quantizer oracle{f};
    const number_format format = number_samples::named(f.name);
    expect_mpfrs_codes(oracle, format);
    expect_mpfrs_edges(oracle, format);
    if (HasFailure()) return;
  }
}

/// KTLN2_MPFR_CASES=10000000 tries so many, under 10 rules each, and takes some minutes.
TEST(mpfr_campaign, agrees_on_a_million_random_doubles) {
  const char* asked = std::getenv("KTLN2_MPFR_CASES");
  const std::size_t cases = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 1'000'000;
  ASSERT_GT(cases, 0U) << "KTLN2_MPFR_CASES must be a positive number, got " << asked;
  expect_mpfrs_random(cases);
}

}  // namespace
