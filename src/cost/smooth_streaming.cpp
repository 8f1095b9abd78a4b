#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/cost/streaming.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint.hpp"

namespace ktln2 {
namespace {

constexpr double log_2pi = 1.8378770664093454836;
/// From so many points on the two sums are taken for jointly normal.
constexpr double many_points = 200;
/// With so little noise, 1 - ρ², the one sum is taken for a multiple of the other.
constexpr double little_noise = 1e-2;
/// With fewer points the density of Σxy is no smooth function at 0.
constexpr double smooth_from = 20;

/// The value of a formula, and how far it may be off, in nats.
struct estimate {
  double value;
  double error;
};

/// The sum of f over a lattice of points from a to b, times their distance: where f vanishes at
/// both ends and is analytic, as exact as f.
template <class F>
double by_trapezoids(double a, double b, int pieces, const F& f) {
  const double step = (b - a) / pieces;
  double sum = 0;
  for (int i = 0; i <= pieces; ++i) sum += f(a + i * step);
  return sum * step;
}

/// ∫ g(i) di from a to b, where g is smooth in ln i.
template <class G>
double over_octaves(double a, double b, const G& g) {
  constexpr double pieces_in_octave = 6;
  const int pieces = static_cast<int>(std::ceil(std::log2(b / a) * pieces_in_octave));
  const double step = std::log(b / a) / pieces;
  double sum = 0;
  for (int k = 0; k <= pieces; ++k) {
    const double i = a * std::exp(k * step);
    sum += (k == 0 || k == pieces ? 0.5 : 1) * i * g(i);
  }
  return sum * step;
}

/// k + ln Γ(k) + (1-k) ψ(k), the entropy of a gamma law in nats; three large numbers that cancel.
double gamma_entropy(double k) {
  if (k < 1000) return k + std::lgamma(k) + (1 - k) * boost::math::digamma(k);
  return (log_2pi + 1 + std::log(k)) / 2 - 1 / (3 * k) - 1 / (12 * k * k);
}

/// A point that stands for others around it.
struct weighted {
  double at;
  double mass;
};

/// The sums A = Σxy and B = Σx² of n points with σ_x = σ_y = 1 and correlation ρ, as real numbers.
/// B is χ² with n degrees of freedom; given B, A is N(ρB, (1-ρ²)B). In nats.
class real_sums {
 public:
  real_sums(double n, const regression_pair& pair)
      : n_{n}, rho_{pair.correlation()}, rest_{1 / (1 + pair.snr())} {}

  /// h(A | B)
  [[nodiscard]] double cross_given_square() const {
    const double log_b = std::numbers::ln2 + boost::math::digamma(n_ / 2);
    return (log_2pi + 1 + std::log(rest_) + log_b) / 2;
  }
  /// h(A, B)
  [[nodiscard]] double both() const {
    return gamma_entropy(n_ / 2) + std::numbers::ln2 + cross_given_square();
  }
  /// I(A; B)
  [[nodiscard]] estimate shared() const {
    if (n_ > many_points) {
      // Their correlation is r² = 2ρ²/(1 + ρ²), and I = -ln(1 - r²)/2.
      return {(std::log1p(rho_ * rho_) - std::log(rest_)) / 2, 2 / n_};
    }
    const double noise = cross_given_square();
    if (rest_ < little_noise) {
      return {std::log(std::fabs(rho_)) + gamma_entropy(n_ / 2) + std::numbers::ln2 - noise,
              std::sqrt(rest_)};
    }
    return {cross() - noise, 1e-9};
  }

  /// Some points that stand for the law of A.
  [[nodiscard]] std::vector<weighted> lattice() const {
    constexpr int points = 200;  // on either side
    const double mean = rho_ * n_;
    const double deviation = std::sqrt(n_ * (1 + rho_ * rho_));
    std::vector<weighted> result;
    for (int k = 0; k < 2 * points; ++k) {
      const double t = (k + 0.5) / points - 1;  // from -1 to 1
      if (n_ >= smooth_from) {
        const double at = mean + 8 * deviation * t;
        result.push_back({at, n_ > many_points ? std::exp(-32 * t * t) : density(at)});
      } else {
        const double size =
            (std::fabs(mean) + 12 * deviation + 20) * std::exp(-15 * (1 - std::fabs(t)));
        result.push_back({std::copysign(size, t), size * density(std::copysign(size, t))});
      }
    }
    double all = 0;
    for (const weighted& one : result) all += one.mass;
    for (weighted& one : result) one.mass /= all;
    return result;
  }

  /// E max(0, ln|A/A'|) for A' = A + xy with one point more, whose products are given. To a
  /// thousandth or so: where A' is next to 0 there is a singularity that no lattice is made for.
  [[nodiscard]] double mean_fall(const std::vector<weighted>& products) const {
    const std::vector<weighted> sums = lattice();
    double result = 0;
    for (const weighted& next : products) {
      double inner = 0;
      for (const weighted& a : sums) {
        const double ratio = std::fabs(1 + next.at / a.at);
        if (ratio < 1 && ratio > 0) inner -= a.mass * std::log(ratio);
      }
      result += next.mass * inner;
    }
    return result;
  }

 private:
  /// h(A)
  [[nodiscard]] double cross() const {
    const auto surprise = [this](double a) {
      const double f = density(a);
      return f > 0 ? -f * std::log(f) : 0;
    };
    const double mean = rho_ * n_;
    const double reach = 14 * std::sqrt(n_ * (1 + rho_ * rho_)) + 50;
    if (n_ >= smooth_from) {
      const double step = std::sqrt(rest_ * n_) / 3;
      return by_trapezoids(mean - reach, mean + reach,
                           static_cast<int>(std::ceil(2 * reach / step)), surprise);
    }
    const double end = std::log(std::fabs(mean) + reach);
    double sum = 0;
    for (const double sign : {1.0, -1.0}) {
      sum += by_trapezoids(end - 40, end, pieces(40),
                           [&](double u) { return std::exp(u) * surprise(sign * std::exp(u)); });
    }
    return sum;
  }
  [[nodiscard]] double density(double a) const {
    const double log_constant =
        -(n_ / 2 * std::numbers::ln2 + std::lgamma(n_ / 2)) - (log_2pi + std::log(rest_)) / 2;
    const double low = std::log(n_) - 80 / n_ - 12 / std::sqrt(n_);
    const double high = std::log(n_ + 14 * std::sqrt(n_) + 80);
    return by_trapezoids(low, high, pieces(high - low), [&](double t) {
      const double b = std::exp(t);
      const double off = a - rho_ * b;
      return std::exp(log_constant + (n_ - 1) / 2 * t - b / 2 - off * off / (2 * rest_ * b));
    });
  }
  /// So many that the narrowest peak, 1/√n wide in logarithms, has some.
  [[nodiscard]] int pieces(double length) const {
    return static_cast<int>(std::ceil(length * 6 * std::sqrt(n_ / rest_ + 1)));
  }

  double n_;
  double rho_;
  double rest_;  ///< 1 - ρ²
};

/// E log₂|Z| for a standard normal number.
double mean_log2_normal() { return -(std::numbers::egamma * bits_per_nat + 1) / 2; }

/// Σ over i = 2 … n of E max(0, log₂|A_{i-1}/A_i|): a sum that falls below a power of two leaves
/// the lattice of its former values behind, but not what it has lost when it rose above.
bounded<bits> sum_of_falls(const regression_pair& pair, double n) {
  constexpr double one_by_one = 8;
  // With hardly any noise products are positive, and sums hardly ever fall: then with some more of
  // it.
  const bool is_quiet = pair.snr() > 1 / little_noise - 1;
  const regression_pair noisy = is_quiet ? regression_pair{1, 1, std::sqrt(little_noise)} : pair;
  const std::vector<weighted> products = real_sums{1, noisy}.lattice();
  const auto fall = [&](double i) { return real_sums{i - 1, noisy}.mean_fall(products); };
  double sum = 0;
  for (double i = 2; i <= std::min(n, one_by_one); ++i) sum += fall(i);
  if (n > one_by_one) sum += over_octaves(one_by_one + 0.5, n + 0.5, fall);
  const double error = is_quiet ? 0.5 : 0.02;
  return {bits{(is_quiet ? 0.5 : 1) * sum * bits_per_nat}, bits{error * sum * bits_per_nat}};
}

bounded<bits> in_bits(const estimate& nats) {
  return {bits{nats.value * bits_per_nat}, bits{nats.error * bits_per_nat}};
}

/// Of a closed form.
bounded<bits> with_rounding(bits value) {
  return {value, bits{1e-13 * (1 + std::fabs(value.value()))}};
}

/// Σ_i I(S_i; X_i, Y_i) = H(S_n) + Σ H(S_{i-1} | S_i, X_i, Y_i). What a sum forgets of the one
/// before is what its cells have become wider; what the first one leaves of its cells unused, as
/// squares and products of stored numbers do, between 0 and 7/6 bits, is forgotten by the second
/// one or not.
bounded<bits> shared_by_steps(const float_format& format, const regression_pair& pair, double n,
                              const bounded<bits>& data) {
  constexpr double unused = 7.0 / 6;
  if (n == 1) return data - exactly(bits{unused});  // all of the point, but for the two signs
  const double log2_x = std::log2(pair.sigma_x());
  const double log2_y = std::log2(pair.sigma_y());
  const double first_widths = 2 * (0.5 - format.p()) + 3 * log2_x + log2_y + 4 * mean_log2_normal();
  const double last = real_sums{n, pair}.both() * bits_per_nat + 3 * log2_x + log2_y;
  return with_rounding(bits{last - first_widths}) + sum_of_falls(pair, n) -
         bounded<bits>{bits{unused / 2}, bits{unused / 2}};
}

/// Where a formula does not apply: information is not negative, and at most what one side holds.
bounded<bits> anything_up_to(bits most) { return {0.5 * most, 0.5 * most}; }

/// Is what Σxy holds beyond Σx² more than a few of its cells, already after one point?
bool is_noise_wide(const float_format& format, const regression_pair& pair) {
  const double log2_width = std::log2(pair.sigma_x()) + std::log2(pair.sigma_y()) +
                            2 * mean_log2_normal() + 0.5 - format.p();
  const double log2_noise = real_sums{1, pair}.cross_given_square() * bits_per_nat +
                            std::log2(pair.sigma_x()) + std::log2(pair.sigma_y());
  return log2_noise - log2_width >= 3;
}

/// Do the sums and the products of single points stay within the format?
bool is_in_range(const float_format& format, const regression_pair& pair, double n) {
  const double least = std::log2(std::min(pair.sigma_x(), pair.sigma_y())) * 2;
  const double most = std::log2(std::max(pair.sigma_x(), pair.sigma_y())) * 2 + std::log2(n);
  return format.exponent_bits() > 0 && least - 10 > format.emin() && most + 4 < format.emax();
}

}  // namespace

streaming_cost smooth_streamed_regression(const float_format& format, const linear_model& model,
                                          double n, const stop_token& stop) {
  const law slope = slope_law(model, n);  // checks the model and n
  const regression_pair pair{model};
  const joint_entropies data =
      joint_entropy(format_pair{format, format}, pair, default_joint_tolerance, stop);
  streaming_cost result{.n = n,
                        .data = data.joint,
                        .slope = exact_entropy(format, slope),
                        .shared_data = data.mutual_information,
                        .shared_steps = anything_up_to(n * data.joint.value),
                        .shared_sums = anything_up_to(bits{1.0 * format.width()}),
                        .applies = is_noise_wide(format, pair) && is_in_range(format, pair, n)};
  if (!result.applies) return result;
  result.shared_steps = shared_by_steps(format, pair, n, data.joint);
  result.shared_sums = in_bits(real_sums{n, pair}.shared());
  return result;
}

}  // namespace ktln2
