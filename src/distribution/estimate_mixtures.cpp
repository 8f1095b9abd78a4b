#include "distribution/estimate_mixtures.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/triangular.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// A mixture of normal laws that stands for an integral over them: a trapezoidal sum, whose error
/// falls faster than any power of its step.
struct mixture_part {
  double weight;
  double mean;
  double deviation;
};

class normal_parts {
 public:
  void add(const mixture_part& one) {
    if (one.weight > 0) parts_.push_back(one);
  }

  /// Weights that add up to 1.
  void normalize() {
    compensated_sum total;
    for (const mixture_part& one : parts_) total.add(one.weight);
    for (mixture_part& one : parts_) one.weight /= total.value();
  }

  struct summary {
    double mean;
    double deviation;
  };
  [[nodiscard]] summary moments() const {
    double mean = 0;
    for (const mixture_part& one : parts_) mean += one.weight * one.mean;
    double variance = 0;
    for (const mixture_part& one : parts_) {
      const double off = one.mean - mean;
      variance += one.weight * (one.deviation * one.deviation + off * off);
    }
    return {mean, std::sqrt(variance)};
  }

  /// The largest term first, lest the sum underflow.
  [[nodiscard]] double log_pdf(double x) const {
    double most = -1e300;
    for (const mixture_part& one : parts_) most = std::max(most, log_term(one, x));
    double sum = 0;
    for (const mixture_part& one : parts_) sum += std::exp(log_term(one, x) - most);
    return most + std::log(sum);
  }

  /// P(X < x), accurate where it is small.
  [[nodiscard]] double below(double x) const {
    double sum = 0;
    for (const mixture_part& one : parts_) {
      sum += one.weight * std::erfc((one.mean - x) / one.deviation * (std::numbers::sqrt2 / 2)) / 2;
    }
    return sum;
  }
  [[nodiscard]] double above(double x) const {
    double sum = 0;
    for (const mixture_part& one : parts_) {
      sum += one.weight * std::erfc((x - one.mean) / one.deviation * (std::numbers::sqrt2 / 2)) / 2;
    }
    return sum;
  }

 private:
  static double log_term(const mixture_part& one, double x) {
    const double t = (x - one.mean) / one.deviation;
    return std::log(one.weight / one.deviation) - t * t / 2 - 0.91893853320467274178;
  }

  std::vector<mixture_part> parts_;
};

law law_of(std::string name, normal_parts parts, double center, double unit, bool is_symmetric) {
  parts.normalize();
  const auto kept = std::make_shared<const normal_parts>(std::move(parts));
  const double log_unit = std::log(unit);
  law_functions functions;
  functions.name = std::move(name);
  functions.log_pdf = [=](double z) { return kept->log_pdf(center + unit * z) + log_unit; };
  functions.cdf = [=](double z) { return std::min(1.0, kept->below(center + unit * z)); };
  functions.ccdf = [=](double z) { return std::min(1.0, kept->above(center + unit * z)); };
  functions.is_symmetric = is_symmetric;
  const auto moments = kept->moments();
  functions.mean = is_symmetric ? 0 : (moments.mean - center) / unit;
  functions.deviation = moments.deviation / unit;
  functions.location = center;
  functions.scale = unit;
  functions.relative_error = 0x1p-46;
  return custom_law{functions};
}

/// Nodes t and weights of ∫ e^g(t) dt around the top of g at 0, from where it is e^-40 of its
/// largest value to where it is so again.
template <class LogDensity, class Use>
void for_nodes(double step, const LogDensity& log_density, const Use& use) {
  use(0.0, std::exp(log_density(0.0)));
  for (const double sign : {-1.0, 1.0}) {
    for (int k = 1; k < 100000; ++k) {
      const double t = sign * k * step;
      const double height = log_density(t);
      if (height < -40) break;
      use(t, std::exp(height));
    }
  }
}

/// √(μᵀΣ⁻¹μ)
double standard_mean(const normal_row& row) {
  const std::vector<double> part = solve_lower(row.x().factor(), row.model().mu, row.features());
  double length = 0;
  for (const double one : part) length = std::hypot(length, one);
  return length;
}

}  // namespace

law ridge_law(const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const double n = task.n;
  const double w = task.model.w[0];
  const double variance = task.model.covariance(0, 0);
  const double noise = task.model.sigma_xi;
  // s = σ_x² n e^t, whose density in t is e^(n/2 (t - e^t)) but for a factor.
  const double usual = variance * n;
  const double shrink = usual / (usual + task.ridge);
  const double center = w * shrink;
  const double unit = noise * std::sqrt(usual) / (usual + task.ridge);
  // Steps that are short against ln s, and in which the mean of a part hardly moves.
  const double drift = std::fabs(w) * shrink * (1 - shrink) / unit;
  const double step = std::min({0.22, 0.35 * std::sqrt(2 / n), 0.35 / (drift + 1e-300)});
  if (!(drift * std::sqrt(2 / n) <= 300)) {
    throw std::domain_error(
        "ols: with a ridge the noise must not be so far below the shrinking, got sigma_xi = " +
        shown(noise));
  }
  normal_parts parts;
  for_nodes(
      step, [n](double t) { return n / 2 * (t - std::expm1(t)); },
      [&](double t, double weight) {
        const double s = usual * std::exp(t);
        parts.add({weight, w * s / (s + task.ridge), noise * std::sqrt(s) / (s + task.ridge)});
      });
  return law_of("ridge", std::move(parts), center, unit, w == 0);
}

law intercept_law(const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const auto d = static_cast<double>(estimate.features());
  const double n = task.n;
  const double nu = n - d;
  const double m = standard_mean(estimate.row());
  const double unit = task.model.sigma_xi / std::sqrt(n);
  const double most = d == 1 ? 300 : 50;  // beyond it there are too many parts
  if (!(m * std::sqrt(n) <= most)) {
    throw std::domain_error(
        "ols: for the law of the intercept sqrt(n mu' Sigma^-1 mu) must be at most " + shown(most) +
        ", got " + shown(m * std::sqrt(n)));
  }
  // The density is ∝ (1 + ζ² + ρ²)^(-n/2) ρ^(d-2). In t = asinh ζ and r = ln(ρ²/(1 + ζ²)) it is a
  // product, of which both factors fall exponentially.
  const double step_t = std::min(0.3 / std::sqrt(nu + 1), 0.35 / (m * std::sqrt(n) + 1e-300));
  const double a = d - 1;
  const double top = d > 1 ? std::log(a / (n - a)) : 0;
  const auto log_rest = [&](double r) { return a / 2 * r - n / 2 * std::log1p(std::exp(r)); };
  normal_parts parts;
  for_nodes(
      step_t, [nu](double t) { return -nu * std::log(std::cosh(t)); },
      [&](double t, double weight) {
        const double zeta = std::sinh(t);
        const double mean = task.model.b - task.model.sigma_xi * m * zeta;
        const double scale = unit * std::cosh(t);
        if (d == 1) return parts.add({weight, mean, scale});
        double flat = 0;  // parts whose scale is the same to rounding
        for_nodes(
            0.35 / std::sqrt(std::min(a, n - a) / 2 + 0.25),
            [&](double r) { return log_rest(top + r) - log_rest(top); },
            [&](double r, double share) {
              const double more = std::exp(top + r);
              if (more < 0x1p-54) {
                flat += weight * share;
              } else if (weight * share > 1e-18) {
                parts.add({weight * share, mean, scale * std::sqrt(1 + more)});
              }
            });
        parts.add({flat, mean, scale});
      });
  return law_of("intercept", std::move(parts), task.model.b, unit * std::hypot(1, m), true);
}

}  // namespace ktln2
