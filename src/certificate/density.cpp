#include "certificate/density.hpp"

#include <algorithm>
#include <cmath>

namespace ktln2::certificate {

// Normal

normal_density::normal_density() : log_sqrt_2pi_{log(pi().scaled(1)).scaled(-1)} {}

log_range normal_density::log_density_in(const region& where) const {
  // Re z² = x² - y², Im z² = 2xy
  return {-(square(where.farthest).scaled(-1) + log_sqrt_2pi_),
          (square(where.height) - square(where.nearest)).scaled(-1) - log_sqrt_2pi_,
          where.farthest * where.height};
}

ball normal_density::mean_ratio(const ball& z, const ball& h, int terms) const {
  const ball half = h.scaled(-1);
  const ball first = -(z * half);
  const ball second = -square(half);
  return mean_of_series(
      terms, [&first](int) -> const ball& { return first; },
      [&second](int) -> const ball& { return second; });
}

ball normal_density::tail(const ball& z) const {
  ball result;
  const ball scaled = z / sqrt(2.0);
  arb_hypgeom_erfc(result.raw(), scaled.raw(), ball::precision());
  return result.scaled(-1);
}

// Student t

student_density::student_density(double dof)
    : dof_{dof}, root_{sqrt(dof_)}, power_{(dof_ + ball(1.0)).scaled(-1)} {
  // The two large logarithms cancel.
  const working_precision guard{ball::precision() + 64 + std::max(0, std::ilogb(dof))};
  const auto log_gamma = [](const ball& x) {
    ball result;
    arb_lgamma(result.raw(), x.raw(), ball::precision());
    return result;
  };
  log_constant_ = log_gamma((dof_ + ball(1.0)).scaled(-1)) - log_gamma(dof_.scaled(-1)) -
                  log(dof_ * pi()).scaled(-1);
}

ball student_density::least_excess(const region& where) const {
  // |1 + w| ≥ 1 + Re w, and |ν + z²| = |z - i√ν| |z + i√ν|, where one of the two is at least as
  // far from z as √ν is from 0.
  const ball real = (square(where.nearest) - square(where.height)) / dof_;
  const ball gap = max(root_ - where.height, 0.0);
  const ball near2 = square(where.nearest);
  const ball product = sqrt((near2 + square(gap)) * (near2 + dof_)) / dof_ - ball(1.0);
  return max(real.lower(), product.lower());
}

log_range student_density::log_density_in(const region& where) const {
  const ball least = least_excess(where);
  const ball most = (square(where.farthest) + square(where.height)) / dof_;
  const ball real = ball(1.0) + (square(where.nearest) - square(where.height)) / dof_;
  ball turn = pi();
  if (ball(0.0) < real) {
    turn = min(turn, (where.farthest * where.height).scaled(1) / (dof_ * real));
  }
  return {log_constant_ - power_ * log1p(most), log_constant_ - power_ * log1p(least),
          power_ * turn};
}

ball student_density::steepest(const region& where) const {
  // |(ν+1) z/(ν + z²)|
  return power_.scaled(1) * (where.farthest + where.height) /
         (dof_ * (ball(1.0) + least_excess(where)));
}

ball student_density::rate(const ball& z) const {
  const ball next = power_.scaled(1);  // ν + 1
  const ball radius = sqrt(dof_ + square(z));
  return (next * abs(z) / radius + sqrt(next)) / radius;
}

ball student_density::mean_ratio(const ball& z, const ball& h, int terms) const {
  const ball half = h.scaled(-1);
  const ball radius2 = dof_ + square(z);
  const ball first = z * h / radius2;
  const ball second = square(half) / radius2;
  const ball next = power_.scaled(1);
  return mean_of_series(
      terms, [&](int k) { return -(first * (power_ + ball(k))); },
      [&](int k) { return -(second * (next + ball(k - 1))); });
}

ball student_density::tail(const ball& z) const {
  if (ball(0x1p60) < dof_) return limit_.tail(z).widened(ball(10.0) / dof_);
  const ball z2 = square(z);
  const ball half_dof = dof_.scaled(-1);
  const ball half = 0.5;
  ball result;
  if (z2 < min(dof_, 1.0)) {
    // P(0 < Z < z) is half the incomplete beta function of z²/(ν + z²). Close to 0 the other one
    // would lose half the digits; far from it this one would lose all of them, if ν is large.
    const ball x = z2 / (dof_ + z2);
    arb_hypgeom_beta_lower(result.raw(), half.raw(), half_dof.raw(), x.raw(), 1, ball::precision());
    return half - result.scaled(-1);
  }
  const ball x = dof_ / (dof_ + z2);
  arb_hypgeom_beta_lower(result.raw(), half_dof.raw(), half.raw(), x.raw(), 1, ball::precision());
  return result.scaled(-1);
}

ball student_density::tail_bound(const ball& z) const {
  // f(t) ≤ C (t²/ν)^(-(ν+1)/2), and for ν > 1 also ∫ f ≤ ∫ (t/z) f.
  ball power_law = exp(log_constant_ + power_ * log(dof_) - dof_ * log(z) - log(dof_));
  const ball less = dof_ - ball(1.0);
  if (!(ball(0.0) < less)) return power_law;
  const ball weighted =
      exp(log_constant_ - less.scaled(-1) * log1p(square(z) / dof_)) * dof_ / (less * z);
  return power_law.is_finite() ? min(power_law, weighted) : weighted;
}

// Logistic

namespace {

/// 2e^-x (cosh x + cos y), without numbers that are too large.
ball shrunk(const ball& x, const ball& cos_y) {
  const ball e = exp(-x);
  return ball(1.0) + e * (e + cos_y.scaled(1));
}

/// Not above cos y in the region.
ball least_cosine(const region& where) { return cos(min(where.height, pi())).lower(); }

}  // namespace

log_range logistic_density::log_density_in(const region& where) const {
  // |f| = 1/(2 cosh x + 2 cos y), and ln f turns at most by |y| + π.
  return {-(where.farthest + log(shrunk(where.farthest, 1.0))),
          -(where.nearest + log(shrunk(where.nearest, least_cosine(where)))), where.height + pi()};
}

ball logistic_density::steepest(const region& where) const {
  // |tanh(z/2)|² = (cosh x - cos y)/(cosh x + cos y)
  const ball least = least_cosine(where);
  return max(1.0, sqrt(shrunk(where.nearest, -least) / shrunk(where.nearest, least)));
}

ball logistic_density::mean_ratio(const ball& z, const ball& h, int /*terms*/) const {
  // P = sinh(h/2)/(cosh z + cosh(h/2)) and f = 1/(2 + 2 cosh z); 1/cosh z does not overflow.
  const ball half = h.scaled(-1);
  const ball e = exp(-abs(z));
  const ball sech = e.scaled(1) / (ball(1.0) + square(e));
  return sinh(half) / half * (ball(1.0) + sech) / (ball(1.0) + sech * cosh(half));
}

}  // namespace ktln2::certificate
