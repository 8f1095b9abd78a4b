#include "ktln2/entropy/coefficient_entropy.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/law_integrals.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {
namespace {

/// All cells as far as they lie in 𝕌: the outermost ones end there.
template <class F>
void for_granular_runs(const partition& cells, const F& f) {
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& whole : cells.block(block)) {
      const cell_run run = granular_part(cells, whole);
      if (run.count > 0 && run.width > wide(0.0)) f(run);
    }
  }
}

/// A coefficient's share of D to leading order, in nats, and what the next order may make of it:
/// relative to the share of a stretch of cells it is Δ² E[(∂ ln f)²] there, at most.
struct leading_share {
  double value = 0;
  double next = 0;

  void add(double of_cells, double mass) {
    value += of_cells;
    if (of_cells > 0) next += of_cells * std::min(1.0, 24 * of_cells / mass);
  }
};

/// What the score of a slope is made of.
struct slope_score {
  double dof;        ///< ν
  double features;   ///< d
  double gain;       ///< on the square of the multivariate t's own score, (n² + 2)/n² or 1
  double precision;  ///< (S⁻¹)_jj
  double from_mean;  ///< nμ_j²/σ_ξ², 0 without an intercept

  /// E[(∂_j ln f)² | z_j] in units of the scale, t = z_j/scale.
  [[nodiscard]] double square(double t, double scale) const {
    const double rest = std::max(0.0, precision * scale * scale - 1);
    const double a = dof + t * t;
    const double of_t = (dof + features) * (dof + 1) / (dof + features + 2) *
                        ((dof + 3) * (t / a) * (t / a) + rest / a);
    const double mean = from_mean * scale * scale * (dof + 1) / (dof + features) * dof / a;
    return gain * of_t + mean;
  }
};

/// E[Δ_j² (∂_j ln f)²]/24 over the cells of a slope. Of a multivariate t the square has,
/// given z_j, the mean (ν+d)(ν+1)/(ν+d+2) {(ν+3)z²/(S²A²) + (P - 1/S)/A}, A = ν + z²/S, with S_jj
/// and P = (S⁻¹)_jj. With an intercept, of which u = √n (b̂ - b + z·μ)/√(σ_ξ² + zᵀΣz) is normal and
/// independent of z,
///     ∂_j ln f = -(n + 1 - u²)(Σz)_j/(σ_ξ² + zᵀΣz) - √n u μ_j/√(σ_ξ² + zᵀΣz):
/// n² + 2 takes the place of n² = (ν+d)², and nμ_j² E[1/(σ_ξ² + zᵀΣz) | z_j] comes on top, where
/// the mean is (ν+1)/n ν/(σ_ξ²A).
leading_share share_of_slope(const partition& cells, const student_t& z, const slope_score& score) {
  const standard_student_t& kernel = z.kernel();
  const double scale = z.scale();
  const double reach = reach_of(kernel);
  leading_share share;
  for_granular_runs(cells, [&](const cell_run& run) {
    const stretch all = standard_stretch(z, run, 0, run.count);
    const double mass = mass_of(kernel, all).probability;
    if (!(mass > 1e-20)) return;
    const double width = ratio(run.width, scale);
    const double squares =
        integrate_within_reach(kernel, std::max(all.left, -reach), std::min(all.right, reach),
                               [&](double t, double) { return score.square(t, scale); });
    share.add(width * width * squares / 24, mass);
  });
  return share;
}

/// E[Δ_b² (∂_b ln f)²]/24 over the cells of the intercept: given the slopes it is normal,
/// and ∂_b ln f = -u/deviation.
leading_share share_of_intercept(const partition& cells, const coefficients& estimate) {
  constexpr standard_normal given_slopes;
  const std::vector<intercept_part> parts = intercept_parts(estimate);
  const double truth = estimate.truth(estimate.features());
  leading_share share;
  for_granular_runs(cells, [&](const cell_run& run) {
    const double left = (run.left - wide(truth)).to_double();
    const double right = (run.right - wide(truth)).to_double();
    double squares = 0;
    double mass = 0;
    for (const intercept_part& one : parts) {
      const double a = std::clamp((left - one.center) / one.deviation, -40.0, 40.0);
      const double b = std::clamp((right - one.center) / one.deviation, -40.0, 40.0);
      if (std::min(std::fabs(a), std::fabs(b)) > 12 && a * b > 0) continue;
      // ∫ u²φ = ∫ φ + aφ(a) - bφ(b)
      const double here = given_slopes.between(a, b).probability;
      const double square =
          here + a * std::exp(given_slopes.log_pdf(a)) - b * std::exp(given_slopes.log_pdf(b));
      const double width = ratio(run.width, one.deviation);
      mass += one.weight * here;
      squares += one.weight * width * width * std::clamp(square, 0.0, 1.0);
    }
    share.add(squares / 24, mass);
  });
  return share;
}

double clipped_mass(const partition& cells, const law& x) {
  return cdf(x, cells.granular().left.to_double()) + ccdf(x, cells.granular().right.to_double());
}

/// The most that boxes with so much mass, beyond 𝕌 on a side, may be off: they hold at
/// most the logarithm of their number, the identity has h and widths there, and -ln f grows with
/// 1 + d/ν times the logarithm of what is beyond. It tells nothing where much is clipped.
double most_of_clipped(const partition& cells, const coefficients& estimate, double clipped,
                       double h) {
  if (!(clipped > 0)) return 0;
  if (clipped > 0.01) return infinity;
  const auto m = static_cast<double>(estimate.size());
  double widest = 0;
  for_granular_runs(cells, [&](const cell_run& run) {
    widest = std::max(widest, std::fabs(log(run.width) * bits_per_nat));
  });
  const double tail = 2 + m / *estimate.dof();
  return clipped *
         (m * (cells.log2_size() + widest + 8) + std::fabs(h) + 16 - tail * std::log2(clipped));
}

/// Deviations are those of the factor, and the intercept's law that of a solution with it.
bits rounding_of_factor(const coefficients& estimate) {
  const normal_vector& x = estimate.row().x();
  const bool is_solved = estimate.task().intercept && x.size() > 1;
  return rounding_by(is_solved ? x.doubt_when_turned() : x.doubt());
}

/// Each coefficient, or an earlier one that has the same law: many are often alike.
std::vector<std::size_t> first_alike(const coefficients& estimate) {
  const row_model& model = estimate.task().model;
  std::vector<std::size_t> first;
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    first.push_back(j);
    for (std::size_t i = 0; i < j && j < estimate.features(); ++i) {
      if (model.w[i] != model.w[j] || model.mu[i] != model.mu[j] ||
          model.covariance(i, i) != model.covariance(j, j) ||
          estimate.spread(i) != estimate.spread(j)) {
        continue;
      }
      first[j] = i;
      break;
    }
  }
  return first;
}

/// f(j) for each coefficient, once for those that are alike.
template <class F>
auto for_each_coefficient(const coefficients& estimate, std::size_t count, const F& f) {
  const std::vector<std::size_t> first = first_alike(estimate);
  std::vector<decltype(f(std::size_t{0}))> all;
  for (std::size_t j = 0; j < count; ++j) all.push_back(first[j] < j ? all[first[j]] : f(j));
  return all;
}

/// D to leading order.
leading_share leading_divergence(const partition& cells, const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const row_model& model = task.model;
  const double nu = *estimate.dof();
  const double variance = model.sigma_xi * model.sigma_xi;
  const auto d = static_cast<double>(estimate.features());
  std::vector<leading_share> shares =
      for_each_coefficient(estimate, estimate.features(), [&](std::size_t j) {
        const double of_b = task.intercept ? task.n / variance * model.mu[j] * model.mu[j] : 0.0;
        const double gain = task.intercept ? 1 + 2 / (task.n * task.n) : 1.0;
        const slope_score score{nu, d, gain, nu * model.covariance(j, j) / variance, of_b};
        return share_of_slope(cells, std::get<student_t>(estimate.marginal(j)), score);
      });
  if (task.intercept) shares.push_back(share_of_intercept(cells, estimate));
  leading_share all;
  for (const leading_share& one : shares) {
    all.value += one.value;
    all.next += one.next;
  }
  return all;
}

/// Means over V ~ χ²_ν by a trapezoidal sum in ln V, which has the deviation √(2/ν). Its error
/// falls at least with the square when the step is halved: that of every other node tells it.
class chi_square_mean {
 public:
  explicit chi_square_mean(double nu) {
    const double step = 0.4 * std::sqrt(2 / nu) / (nu < 4 ? 2 : 1);
    for (const double sign : {1.0, -1.0}) {
      for (int k = sign > 0 ? 0 : 1;; ++k) {
        const double t = sign * k * step;
        const double height = nu / 2 * (t - std::expm1(t));
        if (height < -40) break;
        nodes_.push_back({nu * std::exp(t), std::exp(height), k % 2 == 0});
      }
    }
  }

  struct node {
    double v;
    double weight;
    bool is_even;
  };
  [[nodiscard]] const std::vector<node>& nodes() const { return nodes_; }

  struct result {
    double value;
    double error;
  };
  /// Of values at all nodes.
  [[nodiscard]] result of(const std::vector<double>& values) const {
    double all = 0;
    double even = 0;
    double weight = 0;
    double even_weight = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const node& one = nodes_[i];
      all += one.weight * values[i];
      weight += one.weight;
      if (!one.is_even) continue;
      even += one.weight * values[i];
      even_weight += one.weight;
    }
    const double difference = std::fabs(all / weight - even / even_weight);
    return {all / weight, std::min(difference, difference * difference) + 0x1p-50 * all / weight};
  }

 private:
  std::vector<node> nodes_;
};

/// E log Δ over 𝕌, in bits, and how far it may be off.
bounded<double> mean_log_width(const partition& cells, const law& x) {
  return std::visit(
      [&](const auto& known) -> bounded<double> {
        compensated_sum sum;
        double absolute = 0;
        double largest = 0;
        for_granular_runs(cells, [&](const cell_run& run) {
          const double mass = mass_of(known, run, 0, run.count).probability;
          const double log_width = log(run.width) * bits_per_nat;
          sum.add(mass * log_width);
          absolute += mass * std::fabs(log_width);
          largest = std::max(largest, std::fabs(log_width));
        });
        return {sum.value(), 256 * 0x1p-53 * absolute + table_error(known.kernel()) * largest,
                evidence::estimated};
      },
      x);
}

constexpr double most_row_work = 3e6;

/// The ends as far as two answers agree. Where they do not, by the rounding of one that has no bar
/// to speak of, both are right.
void intersect(coefficient_entropies& best, bits low, bits high) {
  const bits upper = std::min(best.high, high);
  const bits lower = std::max(best.low, low);
  best.low = std::min(lower, upper);
  best.high = std::max(lower, upper);
}

/// The narrower one of two answers, between the ends of both.
void take_narrower(coefficient_entropies& best, const bounded<bits>& other,
                   coefficient_method how) {
  if (!(other.error < best.joint.error)) return;
  best.how = how;
  intersect(best, other.value - other.error, other.value + other.error);
  best.joint = other;
  if (other.value < best.low || best.high < other.value) {
    const bits middle = (best.low + best.high) / 2;
    best.joint = {middle, (best.high - best.low) / 2, other.how};
  }
}

/// Σ_j h(ŵ_j) - h(ŵ): the most that registers share, no more than the numbers in them do.
bits most_shared(const coefficients& estimate) {
  const double h = differential_entropy(estimate).value();
  double shared = -h;
  double terms = std::fabs(h);
  for (const double one : for_each_coefficient(estimate, estimate.size(), [&](std::size_t j) {
         return differential_entropy(estimate.marginal(j)).value();
       })) {
    shared += one;
    terms += std::fabs(one);
  }
  // Tables of a law are good to 2^-46 of its density.
  const double rounding = 0x1p-44 * (terms + static_cast<double>(estimate.size()));
  return bits{std::max(0.0, shared) + rounding} + rounding_of_factor(estimate);
}

/// All hold at least what each one does, at most as much as if they were independent, and less than
/// that by no more than what the numbers share.
coefficient_entropies of_singles(const partition& cells, const coefficients& estimate,
                                 const std::vector<bounded<bits>>& single) {
  bits low;
  bounded<bits> sum = exactly(bits{0});
  for (const bounded<bits>& one : single) {
    low = std::max(low, one.value - one.error);
    sum += one;
  }
  const bits most = static_cast<double>(single.size()) * bits{cells.log2_size()};
  const bits high = std::max(low, std::min(sum.value + sum.error, most));
  low = std::min(high, std::max(low, sum.value - sum.error - most_shared(estimate)));
  return {{(low + high) / 2, (high - low) / 2, evidence::estimated},
          coefficient_method::bracket,
          low,
          high,
          single};
}

coefficient_entropies of_least_norm(const storage& where, const coefficients& estimate) {
  const auto d = static_cast<double>(estimate.size());
  const bits smooth = smooth_entropy(where.p(), estimate);
  // Smooth widths are off by at most half a bit each [thm:steps], and D is less than the rest.
  const bits most{d * (0.5 + std::exp2(-where.p()))};
  return {{smooth, most, evidence::estimated},
          coefficient_method::smooth,
          smooth - most,
          smooth + most,
          {}};
}

}  // namespace

std::string_view name_of(coefficient_method how) {
  switch (how) {
    case coefficient_method::one_register:
      return "one register";
    case coefficient_method::identity:
      return "identity";
    case coefficient_method::rows:
      return "rows";
    case coefficient_method::bracket:
      return "bracket";
    case coefficient_method::smooth:
      return "smooth";
  }
  throw std::logic_error("no such method");
}

bits smooth_entropy(int p, const coefficients& estimate) {
  double value = differential_entropy(estimate).value();
  const bool is_known =
      estimate.kind() == estimate_kind::student || estimate.kind() == estimate_kind::ridge;
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    value += is_known ? p - 1 - mean_log_magnitude(estimate.marginal(j))
                      : p - 0.5 - mean_log_coefficient(estimate);
  }
  return bits{value};
}

bounded<bits> entropy_by_identity(const partition& cells, const coefficients& estimate) {
  if (estimate.kind() != estimate_kind::student) {
    throw std::domain_error("ols: the identity is for a multivariate t");
  }
  const double h = differential_entropy(estimate).value();
  const leading_share divergence = leading_divergence(cells, estimate);
  const double d = divergence.value * bits_per_nat;
  double widths = 0;
  double clipped = 0;
  double rounding = 0;
  struct part {
    bounded<double> log_width;
    double clipped;
  };
  for (const part& one : for_each_coefficient(estimate, estimate.size(), [&](std::size_t j) {
         const law alone = estimate.marginal(j);
         return part{mean_log_width(cells, alone), clipped_mass(cells, alone)};
       })) {
    widths += one.log_width.value;
    rounding += one.log_width.error;
    clipped += one.clipped;
  }
  // Of each stretch of cells by its own steepness and by that across the other coefficients.
  // However coarse the cells are, 0 ≤ D ≤ 12/π² of its leading order: a uniform law on an interval
  // has the logarithmic Sobolev constant of its spectral gap, and a box is as good as its sides.
  const double next =
      std::min(divergence.value, divergence.next + 24 * divergence.value * divergence.value);
  const double error = next * bits_per_nat + most_of_clipped(cells, estimate, clipped, h) +
                       rounding + 0x1p-50 * (std::fabs(h) + std::fabs(widths)) +
                       rounding_of_factor(estimate).value();
  return {bits{h - widths + d}, bits{error}, evidence::estimated};
}

entropy_bracket bracket_by_chi_square(const partition& cells, const coefficients& estimate,
                                      bits tolerance, const stop_token& stop) {
  if (estimate.kind() != estimate_kind::student || estimate.task().intercept) {
    throw std::domain_error("ols: the bracket is for a multivariate t without an intercept");
  }
  const auto d = static_cast<double>(estimate.size());
  const double nu = *estimate.dof();
  const std::vector<partition> all(estimate.size(), cells);
  const chi_square_mean over_v(nu);
  std::vector<double> lows;
  std::vector<double> highs;
  for (const chi_square_mean::node& one : over_v.nodes()) {
    const chain_entropy chain =
        entropy_by_chain(all, estimate.given_chi_square(one.v), tolerance, stop);
    lows.push_back(chain.low.value());
    highs.push_back(chain.high.value());
  }
  const chi_square_mean::result low = over_v.of(lows);
  const chi_square_mean::result high = over_v.of(highs);
  // E h(ŵ | V) = h(N(w, σ²Σ⁻¹)) - d/2 E log V
  const double log_v = boost::math::digamma(nu / 2) + std::numbers::ln2;
  const double given =
      differential_entropy(estimate.given_chi_square(1)).value() - d / 2 * log_v * bits_per_nat;
  const double told = std::max(0.0, differential_entropy(estimate).value() - given);
  return {bits{low.value - low.error}, bits{high.value + high.error + told}};
}

coefficient_entropies coefficient_entropy(const storage& where, const coefficients& estimate,
                                          bits tolerance, const stop_token& stop) {
  if (estimate.kind() == estimate_kind::one_example ||
      estimate.kind() == estimate_kind::minimum_norm) {
    return of_least_norm(where, estimate);
  }
  const partition cells = register_partitions({where}).front();
  const bits rounding = rounding_of_factor(estimate);
  const auto single = for_each_coefficient(estimate, estimate.size(), [&](std::size_t j) {
    bounded<bits> one = exact_entropy(cells, estimate.marginal(j), default_tolerance);
    one.error += rounding;  // its deviation is that of the factor
    return one;
  });
  if (estimate.size() == 1) {
    const bounded<bits> one = single.front();
    return {one, coefficient_method::one_register, one.value - one.error, one.value + one.error,
            single};
  }
  coefficient_entropies best = of_singles(cells, estimate, single);
  take_narrower(best, entropy_by_identity(cells, estimate), coefficient_method::identity);
  if (best.joint.error <= tolerance) return best;
  if (estimate.size() == 2 && work_by_rows(cells, estimate) <= most_row_work) {
    bounded<bits> rows = entropy_by_rows(cells, estimate, stop);
    rows.error += rounding;
    take_narrower(best, rows, coefficient_method::rows);
  }
  if (best.joint.error > bits{1e-9} && !estimate.task().intercept) {
    const entropy_bracket found = bracket_by_chi_square(cells, estimate, tolerance, stop);
    take_narrower(best, {(found.low + found.high) / 2, (found.high - found.low) / 2},
                  coefficient_method::bracket);
  }
  return best;
}

}  // namespace ktln2
