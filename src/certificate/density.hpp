#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "certificate/ball.hpp"

namespace ktln2::certificate {

/// Bits for bounds, of which only the size matters.
inline constexpr slong rough_bits = 64;

/// The complex z with nearest ≤ |Re z| ≤ farthest and |Im z| ≤ height.
struct region {
  ball nearest;
  ball farthest;
  ball height;

  /// With everything that is at most `reach` to the left or to the right.
  [[nodiscard]] region widened(const ball& reach) const {
    return {max(nearest - reach, 0.0), farthest + reach, height};
  }
};

/// What ln f does in a region: lowest ≤ Re ln f ≤ highest, |Im ln f| ≤ turn.
struct log_range {
  ball lowest;
  ball highest;
  ball turn;
};

/// Terms of the series Σ_k Y_k, Y_{k+1} = (first(k) Y_k + second(k) Y_{k-1})/(k+1), Y_0 = 1, that
/// gives f(z + t)/f(z) at t = h/2; the sum of Y_k/(k+1) over even k < `terms` is the mean of
/// f(z + t)/f(z) over |t| < h/2, up to the terms left out.
template <class First, class Second>
ball mean_of_series(int terms, const First& first, const Second& second) {
  ball before;
  ball now = 1.0;
  ball sum = 1.0;
  for (int k = 0; k + 2 < terms; ++k) {
    ball next = (first(k) * now + second(k) * before) / ball(k + 1);
    before = std::move(now);
    now = std::move(next);
    if (k % 2 == 1) sum += now / ball(k + 2);
  }
  return sum;
}

/// What the terms left out add at most, where h · rate(z) ≤ q < 1 and `terms` is even:
///     4q^terms/((terms + 1)(1 - q²))
inline ball series_remainder(const ball& q, int terms) {
  const ball q2 = square(q);
  return (power(q2, static_cast<unsigned long>(terms / 2)) / (ball(terms + 1) * (ball(1.0) - q2)))
      .scaled(2);
}

/// How many terms to add up where h · rate(z) is this product, and what the others add at most;
/// nothing where the cell is not narrow. `reach` is asked for in few bits.
struct series_length {
  int terms;
  ball remainder;
};
template <class Reach>
std::optional<series_length> length_of_series(const Reach& reach) {
  double q = 0;
  {
    const working_precision rough{rough_bits};
    q = reach().upper_double();
  }
  if (!(q <= 0.25)) return {};
  // Two terms more for each q² until 4q^terms is below the working precision.
  const double gain = -std::log2(std::fmax(q, 0x1p-500));
  const int terms = 2 + 2 * static_cast<int>(static_cast<double>(ball::precision()) / gain / 2);
  return series_length{terms, series_remainder(q, terms)};
}

/// The standard laws, with densities f that are even, fall on both sides of 0 and continue
/// analytically. For real z, and for regions of the complex plane:
///     log_density(z)       ln f(z)
///     is_analytic(D)       is ln f analytic in D?
///     log_density_in(D)    bounds on it, there
///     steepest(D)          a bound on |d ln f/dz|, there
///     rate(z)              |f(z + t)/f(z)| ≤ 4 for all complex t with |t| ≤ 1/(2 rate)
///     mean_ratio(z, h, K)  the mean of f(z + t)/f(z) over |t| < h/2 by the K first coefficients
///     tail(z)              P(Z > z) for z ≥ 0
///     tail_bound(z)        not below P(Z > z), for z > 0
class normal_density {
 public:
  normal_density();

  [[nodiscard]] ball log_density(const ball& z) const {
    return -square(z).scaled(-1) - log_sqrt_2pi_;
  }
  [[nodiscard]] bool is_analytic(const region& /*everywhere*/) const { return true; }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const { return where.farthest + where.height; }
  [[nodiscard]] ball rate(const ball& z) const { return abs(z) + ball(1.0); }
  [[nodiscard]] ball mean_ratio(const ball& z, const ball& h, int terms) const;
  [[nodiscard]] ball tail(const ball& z) const;
  [[nodiscard]] ball tail_bound(const ball& z) const { return exp(log_density(z)) / z; }

 private:
  ball log_sqrt_2pi_;
};

class student_density {
 public:
  explicit student_density(double dof);

  [[nodiscard]] ball log_density(const ball& z) const {
    return log_constant_ - power_ * log1p(square(z) / dof_);
  }
  [[nodiscard]] bool is_analytic(const region& where) const {
    return where.height < root_ || ball(0.0) < where.nearest;
  }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const;
  [[nodiscard]] ball rate(const ball& z) const;
  [[nodiscard]] ball mean_ratio(const ball& z, const ball& h, int terms) const;
  [[nodiscard]] ball tail(const ball& z) const;
  [[nodiscard]] ball tail_bound(const ball& z) const;

 private:
  /// Not above |1 + z²/ν| in the region, minus 1.
  [[nodiscard]] ball least_excess(const region& where) const;

  normal_density limit_;
  ball dof_;           ///< ν
  ball root_;          ///< √ν
  ball power_;         ///< (ν+1)/2
  ball log_constant_;  ///< ln C
};

/// f(z) = 1/(4 cosh²(z/2)), whose only singularities are at ±iπ, ±3iπ, …
class logistic_density {
 public:
  [[nodiscard]] ball log_density(const ball& z) const {
    return -(abs(z) + log1p(exp(-abs(z))).scaled(1));
  }
  [[nodiscard]] bool is_analytic(const region& where) const {
    return where.height < pi() || ball(0.0) < where.nearest;
  }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const;
  [[nodiscard]] ball rate(const ball& /*z*/) const { return 1.0; }
  /// In closed form, whatever K.
  [[nodiscard]] ball mean_ratio(const ball& z, const ball& h, int terms) const;
  [[nodiscard]] ball tail(const ball& z) const { return exp(-z) / (ball(1.0) + exp(-z)); }
  [[nodiscard]] ball tail_bound(const ball& z) const { return exp(-z); }
};

/// f(z) = e^(-|z|)/2, of which either side continues analytically, but not beyond 0.
class laplace_density {
 public:
  [[nodiscard]] ball log_density(const ball& z) const { return -(abs(z) + ln2()); }
  [[nodiscard]] bool is_analytic(const region& where) const { return ball(0.0) < where.nearest; }
  [[nodiscard]] log_range log_density_in(const region& where) const {
    return {-(where.farthest + ln2()), -(where.nearest + ln2()), where.height};
  }
  [[nodiscard]] ball steepest(const region& /*where*/) const { return 1.0; }
  /// Not so far that 0 is within reach.
  [[nodiscard]] ball rate(const ball& z) const { return max(1.0, ball(1.0) / abs(z).scaled(1)); }
  /// In closed form, whatever K.
  [[nodiscard]] ball mean_ratio(const ball& /*z*/, const ball& h, int /*terms*/) const {
    return sinh(h.scaled(-1)) / h.scaled(-1);
  }
  [[nodiscard]] ball tail(const ball& z) const { return exp(-z).scaled(-1); }
  [[nodiscard]] ball tail_bound(const ball& z) const { return tail(z); }
};

}  // namespace ktln2::certificate
