#include "ktln2/simulation/many_trial.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/simulation/normal_pairs.hpp"

namespace ktln2::simulation {
namespace {

constexpr std::size_t trials_side_by_side = 256;
using many_lane = std::vector<double>;  ///< one number for each of these trials

/// L with L Lᵀ = Σ, row by row.
square_matrix drawing_factor(const square_matrix& covariance) {
  const std::size_t d = covariance.size();
  square_matrix lower{d};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double left = covariance(i, j);
      for (std::size_t k = 0; k < j; ++k) left -= lower(i, k) * lower(j, k);
      if (i == j && !(left > 0)) {
        throw std::domain_error("simulate: the covariance must be positive definite, got " +
                                shown(left) + " as what is left of a variance");
      }
      lower(i, j) = i == j ? std::sqrt(left) : left / lower(j, j);
    }
  }
  return lower;
}

void require_sizes(const many_sgd_trial& what, const many_settings& set) {
  const std::size_t d = what.w.size();
  const std::size_t coefficients = d + (what.intercept ? 1 : 0);
  if (d == 0 || what.mu.size() != d || what.covariance.size() != d ||
      what.start.size() != coefficients) {
    throw std::domain_error("simulate: expected " + std::to_string(d) +
                            " means, as many rows of the covariance and " +
                            std::to_string(coefficients) + " starts");
  }
  require_positive("simulate", "sigma_xi", what.sigma_xi);
  require_positive("simulate", "eta", what.eta);
  const double drawn = static_cast<double>(set.trials) * static_cast<double>(what.steps) *
                       static_cast<double>(what.batch) * static_cast<double>(d + 1);
  if (set.trials < 1 || what.steps < 1 || what.batch < 1 || !(drawn <= 1e12)) {
    throw std::domain_error(
        "simulate: trials, steps and batch must be at least 1, and no more "
        "than 1e12 numbers drawn, got " +
        shown(drawn));
  }
}

/// Some trials, in step.
class many_tile {
 public:
  many_tile(const many_sgd_trial& what, const square_matrix& lower, std::uint64_t seed,
            std::uint64_t first, std::size_t count)
      : what_{what},
        lower_{lower},
        random_{seed},
        first_{first},
        count_{count},
        normals_(what.w.size() + 2, many_lane(count)),
        x_(what.start.size(), many_lane(count, 1.0)),
        theta_(what.start.size(), many_lane(count)),
        slope_(what.start.size(), many_lane(count)),
        residual_(count) {
    for (std::size_t j = 0; j < theta_.size(); ++j) {
      std::fill(theta_[j].begin(), theta_[j].end(), what.start[j]);
    }
  }

  void run() {
    for (std::uint64_t step = 0; step < what_.steps; ++step) {
      for (many_lane& one : slope_) std::fill(one.begin(), one.end(), 0.0);
      for (std::uint64_t row = 0; row < what_.batch; ++row) add_row();
      const double rate = what_.eta / static_cast<double>(what_.batch);
      for (std::size_t j = 0; j < theta_.size(); ++j) {
        for (std::size_t t = 0; t < count_; ++t) theta_[j][t] -= rate * slope_[j][t];
      }
    }
  }

  [[nodiscard]] const std::vector<many_lane>& theta() const { return theta_; }

 private:
  void draw_row() {
    const std::size_t d = what_.w.size();
    for (std::size_t k = 0; k <= d; k += 2) {
      random_.fill(first_, index_++, normals_[k], normals_[k + 1]);
    }
  }

  /// The gradient of one row's square, at the model as it is.
  void add_row() {
    draw_row();
    const std::size_t d = what_.w.size();
    const std::size_t shift = what_.intercept ? 1 : 0;
    for (std::size_t t = 0; t < count_; ++t) {
      double y = what_.b + what_.sigma_xi * normals_[d][t];
      double predicted = shift == 1 ? theta_[0][t] : 0;
      for (std::size_t i = 0; i < d; ++i) {
        double x = what_.mu[i];
        for (std::size_t k = 0; k <= i; ++k) x += lower_(i, k) * normals_[k][t];
        x_[i + shift][t] = x;
        y += what_.w[i] * x;
        predicted += theta_[i + shift][t] * x;
      }
      residual_[t] = predicted - y;
    }
    for (std::size_t j = 0; j < slope_.size(); ++j) {
      for (std::size_t t = 0; t < count_; ++t) slope_[j][t] += residual_[t] * x_[j][t];
    }
  }

  const many_sgd_trial& what_;
  const square_matrix& lower_;
  normal_pairs random_;
  std::uint64_t first_;
  std::size_t count_;
  std::uint64_t index_ = 0;
  std::vector<many_lane> normals_;
  std::vector<many_lane> x_;  ///< with the constant in front, if there is an intercept
  std::vector<many_lane> theta_;
  std::vector<many_lane> slope_;
  many_lane residual_;
};

}  // namespace

std::vector<std::vector<double>> simulate(const many_sgd_trial& what, const many_settings& set) {
  require_sizes(what, set);
  const square_matrix lower = drawing_factor(what.covariance);
  const std::size_t coefficients = what.start.size();
  std::vector<std::vector<double>> all(coefficients, std::vector<double>(set.trials));
  const std::size_t tiles = (set.trials + trials_side_by_side - 1) / trials_side_by_side;
  std::atomic<std::size_t> done{0};
  std::atomic<bool> stopped{false};
  std::mutex telling;
  parallel_for(tiles, set.threads, [&](std::size_t number) {
    if (stopped) return;
    const std::uint64_t first = number * trials_side_by_side;
    const std::size_t count = std::min<std::uint64_t>(trials_side_by_side, set.trials - first);
    many_tile some{what, lower, set.seed, first, count};
    some.run();
    for (std::size_t j = 0; j < coefficients; ++j) {
      std::copy(some.theta()[j].begin(), some.theta()[j].end(),
                all[j].begin() + static_cast<std::ptrdiff_t>(first));
    }
    const std::size_t now = ++done;
    if (!set.progress) return;
    const std::lock_guard lock(telling);
    if (!set.progress(static_cast<double>(now) / static_cast<double>(tiles))) stopped = true;
  });
  if (stopped) return {};
  return all;
}

}  // namespace ktln2::simulation
