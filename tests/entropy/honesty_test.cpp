// Honest error bars: over random formats, laws and parameters the bar covers the distance to an
// independent evaluation in quadruple precision, and is no wider than the tolerance asks for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>

#include "ktln2/entropy/exact.hpp"
#include "oracle/oracle.hpp"
#include "random_case.hpp"

namespace {

using namespace ktln2;

struct random_case {
  int p;
  int exponent_bits;
  rounding how;
  oracle_law known;
};

random_case next_case(random_numbers& random) {
  random_case result{};
  result.p = random.precision();
  result.exponent_bits = random.exponent_bits();
  result.how = random.chance(0.8) ? rounding::nearest : rounding::toward_zero;
  const double scale = random.scale();
  result.known.kind = static_cast<oracle_kind>(random.whole(0, 5));
  double* const parameter = result.known.params;
  switch (result.known.kind) {
    case oracle_kind::student:
      parameter[0] = random.log_uniform(0.01, 1e9);
      parameter[1] = random.location(scale);
      parameter[2] = scale;
      break;
    case oracle_kind::slope:
      parameter[0] = std::floor(random.log_uniform(1, 1e9));
      parameter[2] = random.log_uniform(1e-3, 1e3);
      parameter[3] = random.log_uniform(1e-3, 1e3);
      parameter[1] = random.location(parameter[3] / parameter[2] / std::sqrt(parameter[0]));
      break;
    case oracle_kind::uniform:
      parameter[0] = random.location(scale);
      parameter[1] = parameter[0] + scale;
      // Ends on the edges of cells, of which some are values and some lie halfway between two.
      if (random.chance(0.3)) {
        const double unit = std::exp2(std::round(std::log2(scale)));
        parameter[0] = unit * random.whole(-64, 64) / 32;
        parameter[1] = parameter[0] + unit * random.whole(1, 64) / 32;
      }
      if (!(parameter[1] > parameter[0])) parameter[1] = std::nextafter(parameter[0], 1e308);
      break;
    default:
      parameter[0] = random.location(scale);
      parameter[1] = scale;
  }
  return result;
}

law as_law(const oracle_law& known) {
  const double* const a = known.params;
  switch (known.kind) {
    case oracle_kind::normal:
      return normal{a[0], a[1]};
    case oracle_kind::student:
      return student_t{a[0], a[1], a[2]};
    case oracle_kind::slope:
      return slope_law({.w = a[1], .sigma_x = a[2], .sigma_xi = a[3]}, a[0]);
    case oracle_kind::uniform:
      return uniform{a[0], a[1]};
    case oracle_kind::laplace:
      return laplace{a[0], a[1]};
    case oracle_kind::logistic:
      return logistic{a[0], a[1]};
  }
  throw std::logic_error("no such law");
}

std::string describe(const random_case& c) {
  std::ostringstream text;
  text << c.p << ' ' << c.exponent_bits << ' '
       << (c.how == rounding::nearest ? "midpoint " : "floor ") << std::hexfloat;
  constexpr const char* names[] = {"normal", "student", "slope", "uniform", "laplace", "logistic"};
  text << names[static_cast<int>(c.known.kind)];
  for (int i = 0; i < oracle_arity(c.known.kind); ++i) text << ' ' << c.known.params[i];
  return text.str();
}

// KTLN2_HONESTY_CASES=10000 KTLN2_HONESTY_SEED=… runs the long version.
TEST(thm_quantized_ent, the_bar_covers_the_distance_to_quadruple_precision) {
  const int cases = from_environment("KTLN2_HONESTY_CASES", 200);
  random_numbers random(static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 20260701)));
  double widest = 0;
  double closest = 0;
  std::string hardest;
  for (int i = 0; i < cases; ++i) {
    const random_case c = next_case(random);
    SCOPED_TRACE(describe(c));
    const oracle_result truth =
        oracle_entropy(c.p, c.exponent_bits, c.how == rounding::toward_zero, c.known);
    const bounded<bits> ours =
        exact_entropy(partition{float_format{c.p, c.exponent_bits}, c.how}, as_law(c.known));
    const auto distance =
        static_cast<double>(truth.value - static_cast<__float128>(ours.value.value()));
    ASSERT_LT(static_cast<double>(truth.error), 1e-18) << describe(c);
    EXPECT_LE(std::fabs(distance), ours.error.value())
        << describe(c) << "  ours " << ours.value.value();
    EXPECT_LE(ours.error.value(), 10 * default_tolerance.value()) << describe(c);
    widest = std::fmax(widest, ours.error.value());
    const double share = std::fabs(distance) / ours.error.value();
    if (share > closest) hardest = describe(c);
    closest = std::fmax(closest, share);
  }
  RecordProperty("cases", cases);
  std::printf("%d cases: widest bar %.2g bits, largest distance %.3g of its bar (%s)\n", cases,
              widest, closest, hardest.c_str());
}

}  // namespace
