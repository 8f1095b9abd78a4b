#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "entropy/law_integrals.hpp"
#include "entropy/stretch.hpp"

namespace ktln2 {

/// Moments of what lies beyond the reach of quadrature: nothing but for tails that fall like a
/// power of z.
template <class Kernel>
class heavy_tails {
 public:
  explicit heavy_tails(const Kernel& kernel)
      : kernel_{kernel}, reach_{reach_of(kernel)}, index_{tail_index(kernel)} {}

  [[nodiscard]] double reach() const { return reach_; }

  /// ∫ (z - v)² f over the part of [a, b] that is out of reach
  [[nodiscard]] double square_between(double a, double b, double v) const {
    return both_tails(a, b, v, [this](double z, double from) {
      const double power = index_ / (index_ - 2) * z - 2 * from * index_ / (index_ - 1);
      return mass(z) * z * power + mass(z) * from * from;
    });
  }
  /// ∫ (z - v) f over it
  [[nodiscard]] double distance_between(double a, double b, double v) const {
    const auto tail = [this](double z, double from) {
      return mass(z) * (index_ / (index_ - 1) * z - from);
    };
    return one_tail(a, b, v, tail) - one_tail(-b, -a, -v, tail);
  }

 private:
  [[nodiscard]] double mass(double z) const { return kernel_.upper(z).probability; }

  template <class Tail>
  [[nodiscard]] double one_tail(double a, double b, double v, Tail tail) const {
    if (std::isinf(index_) || !(b > reach_)) return 0;
    return tail(std::max(a, reach_), v) - (std::isinf(b) ? 0 : tail(b, v));
  }
  /// The only heavy tails are those of a symmetric law.
  template <class Tail>
  [[nodiscard]] double both_tails(double a, double b, double v, Tail tail) const {
    return one_tail(a, b, v, tail) + one_tail(-b, -a, -v, tail);
  }

  const Kernel& kernel_;
  double reach_;
  double index_;
};

/// Newton's method for the values u_i that are the means of their cells [e_(i-1), e_i], with e_i
/// midway between u_i and u_(i+1). The mean c of a cell moves with its edges,
///     dc/de = ± f(e) (e - c)/P,
/// so the equations u = c(u) are tridiagonal.
template <class Kernel>
class lloyd_max_search {
 public:
  lloyd_max_search(const Kernel& kernel, std::vector<double> start)
      : kernel_{kernel}, tails_{kernel}, values_{std::move(start)} {}

  /// Empty if it does not converge.
  [[nodiscard]] std::vector<double> found() {
    constexpr int most_steps = 300;
    constexpr double enough = 1e-13;  // of the distance to the neighbors
    double before = infinity;
    for (int step = 0; step < most_steps; ++step) {
      if (kernel_.is_symmetric()) make_symmetric();
      find_means();
      const double now = farthest_from_mean();
      // The last digits go to and fro.
      if (now <= enough || (now <= 1e-9 && now >= before)) return values_;
      before = now;
      // Lloyd's own step never fails, but there may be very many.
      if (!newton_step()) values_ = means_;
    }
    return before <= 1e-9 ? values_ : std::vector<double>{};
  }

 private:
  [[nodiscard]] double edge(std::size_t i) const { return (values_[i] + values_[i + 1]) / 2; }

  /// Off the middle the equations of a peaked law may hardly tell where they are solved.
  void make_symmetric() {
    for (std::size_t i = 0, k = values_.size() - 1; i <= k && k < values_.size(); ++i, --k) {
      const double distance = (values_[k] - values_[i]) / 2;
      values_[i] = -distance;
      values_[k] = distance;
    }
  }

  void find_means() {
    const std::size_t size = values_.size();
    means_.resize(size);
    masses_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const double a = i == 0 ? -infinity : edge(i - 1);
      const double b = i + 1 == size ? infinity : edge(i);
      const double v = values_[i];
      const auto distance = [v](double z, double) { return z - v; };
      masses_[i] = mass_of(kernel_, stretch{a, b, b - a, 1}).probability;
      const double moment = integrate_within_reach(kernel_, std::max(a, -tails_.reach()),
                                                   std::min(b, tails_.reach()), distance) +
                            tails_.distance_between(a, b, v);
      means_[i] = masses_[i] > 0 ? v + moment / masses_[i] : v;
    }
  }

  /// In units of the distance to the nearest neighbor.
  [[nodiscard]] double farthest_from_mean() const {
    double farthest = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      double gap = kernel_.core();
      if (i > 0) gap = std::min(gap, values_[i] - values_[i - 1]);
      if (i + 1 < values_.size()) gap = std::min(gap, values_[i + 1] - values_[i]);
      farthest = std::max(farthest, std::fabs(means_[i] - values_[i]) / gap);
    }
    return farthest;
  }

  /// How the mean of cell i follows the value on the other side of its edge e.
  [[nodiscard]] double pull(std::size_t i, double e) const {
    if (!(masses_[i] > 0)) return 0;
    return std::exp(kernel_.log_pdf(e)) * std::fabs(e - means_[i]) / masses_[i] / 2;
  }

  /// (1 - dc/du) δ = c - u, solved from the top down and back. False if the values would not
  /// ascend.
  bool newton_step() {
    const std::size_t size = values_.size();
    std::vector<double> above(size, 0);
    std::vector<double> step(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      const double left = i == 0 ? 0 : pull(i, edge(i - 1));
      const double right = i + 1 == size ? 0 : pull(i, edge(i));
      const double pivot = 1 - left - right - (i == 0 ? 0 : left * above[i - 1]);
      if (!(pivot > 0)) return false;
      above[i] = right / pivot;
      step[i] = (means_[i] - values_[i] + (i == 0 ? 0 : left * step[i - 1])) / pivot;
    }
    for (std::size_t i = size - 1; i-- > 0;) step[i] += above[i] * step[i + 1];
    std::vector<double> next(size);
    for (std::size_t i = 0; i < size; ++i) next[i] = values_[i] + step[i];
    for (std::size_t i = 0; i < size; ++i) {
      if (!std::isfinite(next[i]) || (i > 0 && !(next[i - 1] < next[i]))) return false;
    }
    values_ = std::move(next);
    return true;
  }

  const Kernel& kernel_;
  heavy_tails<Kernel> tails_;
  std::vector<double> values_;
  std::vector<double> means_;
  std::vector<double> masses_;
};

/// Where the density f^(1/3) has its quantiles: best where K is large (P. F. Panter and W. Dite,
/// 1951).
template <class Kernel>
std::vector<double> many_values(const Kernel& kernel, std::size_t size) {
  const double reach = reach_of(kernel);
  const double span = std::asinh(reach / kernel.core());
  const std::size_t points = 4096 + 32 * size;
  const auto at = [&](std::size_t k) {
    const double share = 2 * static_cast<double>(k) / static_cast<double>(points) - 1;
    return kernel.core() * std::sinh(span * share);
  };
  std::vector<double> sums(points + 1, 0);
  for (std::size_t k = 0; k < points; ++k) {
    const double middle = (at(k) + at(k + 1)) / 2;
    sums[k + 1] = sums[k] + (at(k + 1) - at(k)) * std::exp(kernel.log_pdf(middle) / 3);
  }
  std::vector<double> values;
  std::size_t k = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    while (k + 1 < points && sums[k + 1] < share * sums[points]) ++k;
    const double inside = (share * sums[points] - sums[k]) / (sums[k + 1] - sums[k]);
    values.push_back(at(k) + inside * (at(k + 1) - at(k)));
  }
  return values;
}

/// The values of least mean square error, in standard units; empty if they are not found.
template <class Kernel>
std::vector<double> lloyd_max_values(const Kernel& kernel, std::size_t size) {
  return lloyd_max_search<Kernel>(kernel, many_values(kernel, size)).found();
}

}  // namespace ktln2
