#include "ktln2/cost/device.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace ktln2;

bounded<bits> exactly(double value) { return {bits{value}, bits{0}, evidence::proved}; }

cyclic_device example() {
  return {{{"points", 10, exactly(5), 16, 20}, {"model", 1, exactly(2), 8, 10}},
          {{"model", 1, exactly(3), 8, 10}}};
}

TEST(tab_cyclic_device, only_computing_costs) {
  const auto steps = example().protocol();
  EXPECT_TRUE(steps[1].is_free);
  EXPECT_FALSE(steps[2].is_free);
  EXPECT_TRUE(steps[3].is_free);
  EXPECT_EQ(steps[0].entropy.value, bits{0});
  EXPECT_EQ(steps[1].entropy.value, bits{52});
  EXPECT_EQ(steps[2].entropy.value, bits{3});
  EXPECT_EQ(steps[3].entropy.value, bits{0});
}

TEST(eq_Landauer, the_cost_is_the_entropy_lost_between_loading_and_handing_on) {
  const cyclic_device device = example();
  EXPECT_EQ(device.erased().value, bits{49});
  const kelvin t{300};
  const double joules_by_hand = 1.4067796536885746593e-19;  // 49 · 300 · 1.380649e-23 · ln 2
  EXPECT_NEAR(device.cost(t).value.value(), joules_by_hand, 4 * 0x1p-53 * joules_by_hand);
  EXPECT_EQ(device.precision(), bits{160});
}

TEST(eq_phys_ent, internal_entropies_that_differ_are_paid_for) {
  const cyclic_device device{example().input(),
                             example().output(),
                             {.loaded = {bits{3}, bits{0.5}}, .computed = exactly(2)}};
  EXPECT_EQ(device.internal().value, bits{1});
  EXPECT_EQ(device.erased().value, bits{49});
  EXPECT_EQ(device.lost().value, bits{50});
  EXPECT_EQ(device.lost().error, bits{0.5});
  const kelvin t{300};
  EXPECT_NEAR(device.cost(t).value / landauer_cost(bits{50}, t), 1, 1e-14);
}

TEST(cyclic_device, errors_add_up) {
  const cyclic_device device{{{"x", 3, {bits{4}, bits{0.5}, evidence::estimated}, 1, 1}},
                             {{"y", 1, {bits{1}, bits{0.25}, evidence::estimated}, 1, 1}}};
  EXPECT_EQ(device.erased().error, bits{1.75});
  EXPECT_EQ(device.erased().how, evidence::estimated);
  EXPECT_GT(device.cost(kelvin{300}).error, joules{0});
}

TEST(cyclic_device, refuses_internal_entropies_that_are_no_numbers) {
  EXPECT_THROW(cyclic_device({}, {}, {.loaded = exactly(std::nan(""))}), std::domain_error);
}

}  // namespace
