#include "ktln2/entropy/joint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "entropy/joint_sum.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "message_of.hpp"
#include "oracle/pair.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

format_pair both(int p, int exponent_bits) { return {{p, exponent_bits}, {p, exponent_bits}}; }

format_pair formats_of(const nlohmann::json& parameters) {
  if (parameters.contains("p")) return both(parameters.at("p"), parameters.at("E"));
  return {{parameters.at("px"), parameters.at("Ex")}, {parameters.at("py"), parameters.at("Ey")}};
}

regression_pair pair_of(const nlohmann::json& parameters) {
  return {reference_number(parameters.at("w")), reference_number(parameters.at("sigx")),
          reference_number(parameters.at("sigxi"))};
}

double distance(bounded<bits> value, double truth) {
  return std::fabs(value.value.value() - truth);
}

class reference_table : public testing::TestWithParam<const char*> {};

/// The row of the table in docs/joint.md that a pair belongs to.
const char* kind_of(const format_pair& formats, const regression_pair& pair) {
  const double gain = pair.w() * pair.sigma_x() / pair.sigma_xi();
  if (gain == 0) return "1: w = 0";
  if (!(formats.x == formats.y)) return "6: different formats";
  if (gain * gain <= 1) return "2: SNR up to 1";
  if (gain * gain <= 1e4) return "3: SNR up to 1e4";
  return gain * gain <= 1e12 ? "4: SNR up to 1e12" : "5: SNR beyond 1e12";
}

TEST_P(reference_table, is_within_the_bars) {
  struct row {
    int cases = 0;
    double difference = 0;
    double widest = 0;
  };
  std::map<std::string, row> rows;
  for (const auto& entry : reference_file(GetParam())) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const format_pair formats = formats_of(entry.at("params"));
    const regression_pair pair = pair_of(entry.at("params"));
    const bounded<bits> h = joint_entropy(formats, pair).joint;
    const double difference = distance(h, reference_value(entry));
    // The decimal of the reference is read with a rounding error of its own.
    EXPECT_LE(difference, h.error.value() + 0x1p-52 * h.value.value());
    EXPECT_LE(h.error, 10 * default_joint_tolerance);
    row& mine = rows[kind_of(formats, pair)];
    ++mine.cases;
    mine.difference = std::fmax(mine.difference, difference);
    mine.widest = std::fmax(mine.widest, h.error.value());
  }
  for (const auto& [name, one] : rows) {
    std::printf("%-22s %3d cases, largest difference %.1e, widest bar %.1e\n", name.c_str(),
                one.cases, one.difference, one.widest);
  }
}

INSTANTIATE_TEST_SUITE_P(cor_joint_ent, reference_table, testing::Values("joint.json"));
INSTANTIATE_TEST_SUITE_P(cor_joint_ent_campaign, reference_table,
                         testing::Values("joint_more.json"));

TEST(cor_joint_ent, single_precision_registers_at_low_and_at_high_noise) {
  // By quadrature and by the identity, elsewhere; known to half a unit of the last digit.
  const bounded<bits> high = joint_entropy(both(24, 8), {1, 1, 1}).joint;
  EXPECT_LE(distance(high, 52.426937662714), high.error.value() + 0.5e-12);
  const bounded<bits> low = joint_entropy(both(24, 8), {1, 1, 0.01}).joint;
  EXPECT_LE(distance(low, 46.28353954744), low.error.value() + 0.5e-11);
}

TEST(cor_joint_ent, independent_registers_add_up) {
  const format_pair formats{{11, 5}, {24, 8}};
  const joint_entropies h = joint_entropy(formats, {0, 2, 0.3});
  const bounded<bits> sum =
      exact_entropy(formats.x, normal{0, 2}) + exact_entropy(formats.y, normal{0, 0.3});
  EXPECT_EQ(h.joint.value, sum.value);
  EXPECT_EQ(h.mutual_information.value, bits{0});
  EXPECT_EQ(h.conditional.value, h.y.value);
}

// Two independent roads: rows of Gram sums, and Approximation 1 with the leading order of D.
TEST(eq_exact_identity_campaign, agrees_with_the_rows_for_fine_cells) {
  for (const double noise : {10.0, 1.0, 0.03, 1e-5}) {
    for (const int p : {12, 17, 24, 53}) {
      SCOPED_TRACE(testing::Message() << "p = " << p << ", sigma_xi = " << noise);
      const regression_pair pair{-1.3, 0.7, noise};
      const format_pair formats{{p, 8}, {p + 1, 9}};
      const bounded<bits> identity = joint_entropy_by_identity(formats, pair);
      const bounded<bits> rows = joint_entropy(formats, pair).joint;
      if (identity.error > bits{1e-3}) continue;  // no road where cells are coarse
      EXPECT_TRUE(overlap(rows, identity))
          << rows.value.value() << " and " << identity.value.value();
      EXPECT_LE(rows.error, 10 * default_joint_tolerance);
    }
  }
}

// The cells next to zero are wide against the noise, and rare: what the leading order of D leaves
// out is their doing.
TEST(eq_exact_identity, bar_covers_wide_cells_next_to_zero) {
  for (const int p : {16, 20, 24, 53}) {
    const regression_pair pair{1, 1, 0.01};
    EXPECT_TRUE(
        overlap(joint_entropy(both(p, 4), pair).joint, joint_entropy_by_identity(both(p, 4), pair)))
        << p;
  }
}

// The same sum by columns instead of rows.
TEST(cor_joint_ent_campaign, exchanging_the_names_changes_nothing) {
  const auto check = [](const format_pair& formats, const regression_pair& pair) {
    const joint_entropies h = joint_entropy(formats, pair);
    const joint_entropies exchanged =
        joint_entropy(format_pair{formats.y, formats.x}, pair.exchanged());
    EXPECT_TRUE(overlap(h.joint, exchanged.joint))
        << h.joint.value.value() << " and " << exchanged.joint.value.value();
    EXPECT_TRUE(overlap(h.x, exchanged.y));
    EXPECT_TRUE(overlap(h.mutual_information, exchanged.mutual_information));
    EXPECT_LE(h.joint.error, bits{1e-9});
  };
  check(both(24, 8), {1.1, 1, 1e-5});
  check(both(18, 6), {1.1, 1, 1e-6});  // coarse, many rows
  check(both(7, 4), {-0.7, 2, 0.01});  // coarse, few rows
  check({{5, 5}, {20, 8}}, {3, 1, 1e-3});
  check({{24, 2}, {24, 2}}, {1, 10, 0.01});  // clipping
}

RC_GTEST_PROP(joint_properties_campaign,
              two_registers_hold_no_more_than_both_and_no_less_than_either, ()) {
  const auto whole = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const format_pair formats{{whole(1, 12), whole(0, 6)}, {whole(1, 12), whole(0, 6)}};
  const regression_pair pair{whole(-40, 40) / 8.0, std::exp2(whole(-2, 2)),
                             std::exp2(-whole(-3, 10))};
  const joint_entropies h = joint_entropy(formats, pair);
  const double slack = (h.joint.error + h.x.error + h.y.error).value();
  RC_ASSERT(h.joint.value.value() <= (h.x.value + h.y.value).value() + slack);
  RC_ASSERT(h.joint.value.value() >= std::fmax(h.x.value.value(), h.y.value.value()) - slack);
}

TEST(joint_properties_campaign, the_sign_of_w_and_powers_of_two_do_not_matter) {
  for (const int p : {3, 9, 24}) {
    const joint_entropies h = joint_entropy(both(p, 8), {1.3, 1, 0.01});
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {-1.3, 1, 0.01}).joint));
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {1.3, 8, 0.08}).joint));
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {1.3 / 16, 1, 0.01 / 16}).joint));
  }
}

// No channel carries more than its input: the registers share no more than the continuous pair.
TEST(joint_properties_campaign, registers_share_at_most_what_the_continuous_variables_share) {
  for (const double noise : {4.0, 0.5, 0.01, 1e-4}) {
    for (const int p : {1, 2, 5, 8, 24}) {
      const regression_pair pair{1, 1, noise};
      const bounded<bits> shared = joint_entropy(both(p, 5), pair).mutual_information;
      EXPECT_LE(shared.value - shared.error, mutual_information(pair));
    }
  }
}

// A pair, with what prints it.
struct random_pair {
  format_pair formats;
  regression_pair pair;

  [[nodiscard]] std::string name() const {
    std::ostringstream text;
    text << formats.x.name() << ' ' << formats.y.name() << std::hexfloat << " w=" << pair.w()
         << " sigma_x=" << pair.sigma_x() << " sigma_xi=" << pair.sigma_xi();
    return text.str();
  }
};

// Any slope; a power of two, or as near to one as doubles are; or one decimal.
double random_slope(random_numbers& random) {
  const double sign = random.chance(0.5) ? -1 : 1;
  const double power = std::exp2(random.whole(-3, 3));
  const double kind = random.unit();
  if (kind < 0.1) return sign * power;
  if (kind < 0.5) return power * (1 + sign * random.log_uniform(1e-16, 1e-3));
  return sign * (kind < 0.6 ? random.whole(1, 30) / 10.0 : random.log_uniform(0.05, 20));
}

random_pair pair_within(random_numbers& random, int bits, int most_p, int most_exponent_bits) {
  const auto format = [&] {
    const int p = random.whole(1, std::min(most_p, bits));
    return float_format{p, random.whole(0, std::min(most_exponent_bits, bits - p))};
  };
  const float_format x = format();
  const float_format y = random.chance(0.5) ? x : format();
  const double w = random_slope(random);
  const double sigma_x =
      random.chance(0.9) ? random.log_uniform(1e-2, 30) : random.log_uniform(1e-280, 1e280);
  const double noise = std::fabs(w) * sigma_x / std::sqrt(random.log_uniform(1e-12, 1e20));
  return {{x, y}, {w, sigma_x, noise}};
}

int joint_cases() { return from_environment("KTLN2_JOINT_CASES", 45); }
unsigned joint_seed() { return static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 5)); }

// What a campaign saw.
struct bars_seen {
  double widest = 0;
  double closest = 0;

  void add(double difference, double bars, bounded<bits> ours) {
    widest = std::fmax(widest, ours.error.value());
    if (bars > 0) closest = std::fmax(closest, difference / bars);
  }
  void print(int cases) const {
    std::printf("%d cases: widest bar %.2g bits, largest difference %.3g of both bars\n", cases,
                widest, closest);
  }
};

// All pairs of cells one by one, in quadruple precision and by another program.
TEST(joint_honesty_campaign, a_bar_covers_the_oracle) {
  random_numbers random(joint_seed());
  bars_seen seen;
  for (int i = 0; i < joint_cases(); ++i) {
    const random_pair one = pair_within(random, 7, 7, 5);
    SCOPED_TRACE(one.name());
    const oracle_pair_result truth = oracle_pair_entropy(
        one.formats.x.p(), one.formats.x.exponent_bits(), one.formats.y.p(),
        one.formats.y.exponent_bits(), {one.pair.w(), one.pair.sigma_x(), one.pair.sigma_xi()});
    const bounded<bits> h = joint_entropy(one.formats, one.pair).joint;
    const double difference = distance(h, static_cast<double>(truth.joint.value));
    const double bars = h.error.value() + static_cast<double>(truth.joint.error);
    EXPECT_LE(difference, bars);
    EXPECT_LE(h.error, 10 * default_joint_tolerance);
    seen.add(difference, bars, h);
  }
  seen.print(joint_cases());
}

// Where enumeration ends: cells of X as rows, and cells of Y, between which the engine chooses.
// Other rows, other phases, other tables.
TEST(joint_honesty_campaign, rows_of_x_and_rows_of_y_add_up_to_the_same) {
  random_numbers random(joint_seed());
  bars_seen seen;
  for (int i = 0; i < joint_cases() / 3; ++i) {
    const random_pair one = pair_within(random, 64, 53, 11);
    SCOPED_TRACE(one.name());
    const partition x{one.formats.x};
    const partition y{one.formats.y};
    const double tolerance = default_joint_tolerance.value() * std::numbers::ln2;
    const bounded<bits> by_x = exact_entropy(x, one.pair.x()) +
                               joint_sum(x, y, noisy_line::by_x(one.pair), tolerance, {}).compute();
    const bounded<bits> by_y = exact_entropy(y, one.pair.y()) +
                               joint_sum(y, x, noisy_line::by_y(one.pair), tolerance, {}).compute();
    EXPECT_TRUE(overlap(by_x, by_y)) << by_x.value.value() << " and " << by_y.value.value();
    const bounded<bits> chosen = joint_entropy(one.formats, one.pair).joint;
    EXPECT_LE(chosen.error, bits{1e-9});
    seen.add(distance(by_x, by_y.value.value()), (by_x.error + by_y.error).value(), chosen);
  }
  seen.print(joint_cases() / 3);
}

TEST(cor_joint_ent, slopes_next_to_a_power_of_two_at_high_signal_to_noise_ratios) {
  // By tests/oracle/pair.cpp.
  const regression_pair close{0.9999999999932027, 2, 2.7965960822394642e-14};
  const bounded<bits> one = joint_entropy(both(8, 0), close).joint;
  EXPECT_LE(distance(one, 4.6468804432810797), one.error.value() + 1e-15);
  const regression_pair less_close{0.99999, 1.3, 2.4960169417002336e-10};
  const bounded<bits> other = joint_entropy(both(10, 2), less_close).joint;
  EXPECT_LE(distance(other, 9.2031269296815089), other.error.value() + 2e-15);
  EXPECT_LE(one.error + other.error, bits{1e-11});
}

TEST(cor_joint_ent, hardly_any_signal_and_hardly_any_noise) {
  for (const int p : {1, 2, 24}) {
    const joint_entropies faint = joint_entropy(both(p, 4), {1, 1e-200, 1});
    EXPECT_TRUE(overlap(faint.joint, faint.x + faint.y));
    // Without noise the second register says on which side of an edge a point on the edge is.
    const bounded<bits> clear = joint_entropy(both(p, 4), {1, 1, 1e-300}).joint;
    const bounded<bits> clearer = joint_entropy(both(p, 4), {1, 1, 1e-305}).joint;
    EXPECT_TRUE(overlap(clear, clearer));
    EXPECT_LE(clear.error, bits{1e-9});
  }
}

TEST(cor_joint_ent, where_rows_of_one_register_do_not_do_those_of_the_other_do) {
  const auto expect_narrow = [](const format_pair& formats, const regression_pair& pair) {
    const bounded<bits> joint = joint_entropy(formats, pair).joint;
    EXPECT_LE(joint.error, 10 * default_joint_tolerance);
    const double tolerance = default_joint_tolerance.value() * std::numbers::ln2;
    const partition x{formats.x};
    const partition y{formats.y};
    EXPECT_TRUE(
        overlap(joint, exact_entropy(x, pair.x()) +
                           joint_sum(x, y, noisy_line::by_x(pair), tolerance, {}).compute()));
    EXPECT_TRUE(
        overlap(joint, exact_entropy(y, pair.y()) +
                           joint_sum(y, x, noisy_line::by_y(pair), tolerance, {}).compute()));
  };
  expect_narrow({{4, 3}, {1, 5}},
                {-0x1.753e8f7de46d1p+1, 0x1.07d41c4f71f49p-29, 0x1.b705381e3abe3p-16});
  expect_narrow({{14, 10}, {37, 3}},
                {0x1.0000007a1aa1bp-2, 0x1.af906bcbfa9e9p-123, 0x1.b5543de3823eep-115});
}

TEST(joint_speed, rows_that_cross_more_cells_than_can_be_counted) {
  // Y = wX, but for a part in 1e300: it says all of X.
  const joint_entropies found = joint_entropy({{3, 5}, {53, 11}}, regression_pair{1e300, 28, 73});
  EXPECT_TRUE(overlap(found.joint, found.y));
  EXPECT_LE(found.joint.error, bits{1e-10});
}

TEST(joint_speed, many_coarse_rows_are_summed_exactly) {
  // 2^23 rows a binade, each with a phase of its own; 1.1 is close to 11/10, and √2 is not close to
  // anything.
  for (const double w : {1.1, std::numbers::sqrt2}) {
    EXPECT_LE(joint_entropy(both(24, 8), {w, 1, 1e-8}).joint.error, bits{1e-10}) << w;
  }
}

TEST(joint_stop, a_stop_is_heard) {
  const std::atomic<bool> flag{true};
  EXPECT_THROW(
      joint_entropy(both(24, 8), {1.37, 1, 1e-8}, default_joint_tolerance, stop_token{flag}),
      stopped);
}

TEST(joint_errors, a_tolerance_must_be_positive_and_at_most_a_bit) {
  for (const double bad : {0.0, -1.0, 2.0, std::nan("")}) {
    EXPECT_THROW(joint_entropy(both(4, 4), {1, 1, 1}, bits{bad}), std::domain_error);
  }
  EXPECT_EQ(message_of([] {
              joint_entropy(both(4, 4), {1, 1, 1}, bits{2});
            }),
            "joint entropy: tolerance must be > 0 and at most 1 bit, got 2");
}

}  // namespace
