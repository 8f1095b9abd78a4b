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

void require_source(const many_source& from) {
  const std::size_t d = from.w.size();
  if (d == 0 || from.mu.size() != d || from.covariance.size() != d) {
    throw std::domain_error("simulate: expected " + std::to_string(d) +
                            " means and as many rows of the covariance");
  }
  require_positive("simulate", "sigma_xi", from.sigma_xi);
}

/// `rows` is what a trial draws.
void require_draws(const many_source& from, double rows, const many_settings& set) {
  const double drawn =
      static_cast<double>(set.trials) * rows * static_cast<double>(from.w.size() + 1);
  if (drawn >= 1 && drawn <= 1e12) return;
  throw std::domain_error(
      "simulate: at least one row must be drawn, and no more than 1e12 numbers, got " +
      shown(drawn));
}

/// The rows of some trials, one after the other.
class drawn_rows {
 public:
  drawn_rows(const many_source& from, const square_matrix& lower, std::uint64_t seed,
             std::uint64_t first, std::size_t count)
      : from_{from},
        lower_{lower},
        random_{seed},
        first_{first},
        normals_(from.w.size() + 2, many_lane(count)),
        x_(from.w.size(), many_lane(count)),
        y_(count) {}

  void draw() {
    const std::size_t d = x_.size();
    for (std::size_t k = 0; k <= d; k += 2) {
      random_.fill(first_, index_++, normals_[k], normals_[k + 1]);
    }
    for (std::size_t t = 0; t < y_.size(); ++t) y_[t] = from_.b + from_.sigma_xi * normals_[d][t];
    for (std::size_t i = 0; i < d; ++i) {
      std::fill(x_[i].begin(), x_[i].end(), from_.mu[i]);
      for (std::size_t k = 0; k <= i; ++k) add_times(x_[i], lower_(i, k), normals_[k]);
      add_times(y_, from_.w[i], x_[i]);
    }
  }

  [[nodiscard]] const many_lane& x(std::size_t i) const { return x_[i]; }
  [[nodiscard]] const many_lane& y() const { return y_; }

 private:
  static void add_times(many_lane& sum, double factor, const many_lane& terms) {
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += factor * terms[t];
  }

  const many_source& from_;
  const square_matrix& lower_;
  normal_pairs random_;
  std::uint64_t first_;
  std::uint64_t index_ = 0;
  std::vector<many_lane> normals_;
  std::vector<many_lane> x_;
  many_lane y_;
};

/// SGD of some trials, in step.
std::vector<many_lane> run_side_by_side(const many_sgd_trial& what, drawn_rows& rows,
                                        std::size_t count) {
  const std::size_t size = what.start.size();
  const std::size_t shift = what.intercept ? 1 : 0;
  std::vector<many_lane> theta;
  for (const double start : what.start) theta.emplace_back(count, start);
  std::vector<many_lane> slope(size, many_lane(count));
  many_lane residual(count);
  const auto add_row = [&] {
    rows.draw();
    for (std::size_t t = 0; t < count; ++t)
      residual[t] = (shift == 1 ? theta[0][t] : 0) - rows.y()[t];
    for (std::size_t j = shift; j < size; ++j) {
      for (std::size_t t = 0; t < count; ++t) residual[t] += theta[j][t] * rows.x(j - shift)[t];
    }
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t t = 0; t < count; ++t) {
        slope[j][t] += residual[t] * (j < shift ? 1 : rows.x(j - shift)[t]);
      }
    }
  };
  const double rate = what.eta / static_cast<double>(what.batch);
  for (std::uint64_t step = 0; step < what.steps; ++step) {
    for (many_lane& one : slope) std::fill(one.begin(), one.end(), 0.0);
    for (std::uint64_t row = 0; row < what.batch; ++row) add_row();
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t t = 0; t < count; ++t) theta[j][t] -= rate * slope[j][t];
    }
  }
  return theta;
}

/// The sums of products of all features, a constant if there is an intercept, and y: of each trial
/// the lower half of a symmetric matrix.
class product_sums {
 public:
  product_sums(std::size_t features, bool intercept, std::size_t count)
      : features_{features},
        size_{features + (intercept ? 2 : 1)},
        ones_(count, 1.0),
        sums_(size_ * (size_ + 1) / 2, many_lane(count)) {}

  void add(const drawn_rows& rows) {
    for (std::size_t i = 0, at = 0; i < size_; ++i) {
      for (std::size_t j = 0; j <= i; ++j, ++at) {
        const many_lane& a = column(rows, i);
        const many_lane& b = column(rows, j);
        for (std::size_t t = 0; t < ones_.size(); ++t) sums_[at][t] += a[t] * b[t];
      }
    }
  }

  /// The coefficients of trial t: elimination, then back from the last one.
  [[nodiscard]] std::vector<double> solved(std::size_t t) const {
    const std::size_t m = size_ - 1;
    square_matrix lower{size_};
    for (std::size_t i = 0, at = 0; i < size_; ++i) {
      for (std::size_t j = 0; j <= i; ++j, ++at) {
        double left = sums_[at][t];
        for (std::size_t k = 0; k < j; ++k) left -= lower(i, k) * lower(j, k);
        lower(i, j) = i == j ? std::sqrt(std::max(left, 0.0)) : left / lower(j, j);
      }
    }
    std::vector<double> theta(m);
    for (std::size_t j = m; j-- > 0;) {
      double left = lower(m, j);
      for (std::size_t k = j + 1; k < m; ++k) left -= lower(k, j) * theta[k];
      theta[j] = left / lower(j, j);
    }
    return theta;
  }

 private:
  [[nodiscard]] const many_lane& column(const drawn_rows& rows, std::size_t i) const {
    if (i + 1 == size_) return rows.y();
    return i < features_ ? rows.x(i) : ones_;
  }

  std::size_t features_;
  std::size_t size_;  ///< with y
  many_lane ones_;
  std::vector<many_lane> sums_;
};

std::vector<many_lane> run_side_by_side(const many_ols_trial& what, drawn_rows& rows,
                                        std::size_t count) {
  product_sums sums{what.from.w.size(), what.intercept, count};
  for (std::uint64_t row = 0; row < what.n; ++row) {
    rows.draw();
    sums.add(rows);
  }
  std::vector<many_lane> theta(what.from.w.size() + (what.intercept ? 1 : 0), many_lane(count));
  for (std::size_t t = 0; t < count; ++t) {
    const std::vector<double> one = sums.solved(t);
    for (std::size_t j = 0; j < one.size(); ++j) theta[j][t] = one[j];
  }
  return theta;
}

/// All trials, some side by side and others at the same time.
template <class Trial>
std::vector<std::vector<double>> simulate_all(const Trial& what, const many_settings& set) {
  const square_matrix lower = drawing_factor(what.from.covariance);
  std::vector<std::vector<double>> all(what.from.w.size() + (what.intercept ? 1 : 0),
                                       std::vector<double>(set.trials));
  const std::size_t tiles = (set.trials + trials_side_by_side - 1) / trials_side_by_side;
  std::atomic<std::size_t> done{0};
  std::atomic<bool> stopped{false};
  std::mutex telling;
  parallel_for(tiles, set.threads, [&](std::size_t number) {
    if (stopped) return;
    const std::uint64_t first = number * trials_side_by_side;
    const std::size_t count = std::min<std::uint64_t>(trials_side_by_side, set.trials - first);
    drawn_rows rows{what.from, lower, set.seed, first, count};
    const std::vector<many_lane> theta = run_side_by_side(what, rows, count);
    for (std::size_t j = 0; j < theta.size(); ++j) {
      std::copy(theta[j].begin(), theta[j].end(),
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

}  // namespace

std::vector<std::vector<double>> simulate(const many_sgd_trial& what, const many_settings& set) {
  require_source(what.from);
  const std::size_t coefficients = what.from.w.size() + (what.intercept ? 1 : 0);
  if (what.start.size() != coefficients) {
    throw std::domain_error("simulate: expected " + std::to_string(coefficients) + " starts, got " +
                            std::to_string(what.start.size()));
  }
  require_positive("simulate", "eta", what.eta);
  require_draws(what.from, static_cast<double>(what.steps) * static_cast<double>(what.batch), set);
  return simulate_all(what, set);
}

std::vector<std::vector<double>> simulate(const many_ols_trial& what, const many_settings& set) {
  require_source(what.from);
  const std::size_t coefficients = what.from.w.size() + (what.intercept ? 1 : 0);
  if (what.n < coefficients) {
    throw std::domain_error("simulate: " + std::to_string(coefficients) +
                            " coefficients need at least as many rows, got " +
                            std::to_string(what.n));
  }
  require_draws(what.from, static_cast<double>(what.n), set);
  return simulate_all(what, set);
}

}  // namespace ktln2::simulation
