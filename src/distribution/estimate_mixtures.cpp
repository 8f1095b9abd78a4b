#include "distribution/estimate_mixtures.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/triangular.hpp"
#include "distribution/even_law_table.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// A mixture of laws of one shape that stands for an integral over them: a trapezoidal sum, whose
/// error falls faster than any power of its step.
struct mixture_part {
  double weight;
  double mean;
  double deviation;
};

/// The shape of all parts, about 0: normal, or a mixture itself.
struct part_shape {
  even_law_table::function log_pdf = [](double x) { return -x * x / 2 - 0.91893853320467274178; };
  even_law_table::function above = [](double x) {
    return std::erfc(x * (std::numbers::sqrt2 / 2)) / 2;
  };
  double variance = 1;
};

class law_parts {
 public:
  explicit law_parts(part_shape shape = {}) : shape_{std::move(shape)} {}

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
      variance += one.weight * (one.deviation * one.deviation * shape_.variance + off * off);
    }
    return {mean, std::sqrt(variance)};
  }

  /// The largest term first, lest the sum underflow.
  [[nodiscard]] double log_pdf(double x) const {
    std::vector<double> terms;
    terms.reserve(parts_.size());
    double most = -1e300;
    for (const mixture_part& one : parts_) {
      terms.push_back(std::log(one.weight / one.deviation) +
                      shape_.log_pdf((x - one.mean) / one.deviation));
      most = std::max(most, terms.back());
    }
    double sum = 0;
    for (const double term : terms) sum += std::exp(term - most);
    return most + std::log(sum);
  }

  /// P(X < x), accurate where it is small.
  [[nodiscard]] double below(double x) const {
    double sum = 0;
    for (const mixture_part& one : parts_) {
      sum += one.weight * shape_.above((one.mean - x) / one.deviation);
    }
    return sum;
  }
  [[nodiscard]] double above(double x) const {
    double sum = 0;
    for (const mixture_part& one : parts_) {
      sum += one.weight * shape_.above((x - one.mean) / one.deviation);
    }
    return sum;
  }

 private:
  part_shape shape_;
  std::vector<mixture_part> parts_;
};

/// A mixture that is symmetric about 0, as a table.
part_shape tabulated(law_parts parts) {
  parts.normalize();
  const auto kept = std::make_shared<const law_parts>(std::move(parts));
  const auto table = std::make_shared<const even_law_table>(
      [kept](double x) { return kept->log_pdf(x); }, [kept](double x) { return kept->above(x); });
  const double deviation = kept->moments().deviation;
  return {[table](double x) { return table->log_pdf(x); },
          [table](double x) { return table->above(x); }, deviation * deviation};
}

/// In units of `unit` from `center`.
law_functions placed(std::string name, double center, double unit) {
  law_functions made;
  made.name = std::move(name);
  made.location = center;
  made.scale = unit;
  made.relative_error = 0x1p-46;
  return made;
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

/// By how much the length of the slopes across μ widens a normal variable: √(1 + ρ²/(1 + ζ²)), a
/// factor that does not depend on ζ, with its share of the cases.
struct widening {
  double share;
  double factor;
};
std::vector<widening> widenings(double n, double d, double step) {
  if (d == 1) return {{1, 1}};
  const double a = d - 1;
  const double top = std::log(a / (n - a));
  const auto log_rest = [&](double r) { return a / 2 * r - n / 2 * std::log1p(std::exp(r)); };
  std::vector<widening> made;
  double flat = 0;  // parts whose scale is the same to rounding
  for_nodes(
      step / std::sqrt(std::min(a, n - a) / 2 + 0.25),
      [&](double r) { return log_rest(top + r) - log_rest(top); },
      [&](double r, double share) {
        const double more = std::exp(top + r);
        if (more < 0x1p-54) {
          flat += share;
        } else {
          made.push_back({share, std::sqrt(1 + more)});
        }
      });
  made.push_back({flat, 1});
  return made;
}

part_shape widened_normal(double n, double d) {
  if (d == 1) return {};
  law_parts parts;
  for (const widening& one : widenings(n, d, 0.35)) parts.add({one.share, 0, one.factor});
  return tabulated(std::move(parts));
}

/// m√n, of which there may be no more than the mixture can follow.
double intercept_drift(const coefficients& estimate) {
  const double drift = standard_mean(estimate.row()) * std::sqrt(estimate.task().n);
  if (drift <= 300) return drift;  // beyond it there are too many parts
  throw std::domain_error(
      "ols: for the law of the intercept sqrt(n mu' Sigma^-1 mu) must be at most 300, got " +
      shown(drift));
}

/// Nodes in t = asinh ζ, whose density is ∝ (cosh t)^-ν; steps are in its deviation 1/√(ν + 1).
template <class Use>
void for_slopes_along_mean(double nu, double drift, double step, const Use& use) {
  for_nodes(
      std::min(step / std::sqrt(nu + 1), 0.35 / (drift + 1e-300)),
      [nu](double t) { return -nu * std::log(std::cosh(t)); }, use);
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
  law_parts parts;
  for_nodes(
      step, [n](double t) { return n / 2 * (t - std::expm1(t)); },
      [&](double t, double weight) {
        const double s = usual * std::exp(t);
        parts.add({weight, w * s / (s + task.ridge), noise * std::sqrt(s) / (s + task.ridge)});
      });
  parts.normalize();
  const auto kept = std::make_shared<const law_parts>(std::move(parts));
  law_functions made = placed("ridge", center, unit);
  const double log_unit = std::log(unit);
  made.log_pdf = [=](double z) { return kept->log_pdf(center + unit * z) + log_unit; };
  made.cdf = [=](double z) { return std::min(1.0, kept->below(center + unit * z)); };
  made.ccdf = [=](double z) { return std::min(1.0, kept->above(center + unit * z)); };
  made.is_symmetric = w == 0;
  const auto moments = kept->moments();
  made.mean = made.is_symmetric ? 0 : (moments.mean - center) / unit;
  made.deviation = moments.deviation / unit;
  return custom_law{made};
}

law intercept_law(const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const auto d = static_cast<double>(estimate.features());
  const double n = task.n;
  const double nu = n - d;
  const double drift = intercept_drift(estimate);
  const double unit = task.model.sigma_xi / std::sqrt(n);
  // The density is ∝ (1 + ζ² + ρ²)^(-n/2) ρ^(d-2). In t = asinh ζ and r = ln(ρ²/(1 + ζ²)) it is a
  // product, of which both factors fall exponentially.
  const double spread = std::hypot(1, drift / std::sqrt(n));  // in units of σ_ξ/√n, about
  law_parts parts{widened_normal(n, d)};
  for_slopes_along_mean(nu, drift, 0.3, [&](double t, double weight) {
    parts.add({weight, drift * std::sinh(t) / spread, std::cosh(t) / spread});
  });
  const part_shape shape = tabulated(std::move(parts));
  law_functions made = placed("intercept", task.model.b, unit * spread);
  made.log_pdf = shape.log_pdf;
  made.cdf = [shape](double z) { return std::min(1.0, shape.above(-z)); };
  made.ccdf = [shape](double z) { return std::min(1.0, shape.above(z)); };
  made.is_symmetric = true;
  made.mean = 0;
  made.deviation = std::sqrt(shape.variance);
  return custom_law{made};
}

std::vector<intercept_part> intercept_parts(const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const auto d = static_cast<double>(estimate.features());
  const double drift = intercept_drift(estimate);
  const double unit = task.model.sigma_xi / std::sqrt(task.n);
  constexpr double coarser = 1.6;  // than for the law itself
  constexpr double least = 1e-14;
  const std::vector<widening> across = widenings(task.n, d, 0.35 * coarser);
  std::vector<intercept_part> made;
  double total = 0;
  for_slopes_along_mean(task.n - d, drift, 0.3 * coarser, [&](double t, double weight) {
    for (const widening& one : across) {
      total += weight * one.share;
      if (weight * one.share < least) continue;
      made.push_back(
          {weight * one.share, unit * drift * std::sinh(t), unit * std::cosh(t) * one.factor});
    }
  });
  for (intercept_part& one : made) one.weight /= total;
  return made;
}

}  // namespace ktln2
