// Costs on registers of formats that people own.

#include "ktln2/format/storage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "ktln2/cost/computations.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

const storage& named(const char* name) {
  static std::map<std::string, storage> known;
  return known.try_emplace(name, parse_storage(name)).first->second;
}

TEST(storage, knows_both_kinds_of_formats) {
  EXPECT_EQ(named("p24e8").name(), "p24e8");
  EXPECT_EQ(named("p24e8").width(), 32);
  EXPECT_EQ(named("bf16").name(), "bfloat16");
  EXPECT_EQ(named("bf16").width(), 16);
  EXPECT_EQ(named("bf16").p(), 8);
  EXPECT_EQ(named("posit16").p(), 12);
  EXPECT_EQ(named("int8").p(), 8);
  EXPECT_EQ(named("bf16").ideal(), nullptr);
  EXPECT_EQ(message_of([] { (void)named("bf16").ideal("islands"); }),
            "islands: expected one of the paper's formats, such as p8e8, got bfloat16");
  EXPECT_EQ(named("e4m3").rounded(1000)->to_double(), 448);
  EXPECT_EQ(named("p4e4").rounded(0)->to_double(), std::ldexp(1.0, -7));
}

TEST(storage, leaves_nothing_to_chance) {
  const number_format format = *find_number_format("e4m3");
  storing rule = format.usual();
  rule.by_chance = chance{};
  EXPECT_NE(message_of([&] { (void)storage(format, rule); }).find("stochastic"), std::string::npos);
}

TEST(real_cost, is_what_the_registers_hold) {
  // n H(X, Y) - H(ŵ), the three by other roads than the bill's own.
  const linear_model model{.w = 0.5, .sigma_x = 1, .sigma_xi = 0.3};
  const storage& format = named("bfloat16");
  const computation bill = regression_cost(one_format(format), model, 100);
  const bits pair = joint_entropy(storage_pair{format, format}, regression_pair{model}).joint.value;
  const bits slope = exact_entropy(format, slope_law(model, 100)).value;
  EXPECT_NEAR(bill.device.erased().value.value(), (100 * pair - slope).value(), 1e-9);
  // Next to the paper's format of the same size there is no difference to speak of.
  const computation ideal = regression_cost(one_format({8, 8}), model, 100);
  EXPECT_NEAR(bill.device.erased().value.value(), ideal.device.erased().value.value(), 1e-6);
  EXPECT_EQ(bill.device.precision().value(), ideal.device.precision().value());
}

TEST(real_cost, of_an_average_counts_zeros_and_infinities) {
  // N(0, 1) in e2m1: 3.216366424 bits, the mean of 4 is N(0, 1/4).
  const computation bill = average_cost(named("e2m1"), named("e2m1"), {}, 4);
  const bits mean = exact_entropy(named("e2m1"), normal{0, 0.5}).value;
  EXPECT_NEAR(bill.device.erased().value.value(), 4 * 3.216366424 - mean.value(), 1e-8);
}

TEST(real_cost, has_no_closed_forms) {
  EXPECT_EQ(message_of([] {
              (void)average_cost(named("e4m3"), named("e4m3"), {}, 4, entropy_kind::smooth);
            }),
            "smooth entropies: expected one of the paper's formats, such as p8e8, got e4m3");
}

TEST(real_inference, by_one_or_by_minus_one_is_free) {
  for (const char* name :
       {"e2m1", "e4m3", "e5m2", "bfloat16", "posit8", "binary8p4se", "e4m3fnuz"}) {
    SCOPED_TRACE(name);
    for (const double slope : {1.0, -1.0}) {
      const bounded<bits> lost = inference(named(name), slope, 1).device.erased();
      EXPECT_NEAR(lost.value.value(), 0, lost.error.value() + 1e-12);
    }
  }
}

/// By the definition: the probability of each stored product, x by x.
double products_by_hand(const char* name, double slope, double sigma) {
  const auto& [format, rule] = *named(name).number();
  std::map<std::uint64_t, double> masses;
  const partition cells = named(name).cells().cells;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double left = run.edge(k).to_double();
        const double right = run.edge(k + 1).to_double();
        const double mass =
            (std::erf(right / sigma / std::sqrt(2.0)) - std::erf(left / sigma / std::sqrt(2.0))) /
            2;
        const double inside = std::isinf(left)    ? right - 1 - std::fabs(right)
                              : std::isinf(right) ? left + 1 + std::fabs(left)
                                                  : left + (right - left) / 2;
        // The slopes have few bits: these products are exact.
        const double x = format.value(format.quantize(inside, rule))->to_double();
        masses[format.quantize(slope * (x == 0 ? std::copysign(0.0, inside) : x), rule)] += mass;
      }
    }
  }
  double h = 0;
  for (const auto& [code, p] : masses) h -= p > 0 ? p * std::log2(p) : 0;
  return h;
}

TEST(real_inference, stores_what_the_quantizer_makes_of_the_products) {
  for (const char* name : {"e2m1", "e3m2", "e4m3", "e5m2", "posit8", "binary8p4se", "e4m3fnuz"}) {
    for (const double slope : {1.5, -0.75, 0.3125, 100.0, 0x1p-12}) {
      SCOPED_TRACE(name + std::string(" slope ") + std::to_string(slope));
      const bounded<bits> found = inference_output_entropy(named(name), slope, 1.25);
      EXPECT_NEAR(found.value.value(), products_by_hand(name, slope, 1.25),
                  found.error.value() + 1e-12);
    }
  }
}

TEST(real_inference, refuses_what_cannot_be_listed) {
  EXPECT_EQ(
      message_of([] { (void)inference(named("binary32"), 2, 1); }),
      "inference: expected a format of at most 20 bits, or one of the paper's, such as p24e8, "
      "got binary32");
}

}  // namespace
