#include "ktln2/entropy/approximations.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "entropy/law_integrals.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/identity.hpp"

namespace ktln2 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr boost::math::policies::policy<boost::math::policies::promote_double<false>> in_double;
constexpr double bits_per_nat = 1 / std::numbers::ln2;

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
  return (std::log(dof) + digamma_half - boost::math::digamma(dof / 2, in_double)) / 2;
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
    return std::log(m) + (std::exp(m) * boost::math::expint(1, m, in_double) -
                          std::exp(-m) * boost::math::expint(m, in_double)) /
                             2;
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

double log_distance(const standard_custom& kernel, double s) {
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
granular_integrals over_granular(const float_format& format, const Law& x) {
  const auto& kernel = x.kernel();
  const wide edge = format.granular_edge();
  const double low = standard_edge(x, -edge);
  const double high = standard_edge(x, edge);
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
double mean_log_width(const float_format& format, const Law& x) {
  const partition cells{format};
  const wide edge = format.granular_edge();
  compensated_sum sum;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      if (run.count == 0) continue;
      const wide left = run.left.is_infinite() ? -edge : run.left;
      const wide right = run.right.is_infinite() ? edge : run.right;
      const bool outermost = run.left.is_infinite() || run.right.is_infinite();
      const wide width = outermost ? right - left : run.width;
      const stretch all{standard_edge(x, left), standard_edge(x, right), ratio(width, x.scale()),
                        run.count};
      const double mass = mass_between(x, all, [&] { return std::pair{left, right}; }).probability;
      sum.add(mass * log(width));
    }
  }
  return sum.value();
}

/// The numbers that say where an approximation holds.
struct regime {
  double outside;       ///< P(x outside 𝕌)
  double divergence;    ///< D(f‖g), in bits: what Approximation 1 leaves out
  double zero_cells;    ///< ε₀, in bits
  double second_order;  ///< σ²/(2μ² ln 2), in bits: what Approximation 3 leaves out
};

constexpr double small_mass = 1e-6;
constexpr double small_error = 0.01;  // bits

template <class Law>
regime measure(const float_format& format, const Law& x) {
  const wide edge = format.granular_edge();
  const double spread = deviation(x) / mean(x);
  return {x.kernel().lower(x.standard(-edge)).probability +
              x.kernel().upper(x.standard(edge)).probability,
          std::fabs(entropy_by_identity(partition{format}, x).divergence),
          zero_cells_error(format, x).value(), spread * spread / 2 * bits_per_nat};
}

}  // namespace

double mean_log_magnitude(const law& x) {
  return std::visit([](const auto& known) { return mean_log(known) * bits_per_nat - 0.5; }, x);
}

bits cell_width_entropy(const float_format& format, const law& x) {
  return std::visit(
      [&](const auto& known) {
        const double entropy = over_granular(format, known).entropy;
        return bits{(entropy - mean_log_width(format, known)) * bits_per_nat};
      },
      x);
}

bits smooth_entropy_granular(const float_format& format, const law& x) {
  return std::visit(
      [&](const auto& known) {
        const granular_integrals u = over_granular(format, known);
        return bits{(u.entropy - u.log_magnitude) * bits_per_nat + (format.p() - 0.5) * u.mass};
      },
      x);
}

bits smooth_entropy(int p, const law& x) {
  return bits{differential_entropy(x).value() + (p - 1) - mean_log_magnitude(x)};
}

std::optional<bits> smooth_entropy_offset(int p, const law& x) {
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

namespace {

struct requirements {
  requirement fine;
  requirement inside;
  requirement off_zero;
  requirement offset;
};

requirements requirements_of(const float_format& format, const law& x) {
  const regime here = std::visit([&](const auto& known) { return measure(format, known); }, x);
  return {{"D(f||g)", here.divergence, small_error},
          {"P(outside U)", here.outside, small_mass},
          {"eps0", here.zero_cells, small_error},
          {"sigma^2/(2 mu^2 ln 2)", here.second_order, small_error}};
}

approximation around_any_mean(int p, const law& x, const requirements& all) {
  return {"eq:first_two_approx",
          smooth_entropy(p, x),
          standing::theorem_backed,
          "every law",
          {all.fine, all.inside, all.off_zero}};
}

approximation around_a_mean(int p, const law& x, const requirements& all) {
  return {"eq:three_approxes",
          smooth_entropy_offset(p, x),
          standing::asymptotic,
          "laws with a mean other than 0",
          {all.fine, all.inside, all.off_zero, all.offset}};
}

}  // namespace

bool approximation::applies() const {
  return value.has_value() && std::all_of(requirements.begin(), requirements.end(),
                                          [](const requirement& one) { return one.holds(); });
}

std::vector<approximation> entropy_approximations(const float_format& format, const law& x) {
  const auto [fine, inside, off_zero, offset] = requirements_of(format, x);
  const normal* const gaussian = std::get_if<normal>(&x);
  const bool zero_mean_normal = gaussian != nullptr && gaussian->location() == 0;
  const int p = format.p();
  return {{"eq:diff_approx",
           cell_width_entropy(format, x),
           standing::asymptotic,
           "every law",
           {fine, inside}},
          {"eq:Ht_s_U",
           smooth_entropy_granular(format, x),
           standing::theorem_backed,
           "every law",
           {fine, inside, off_zero}},
          around_any_mean(p, x, {fine, inside, off_zero, offset}),
          around_a_mean(p, x, {fine, inside, off_zero, offset}),
          {"eq:single_mean_0",
           zero_mean_normal ? std::optional(smooth_entropy_zero_mean(p)) : std::nullopt,
           standing::theorem_backed,
           "normal laws with mean 0",
           {fine, inside, off_zero}}};
}

approximation smooth_approximation(const float_format& format, const law& x) {
  const requirements all = requirements_of(format, x);
  approximation offset = around_a_mean(format.p(), x, all);
  return offset.value ? offset : around_any_mean(format.p(), x, all);
}

}  // namespace ktln2
