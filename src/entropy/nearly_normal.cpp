#include "ktln2/entropy/nearly_normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "entropy/stretch.hpp"

namespace ktln2 {
namespace {

/// The size of a shape: the series goes by its powers.
double size_of(const law_shape& shape) {
  return std::max(std::fabs(shape.skewness), std::sqrt(std::fabs(shape.excess_kurtosis)));
}

constexpr double largest_size = 0.5;

bool is_near_normal(const law_shape& shape) { return size_of(shape) <= largest_size; }

/// κ₃²/12 + κ₄²/48, in bits: what the differential entropy loses, to leading order.
double negentropy(const law_shape& shape) {
  const double skew = shape.skewness;
  const double kurtosis = shape.excess_kurtosis;
  return (skew * skew / 12 + kurtosis * kurtosis / 48) / std::numbers::ln2;
}

/// The terms of the Edgeworth series, He_3, He_4 and He_6, against -log P of the cell that holds z:
/// what each of them moves the entropy by, to first order.
struct first_orders {
  double third = 0;
  double fourth = 0;
  double sixth = 0;
};

/// ln P of the cell that holds z
double log_mass_at(const partition& cells, const normal& x, double z) {
  const cell_run cell = cells.cell_of(x.location() + z * x.scale());
  return mass_of(x.kernel(), standard_stretch(x, cell, 0, 1)).log_probability;
}

first_orders entropy_response(const partition& cells, const normal& x) {
  // The trapezoid rule; at the steps of coarse cells it is good to a few thousandths.
  constexpr int half = 500;
  constexpr double h = 0.02;
  first_orders sum;
  for (int i = -half; i <= half; ++i) {
    const double z = h * i;
    const double z2 = z * z;
    const double weight =
        -h * std::exp(x.kernel().log_pdf(z)) * log_mass_at(cells, x, z) / std::numbers::ln2;
    sum.third += weight * z * (z2 - 3) / 6;
    sum.fourth += weight * (z2 * (z2 - 6) + 3) / 24;
    sum.sixth += weight * (z2 * (z2 * (z2 - 15) + 45) - 15) / 72;
  }
  return sum;
}

}  // namespace

bits shape_doubt(const partition& cells, const normal& x, const law_shape& shape) {
  if (!is_near_normal(shape)) return bits{infinity};
  const first_orders response = entropy_response(cells, x);
  const double skew = shape.skewness;
  const double first = std::fabs(skew * response.third) +
                       std::fabs(shape.excess_kurtosis * response.fourth) +
                       std::fabs(skew * skew * response.sixth);
  const double size = size_of(shape);
  return bits{2 * first + 2 * negentropy(shape) + size * size * size / 8};
}

differential_bits shape_doubt(const law_shape& shape) {
  if (!is_near_normal(shape)) return differential_bits{infinity};
  const double size = size_of(shape);
  return differential_bits{2 * negentropy(shape) + size * size * size / 8};
}

}  // namespace ktln2
