#include "cost/shifted_sum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "entropy/stretch.hpp"

namespace ktln2 {
namespace {

class shifted_sum {
 public:
  shifted_sum(const storage_pair& where, const normal_row& row)
      : row_{row},
        to_{where.y.cells().cells},
        log_size_{static_cast<double>(where.y.width())},
        sum_{row.registers().mean(row.features()), row.gain() * row.sigma_xi()} {
    const register_cells from = where.x.cells();
    relative_ = std::ldexp(1.0, 1 - where.x.p());
    for (std::size_t j = 0; j < row.features(); ++j) add_feature(from.cells, j);
    add_likely(std::min(1.0, clipped_), 0, most_);
    for (std::size_t block = 0; block < to_.block_count(); ++block) {
      for (const cell_run& run : to_.block(block)) add_run(run);
    }
  }

  [[nodiscard]] bounded<bits> output(const bounded<bits>& ideal,
                                     const bounded<bits>& features) const {
    const double reach = std::min(most_, log_size_);
    const double high = std::min({ideal.value.value() + reach, log_size_, features.value.value()});
    const double low = std::clamp(ideal.value.value() - reach, 0.0, high);
    const double value = std::clamp(ideal.value.value(), low, high);
    return {bits{value}, bits{std::max(high - value, value - low)} + ideal.error + features.error};
  }

 private:
  /// What one x_j does to T and to S - T.
  struct feature {
    double weight;  ///< |w_j|
    double slope;   ///< E[x_j | T] = mean + slope (T - E T)
    double mean;
    double rest;      ///< Var(x_j | T)
    double absolute;  ///< c
  };

  void add_feature(const partition& cells, std::size_t j) {
    const normal_vector& z = row_.registers();
    const std::size_t y = row_.features();
    const normal x = z.marginal(j);
    const double slope = z.covariance(j, y) / (sum_.scale() * sum_.scale());
    const double rest = x.scale() * x.scale() - slope * slope * sum_.scale() * sum_.scale();
    feature made{std::fabs(row_.model().w[j]), slope, x.location(), std::max(0.0, rest), 0};
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      for (const cell_run& run : cells.block(block)) {
        if (run.count == 0) continue;
        const double mass = mass_of(x, run, 0, run.count).probability;
        if (mass < negligible) continue;
        if (run.left.is_infinite() || run.right.is_infinite()) {
          clipped_ += mass;
        } else {
          const double excess = (run.width - nearest_to_zero(run) * wide(relative_)).to_double();
          made.absolute = std::max(made.absolute, excess);
        }
      }
    }
    features_.push_back(made);
  }

  void add_run(const cell_run& run) {
    if (run.count == 0) return;
    const double mass = mass_of(sum_, run, 0, run.count).probability;
    if (mass == 0) return;
    const double near = nearest_to_zero(run).to_double();
    const double off =
        std::max(rounding_given(run.left.to_double()), rounding_given(run.right.to_double()));
    if (mass < negligible || near == 0 || !std::isfinite(off)) {
      most_ += mass * log_size_;
      return;
    }
    double most = 0;
    add_likely(std::min(1.0, 2 * off / near), shift_entropy(2 * off / run.width.to_double()), most);
    most_ += mass * most;
  }

  /// A bound on E[|S - T|; T = t].
  [[nodiscard]] double rounding_given(double t) const {
    double sum = 0;
    for (const feature& x : features_) {
      const double mean = x.mean + x.slope * (t - sum_.location());
      sum += x.weight * (x.absolute + relative_ * std::sqrt(mean * mean + x.rest)) / 2;
    }
    return sum;
  }

  /// The entropy of what is anything with that probability, and else has that of its own.
  void add_likely(double probability, double otherwise, double& to) const {
    const double q = 1 - probability;
    const auto term = [](double p) { return p > 0 ? -p * std::log2(p) : 0; };
    to +=
        std::min(log_size_, term(probability) + term(q) + probability * log_size_ + q * otherwise);
  }

  /// The largest entropy of a whole number whose magnitude has that mean: two geometric tails.
  static double shift_entropy(double mean) {
    if (!(mean > 0)) return 0;
    const double ratio = mean / (1 + std::hypot(1.0, mean));
    return std::log2((1 + ratio) / (1 - ratio)) - mean * std::log2(ratio);
  }

  static wide nearest_to_zero(const cell_run& run) {
    if (run.left < wide(0.0) && wide(0.0) < run.right) return 0.0;
    return std::min(abs(run.left), abs(run.right));
  }

  static constexpr double negligible = 1e-13;

  const normal_row& row_;
  partition to_;
  double log_size_;
  normal sum_;
  double relative_ = 0;
  double clipped_ = 0;  ///< the probability that a feature is, at most
  std::vector<feature> features_;
  double most_ = 0;
};

}  // namespace

bounded<bits> shifted_sum_entropy(const storage_pair& where, const normal_row& row,
                                  const bounded<bits>& of_numbers,
                                  const bounded<bits>& of_features) {
  return shifted_sum{where, row}.output(of_numbers, of_features);
}

}  // namespace ktln2
