// Certificates for formats that people own: against all cells in 400 bits, and the estimated bars
// against them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "certificate/ball.hpp"
#include "ktln2/certificate/certified_entropy.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "line_of_codes.hpp"
#include "message_of.hpp"
#include "random_register.hpp"

namespace {

using namespace ktln2;
using certificate::ball;

const std::vector<std::string> certified_laws{"normal",     "student",   "laplace", "logistic",
                                              "uniform",    "lognormal", "gamma",   "exponential",
                                              "halfnormal", "triangular"};

bounded<bits> proved_entropy(const stored_variable& stored, int dropped_bits = 0) {
  return certified_entropy(cells_of(stored.format, stored.rule, dropped_bits), stored.x);
}

std::string name_of_case(const stored_variable& stored, const std::string& x) {
  return stored.format.name() + " " + std::string(name_of(stored.rule.how)) + " " +
         std::string(name_of(stored.rule.beyond)) + " " + x;
}

// KTLN2_NUMBER_BARS_CASES=1000 KTLN2_NUMBER_BARS_SEED=… runs the long version.
TEST(number_bars_campaign, hold_the_proved_entropy) {
  const int cases = from_environment("KTLN2_NUMBER_BARS_CASES", 100);
  random_registers any{static_cast<unsigned>(from_environment("KTLN2_NUMBER_BARS_SEED", 20261116))};
  double largest_share = 0;
  double widest_bar = 0;
  double widest_proof = 0;
  std::string hardest;
  for (int i = 0; i < cases; ++i) {
    const number_format format = any.format(any.numbers().chance(0.5) ? 16 : 64);
    const storing rule = any.rule(format);
    const std::string x = any.law(certified_laws, any.near(format, rule)).text();
    const stored_variable stored{format, rule, parse_law(x)};
    SCOPED_TRACE(name_of_case(stored, x));
    const auto leading = exact_leading_entropy(stored);
    for (const int dropped : {0, any.numbers().whole(1, format.width() - 1)}) {
      const bounded<bits> ours = leading(format.width() - dropped);
      const bounded<bits> proved = proved_entropy(stored, dropped);
      EXPECT_EQ(proved.how, evidence::proved);
      EXPECT_TRUE(overlap(ours, proved))
          << dropped << " bits dropped: " << ours.value.value() << " ± " << ours.error.value()
          << ", proved " << proved.value.value() << " ± " << proved.error.value();
      EXPECT_LT(proved.error.value(), 1e-12);
      const double bar = ours.error.value() + proved.error.value();
      const double share = bar > 0 ? std::fabs((ours.value - proved.value).value()) / bar : 0;
      if (share > largest_share) largest_share = share, hardest = name_of_case(stored, x);
      widest_bar = std::fmax(widest_bar, ours.error.value());
      widest_proof = std::fmax(widest_proof, proved.error.value());
    }
  }
  std::printf("%d cases: largest distance %.3f bars (%s), widest bar %.2g, of a proof %.2g bits\n",
              cases, largest_share, hardest.c_str(), widest_bar, widest_proof);
}

/// P(X < edge) of a standard law.
ball below(const std::string& family, const ball& edge) {
  ball result;
  if (family == "normal") {
    const ball scaled = -edge / sqrt(ball(2.0));
    arb_hypgeom_erfc(result.raw(), scaled.raw(), ball::precision());
    return result.scaled(-1);
  }
  if (family == "logistic") return ball(1.0) / (ball(1.0) + exp(-edge));
  if (family == "exponential") {
    return edge <= ball(0.0) ? ball(0.0) : ball(1.0) - exp(-edge);
  }
  if (family == "uniform") return min(max(edge, 0.0), 1.0);
  if (edge <= ball(0.0)) return 0.0;
  if (family == "lognormal") return below("normal", log(edge));
  if (family == "gamma") return ball(1.0) - (ball(1.0) + edge) * exp(-edge);  // shape 2
  // triangular: up from 0 to 1/2, down to 1
  if (edge < ball(0.5)) return square(edge).scaled(1);
  return ball(1.0) - square(max(ball(1.0) - edge, 0.0)).scaled(1);
}

/// All codes one by one.
ball enumerated(const stored_variable& stored, const std::string& family) {
  const certificate::working_precision enough{400};
  const line_of_codes line = codes_on_the_line(stored.format, stored.rule);
  std::map<std::uint64_t, ball> masses;
  ball left;
  for (std::size_t i = 0; i < line.codes.size(); ++i) {
    const ball right = i < line.edges.size() ? below(family, line.edges[i]) : ball(1.0);
    masses[line.codes[i]] += right - left;
    left = right;
  }
  ball sum;
  for (const auto& [code, mass] : masses) sum += certificate::surprise(mass);
  return sum / certificate::ln2();
}

TEST(number_certificate, contains_the_sum_over_all_codes) {
  for (const char* name : {"e4m3", "e5m2", "e2m1", "e8m0", "e4m3fnuz", "binary8p4se", "binary6p2uf",
                           "int8", "q3.4", "mxint8s", "posit8"}) {
    const number_format format = find_number_format(name).value();
    for (const ktln2::rounding how : format.roundings()) {
      for (const ktln2::overflow beyond : format.overflows()) {
        for (const char* family :
             {"normal", "logistic", "exponential", "uniform", "lognormal", "gamma", "triangular"}) {
          const stored_variable stored{format, {how, beyond}, parse_law(family)};
          SCOPED_TRACE(name_of_case(stored, family));
          const ball truth = enumerated(stored, family);
          const bounded<bits> proved = proved_entropy(stored);
          EXPECT_LE(abs(truth - ball(proved.value.value())).middle(), proved.error.value());
          EXPECT_LT(proved.error.value(), 1e-13);
        }
      }
    }
  }
}

TEST(number_certificate, is_there_for_wide_registers) {
  for (const char* name :
       {"bfloat16", "binary32", "binary64", "posit32", "q31.32", "binary16p5se"}) {
    const number_format format = find_number_format(name).value();
    for (const char* x :
         {"normal", "student:dof=2.5,loc=0.3", "laplace:loc=-7,scale=1e-3", "slope:n=100,w=1",
          "uniform:low=-0.3,high=1.7", "sgd", "lognormal", "gamma:shape=0.3", "chi2:dof=1000",
          "triangular:low=-1,mode=0.3,high=7"}) {
      const stored_variable stored{format, format.usual(), parse_law(x)};
      SCOPED_TRACE(name_of_case(stored, x));
      const bounded<bits> proved = proved_entropy(stored);
      EXPECT_TRUE(overlap(proved, exact_entropy(stored)));
      EXPECT_LT(proved.error.value(), 1e-13);
    }
  }
}

/// The cells of one of the paper's formats may be asked for in either way.
TEST(number_certificate, of_the_papers_cells_is_theirs) {
  for (const float_format& format :
       {float_format{3, 2}, float_format{24, 8}, float_format{64, 15}}) {
    const law x = normal{0.3, 2};
    EXPECT_TRUE(
        overlap(certified_entropy({partition{format}, {}}, x), certified_entropy(format, x)));
    const partition floors{format, ktln2::rounding::toward_zero};
    EXPECT_TRUE(overlap(certified_entropy({floors, {}}, x), exact_entropy(floors, x)));
  }
}

TEST(number_certificate, is_refused_where_edges_are_rounded) {
  EXPECT_EQ(message_of([] {
              certified_entropy({partition{float_format{5, 0}}, {}}, normal{0, 1});
            }),
            "certificate: the edges of these cells are irrational");
  const double third = 1.0 / 3;
  const partition thirds({{-HUGE_VAL, 0.0, HUGE_VAL, 1},
                          {0.0, 1.0, wide(1.0) / wide(3.0), 3},
                          {1.0, HUGE_VAL, HUGE_VAL, 1}},
                         {0.0, third});
  EXPECT_EQ(message_of([&] {
              certified_entropy({thirds, {}}, normal{0, 1});
            }),
            "certificate: the edges of these cells are rounded numbers");
}

}  // namespace
