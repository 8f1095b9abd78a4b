#include "ktln2/entropy/approximations.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "core/constants.hpp"
#include "entropy/law_integrals.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/identity.hpp"

namespace ktln2 {
namespace {

/// E ln|Z - s|
template <class Kernel>
double log_distance_by_quadrature(const Kernel& kernel, double s) {
  return log_distance_integral(kernel, -infinity, infinity, s);
}

double log_distance(const standard_normal& kernel, double s) {
  if (s == 0) return -(std::numbers::egamma + std::numbers::ln2) / 2;  // [thm:single_gaussian]
  return log_distance_by_quadrature(kernel, s);
}

double log_distance(const standard_student_t& kernel, double s) {
  if (s != 0) return log_distance_by_quadrature(kernel, s);
  const double dof = kernel.dof();
  const double digamma_half = -std::numbers::egamma - 2 * std::numbers::ln2;
  return (std::log(dof) + digamma_half - boost::math::digamma(dof / 2)) / 2;
}

/// ∫_0^1 ln|z - s| dz = (1-s) ln|1-s| + s ln|s| - 1
double log_distance(const standard_uniform& kernel, double s) {
  if (std::fabs(s - 0.5) > 2) return log_distance_by_quadrature(kernel, s);  // it would cancel
  const auto x_log_x = [](double x) { return x == 0 ? 0 : x * std::log(std::fabs(x)); };
  return x_log_x(1 - s) + x_log_x(s) - 1;
}

/// ln m + ½ [e^m E_1(m) - e^-m Ei(m)], m = |s|; for large m both halves by their asymptotic series,
/// of which the even terms cancel.
double log_distance(const standard_laplace&, double s) {
  const double m = std::fabs(s);
  if (m == 0) return -std::numbers::egamma;
  if (m < 40) {
    return std::log(m) +
           (std::exp(m) * boost::math::expint(1, m) - std::exp(-m) * boost::math::expint(m)) / 2;
  }
  double series = 0;
  double term = 1 / m;  // k!/m^(k+1)
  for (int k = 1; k < 36; ++k) {
    term *= k / m;
    if (k % 2 == 1) series += term;
  }
  return std::log(m) - series;
}

/// ln 2π + Re ψ(½ + i s/2π)
double log_distance(const standard_logistic&, double s) {
  std::complex<double> z{0.5, s / (2 * std::numbers::pi)};
  std::complex<double> shift = 0;
  for (; std::abs(z) < 12; z += 1.0) shift += 1.0 / z;
  const std::complex<double> r2 = 1.0 / (z * z);
  const std::complex<double> series =
      r2 * (1.0 / 12 - r2 * (1.0 / 120 - r2 * (1.0 / 252 - r2 * (1.0 / 240 - r2 * (1.0 / 132)))));
  return std::log(2 * std::numbers::pi) + (std::log(z) - 0.5 / z - series - shift).real();
}

double log_distance(const standard_tabulated& kernel, double s) {
  return log_distance_by_quadrature(kernel, s);
}

double log_distance(const standard_compound& kernel, double s) {
  return log_distance_by_quadrature(kernel, s);
}

[[maybe_unused]] double log_distance(const standard_custom& kernel, double s) {
  return log_distance_by_quadrature(kernel, s);
}

/// E ln|X|
template <class Law>
double mean_log(const Law& x) {
  const double zero = x.standard(wide(0.0));
  if (std::isinf(zero)) return std::log(std::fabs(x.location()));  // narrower than all can tell
  return log_distance(x.kernel(), zero) + std::log(x.scale());
}

/// What the approximations on 𝕌 need, in nats.
struct granular_integrals {
  double mass;           ///< ∫_𝕌 f
  double entropy;        ///< -∫_𝕌 f ln f
  double log_magnitude;  ///< ∫_𝕌 f ln|x|
};

template <class Law>
granular_integrals over_granular(const partition& cells, const Law& x) {
  const auto& kernel = x.kernel();
  const double low = standard_edge(x, cells.granular().left);
  const double high = standard_edge(x, cells.granular().right);
  const double log_scale = std::log(x.scale());
  const double zero = x.standard(wide(0.0));
  const auto tails = [&](auto integral) {
    return integral(-infinity, low) + integral(high, infinity);
  };
  const double outside = kernel.lower(low).probability + kernel.upper(high).probability;
  const double tail_entropy =
      tails([&](double a, double b) { return entropy_integral(kernel, a, b); });
  const double tail_log =
      std::isinf(zero)  // ln|x| is ln|location|, wherever there is mass
          ? outside * (std::log(std::fabs(x.location())) - log_scale)
          : tails([&](double a, double b) { return log_distance_integral(kernel, a, b, zero); });
  const double mass = mass_of(kernel, stretch{low, high, high - low, 1}).probability;
  return {mass, kernel.entropy() + log_scale - tail_entropy - outside * log_scale,
          mean_log(x) - tail_log - outside * log_scale};
}

/// ∫_𝕌 f ln Δ: one distribution-function difference for each run of equal cells.
template <class Law>
double mean_log_width(const partition& cells, const Law& x) {
  compensated_sum sum;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& each : cells.block(block)) {
      if (each.count == 0) continue;
      const cell_run run = granular_part(cells, each);
      if (run.width.is_zero()) continue;  // an outermost value that is the edge of its cell
      const double mass = mass_of(x, run, 0, run.count).probability;
      sum.add(mass * log(run.width));
    }
  }
  return sum.value();
}

/// σ²/(2μ² ln 2), in bits: what Approximation 3 leaves out, to leading order
double second_order(const law& x) {
  const double spread = deviation(x) / mean(x);
  return spread * spread / 2 * bits_per_nat;
}

constexpr double small_mass = 1e-6;
constexpr double small_error = 0.01;  // bits

}  // namespace

double mean_log_magnitude(const law& x) {
  return std::visit([](const auto& known) { return mean_log(known) * bits_per_nat - 0.5; }, x);
}

bits cell_width_entropy(const partition& cells, const law& x) {
  require_usual_density("entropy", x);
  return std::visit(
      [&](const auto& known) {
        const double entropy = over_granular(cells, known).entropy;
        return bits{(entropy - mean_log_width(cells, known)) * bits_per_nat};
      },
      x);
}

bits smooth_entropy_granular(const float_format& format, const law& x) {
  require_usual_density("entropy", x);
  return std::visit(
      [&](const auto& known) {
        const granular_integrals u = over_granular(partition{format}, known);
        return bits{(u.entropy - u.log_magnitude) * bits_per_nat + (format.p() - 0.5) * u.mass};
      },
      x);
}

bits smooth_entropy(int p, const law& x) {
  require_usual_density("entropy", x);
  return bits{differential_entropy(x).value() + (p - 1) - mean_log_magnitude(x)};
}

std::optional<bits> smooth_entropy_offset(int p, const law& x) {
  require_usual_density("entropy", x);
  return std::visit(
      [&](const auto& known) -> std::optional<bits> {
        const double mu = std::isnan(mean(known)) ? known.location() : mean(known);
        if (mu == 0) return {};
        const double h = differential_entropy(known).value();
        return bits{h + (p - 1) - (std::log2(std::fabs(mu)) - 0.5)};
      },
      x);
}

bits smooth_entropy_zero_mean(int p) {
  const double log_2pi_e = std::log2(2 * std::numbers::pi * std::numbers::e);
  return bits{p + log_2pi_e / 2 + std::numbers::egamma / 2 * bits_per_nat};
}

bits clipping_bound(double outside, double log2_cells) {
  // Concave -t log t gains at most -q log q from a mass q more in a cell, and loses at most q log
  // e.
  return bits{outside > 0 ? outside * (log2_cells + 1 - std::log2(outside)) : 0};
}

bits capacity_bound(bits estimate, int width) {
  const double value = estimate.value();
  return bits{std::fmax(std::fabs(value), std::fabs(value - width))};
}

bool approximation::applies() const {
  return value && value->value() >= 0 && std::isfinite(at_most.value()) &&
         std::all_of(requirements.begin(), requirements.end(),
                     [](const requirement& one) { return one.holds(); });
}

namespace {

/// What all approximations for one register are judged by.
class register_ladder {
 public:
  register_ladder(const float_format& format, const law& x)
      : format_{format}, x_{x}, first_{cell_width_entropy(format, x)} {
    const std::optional<bits> bound = divergence_bound(format, x);
    const bits divergence = bound ? *bound : granular_divergence(partition{format}, x);
    const double outside = masses_at_edges(format, x).clipped;
    first_at_most_ = divergence + clipping_bound(outside, 1);
    fine_ = {"D(f||g)", divergence.value(), small_error};
    inside_ = {"P(outside U)", outside, small_mass};
    off_zero_ = {"eps0", zero_cells_error(format, x).value(), small_error};
  }

  [[nodiscard]] approximation of_cells() const {
    return made("eq:diff_approx", first_, standing::asymptotic, "every law", {fine_, inside_});
  }
  [[nodiscard]] approximation granular() const {
    return made("eq:Ht_s_U", smooth_entropy_granular(format_, x_), standing::theorem_backed,
                "every law", {fine_, inside_, off_zero_});
  }
  [[nodiscard]] approximation around_any_mean() const {
    return made("eq:first_two_approx", smooth_entropy(format_.p(), x_), standing::theorem_backed,
                "every law", {fine_, inside_, off_zero_});
  }
  [[nodiscard]] approximation around_a_mean() const {
    const requirement offset{"sigma^2/(2 mu^2 ln 2)", second_order(x_), small_error};
    return made("eq:three_approxes", smooth_entropy_offset(format_.p(), x_), standing::asymptotic,
                "laws with a mean other than 0", {fine_, inside_, off_zero_, offset});
  }
  [[nodiscard]] approximation around_zero() const {
    const normal* const gaussian = std::get_if<normal>(&x_);
    const bool exists = gaussian != nullptr && gaussian->location() == 0;
    return made("eq:single_mean_0",
                exists ? std::optional(smooth_entropy_zero_mean(format_.p())) : std::nullopt,
                standing::theorem_backed, "normal laws with mean 0", {fine_, inside_, off_zero_});
  }

 private:
  /// What an estimate moves away from Approximation 1 is known; from there on there are bounds.
  [[nodiscard]] approximation made(std::string_view label, std::optional<bits> value,
                                   standing status, std::string_view exists_for,
                                   std::vector<requirement> needs) const {
    bits at_most{infinity};
    if (value) {
      // h(X) and the mean of a logarithm, which may be large, are added up.
      const double h = differential_entropy(x_).value();
      const double size = std::fabs(value->value()) + 2 * std::fabs(h) + format_.p() + 4;
      const double moved = std::fabs((*value - first_).value());
      at_most = std::min(first_at_most_ + bits{moved + 1024 * 0x1p-53 * size},
                         capacity_bound(*value, format_.width()));
    }
    return {label, value, status, exists_for, std::move(needs), at_most};
  }

  const float_format& format_;
  const law& x_;
  bits first_;
  bits first_at_most_;
  requirement fine_;
  requirement inside_;
  requirement off_zero_;
};

/// For a law that has none.
approximation without_value(std::string_view label, standing status) {
  return {label, {}, status, "laws with a density within double's range", {}, bits{infinity}};
}

}  // namespace

std::vector<approximation> entropy_approximations(const float_format& format, const law& x) {
  if (!has_usual_density(x)) {
    std::vector<approximation> none;
    for (const auto& [label, status] : {std::pair{"eq:diff_approx", standing::asymptotic},
                                        {"eq:Ht_s_U", standing::theorem_backed},
                                        {"eq:first_two_approx", standing::theorem_backed},
                                        {"eq:three_approxes", standing::asymptotic},
                                        {"eq:single_mean_0", standing::theorem_backed}}) {
      none.push_back(without_value(label, status));
    }
    return none;
  }
  const register_ladder ladder{format, x};
  return {ladder.of_cells(), ladder.granular(), ladder.around_any_mean(), ladder.around_a_mean(),
          ladder.around_zero()};
}

approximation cell_width_approximation(const partition& cells, const law& x) {
  approximation made{"eq:diff_approx",     {}, standing::asymptotic,
                     "more than one cell", {}, bits{infinity}};
  if (!has_usual_density(x)) return without_value("eq:diff_approx", standing::asymptotic);
  if (cells.size() == 1) return made;
  const bits divergence = granular_divergence(cells, x);
  const double outside = mass_outside(cells, x);
  made.value = cell_width_entropy(cells, x);
  made.requirements = {{"D(f||g)", divergence.value(), small_error},
                       {"P(outside U)", outside, small_mass}};
  const double h = differential_entropy(x).value();
  const double size = std::fabs(made.value->value()) + 2 * std::fabs(h) + cells.log2_size() + 4;
  made.at_most =
      std::min(divergence + clipping_bound(outside, 1) + bits{1024 * 0x1p-53 * size},
               capacity_bound(*made.value, static_cast<int>(std::ceil(cells.log2_size()))));
  return made;
}

approximation smooth_approximation(const float_format& format, const law& x) {
  const register_ladder ladder{format, x};
  approximation offset = ladder.around_a_mean();
  return offset.value ? offset : ladder.around_any_mean();
}

}  // namespace ktln2
