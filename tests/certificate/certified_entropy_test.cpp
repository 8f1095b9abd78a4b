#include "ktln2/certificate/certified_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

#include "certificate/ball.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/exact.hpp"
#include "message_of.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;
using certificate::ball;

constexpr double widest = 1e-12;  // bits, from end to end

ball decimal(const std::string& text) {
  ball result;
  arb_set_str(result.raw(), text.c_str(), 200);
  return result;
}

/// How far the double is from the decimal number, relative to `unit`.
double distance_from_decimal(const nlohmann::json& text, double unit) {
  const ball difference = decimal(text.get<std::string>()) - ball(reference_number(text));
  return (abs(difference) / ball(unit)).upper_double();
}

/// The reference is inside. It stands for decimal parameters: if they move location and scale by
/// `moved` scales, the masses change by less than 2·moved in all, and H by at most |log P| times
/// that; cells that matter have |log P| < 2(p + E) + 16.
void expect_contains(bounded<bits> proved, const nlohmann::json& entry, const float_format& format,
                     double moved) {
  const bool of_doubles = entry.contains("value_double_params");
  const ball truth = decimal(entry.at(of_doubles ? "value_double_params" : "value"));
  const double from_parameters = of_doubles ? 0 : 2 * moved * (2 * format.width() + 16);
  const double allowed =
      proved.error.value() + reference_number(entry.at("est_error")) + from_parameters;
  EXPECT_LE(abs(truth - ball(proved.value.value())).upper_double(), allowed * (1 + 1e-15))
      << entry.at("id");
  EXPECT_EQ(proved.how, evidence::proved);
  EXPECT_LE(2 * proved.error.value(), widest) << entry.at("id");
}

TEST(certificate, contains_the_references_for_normal_laws) {
  int exact_parameters = 0;
  for (const auto& entry : reference_file("entropy_normal.json")) {
    const auto& parameters = entry.at("params");
    const float_format format{parameters.at("p").get<int>(), parameters.at("E").get<int>()};
    const normal x{reference_number(parameters.at("mu")), reference_number(parameters.at("sigma"))};
    const double moved = distance_from_decimal(parameters.at("mu"), x.scale()) +
                         distance_from_decimal(parameters.at("sigma"), x.scale());
    if (moved == 0) ++exact_parameters;
    expect_contains(certified_entropy(format, x), entry, format, moved);
  }
  EXPECT_GE(exact_parameters, 12);
}

TEST(certificate, contains_the_references_for_slopes) {
  int entries = 0;
  for (const auto& entry : reference_file("entropy_slope.json")) {
    const auto& parameters = entry.at("params");
    const float_format format{parameters.at("p").get<int>(), parameters.at("E").get<int>()};
    const student_t x = slope_law({.w = reference_number(parameters.at("w")),
                                   .sigma_x = reference_number(parameters.at("sigx")),
                                   .sigma_xi = reference_number(parameters.at("sigxi"))},
                                  reference_number(parameters.at("n")));
    // scale = σ_ξ/(σ_x √n)
    const certificate::working_precision enough{200};
    const ball scale = decimal(parameters.at("sigxi")) / decimal(parameters.at("sigx")) /
                       sqrt(ball(reference_number(parameters.at("n"))));
    const double moved = (abs(scale - ball(x.scale())) / scale).upper_double() +
                         distance_from_decimal(parameters.at("w"), x.scale());
    expect_contains(certified_entropy(format, x), entry, format, moved);
    ++entries;
  }
  EXPECT_GE(entries, 60);
}

/// All cells one by one, from the definition: tails at the midpoints of neighboring values, in 400
/// bits.
ball enumerated(const float_format& format, const law& x) {
  const certificate::working_precision enough{400};
  const ball unit = format.exponent_bits() == 0 ? sqrt(ball(2.0)) : ball(1.0);
  const auto value = [&](register_code i) {
    const register_code half = format.size() / 2;
    const register_code code = i > half ? i - half - 1 : format.size() - i;
    const register_fields fields = format.decode(code);
    const auto lowest = format.exponent_bits() == 0 ? 0 : static_cast<long>(format.emin());
    const ball mantissa = ball::from_integer(fields.mantissa).scaled(1 - format.p());
    const ball magnitude =
        ((ball(1.0) + mantissa) * unit).scaled(lowest + static_cast<long>(fields.exponent));
    return fields.negative ? -magnitude : magnitude;
  };
  const auto below = [&](const ball& edge) {
    return std::visit(
        [&edge](const auto& known) -> ball {
          constexpr bool is_even = !std::is_same_v<std::decay_t<decltype(known)>, uniform>;
          if (is_even && arb_contains_zero(edge.raw()) != 0 && known.location() == 0) return 0.5;
          const ball z = (edge - ball(known.location())) / ball(known.scale());
          ball result;
          if constexpr (std::is_same_v<std::decay_t<decltype(known)>, normal>) {
            const ball scaled = -z / sqrt(ball(2.0));
            arb_hypgeom_erfc(result.raw(), scaled.raw(), 400);
            return result.scaled(-1);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(known)>, student_t>) {
            // P(|Z| > |z|) = I_{ν/(ν + z²)}(ν/2, 1/2)
            const ball dof = known.kernel().dof();
            const ball share = dof / (dof + square(z));
            const ball half = 0.5;
            const ball half_dof = dof.scaled(-1);
            arb_hypgeom_beta_lower(result.raw(), half_dof.raw(), half.raw(), share.raw(), 1, 400);
            return z < ball(0.0) ? result.scaled(-1) : ball(1.0) - result.scaled(-1);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(known)>, uniform>) {
            const ball low = known.low();
            return min(max((edge - low) / (ball(known.high()) - low), 0.0), 1.0);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(known)>, laplace>) {
            return z < ball(0.0) ? exp(z).scaled(-1) : ball(1.0) - exp(-z).scaled(-1);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(known)>, logistic>) {
            return ball(1.0) / (ball(1.0) + exp(-z));
          }
          throw std::logic_error("no such law here");
        },
        x);
  };
  ball sum;
  ball left;  // P(X < left edge)
  for (register_code i = 1; i <= format.size(); ++i) {
    const ball right = i == format.size() ? ball(1.0) : below((value(i) + value(i + 1)).scaled(-1));
    const ball probability = right - left;
    if (ball(0.0) < probability) {
      sum -= probability * log(probability);
    } else {
      EXPECT_LT(abs(probability).upper_double(), 1e-50);
      sum = sum.widened(1e-47);  // -P ln P
    }
    left = right;
  }
  return sum / certificate::ln2();
}

TEST(certificate_campaign, contains_the_sum_over_all_cells_of_small_formats) {
  for (const auto& [p, exponent_bits] : {std::pair{1, 0},
                                         {1, 1},
                                         {1, 3},
                                         {2, 0},
                                         {2, 1},
                                         {2, 4},
                                         {3, 2},
                                         {4, 0},
                                         {4, 3},
                                         {5, 4},
                                         {8, 0},
                                         {8, 2},
                                         {9, 3}}) {
    const float_format format{p, exponent_bits};
    for (const char* description :
         {"normal", "normal:mu=0.3,sigma=1.7", "normal:mu=-2,sigma=0.01", "normal:mu=5,sigma=100",
          "student:dof=1,loc=1", "student:dof=0.3,loc=-0.25,scale=0.5", "student:dof=9.5",
          "student:dof=1000,loc=3,scale=0.2", "uniform", "uniform:low=-0.3,high=1.7",
          "uniform:low=1.0625,high=1.8125", "uniform:low=-1e9,high=-1e-9",
          "uniform:low=1.3,high=1.30001", "laplace", "laplace:loc=0.3,scale=1.7",
          "laplace:loc=-2,scale=0.01", "logistic", "logistic:loc=0.3,scale=1.7",
          "logistic:loc=5,scale=100"}) {
      const law x = parse_law(description);
      const bounded<bits> proved = certified_entropy(format, x);
      const ball truth = enumerated(format, x);
      ASSERT_LT(truth.radius().upper_double(), 1e-40);
      EXPECT_LE(abs(truth - ball(proved.value.value())).middle(), proved.error.value())
          << format.name() << ' ' << description;
      EXPECT_LE(2 * proved.error.value(), widest) << format.name() << ' ' << description;
    }
  }
}

struct random_case {
  float_format format;
  law known;
  std::string name;
};

random_case next_case(random_numbers& random) {
  const int p = random.precision();
  const float_format format{p, random.exponent_bits()};
  const double scale = random.scale();
  const double place = random.location(scale);
  std::ostringstream name;
  name << format.name() << std::hexfloat << " location " << place << " scale " << scale;
  if (random.chance(0.4)) return {format, normal{place, scale}, name.str() + " normal"};
  const double dof =
      random.chance(0.8) ? random.log_uniform(0.3, 1e9) : std::floor(random.log_uniform(1, 1e6));
  name << " dof " << dof;
  return {format, student_t{dof, place, scale}, name.str()};
}

// KTLN2_CERTIFICATE_CASES=10000 KTLN2_CERTIFICATE_SEED=… runs the long version.
TEST(certificate, is_narrow_and_meets_the_error_bar_of_the_engine) {
  const int cases = from_environment("KTLN2_CERTIFICATE_CASES", 100);
  random_numbers random{
      static_cast<unsigned>(from_environment("KTLN2_CERTIFICATE_SEED", 20240607))};
  double widest_seen = 0;
  for (int i = 0; i < cases; ++i) {
    const random_case one = next_case(random);
    const bounded<bits> proved = certified_entropy(one.format, one.known);
    EXPECT_LE(2 * proved.error.value(), widest) << one.name;
    EXPECT_TRUE(overlap(proved, exact_entropy(one.format, one.known)))
        << one.name << "  proved " << proved.value.value() << " ± " << proved.error.value();
    widest_seen = std::fmax(widest_seen, 2 * proved.error.value());
  }
  std::printf("%d cases: widest enclosure %.2g bits\n", cases, widest_seen);
}

TEST(certificate_campaign, holds_where_double_precision_does_not_reach) {
  // A tenth of the mass lies beyond 2^1000: quadruple precision says 61.5559718544030913 bits.
  const bounded<bits> heavy = certified_entropy({53, 11}, student_t{0.01, 0, 1});
  EXPECT_LE(std::fabs(heavy.value.value() - 61.5559718544030913), heavy.error.value() + 0x1p-47);
  EXPECT_LE(2 * heavy.error.value(), widest);
  // Two thirds of the mass are farther from the location than it is from 0.
  const bounded<bits> far = certified_entropy({11, 13}, student_t{0.0003, 1e300, 1e-300});
  EXPECT_GT(far.value, bits{5});
  EXPECT_LE(2 * far.error.value(), widest);
}

TEST(certificate, does_not_see_the_sign_but_a_billionth_of_the_scale) {
  for (const double scale : {0.9, 1.7}) {
    const bounded<bits> here = certified_entropy({16, 8}, student_t{3, 0.3, scale});
    EXPECT_TRUE(overlap(here, certified_entropy({16, 8}, student_t{3, -0.3, scale})));
    EXPECT_FALSE(overlap(here, certified_entropy({16, 8}, student_t{3, 0.3, scale * (1 + 1e-9)})));
  }
}

TEST(certificate, of_what_is_certain_is_next_to_zero) {
  for (const law& x : {law{normal{1.1, 1e-30}}, law{normal{1e300, 1}}, law{normal{-1e9, 1}}}) {
    const bounded<bits> proved = certified_entropy({4, 4}, x);
    EXPECT_LE(proved.value - proved.error, bits{0});
    EXPECT_LT(proved.value + proved.error, bits{1e-15});
  }
}

TEST(certificate, of_a_looser_tolerance_still_contains_the_truth) {
  const bounded<bits> best = certified_entropy({24, 8}, normal{0.3, 1});
  for (const double tolerance : {1.0, 1e-3, 1e-6, 1e-9, 1e-16, 1e-300}) {
    const bounded<bits> loose = certified_entropy({24, 8}, normal{0.3, 1}, bits{tolerance});
    EXPECT_TRUE(overlap(best, loose)) << tolerance;
    EXPECT_LE(loose.error.value(), std::fmax(tolerance, widest)) << tolerance;
  }
}

/// 2^23 - 1 cells with the mass 2^-23, and half of such a mass at 1 and at 2.
TEST(certificate, of_a_uniform_law_is_a_count) {
  const bounded<bits> proved = certified_entropy({24, 8}, uniform{1, 2});
  EXPECT_TRUE(overlap(proved, exact_entropy({24, 8}, uniform{1, 2})));
  EXPECT_NEAR(proved.value.value(), 23 + 0x1p-23, 1e-14);
  EXPECT_LE(proved.error.value(), 1e-14);
}

TEST(certificate, of_a_uniform_law_has_exactly_the_given_ends) {
  const bounded<bits> far = certified_entropy({24, 11}, uniform{-1e300, 1e-300});
  EXPECT_TRUE(overlap(far, certified_entropy({24, 11}, uniform{-1e-300, 1e300})));
  EXPECT_TRUE(overlap(far, exact_entropy({24, 11}, uniform{-1e300, 1e-300})));
}

TEST(certificate, folded_laws_have_one_bit_less) {
  for (const float_format& format : {float_format{3, 3}, float_format{24, 8}}) {
    for (const char* name : {"exponential:scale=0.3", "halfnormal:sigma=5"}) {
      const law x = parse_law(name);
      const bounded<bits> proved = certified_entropy(format, x);
      const bounded<bits> ours = exact_entropy(format, x);
      EXPECT_EQ(proved.how, evidence::proved);
      EXPECT_LE(std::fabs((proved.value - ours.value).value()), (proved.error + ours.error).value())
          << name;
      EXPECT_LT(proved.error.value(), 1e-13);
    }
    // Of the sign alone nothing is left.
    const bounded<bits> sign =
        certified_entropy(format, parse_law("exponential"), bits{1e-13}, format.width() - 1);
    EXPECT_NEAR(sign.value.value(), 0, sign.error.value());
  }
  EXPECT_EQ(message_of([] {
              certified_entropy({24, 8}, parse_law("relu:normal"));
            }),
            "certificate: relu has none, expected normal, student, slope, uniform, laplace, "
            "logistic, lognormal, exponential, gamma, chi2, halfnormal, triangular or sgd");
}

TEST(certificate, says_who_has_none) {
  const custom_law own{{.log_pdf = [](double z) { return -z - std::exp(-z); }}};
  EXPECT_EQ(
      message_of([&own] {
        certified_entropy({24, 8}, own);
      }),
      "certificate: a custom law has none: it is known by a table or by functions of its own");
  EXPECT_EQ(
      message_of([] {
        certified_entropy({24, 8}, parse_law("sgd:steps=1,law=exact"));
      }),
      "certificate: the exact SGD law has none: it is known by a table or by functions of its "
      "own");
  for (const double bad : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(certified_entropy({24, 8}, normal{0, 1}, bits{bad}), std::domain_error);
  }
}

}  // namespace
