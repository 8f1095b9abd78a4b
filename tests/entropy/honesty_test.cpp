// Honest error bars: over random formats, laws and parameters the bar covers the distance to an
// independent evaluation in quadruple precision, and is no wider than the tolerance asks for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

#include "ktln2/entropy/exact.hpp"
#include "oracle/oracle.hpp"

namespace {

using namespace ktln2;

struct random_case {
  int p;
  int exponent_bits;
  rounding how;
  oracle_law known;
};

class case_generator {
 public:
  explicit case_generator(unsigned seed) : engine_{seed} {}

  random_case next() {
    random_case result{};
    result.p = whole(1, chance(0.8) ? 53 : 64);
    result.exponent_bits = whole(0, chance(0.8) ? 11 : 15);
    result.how = chance(0.8) ? rounding::nearest : rounding::toward_zero;
    const double scale = chance(0.8) ? log_uniform(1e-9, 1e6) : log_uniform(1e-300, 1e300);
    result.known.kind = static_cast<oracle_kind>(whole(0, 5));
    double* const parameter = result.known.params;
    switch (result.known.kind) {
      case oracle_kind::student:
        parameter[0] = log_uniform(0.3, 1e9);
        parameter[1] = location(scale);
        parameter[2] = scale;
        break;
      case oracle_kind::slope:
        parameter[0] = std::floor(log_uniform(1, 1e9));
        parameter[2] = log_uniform(1e-3, 1e3);
        parameter[3] = log_uniform(1e-3, 1e3);
        parameter[1] = location(parameter[3] / parameter[2] / std::sqrt(parameter[0]));
        break;
      case oracle_kind::uniform:
        parameter[0] = location(scale);
        parameter[1] = parameter[0] + scale;
        if (!(parameter[1] > parameter[0])) parameter[1] = std::nextafter(parameter[0], 1e308);
        break;
      default:
        parameter[0] = location(scale);
        parameter[1] = scale;
    }
    return result;
  }

 private:
  double unit() { return std::uniform_real_distribution<>(0, 1)(engine_); }
  bool chance(double share) { return unit() < share; }
  int whole(int low, int high) { return std::uniform_int_distribution<>(low, high)(engine_); }
  double log_uniform(double low, double high) {
    return std::exp(std::log(low) + unit() * (std::log(high) - std::log(low)));
  }
  /// Centered, near the center, far away (up to 1e15 scales), or on a power of two.
  double location(double scale) {
    if (chance(0.3)) return 0;
    if (chance(0.2)) return std::exp2(std::fmin(1020, std::round(std::log2(scale) + 50 * unit())));
    const double distance = scale * log_uniform(1e-3, chance(0.5) ? 1e3 : 1e15);
    return (chance(0.5) ? -1 : 1) * std::fmin(distance, 1e307);
  }

  std::mt19937 engine_;
};

law as_law(const oracle_law& known) {
  const double* const a = known.params;
  switch (known.kind) {
    case oracle_kind::normal:
      return normal{a[0], a[1]};
    case oracle_kind::student:
      return student_t{a[0], a[1], a[2]};
    case oracle_kind::slope:
      return slope_law({.n = a[0], .w = a[1], .sigma_x = a[2], .sigma_xi = a[3]});
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

int from_environment(const char* name, int fallback) {
  const char* const text = std::getenv(name);
  return text == nullptr ? fallback : std::atoi(text);
}

// KTLN2_HONESTY_CASES=10000 KTLN2_HONESTY_SEED=… runs the long version.
TEST(thm_quantized_ent, the_bar_covers_the_distance_to_quadruple_precision) {
  const int cases = from_environment("KTLN2_HONESTY_CASES", 200);
  case_generator generator(static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 20260701)));
  double widest = 0;
  double closest = 0;
  std::string hardest;
  for (int i = 0; i < cases; ++i) {
    const random_case c = generator.next();
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
