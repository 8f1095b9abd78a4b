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

/// E[Δ_j² (∂_j ln f)²] of a multivariate t, over the bounded cells: given z_j the square has the
/// mean (ν+d)(ν+1)/(ν+d+2) {(ν+3)z²/(S²A²) + (P - 1/S)/A}, A = ν + z²/S, with S_jj and P =
/// (S⁻¹)_jj.
double scored_widths(const partition& cells, const student_t& z, double d, double precision) {
  const standard_student_t& kernel = z.kernel();
  const double nu = kernel.dof();
  const double scale = z.scale();
  const double rest = std::max(0.0, precision * scale * scale - 1);
  const double factor = (nu + d) * (nu + 1) / (nu + d + 2);
  const double reach = reach_of(kernel);
  double sum = 0;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      if (run.count == 0 || run.left.is_infinite() || run.right.is_infinite()) continue;
      const stretch all = standard_stretch(z, run, 0, run.count);
      if (!(mass_of(kernel, all).probability > 1e-20)) continue;
      const double width = ratio(run.width, scale);
      const double score = integrate_within_reach(
          kernel, std::max(all.left, -reach), std::min(all.right, reach), [&](double t, double) {
            const double a = nu + t * t;
            return factor * ((nu + 3) * (t / a) * (t / a) + rest / a);
          });
      sum += width * width * score;
    }
  }
  return sum;
}

double clipped_mass(const partition& cells, const law& x) {
  return cdf(x, cells.granular().left.to_double()) + ccdf(x, cells.granular().right.to_double());
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

/// D to leading order, in nats. Of an intercept the precision near the center stands for all.
double leading_divergence(const partition& cells, const coefficients& estimate) {
  const row_model& model = estimate.task().model;
  const double nu = *estimate.dof();
  const double variance = model.sigma_xi * model.sigma_xi;
  const auto d = static_cast<double>(estimate.features());
  const auto parts = for_each_coefficient(estimate, estimate.features(), [&](std::size_t j) {
    double precision = nu * model.covariance(j, j) / variance;
    if (estimate.task().intercept)
      precision += estimate.task().n * model.mu[j] * model.mu[j] / variance;
    const student_t z = std::get<student_t>(estimate.marginal(j));
    return scored_widths(cells, z, d, precision) / 24;
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
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

/// E log Δ over the bounded cells, in bits, and how far it may be off.
bounded<double> mean_log_width(const partition& cells, const law& x) {
  return std::visit(
      [&](const auto& known) -> bounded<double> {
        compensated_sum sum;
        double absolute = 0;
        double largest = 0;
        for (std::size_t block = 0; block < cells.block_count(); ++block) {
          for (const cell_run& run : cells.block(block)) {
            if (run.count == 0 || run.left.is_infinite() || run.right.is_infinite()) continue;
            const double mass = mass_of(known, run, 0, run.count).probability;
            const double log_width = log(run.width) * bits_per_nat;
            sum.add(mass * log_width);
            absolute += mass * std::fabs(log_width);
            largest = std::max(largest, std::fabs(log_width));
          }
        }
        return {sum.value(), 256 * 0x1p-53 * absolute + table_error(known.kernel()) * largest,
                evidence::estimated};
      },
      x);
}

constexpr double most_row_work = 3e6;

/// The narrower one of two answers.
void take_narrower(coefficient_entropies& best, const bounded<bits>& other,
                   coefficient_method how) {
  if (!(other.error < best.joint.error)) return;
  best.joint = other;
  best.how = how;
  best.low = std::max(best.low, other.value - other.error);
  best.high = std::min(best.high, other.value + other.error);
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
  const double d = leading_divergence(cells, estimate) * bits_per_nat;
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
  const auto m = static_cast<double>(estimate.size());
  const double clipping =
      clipped > 0 ? clipped * (2 * m * cells.log2_size() + 64 - std::log2(clipped)) : 0;
  // The next order has the square of the widths once more; of an intercept not even the first is
  // exact.
  const double next = d * std::min(1.0, estimate.task().intercept ? 1.0 : 24 * d);
  return {bits{h - widths + d},
          bits{next + clipping + rounding + 0x1p-50 * (std::fabs(h) + std::fabs(widths))},
          evidence::estimated};
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
  const auto single = for_each_coefficient(estimate, estimate.size(), [&](std::size_t j) {
    return exact_entropy(cells, estimate.marginal(j), default_tolerance);
  });
  if (estimate.size() == 1) {
    const bounded<bits> one = single.front();
    return {one, coefficient_method::one_register, one.value - one.error, one.value + one.error,
            single};
  }
  const bits most = static_cast<double>(estimate.size()) * bits{cells.log2_size()};
  coefficient_entropies best{
      {most / 2, most / 2}, coefficient_method::bracket, bits{0}, most, single};
  take_narrower(best, entropy_by_identity(cells, estimate), coefficient_method::identity);
  if (best.joint.error <= tolerance) return best;
  if (estimate.size() == 2 && work_by_rows(cells, estimate) <= most_row_work) {
    take_narrower(best, entropy_by_rows(cells, estimate, stop), coefficient_method::rows);
  }
  if (best.joint.error > bits{1e-9} && !estimate.task().intercept) {
    const entropy_bracket found = bracket_by_chi_square(cells, estimate, tolerance, stop);
    take_narrower(best, {(found.low + found.high) / 2, (found.high - found.low) / 2},
                  coefficient_method::bracket);
  }
  return best;
}

}  // namespace ktln2
