// What an answer says of how far it may be off is so: of every approximation and of every law that
// stands for another, in every command.
#include <gtest/gtest.h>

#include <cmath>

#include "ask/cost.hpp"
#include "ask/entropy.hpp"
#include "ask/law.hpp"
#include "ask/mismatch.hpp"
#include "ask/scaling.hpp"
#include "random_case.hpp"

namespace {

using namespace ktln2;

/// More than a register's share of smoothing, ½ bit, and what the conditions allow beside it is
/// never promised.
constexpr double most_of_a_register = 0.55;

/// How many promises were made, and how many of them concern what applies.
struct tally {
  int promised = 0;
  int applied = 0;
  double closest = 0;  ///< the largest share of what was allowed

  void check(double difference, double bar, double at_most, bool applies) {
    EXPECT_LE(std::fabs(difference), at_most + bar);
    if (at_most > 1e-6) closest = std::max(closest, std::fabs(difference) / (at_most + bar));
    ++promised;
    applied += applies ? 1 : 0;
  }
};

void check_ladder(const bounded<bits>& h, const std::vector<approximation>& all, int registers,
                  tally& sum) {
  for (const approximation& one : all) {
    if (!one.value) {
      EXPECT_FALSE(one.applies()) << one.label;
      continue;
    }
    SCOPED_TRACE(one.label);
    sum.check((*one.value - h.value).value(), h.error.value(), one.at_most.value(), one.applies());
    if (!one.applies()) continue;
    EXPECT_GE(one.value->value(), 0);
    EXPECT_LE(one.at_most.value(), registers * most_of_a_register);
  }
}

law random_law(random_numbers& random) {
  const double scale = random.scale();
  const double at = random.location(scale);
  switch (random.whole(0, 5)) {
    case 0:
      return student_t{random.log_uniform(0.5, 100), at, scale};
    case 1:
      return laplace{at, scale};
    case 2:
      return logistic{at, scale};
    case 3:
      return uniform{at, std::fmax(at + scale, std::nextafter(at, INFINITY))};
    default:
      return normal{at, scale};
  }
}

/// Where a law ends with the values of the format, or begins with them.
normal at_the_edge(const float_format& format, random_numbers& random) {
  const double edge =
      random.chance(0.5) ? format.granular_edge().to_double() : format.min_positive().to_double();
  const double spread = edge * random.log_uniform(1e-6, 1);
  return {edge * (1 - random.unit() * 2e-1), std::isfinite(spread) && spread > 0 ? spread : 1};
}

void one_register(random_numbers& random, tally& sum) {
  const float_format format{random.precision(), random.exponent_bits()};
  const bool at_edge = random.chance(0.3) && format.exponent_bits() < 10;
  const law x = at_edge ? law{at_the_edge(format, random)} : random_law(random);
  SCOPED_TRACE(testing::Message() << format.name() << ", law " << x.index() << ", mean " << mean(x)
                                  << ", deviation " << deviation(x));
  const ask::entropy_answer made{{format, "", x}};
  check_ladder(made.total(), made.approximations(), 1, sum);
}

linear_model random_model(random_numbers& random) {
  const double sigma_x = random.log_uniform(1e-3, 1e2);
  const double w = (random.chance(0.5) ? 1 : -1) * random.log_uniform(1e-2, 1e2);
  return {w, sigma_x, std::fabs(w) * sigma_x * random.log_uniform(1e-3, 1e2)};
}

float_format quick_format(random_numbers& random) {
  return {random.chance(0.5) ? random.whole(1, 5) : random.whole(10, 53), random.whole(0, 10)};
}

void two_registers(random_numbers& random, tally& sum) {
  const format_pair formats{quick_format(random), quick_format(random)};
  const linear_model model = random_model(random);
  SCOPED_TRACE(testing::Message() << formats.x.name() << ", " << formats.y.name() << ", w "
                                  << model.w << ", sigma_x " << model.sigma_x << ", sigma_xi "
                                  << model.sigma_xi);
  const ask::pair_answer made{{formats, "", model}};
  check_ladder(made.entropies().joint, made.approximations(), 2, sum);
}

ask::any_task random_task(random_numbers& random) {
  const linear_model model = random_model(random);
  const double n = random.whole(3, 1000);
  switch (random.whole(0, 3)) {
    case 0:
      return ask::regression_task{model, n};
    case 1: {
      const double eta = random.log_uniform(1e-4, 0.5) / (model.sigma_x * model.sigma_x);
      const double batch = random.whole(1, 20);
      return ask::sgd_task{model, {eta, batch, 2 * model.w * random.unit()}, n, sgd_model::moments};
    }
    case 2:
      return ask::averaging_task{{random.location(1), random.log_uniform(1e-3, 1e2)}, n};
    default:
      return ask::prediction_task{model.w, model.sigma_x};
  }
}

void smooth_cost(random_numbers& random, tally& sum) {
  const float_format format = quick_format(random);
  const bool is_small = format.width() <= 16;
  ask::cost_question asked{"", one_format(format), random_task(random), entropy_kind::smooth};
  if (std::holds_alternative<ask::prediction_task>(asked.what) && !is_small) return;
  const ask::cost_answer smooth{asked};
  asked.entropies = entropy_kind::exact;
  const ask::cost_answer exact{asked};
  SCOPED_TRACE(testing::Message() << "cost, task " << asked.what.index() << ", " << format.name());
  sum.check((smooth.erased().value - exact.erased().value).value(), exact.erased().error.value(),
            smooth.erased().error.value(), smooth.applies());
  for (const register_group& group : smooth.device().input()) {
    EXPECT_TRUE(!smooth.applies() || group.each.value >= bits{0});
  }
}

void smooth_scaling(random_numbers& random, tally& sum) {
  ask::scaling_question asked{.kind = "exact",
                              .prices = {},
                              .demand = "inverse",
                              .formats = one_format({random.whole(10, 53), random.whole(4, 8)}),
                              .what = regression_training{{1, 1, random.log_uniform(0.1, 10)}},
                              .entropies = entropy_kind::smooth};
  asked.prices.energy_price = random.log_uniform(1e15, 1e18);
  asked.prices.inference.base = random.log_uniform(1, 1000);
  const ask::scaling_answer smooth = solve(asked);
  if (!smooth.size.best) return;
  const profit_curve exact{asked.prices, asked.formats, asked.what, entropy_kind::exact};
  const profit_point there = exact.at(smooth.size.best->n);
  const double scale = smooth.size.best->energy.value();
  sum.check((there.energy - smooth.size.best->energy).value() / scale, 1e-12,
            smooth.judged().energy_error.value() / scale, smooth.judged().applies);
  EXPECT_LE(std::fabs(there.profit - smooth.size.best->profit),
            asked.prices.energy_price * smooth.judged().energy_error.value() +
                1e-12 * std::fabs(there.revenue));
}

void smooth_mismatch(random_numbers& random, tally& sum) {
  ask::mismatch_question asked{
      .kind = "exact",
      .formats = one_format({random.whole(10, 24), random.whole(5, 8)}),
      .model = {random.log_uniform(1, 30), 1 + random.unit(), 1 + random.unit()},
      .n = std::round(random.log_uniform(3, 3000)),
      .entropies = entropy_kind::smooth};
  const ask::mismatch_answer smooth = solve(asked);
  const auto exact = mismatch::regression_production(
      asked.formats, asked.model.w, asked.n, mismatch::quadratic_flow(0, 1), entropy_kind::exact);
  const auto here = exact(asked.model.sigma_x, asked.model.sigma_xi);
  sum.check((here.value - smooth.here.value).value(), here.error.value(),
            (smooth.here.error + smooth.smoothing).value(), smooth.applies);
  // The best data by exact entropies are at least as good as those found.
  const auto found = exact(smooth.star().sigma_x, smooth.star().sigma_xi);
  EXPECT_GE((here.value - found.value).value() + here.error.value() + found.error.value(),
            (smooth.mmc().value - smooth.mmc().error).value());
}

ask::sgd_task random_descent(random_numbers& random) {
  const sgd_model which = random.chance(0.5)   ? sgd_model::moments
                          : random.chance(0.5) ? sgd_model::ou
                                               : sgd_model::stationary;
  const double steps = std::round(random.log_uniform(1, 60));
  return {{.w = random.chance(0.2) ? 0 : random.log_uniform(0.1, 10)},
          {.eta = random.log_uniform(0.003, 0.3),
           .batch = std::round(random.log_uniform(1, 50)),
           .w0 = random.chance(0.2) ? 0 : 5 * random.unit()},
          steps,
          which};
}

void law_of_sgd(random_numbers& random, tally& sum) {
  const ask::sgd_task task = random_descent(random);
  const float_format format{random.whole(1, 53), random.whole(0, 8)};
  SCOPED_TRACE(testing::Message() << format.name() << " sgd:steps=" << task.steps
                                  << ",w=" << task.model.w << ",eta=" << task.how.eta
                                  << ",batch=" << task.how.batch << ",w0=" << task.how.w0
                                  << ", law " << static_cast<int>(task.which));
  const law exact = sgd_law(task.model, task.how, task.steps, sgd_model::exact);
  const auto on_register = ask::gap_of(task, format);
  const bounded<bits> h = exact_entropy(format, exact, bits{1e-6});
  sum.check(on_register->asked - h.value.value(), h.error.value() + 1e-6, on_register->at_most(),
            on_register->applies());
  const auto itself = ask::gap_of(task);
  sum.check(itself->asked - differential_entropy(exact).value(), 1e-6, itself->at_most(),
            itself->applies());
}

using kind_of_case = void (*)(random_numbers&, tally&);

tally run(kind_of_case one, int cases, unsigned seed) {
  random_numbers random{seed};
  tally sum;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) one(random, sum);
  return sum;
}

unsigned seed() { return static_cast<unsigned>(from_environment("KTLN2_TRUST_SEED", 20261116)); }

TEST(applies, promises_no_more_than_is_so) {
  EXPECT_GT(run(one_register, 40, seed()).applied, 10);
  EXPECT_GT(run(smooth_cost, 12, seed()).applied, 1);
  EXPECT_GT(run(two_registers, 2, seed()).promised, 0);
  EXPECT_GT(run(smooth_scaling, 1, seed()).promised, 0);
  EXPECT_GT(run(law_of_sgd, 1, seed()).promised, 0);
}

/// So large a share of all the cases of a campaign.
void campaign(kind_of_case kind, double share) {
  const int cases = from_environment("KTLN2_TRUST_CASES", 100);
  const tally sum = run(kind, static_cast<int>(std::ceil(share * cases)), seed());
  std::printf("%d promises, %d of what applies, error at most %.3f of what was stated\n",
              sum.promised, sum.applied, sum.closest);
}

TEST(applies_campaign, one_register) { campaign(one_register, 0.64); }
TEST(applies_campaign, two_registers) { campaign(two_registers, 0.10); }
TEST(applies_campaign, smooth_cost) { campaign(smooth_cost, 0.16); }
TEST(applies_campaign, smooth_scaling) { campaign(smooth_scaling, 0.02); }
TEST(applies_campaign, smooth_mismatch) { campaign(smooth_mismatch, 0.02); }
TEST(applies_campaign, law_of_sgd) { campaign(law_of_sgd, 0.06); }

TEST(entropy_eq_diff_approx, the_outermost_cell_counts) {
  // All of N(480, 0.1²) is in the outermost cell of p4e4, and H = 0.
  const ask::entropy_answer made{{{4, 4}, "", normal{480, 0.1}}};
  for (const approximation& one : made.approximations()) EXPECT_FALSE(one.applies()) << one.label;
  EXPECT_GT(made.bounds().divergence->value(), 6);
}

}  // namespace
