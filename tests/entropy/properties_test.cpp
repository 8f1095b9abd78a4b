#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "ktln2/entropy/exact.hpp"

namespace {

using namespace ktln2;

float_format any_format(int lowest_p = 1, int lowest_exponent_bits = 0) {
  return {*rc::gen::inRange(lowest_p, 65), *rc::gen::inRange(lowest_exponent_bits, 16)};
}

double any_number(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1'000'001) / 1e6;
}

/// Scale 1e-3 … 1e3, location up to 10 scales away, either sign.
struct place {
  double location;
  double scale;
};

place any_place() {
  const double scale = std::pow(10.0, any_number(-3, 3));
  return {scale * any_number(-10, 10), scale};
}

law law_at(int kind, const place& here) {
  switch (kind) {
    case 0:
      return normal{here.location, here.scale};
    case 1:
      return student_t{1.5, here.location, here.scale};
    case 2:
      return laplace{here.location, here.scale};
    case 3:
      return logistic{here.location, here.scale};
    default:
      return uniform{here.location, here.location + here.scale};
  }
}

/// The same law under x → -x, to the last bit.
law mirrored(int kind, const place& here) {
  if (kind == 4) return uniform{-(here.location + here.scale), -here.location};
  return law_at(kind, {-here.location, here.scale});
}

RC_GTEST_PROP(thm_quantized_ent, entropy_is_at_most_the_size_of_the_register, ()) {
  const float_format format = any_format();
  const bounded<bits> h = exact_entropy(format, law_at(*rc::gen::inRange(0, 5), any_place()));
  RC_ASSERT(h.value.value() >= -h.error.value());
  RC_ASSERT(h.value.value() <= format.width() + h.error.value());
}

RC_GTEST_PROP(thm_quantized_ent, entropy_does_not_know_the_sign_of_x, ()) {
  const partition cells{any_format(), *rc::gen::element(rounding::nearest, rounding::toward_zero)};
  const int kind = *rc::gen::inRange(0, 5);
  const place here = any_place();
  RC_ASSERT(overlap(exact_entropy(cells, law_at(kind, here)),
                    exact_entropy(cells, mirrored(kind, here))));
}

RC_GTEST_PROP(eq_single_mean_0, a_power_of_two_moves_nothing_while_nothing_clips, ()) {
  const float_format format{*rc::gen::inRange(1, 65), 11};
  const place here = any_place();
  const double power = std::exp2(*rc::gen::inRange(-200, 200));
  const int kind = *rc::gen::inRange(0, 5);  // E = 11: even Student's tail clips below 2^-1000
  RC_ASSERT(
      overlap(exact_entropy(format, law_at(kind, here)),
              exact_entropy(format, law_at(kind, {here.location * power, here.scale * power}))));
}

RC_GTEST_PROP(partition, merging_cells_never_raises_the_entropy, ()) {
  const float_format format = any_format();
  const law x = law_at(*rc::gen::inRange(0, 5), any_place());
  const int dropped = *rc::gen::inRange(0, format.width());
  const bounded<bits> fine = exact_entropy(partition{format, rounding::nearest, dropped}, x);
  const bounded<bits> coarse = exact_entropy(partition{format, rounding::nearest, dropped + 1}, x);
  RC_ASSERT((coarse.value - fine.value) <= coarse.error + fine.error);
  RC_ASSERT((fine.value - coarse.value) <= bits{1} + coarse.error + fine.error);
}

RC_GTEST_PROP(partition, floor_cells_refine_as_p_grows, ()) {
  const int p = *rc::gen::inRange(1, 64);
  const int exponent_bits = *rc::gen::inRange(1, 16);
  const law x = law_at(*rc::gen::inRange(0, 5), any_place());
  const bounded<bits> coarse =
      exact_entropy(partition{float_format{p, exponent_bits}, rounding::toward_zero}, x);
  const bounded<bits> fine =
      exact_entropy(partition{float_format{p + 1, exponent_bits}, rounding::toward_zero}, x);
  RC_ASSERT((coarse.value - fine.value) <= coarse.error + fine.error);
}

TEST(partition, midpoint_cells_do_not_nest) {
  const normal x{1.0625, 1e-3};
  EXPECT_NEAR(exact_entropy({3, 4}, x).value.value(), 0, 1e-12);
  EXPECT_NEAR(exact_entropy({4, 4}, x).value.value(), 1, 1e-12);
  EXPECT_NEAR(exact_entropy({5, 4}, x).value.value(), 0, 1e-12);
}

}  // namespace
