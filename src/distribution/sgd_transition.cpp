#include "distribution/sgd_transition.hpp"

#include <array>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <numbers>

namespace ktln2 {
namespace {

/// From this μ on so many terms of Debye's expansion are exact to 1e-16.
constexpr double debye_from = 20;
constexpr int debye_terms = 10;

/// Hankel's expansion Σ a_k(n)/z^k of K_n(z) e^z √(2z/π), n = 0 and 1: its terms fall below 1e-18
/// from z = 40 on, and four are enough from z = 1e4 on.
constexpr std::array<std::array<double, 13>, 2> hankel_series = [] {
  std::array<std::array<double, 13>, 2> series{};
  for (std::size_t n = 0; n < 2; ++n) {
    series[n][0] = 1;
    for (std::size_t k = 1; k < 13; ++k) {
      const auto odd = 2 * static_cast<double>(k) - 1;
      series[n][k] = series[n][k - 1] * (4 * static_cast<double>(n) - odd * odd) /
                     (8 * static_cast<double>(k));
    }
  }
  return series;
}();

/// K_n(z) e^z for n = 0 or 1.
double scaled_bessel(int n, double z) {
  if (z < 40) return boost::math::cyl_bessel_k(n, z) * std::exp(z);
  const auto& series = hankel_series[static_cast<std::size_t>(n)];
  const double inverse = 1 / z;
  double sum = 0;
  for (std::size_t k = z < 1e4 ? series.size() : 4; k-- > 0;) sum = sum * inverse + series[k];
  return std::sqrt(std::numbers::pi / (2 * z)) * sum;
}

/// Σ_k (-1)^k u_k(t)/μ^k as one polynomial in t, from the constant up, where u_0 = 1 and
///     u_{k+1}(t) = ½ t²(1-t²) u_k'(t) + ⅛ ∫_0^t (1 - 5s²) u_k(s) ds
/// Of large μ few terms count.
std::vector<double> debye_series(double mu) {
  std::vector<double> term{1};
  std::vector<double> sum{1};
  double size = 1;
  for (int k = 1; k <= debye_terms && size > 1e-18; ++k) {
    std::vector<double> next(term.size() + 3, 0.0);
    for (std::size_t n = 0; n < term.size(); ++n) {
      const auto power = static_cast<double>(n);
      next[n + 1] -= term[n] / mu * (power / 2 + 1 / (8 * (power + 1)));
      next[n + 3] += term[n] / mu * (power / 2 + 5 / (8 * (power + 3)));
    }
    sum.resize(next.size(), 0.0);
    size = 0;
    for (std::size_t n = 0; n < next.size(); ++n) {
      sum[n] += next[n];
      size += std::fabs(next[n]);
    }
    term = next;
  }
  sum.resize(sum.size() + sum.size() % 2, 0.0);  // an even number
  return sum;
}

}  // namespace

sgd_transition::sgd_transition(double eta, double batch)
    : eta_{eta}, batch_{batch}, mu_{(batch - 1) / 2}, is_even_{std::fmod(batch, 2) == 0} {
  const double nu = batch / 2;
  // (B/2)^ν / Γ(ν) · √(B/2π)/η · 2 B^-μ
  log_constant_ = nu * std::log(nu) - std::lgamma(nu) +
                  0.5 * std::log(2 * batch / std::numbers::pi) - std::log(eta) -
                  mu_ * std::log(batch);
  if (mu_ >= debye_from) {
    // ln Γ(ν) by Stirling's series and μ ln(μ/B): nothing as large as B ln B is left to cancel.
    const double r2 = 1 / (nu * nu);
    const double stirling = (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 / 1680))) / nu;
    log_constant_ = nu - mu_ * (std::numbers::ln2 - std::log1p(-1 / batch)) - stirling +
                    0.5 * std::log(nu * batch) - std::log(std::numbers::pi * eta);
    debye_ = debye_series(mu_);
  }
}

double sgd_transition::log_bessel(double z) const {
  const double x = z / mu_;
  const double root = std::sqrt(1 + x * x);
  const double t = 1 / root;
  // The even and the odd powers, which do not wait for each other.
  double even = 0;
  double odd = 0;
  const double t2 = t * t;
  for (std::size_t n = debye_.size() / 2; n-- > 0;) {
    even = even * t2 + debye_[2 * n];
    odd = odd * t2 + debye_[2 * n + 1];
  }
  const double sum = even + t * odd;
  return mu_ * (std::log1p(root) - 1 / (x + root)) +
         0.5 * std::log(std::numbers::pi / (2 * mu_) * t * sum * sum);
}

sgd_transition::factors sgd_transition::split(double x, double d) const {
  const double size = std::fabs(x);
  const double r2 = 1 + x * x;
  const double r = std::sqrt(r2);
  const double distance = std::fabs(d) * (batch_ / eta_);
  const double z = distance * r;
  const double decay = x * d < 0 ? distance / (r + size) : distance * (r + size);
  double exponent = log_constant_ - decay;
  if (mu_ >= debye_from) return {1, exponent + log_bessel(z) - mu_ * std::log(r2)};

  // e^-1000 is nothing: most of what a far target looks at.
  if (mu_ == 0) return {exponent < -1000 ? 0 : scaled_bessel(0, z), exponent};
  if (z < 1) {
    // g_{μ+1} = z² g_{μ-1} + 2μ g_μ for g_μ = z^μ K_μ(z) e^z
    const double half_root = std::sqrt(std::numbers::pi / 2);
    double before = is_even_ ? half_root : (z == 0 ? 0 : z * z * scaled_bessel(0, z));
    double here = is_even_ ? half_root * (1 + z) : (z == 0 ? 1 : z * scaled_bessel(1, z));
    double degree = is_even_ ? 1.5 : 1;
    if (mu_ == 0.5) return {half_root, exponent - 0.5 * std::log(r2)};
    double factor = is_even_ ? z * z : 1;  // `before` of odd batches has it already
    for (; degree < mu_; ++degree) {
      const double next = factor * before + 2 * degree * here;
      before = here;
      here = next;
      factor = z * z;
    }
    return {here, exponent - mu_ * std::log(r2)};
  }
  // k_{μ+1} = k_{μ-1} + (2μ/z) k_μ for k_μ = K_μ(z) e^z
  double before = is_even_ ? std::sqrt(std::numbers::pi / (2 * z)) : scaled_bessel(0, z);
  double here = is_even_ ? before : scaled_bessel(1, z);
  for (double degree = is_even_ ? 0.5 : 1; degree < mu_; ++degree) {
    const double next = before + 2 * degree / z * here;
    before = here;
    here = next;
  }
  exponent += mu_ * std::log(z / r2);
  return {here, exponent};
}

double sgd_transition::log_density(double x, double d) const {
  const factors parts = split(x, d);
  return std::log(parts.factor) + parts.exponent;
}

double sgd_transition::density(double x, double d, double shift) const {
  const factors parts = split(x, d);
  if (parts.exponent + shift < -700) return 0;
  return parts.factor * std::exp(parts.exponent + shift);
}

double sgd_transition::width(double x) const { return eta_ * std::sqrt((1 + 2 * x * x) / batch_); }

double sgd_transition::singular_length(double x) const {
  if (batch_ >= 24) return width(x) / 2;
  return 0.1 * eta_ / (batch_ * (std::sqrt(1 + x * x) + std::fabs(x)));
}

}  // namespace ktln2
