#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "core/constants.hpp"
#include "ktln2/distribution/location_scale.hpp"

// What holds for the kernel of every law. Tolerances are counted in units of 2^-53: if each
// probability is good to n (1 + z²) of them, the sum of two on one side of an equation and one on
// the other differ by at most 3n (1 + z²) and a rounding.
namespace kernel_properties {

using ktln2::infinity;

inline constexpr double unit = 0x1p-53;
inline constexpr double smallest = std::numeric_limits<double>::denorm_min();

/// A multiple of 2^-20, so that the sums and halves of a few of them are exact.
inline double on_grid(double x) { return std::ldexp(std::round(std::ldexp(x, 20)), -20); }

/// Any multiple of 2^-20 between low and high; small ones are tried first.
inline double any(double low, double high) {
  const int scaled = *rc::gen::inRange(static_cast<int>(std::ldexp(low, 20)),
                                       static_cast<int>(std::ldexp(high, 20)));
  return std::ldexp(scaled, -20);
}

inline bool close(double a, double b, double units) {
  return std::fabs(a - b) <= units * unit * std::fmax(std::fabs(a), std::fabs(b)) + 4 * smallest;
}

/// The two members of a mass tell the same: a relative error of P is an absolute error of ln P.
inline bool consistent(const ktln2::cell_mass& mass, double units) {
  if (mass.probability < 1e-300) return mass.log_probability < -690;
  return std::fabs(std::log(mass.probability) - mass.log_probability) <=
         units * unit * (1 + std::fabs(mass.log_probability));
}

template <class Kernel>
void tails_add_up_to_one(const Kernel& kernel, double units) {
  const double z = any(-60, 60);
  RC_ASSERT(close(kernel.lower(z).probability + kernel.upper(z).probability, 1, units));
  RC_ASSERT(consistent(kernel.lower(z), units * (1 + z * z)));
  RC_ASSERT(consistent(kernel.upper(z), units * (1 + z * z)));
}

/// For laws symmetric around zero; both sides take the same road, so that not a bit differs.
template <class Kernel>
void mirror_images_are_equal(const Kernel& kernel) {
  const double z = any(-60, 60);
  const double h = any(0x1p-20, 20);
  RC_ASSERT(kernel.upper(z).log_probability == kernel.lower(-z).log_probability);
  RC_ASSERT(kernel.cell(z, h).probability == kernel.cell(-z, h).probability);
  RC_ASSERT(kernel.cell(z, h).log_probability == kernel.cell(-z, h).log_probability);
  RC_ASSERT(kernel.between(z, z + h).probability == kernel.between(-z - h, -z).probability);
  RC_ASSERT(kernel.cells(h)(z).log_probability == kernel.cells(h)(-z).log_probability);
}

template <class Kernel>
void intervals_add_up(const Kernel& kernel, double units) {
  const double a = any(-36, 36);
  const double b = a + any(0x1p-20, 20);
  const double c = b + any(0x1p-20, 20);
  const double far = std::fmax(std::fabs(a), std::fabs(c));
  const double sum = kernel.between(a, b).probability + kernel.between(b, c).probability;
  RC_ASSERT(close(kernel.between(a, c).probability, sum, units * (1 + far * far)));
}

template <class Kernel>
void a_cell_is_the_interval_between_its_edges(const Kernel& kernel, double units) {
  const double z = any(-36, 36);
  const double h = 2 * any(0x1p-20, 10);
  const ktln2::cell_mass cell = kernel.cell(z, h);
  const ktln2::cell_mass between = kernel.between(z - h / 2, z + h / 2);
  RC_ASSERT(close(cell.probability, between.probability, units * (1 + z * z)));
  RC_ASSERT(consistent(cell, units * (1 + z * z)));
  RC_ASSERT(consistent(between, units * (1 + z * z)));
}

/// A tail is an interval that does not end.
template <class Kernel>
void an_endless_interval_is_a_tail(const Kernel& kernel, double units) {
  const double a = any(-30, 30);
  const double far = 1 + a * a;
  RC_ASSERT(
      close(kernel.between(a, infinity).probability, kernel.upper(a).probability, units * far));
  RC_ASSERT(
      close(kernel.between(-infinity, a).probability, kernel.lower(a).probability, units * far));
  RC_ASSERT(kernel.between(-infinity, infinity).probability == 1);
  RC_ASSERT(kernel.cell(a, infinity).probability == 1);
}

/// Across `threshold`, a width at which the way of computing changes for cells around z: the cell
/// against its two halves, and the two functions that compute it against each other.
template <class Kernel>
void expect_no_step_at(const Kernel& kernel, double z, double threshold, double units) {
  z = on_grid(z);
  const double tolerance = units * (1 + z * z);
  for (int k = -200; k <= 200; ++k) {
    const double h = 4 * std::fmax(0x1p-20, on_grid(threshold * (1 + k / 1000.0) / 4));
    const ktln2::cell_mass whole = kernel.cell(z, h);
    const ktln2::cell_mass left = kernel.cell(z - h / 4, h / 2);
    const ktln2::cell_mass right = kernel.cell(z + h / 4, h / 2);
    ASSERT_TRUE(close(whole.probability, left.probability + right.probability, 3 * tolerance))
        << "z = " << z << ", h = " << h;
    const ktln2::cell_mass again = kernel.cells(h)(z);
    ASSERT_TRUE(close(whole.probability, again.probability, 2 * tolerance))
        << "z = " << z << ", h = " << h;
    ASSERT_TRUE(consistent(whole, tolerance)) << "z = " << z << ", h = " << h;
    // Of two logarithms each is good to `units` of itself.
    ASSERT_TRUE(close(whole.log_probability, again.log_probability, 2 * units))
        << "z = " << z << ", h = " << h;
  }
}

}  // namespace kernel_properties
