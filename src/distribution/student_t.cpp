#include "ktln2/distribution/student_t.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <stdexcept>

#include "core/constants.hpp"
#include "distribution/cell_average.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {
namespace {

/// Boost.Math would throw where a NaN tells as much.
namespace policies = boost::math::policies;
constexpr policies::policy<policies::domain_error<policies::ignore_error>,
                           policies::overflow_error<policies::ignore_error>,
                           policies::evaluation_error<policies::ignore_error>>
    quiet;

constexpr double log_sqrt_2pi = 0.91893853320467274178;

// With fewer, all but a millionth of the mass lies beyond the range of double.
constexpr double least_dof = 1e-6;

// Both series below hold to 1e-17 from here on; smaller arguments are brought up by recurrence.
constexpr double asymptotic_from = 16;

// From here on the tails of f and of the normal law differ by z⁴/(4ν) < 1e-15 relative.
constexpr double nearly_normal_from = 1e18;

/// ln Γ(x+½) - ln Γ(x) - ½ ln x, which lgamma would lose by cancellation for large x.
double log_gamma_step(double x) {
  double shift = 1;
  const double start = x;
  for (; x < asymptotic_from; ++x) shift *= x / (x + 0.5);
  const double r = 1 / x;
  const double r2 = r * r;
  const double series =
      r *
      (-1.0 / 8 +
       r2 * (1.0 / 192 + r2 * (-1.0 / 640 + r2 * (17.0 / 14336 +
                                                  r2 * (-31.0 / 18432 + r2 * (691.0 / 180224))))));
  return series + std::log(shift * std::sqrt(x / start));
}

/// ψ(x+½) - ψ(x)
double digamma_step(double x) {
  double shift = 0;
  for (; x < asymptotic_from; ++x) shift += 0.5 / (x * (x + 0.5));
  const double r = 1 / x;
  const double r2 = r * r;
  return shift +
         r * (1.0 / 2 +
              r * (1.0 / 8 +
                   r2 * (-1.0 / 64 +
                         r2 * (1.0 / 128 +
                               r2 * (-17.0 / 2048 + r2 * (31.0 / 2048 + r2 * (-691.0 / 16384)))))));
}

}  // namespace

standard_student_t::standard_student_t(double dof)
    : dof_{dof},
      sqrt_dof_{std::sqrt(dof)},
      sqrt_next_{std::sqrt(dof + 1)},
      log_constant_{log_gamma_step(dof / 2) - log_sqrt_2pi} {}

student_t::student_t(unchecked /*parameters*/, double dof, double loc, const wide& scale)
    : location_scale{loc, scale, standard_student_t{dof > 0 ? dof : 1}} {
  require_positive("student", "dof", dof);
  if (dof < least_dof) {
    throw std::domain_error("student: dof must be at least " + shown(least_dof) + ", got " +
                            shown(dof));
  }
  require_finite("student", "loc", loc);
  require_positive("student", "scale", this->scale());
}

student_t::student_t(double dof, double loc, double scale)
    : student_t{unchecked{}, dof, loc, scale} {}

student_t::student_t(double dof, double loc, const wide& scale, const law_origin& origin)
    : student_t{unchecked{}, dof, loc, scale} {
  set_origin(origin, 0.0);
}

/// h(Z) = -ln C + (ν+1)/2 [ψ((ν+1)/2) - ψ(ν/2)]        [lem:diff_ent_Ex]
double standard_student_t::entropy() const {
  return (dof_ + 1) / 2 * digamma_step(dof_ / 2) - log_constant_;
}

double standard_student_t::mean() const {
  return dof_ > 1 ? 0 : std::numeric_limits<double>::quiet_NaN();
}

double standard_student_t::deviation() const {
  return dof_ > 2 ? std::sqrt(dof_ / (dof_ - 2)) : infinity;
}

/// For z² ≥ ν, with x = ν/(ν+z²) ≤ 1/2:
///     P(Z > z) = f(z) (z/ν) (1 + series),   series = Σ_{k≥1} (ν/2+½)_k / (ν/2+1)_k x^k
double standard_student_t::far_series(double z) const {
  const double r = radius(z);
  const double x = dof_ / r / r;
  double term = 1;
  double sum = 0;
  for (double k = 0; term > 1e-18 * (1 + sum); ++k) {
    term *= (dof_ / 2 + 0.5 + k) / (dof_ / 2 + 1 + k) * x;
    sum += term;
  }
  return sum;
}

cell_mass standard_student_t::far_upper(double z) const {
  const double log_power = log_constant_ - dof_ / 2 * log1p_square(z);
  const double factor = z / radius(z) / sqrt_dof_ * (1 + far_series(z));
  return {std::exp(log_power) * factor, log_power + std::log(factor)};
}

/// P(a < Z < b) for √ν ≤ a. The ratio of the two tails is taken as (b/a)^-ν times corrections that
/// vanish far out: with few degrees of freedom the tails differ so little that each alone, however
/// accurate, would not do.
cell_mass standard_student_t::far_cell(double a, double b) const {
  const cell_mass beyond = far_upper(a);
  if (std::isinf(b)) return beyond;
  const double near_share = sqrt_dof_ / a * (sqrt_dof_ / a);
  const double far_share = sqrt_dof_ / b * (sqrt_dof_ / b);
  const double log_ratio = -dof_ * std::log(b / a) +
                           (dof_ + 1) / 2 * (std::log1p(near_share) - std::log1p(far_share)) +
                           (std::log1p(far_series(b)) - std::log1p(far_series(a)));
  const double share = -std::expm1(log_ratio);
  return {beyond.probability * share, beyond.log_probability + std::log(share)};
}

/// ln [P(Z > z) / f(z)], by quadrature of f(z+t)/f(z) in units of its decay length.
double standard_student_t::log_mills_ratio(double z) const {
  const double length = radius(z) * radius(z) / ((dof_ + 1) * z);
  const auto& rule = gauss_legendre<16>();
  double integral = 0;
  for (double from = 0, to = 2; from < 60; from = to, to = 2 * to + 2) {
    double mean = 0;
    for (std::size_t k = 0; k < rule.node.size(); ++k) {
      const double t = length * (from + (to - from) / 2 * (1 + rule.node[k]));
      mean += rule.weight[k] * std::exp(log_ratio(z, t));
    }
    integral += (to - from) * mean;
  }
  return std::log(length * integral);
}

cell_mass standard_student_t::upper(double z) const {
  if (z < 0) {
    const double below = upper(-z).probability;
    return {1 - below, std::log1p(-below)};
  }
  if (std::isinf(z)) return {0, -z};
  if (z >= sqrt_dof_) return far_upper(z);
  if (dof_ > nearly_normal_from) return standard_normal{}.upper(z);
  // Near the center ibetac is ill-conditioned where it uses asin (ν = 1).
  const double z2 = z * z;
  const double probability =
      z < 0.5 ? 0.5 - central(z)
              : 0.5 * boost::math::ibetac(0.5, dof_ / 2, z2 / (dof_ + z2), quiet);
  if (probability > 1e-100) return {probability, std::log(probability)};
  return {probability, log_pdf(z) + log_mills_ratio(z)};
}

double standard_student_t::central(double z) const {
  if (std::isinf(z)) return 0.5;
  if (dof_ > nearly_normal_from) return 0.5 - standard_normal{}.upper(z).probability;
  if (z >= sqrt_dof_) return 0.5 - far_upper(z).probability;  // 1 - share² would be lost
  const double share = z / radius(z);
  return 0.5 * boost::math::ibeta(0.5, dof_ / 2, share * share, quiet);
}

cell_mass standard_student_t::cell(double z, double h) const {
  z = std::fabs(z);
  if (std::isinf(z)) return {0, -infinity};
  // The branch points of f are at least 1/rate away: an order-n rule errs by (2/(h·rate))^(-2n).
  const double reach = h * rate(z);
  if (reach <= 0.02) return narrow_cell<4>(*this, z, h);
  if (reach <= 0.2) return narrow_cell<8>(*this, z, h);
  if (reach <= narrow_limit) return narrow_cell<16>(*this, z, h);
  return wide_cell(z - h / 2, z + h / 2);
}

cell_mass standard_student_t::between(double a, double b) const {
  const double h = b - a;
  const double z = std::fabs(a + h / 2);
  if (h * rate(z) <= narrow_limit) return cell(z, h);
  return a + b < 0 ? wide_cell(-b, -a) : wide_cell(a, b);
}

/// For a + b ≥ 0.
cell_mass standard_student_t::wide_cell(double a, double b) const {
  if (a >= sqrt_dof_) return far_cell(a, b);
  if (a >= 0) {
    const cell_mass beyond = upper(b);
    if (beyond.probability <= 0.25) return tail_difference(upper(a), beyond);
    const double inside = central(b) - central(a);  // less cancels near the center
    return {inside, std::log(inside)};
  }
  return central_cell(lower(a), upper(b), central(-a) + central(b));
}

}  // namespace ktln2
