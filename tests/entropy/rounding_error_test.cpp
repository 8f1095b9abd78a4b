// How far stored numbers are off: against plain integrals from cell to cell, found by asking the
// quantizer, against numbers that are drawn, and against the leading order of narrow cells.
#include "ktln2/entropy/rounding_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/quantizer.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace {

using ktln2::bounded;
using ktln2::number_format;
using ktln2::rounding_errors;

constexpr double infinity = std::numeric_limits<double>::infinity();

double panel(const std::function<double(double)>& f, double a, double b) {
  const auto& rule = ktln2::gauss_legendre<16>();
  double mean = 0;
  for (std::size_t k = 0; k < 16; ++k) {
    mean += rule.weight[k] * f(a + (b - a) / 2 * (1 + rule.node[k]));
  }
  return (b - a) * mean;
}

double integral(const std::function<double(double)>& f, double a, double b, int depth = 12) {
  const double middle = a + (b - a) / 2;
  const double whole = panel(f, a, b);
  const double halves = panel(f, a, middle) + panel(f, middle, b);
  if (depth == 0 || std::fabs(whole - halves) <= 1e-13 * std::fabs(halves) + 1e-22) return halves;
  return integral(f, a, middle, depth - 1) + integral(f, middle, b, depth - 1);
}

/// What a number is stored as; infinite or NaN if it is none any more.
using quantizer = std::function<double(double)>;

/// The place between a and b where what is stored changes.
double edge_between(const quantizer& stored, double a, double b) {
  const double left = stored(a);
  for (int i = 0; i < 2000 && std::nextafter(a, b) < b; ++i) {
    const double middle = a + (b - a) / 2;
    (stored(middle) == left ? a : b) = middle;
  }
  return b;
}

struct plain_errors {
  double square = 0;
  double relative = 0;
};

/// From value to value, of a law whose mass lies between -far and far.
plain_errors by_integrals(const std::vector<double>& values, const quantizer& stored,
                          const ktln2::law& x, double far) {
  std::vector<double> cuts{-far, 0, 1, 3, far};  // some laws jump at 1 and 3
  for (std::size_t i = 0; i < values.size(); ++i) {
    cuts.push_back(values[i]);
    cuts.push_back(values[i] / 2);  // the relative error may come to 1
    if (i > 0) cuts.push_back(edge_between(stored, values[i - 1], values[i]));
  }
  for (const double end : {-far, far}) {
    const double last = end < 0 ? values.front() : values.back();
    if (std::fabs(end) > std::fabs(last) && !(stored(end) == last)) {
      cuts.push_back(edge_between(stored, std::min(last, end), std::max(last, end)));
    }
  }
  for (const double q : {0.0, 0.5, 1.0}) cuts.push_back(quantile(x, q));
  std::sort(cuts.begin(), cuts.end());
  plain_errors sum;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const double a = std::max(cuts[i - 1], -far);
    const double b = std::min(cuts[i], far);
    if (!(a < b)) continue;
    const double value = stored(a + (b - a) / 2);
    const auto square = [&](double z) { return pdf(x, z) * (z - value) * (z - value); };
    const auto relative = [&](double z) {
      const double off = std::fabs(z - value) / std::fabs(z);
      return pdf(x, z) * (off < 1 ? off : 1);
    };
    sum.square += integral(square, a, b);
    sum.relative += integral(relative, a, b);
  }
  return sum;
}

std::vector<double> values_of(const number_format& format) {
  std::vector<double> all;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << format.width(); ++code) {
    const auto value = format.value(code);
    if (value && !value->is_infinite()) all.push_back(value->to_double());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

quantizer stored_in(const number_format& format, ktln2::overflow beyond) {
  return [format, beyond](double x) {
    const auto value = format.value(format.quantize(x, {ktln2::rounding::nearest_even, beyond}));
    return value ? value->to_double() : infinity;
  };
}

void expect_near(const bounded<double>& got, double expected, double share) {
  EXPECT_NEAR(got.value, expected, got.error + share * expected + 1e-15);
  EXPECT_LE(got.error, 1e-7 * got.value + 1e-25);
}

struct law_within {
  const char* text;
  double far;
};
constexpr law_within rounded_laws[] = {
    {"normal", 40},
    {"normal:mu=0.3,sigma=2", 80},
    {"normal:mu=2.5,sigma=0.01", 4},
    {"laplace:scale=0.02", 1.5},
    {"logistic:loc=1", 60},
    {"uniform:low=-0.3,high=1.7", 2},
    {"exponential:scale=2", 100},
    {"mixture:0.5@normal:sigma=0.1/0.5@uniform:low=1,high=3", 10}};

TEST(rounding_error, is_that_of_every_number_in_small_formats) {
  for (const char* name : {"e2m1", "e3m2", "e4m3", "e5m2", "e4m3fnuz", "binary8p4se", "binary8p3ue",
                           "posit8", "int8", "q3.4", "e8m0"}) {
    const number_format format = ktln2::find_number_format(name).value();
    const auto values = values_of(format);
    for (const law_within& one : rounded_laws) {
      SCOPED_TRACE(std::string(name) + " " + one.text);
      const ktln2::law x = ktln2::parse_law(one.text);
      const auto beyond = ktln2::overflow::saturate;
      const rounding_errors got = rounding_errors_of(format, beyond, x);
      const auto expected = by_integrals(values, stored_in(format, beyond), x, one.far);
      ASSERT_TRUE(got.mean_square);
      expect_near(*got.mean_square, expected.square, 1e-10);
      expect_near(got.relative, expected.relative, 1e-10);
    }
  }
}

TEST(rounding_error, is_that_of_every_number_in_the_papers_formats) {
  for (const ktln2::float_format& format :
       {ktln2::float_format{3, 2}, ktln2::float_format{1, 3}, ktln2::float_format{5, 0},
        ktln2::float_format{4, 4}, ktln2::float_format{8, 4}}) {
    std::vector<double> values;
    for (ktln2::register_code i = 1; i <= format.size(); ++i) {
      values.push_back(format.value_at(i).to_double());
    }
    const auto stored = [&](double x) { return format.value(format.quantize(x)).to_double(); };
    for (const law_within& one : rounded_laws) {
      SCOPED_TRACE(format.name() + " " + one.text);
      const ktln2::law x = ktln2::parse_law(one.text);
      const rounding_errors got = rounding_errors_of(format, x);
      const auto expected = by_integrals(values, stored, x, one.far);
      ASSERT_TRUE(got.mean_square);
      expect_near(*got.mean_square, expected.square, 1e-10);
      expect_near(got.relative, expected.relative, 1e-10);
    }
  }
}

TEST(rounding_error, counts_what_overflows_as_lost) {
  const std::pair<const char*, ktln2::overflow> rules[] = {{"e5m2", ktln2::overflow::to_infinity},
                                                           {"e4m3", ktln2::overflow::to_nan}};
  for (const auto& [name, beyond] : rules) {
    SCOPED_TRACE(name);
    const number_format format = ktln2::find_number_format(name).value();
    const double wide = format.max().to_double();
    const ktln2::law x = ktln2::normal(0, wide / 2);
    const rounding_errors got = rounding_errors_of(format, beyond, x);
    EXPECT_FALSE(got.mean_square) << "infinite";
    const auto expected = by_integrals(values_of(format), stored_in(format, beyond), x, 20 * wide);
    expect_near(got.relative, expected.relative, 1e-10);
    // Nothing is too large.
    EXPECT_TRUE(rounding_errors_of(format, beyond, ktln2::parse_law("normal")).mean_square);
  }
}

TEST(rounding_error, exists_for_heavy_tails_only_where_the_deviation_does) {
  const ktln2::float_format format{8, 4};
  EXPECT_FALSE(rounding_errors_of(format, ktln2::parse_law("student:dof=2")).mean_square);
  EXPECT_FALSE(rounding_errors_of(format, ktln2::parse_law("student:dof=0.05")).mean_square);
  for (const char* text : {"student:dof=0.05", "student:dof=1", "student:dof=2"}) {
    const bounded<double> relative = rounding_errors_of(format, ktln2::parse_law(text)).relative;
    EXPECT_GT(relative.value, 0) << text;
    EXPECT_LT(relative.value, 1) << text;
  }
  // Clipping at 511: ∫ (x - 511)² f beyond it is nearly all.
  const ktln2::law x = ktln2::parse_law("student:dof=2.5,scale=10");
  const bounded<double> square = rounding_errors_of(format, x).mean_square.value();
  std::vector<double> values;
  for (ktln2::register_code i = 1; i <= format.size(); ++i) {
    values.push_back(format.value_at(i).to_double());
  }
  const bounded<double> other = mean_square_error(ktln2::codebook(values), x);
  EXPECT_NEAR(square.value, other.value, 1e-9 * other.value);
}

/// A codebook's loss is summed value by value.
TEST(rounding_error, is_that_of_a_codebook_of_the_same_values) {
  for (const char* name : {"binary12p7se", "posit10", "e5m2", "q3.4"}) {
    const auto known = ktln2::find_number_format(name);
    const number_format format = known ? *known : number_format::posit(name, 10);
    if (format.kind() == number_format::family::posit) continue;  // edges are not midway
    const ktln2::codebook code(values_of(format));
    for (const char* text : {"normal", "normal:mu=0.3,sigma=2", "laplace:scale=0.02",
                             "student:dof=5", "lognormal", "relu:normal"}) {
      SCOPED_TRACE(std::string(name) + " " + text);
      const ktln2::law x = ktln2::parse_law(text);
      const auto got = rounding_errors_of(format, ktln2::overflow::saturate, x).mean_square;
      const bounded<double> other = mean_square_error(code, x);
      ASSERT_TRUE(got);
      EXPECT_NEAR(got->value, other.value, got->error + other.error + 1e-13 * other.value);
    }
  }
}

/// Σ P s²/12 and Σ s/4 ∫ f/|x| over binades, s the spacing: relative corrections are s² or so.
TEST(rounding_error, of_narrow_cells_is_that_of_their_width) {
  const ktln2::law x = ktln2::parse_law("normal");
  for (const char* name : {"binary32", "binary64", "tf32"}) {
    const number_format format = ktln2::find_number_format(name).value();
    double square = 0;
    double relative = 0;
    for (int e = -120; e < 6; ++e) {
      const double s = std::ldexp(1.0, e - format.fields().p + 1);
      const double a = std::ldexp(1.0, e);
      square += 2 * (ccdf(x, a) - ccdf(x, 2 * a)) * s * s / 12;
      relative += 2 * integral([&](double z) { return pdf(x, z) / z; }, a, 2 * a) * s / 4;
    }
    const rounding_errors got = rounding_errors_of(format, format.usual().beyond, x);
    const double allowed = std::ldexp(4.0, -format.fields().p);  // the first cell of a binade
    EXPECT_NEAR(got.mean_square.value().value / square, 1, allowed + 1e-9) << name;
    EXPECT_NEAR(got.relative.value / relative, 1, allowed + 1e-9) << name;
    EXPECT_LE(got.relative.error, 1e-8 * got.relative.value);
    EXPECT_LE(got.mean_square->error, 1e-8 * got.mean_square->value);
  }
}

TEST(rounding_error, is_seen_in_numbers_that_are_drawn) {
  const ktln2::law x = ktln2::parse_law("normal:mu=0.2,sigma=3");
  std::mt19937_64 random(7);
  std::normal_distribution<double> draw(0.2, 3);
  constexpr int count = 1000000;
  double square = 0;
  double relative = 0;
  for (int i = 0; i < count; ++i) {
    const double one = draw(random);
    const double off = one - static_cast<double>(static_cast<float>(one));
    square += off * off / count;
    relative += std::fabs(off / one) / count;
  }
  const number_format format = ktln2::find_number_format("binary32").value();
  const rounding_errors got = rounding_errors_of(format, format.usual().beyond, x);
  EXPECT_NEAR(got.mean_square->value / square, 1, 0.01);
  EXPECT_NEAR(got.relative.value / relative, 1, 0.005);
}

TEST(rounding_error, does_not_depend_on_the_unit) {
  const rounding_errors here = rounding_errors_of({24, 11}, ktln2::parse_law("laplace"));
  const rounding_errors there = rounding_errors_of(
      {24, 11}, ktln2::parse_law("laplace:scale=1267650600228229401496703205376"));
  EXPECT_DOUBLE_EQ(there.mean_square->value, here.mean_square->value * 0x1p200);
  EXPECT_DOUBLE_EQ(there.relative.value, here.relative.value);
  // Beyond what a double can hold.
  EXPECT_FALSE(rounding_errors_of({24, 15}, ktln2::parse_law("normal:sigma=1e-170")).mean_square);
}

}  // namespace
