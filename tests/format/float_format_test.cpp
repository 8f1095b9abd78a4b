#include "ktln2/format/float_format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "format/definition.hpp"
#include "ktln2/format/partition.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using ktln2::infinity;

using definition::format;
using ktln2::float_format;
using ktln2::register_code;
using ktln2::register_fields;
using ktln2::wide;

float_format library(format f) { return {f.p, f.E}; }

register_fields fields_of(format f, const definition::stored& y) {
  return {y.s, static_cast<std::uint32_t>(f.E == 0 ? 0 : y.e - f.e_min()), y.m};
}

void expect_the_definition(format f, const std::vector<double>& in) {
  const float_format judged = library(f);
  for (const double x : in) {
    const definition::stored y = definition::quantize(f, x);
    const register_fields got = judged.quantize(x);
    ASSERT_TRUE(got == fields_of(f, y))
        << std::hexfloat << f.name() << " x = " << x << ": exponent " << got.exponent
        << ", mantissa " << got.mantissa << ", not " << fields_of(f, y).exponent << ", " << y.m;
    ASSERT_EQ(static_cast<std::uint64_t>(judged.encode(got)), definition::code(f, y));
  }
}

TEST(FloatFormat, EqSemFpHoldsOnEveryPointAndMidpointOfSmallFormats) {
  for (const format f : definition::formats_up_to(12)) {
    expect_the_definition(f, definition::points_and_midpoints(f));
    if (HasFatalFailure()) return;
  }
}

TEST(FloatFormat, EqSemFpHoldsOnTheExtremesOfEveryFormat) {
  for (int p = 1; p <= 64; ++p) {
    for (int E = 0; E <= 15; ++E) {
      expect_the_definition({p, E}, definition::extremes());
      if (HasFatalFailure()) return;
    }
  }
}

/// Doubles within 1e-15 of a spacing of an irrational midpoint.
TEST(FloatFormat, EqSemFpHoldsWhereTheSingleLevelIsHardest) {
  expect_the_definition({4, 0}, {0x1.04371d9ab72fbp+1, -0x1.adebc19b71703p+0});
  expect_the_definition({12, 0}, {0x1.038d68f6b6757p+1, 0x1.e06402ea0f3a9p+0});
  expect_the_definition({24, 0}, {0x1.8881de2ca4ad4p+0, 0x1.c5c84aa379538p+0});
  expect_the_definition({53, 0}, {0x1.679689e5c049fp+1, 0x1.b65202a2d38dcp+0});
  expect_the_definition({64, 0}, {0x1.76f8296544d1cp+0, 0x1.9327b6a50a41bp+0, 0x1.50f7d419bbbb2p+1,
                                  -0x1.100abc71f2b8bp+1, 0x1.2c3a49b1b828ap+1});
}

TEST(FloatFormat, EqSemFpHoldsOnRandomBitPatterns) {
  std::mt19937_64 random{3};
  for (const format f : {format{24, 8}, format{1, 3}, format{53, 11}, format{64, 15},
                         format{30, 13}, format{54, 10}, format{20, 0}, format{64, 0}}) {
    std::vector<double> in;
    while (in.size() < 2000) {
      const std::uint64_t bits = random();
      double x = 0;
      std::memcpy(&x, &bits, sizeof x);
      if (!std::isnan(x)) in.push_back(x);
      in.push_back(std::ldexp(static_cast<double>(bits), -static_cast<int>(random() % 64)));
    }
    expect_the_definition(f, in);
  }
}

TEST(FloatFormat, EqSemFpIsUndefinedForNan) {
  EXPECT_THROW(static_cast<void>(library({24, 8}).quantize(std::nan(""))), std::domain_error);
}

TEST(FloatFormat, EveryCodeIsStoredAsItself) {
  for (const format f : definition::formats_up_to(12)) {
    const float_format judged = library(f);
    for (register_code code = 0; code < judged.size(); ++code) {
      const register_fields fields = judged.decode(code);
      ASSERT_TRUE(judged.encode(fields) == code);
      const definition::stored y{fields.negative,
                                 f.E == 0 ? 0 : f.e_min() + static_cast<int>(fields.exponent),
                                 fields.mantissa};
      const double value = definition::value(f, y);
      ASSERT_EQ(judged.value(fields).to_double(), value);
      if (std::isfinite(value)) {
        ASSERT_TRUE(judged.quantize(value) == fields);
      }
    }
    EXPECT_THROW(static_cast<void>(judged.decode(judged.size())), std::domain_error);
  }
}

/// The widest code has 79 bits.
TEST(FloatFormat, LargeCodesKeepTheirFields) {
  const float_format widest{64, 15};
  const register_fields fields{true, 0x5a5a, 0x7edcba9876543210};
  const register_code code = widest.encode(fields);
  EXPECT_TRUE(code >> 63 == (register_code{1} << 15) + 0x5a5a);
  EXPECT_TRUE(widest.decode(code) == fields);
  EXPECT_TRUE(widest.value(fields) == -wide::from_integer(0xfedcba9876543210, 0x5a5a - 16383 - 63));
  EXPECT_TRUE(widest.size() == register_code{1} << 79);
  EXPECT_THROW(static_cast<void>(widest.decode(widest.size())), std::domain_error);
}

/// u_1 < u_2 < … < u_K of [cor:gauss_fp_ent], and the runs list the same numbers.
TEST(FloatFormat, CorGaussFpEntRunsListTheValuesInAscendingOrder) {
  for (const format f : definition::formats_up_to(11)) {
    const float_format judged = library(f);
    register_code i = 0;
    for (std::size_t r = 0; r < judged.run_count(); ++r) {
      const ktln2::lattice_run run = judged.run(r);
      ASSERT_EQ(run.count, f.mantissas());
      for (std::uint64_t k = 0; k < run.count; ++k) {
        ++i;
        const wide u = judged.value_at(i);
        // With E = 0 both are rounded, to 2^-104 of themselves.
        const wide slack = f.E == 0 ? abs(u).scaled(-103) : wide(0.0);
        ASSERT_TRUE(abs(run.value(k) - u) <= slack) << f.name() << " run " << r << ", " << k;
        if (i > 1) {
          ASSERT_TRUE(judged.value_at(i - 1) < u) << f.name();
        }
      }
    }
    EXPECT_TRUE(i == judged.size());
    const wide slack = f.E == 0 ? wide(0x1p-102) : wide(0.0);
    EXPECT_TRUE(abs(judged.value_at(1) + judged.max()) <= slack);
    EXPECT_TRUE(abs(judged.value_at(i) - judged.max()) <= slack);
    EXPECT_TRUE(abs(judged.value_at(i / 2 + 1) - judged.min_positive()) <= slack);
    EXPECT_THROW(static_cast<void>(judged.value_at(0)), std::domain_error);
    EXPECT_THROW(static_cast<void>(judged.value_at(i + 1)), std::domain_error);
  }
}

TEST(FloatFormat, InfinityIsClippedToTheLargestValue) {
  for (const format f : {format{1, 0}, format{64, 0}, format{24, 8}, format{64, 15}}) {
    const float_format judged = library(f);
    EXPECT_TRUE(judged.value(judged.quantize(infinity)) == judged.max());
    EXPECT_TRUE(judged.value(judged.quantize(-infinity)) == -judged.max());
  }
}

TEST(FloatFormat, NamesAreReadAndWritten) {
  EXPECT_EQ(float_format::parse("P24E8").name(), "p24e8");
  for (const char* name : {"p24e8", "p1e0", "p64e15", "p10e10"}) {
    EXPECT_EQ(float_format::parse(name).name(), name);
  }
  for (const char* name :
       {"", "p", "e8", "p24", "p24e", "p24e8 ", " p24e8", "24p8e", "p24e8x", "p024e8", "p24e08",
        "p-1e8", "p+1e8", "p24e-8", "p1e999", "p999e1", "p2.5e8", "binary32"}) {
    EXPECT_EQ(message_of([&] { float_format::parse(name); }),
              "unknown format '" + std::string(name) +
                  "': expected p<P>e<E> with P from 1 to 64 and E from 0 to 15, such as p24e8");
  }
  EXPECT_EQ(message_of([] { float_format::parse("p0e8"); }),
            "format: p must be from 1 to 64, got 0");
  EXPECT_EQ(message_of([] { float_format::parse("p65e8"); }),
            "format: p must be from 1 to 64, got 65");
  EXPECT_EQ(message_of([] { float_format(24, 16); }), "format: E must be from 0 to 15, got 16");
  EXPECT_EQ(message_of([] { float_format(24, -1); }), "format: E must be from 0 to 15, got -1");
}

// The reference values, computed independently of this library.

double number(const nlohmann::json& entry) {
  return std::strtod(entry.at("value").get<std::string>().c_str(), nullptr);
}

/// "31/16" or "-31" or "0.5"
double ratio(const std::string& text) {
  const std::size_t slash = text.find('/');
  const double numerator = std::strtod(text.c_str(), nullptr);
  return slash == std::string::npos ? numerator
                                    : numerator / std::strtod(text.c_str() + slash + 1, nullptr);
}

/// "-9007199254740991*2^-52" or "sqrt(2)*(-31/16)"
wide exact(const std::string& text) {
  const std::string root = "sqrt(2)*(";
  if (text.starts_with(root)) {
    return wide{0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0} * ratio(text.substr(root.size()));
  }
  const std::size_t power = text.find("*2^");
  return wide(std::strtod(text.c_str(), nullptr)).scaled(std::atoi(text.c_str() + power + 3));
}

/// The index of u_i, which may be 2^64: JSON has it as a double then.
register_code index_of(const nlohmann::json& i) {
  return i.is_number_unsigned() ? register_code{i.get<std::uint64_t>()}
                                : static_cast<register_code>(i.get<double>());
}

void check_quantized(const float_format& f, const nlohmann::json& entry) {
  const nlohmann::json& params = entry.at("params");
  const double x = ratio(params.at("x").get<std::string>());
  const register_fields got = f.quantize(x);
  EXPECT_EQ(got.negative, params.at("s").get<int>() == 1);
  EXPECT_EQ(f.emin() + got.exponent, ratio(params.at("e").get<std::string>()));
  EXPECT_EQ(std::ldexp(static_cast<double>(got.mantissa), 1 - f.p()),
            ratio(params.at("m").get<std::string>()));
  EXPECT_EQ(f.value(got).to_double(), number(entry));
}

TEST(FloatFormat, EveryReferenceValueIsMet) {
  std::set<std::string> kinds;
  for (const nlohmann::json& entry : reference_file("formats.json")) {
    const auto id = entry.at("id").get<std::string>();
    SCOPED_TRACE(id);
    const nlohmann::json& params = entry.at("params");
    const float_format f{params.at("p").get<int>(), params.at("E").get<int>()};
    const std::string kind = id.substr(2, id.find('.', 2) - 2);
    kinds.insert(kind);
    if (kind == "emin") {
      EXPECT_EQ(f.emin(), number(entry));
    } else if (kind == "emax") {
      EXPECT_EQ(f.emax(), number(entry));
    } else if (kind == "K") {
      EXPECT_EQ(static_cast<double>(f.size()), number(entry));
    } else if (kind == "a0") {
      EXPECT_EQ(bin_size(f, 0.0), number(entry));
    } else if (kind == "Uedge") {
      EXPECT_EQ(f.granular_edge().to_double(), number(entry));
    } else if (kind == "u") {
      const wide u = f.value_at(index_of(params.at("i")));
      EXPECT_TRUE(u == exact(params.at("exact").get<std::string>()));
      EXPECT_EQ(u.to_double(), number(entry));  // both infinite beyond the range of double
    } else if (kind == "quant") {
      check_quantized(f, entry);
    } else {
      FAIL() << "what is " << kind << "?";
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"K", "Uedge", "a0", "emax", "emin", "quant", "u"}));
}

}  // namespace
