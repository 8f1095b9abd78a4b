#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

/// The entropy of two or three registers that hold a normal vector, all boxes of cells one by one.
/// A witness that shares no code with the library: it has its own cells, its own quadrature and its
/// own way from a model to densities.
namespace box_oracle {

/// The edges of the paper's format [sec:fpn_structure] between -infinity and infinity: midway
/// between neighboring values, and 0.
inline std::vector<double> edges_of(int p, int exponent_bits) {
  std::vector<double> values;
  const int lowest = 1 - (1 << (exponent_bits - 1));
  const int highest = 1 << (exponent_bits - 1);
  for (int e = lowest; e <= highest; ++e) {
    for (int m = 0; m < (1 << (p - 1)); ++m) {
      values.push_back(std::ldexp(1 + std::ldexp(m, 1 - p), e));
    }
  }
  std::vector<double> edges{-std::numeric_limits<double>::infinity()};
  for (std::size_t i = values.size(); i-- > 1;) edges.push_back(-(values[i] + values[i - 1]) / 2);
  edges.push_back(0);
  for (std::size_t i = 1; i < values.size(); ++i) edges.push_back((values[i] + values[i - 1]) / 2);
  edges.push_back(std::numeric_limits<double>::infinity());
  return edges;
}

/// A variable that is its mean, so much for what each before it is off its own mean, and noise.
struct variable {
  std::vector<double> edges;
  double mean = 0;
  std::vector<double> slopes;
  double noise = 1;
};

class boxes {
 public:
  explicit boxes(std::vector<variable> all) : all_{std::move(all)}, at_(all_.size()) {
    q_.resize(all_.back().edges.size() - 1);
  }

  /// In bits.
  double entropy() {
    choose_cells(0);
    return h_;
  }
  [[nodiscard]] double mass() const { return mass_; }

 private:
  static constexpr double end = 9;
  static constexpr double node[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                     0.8650633666889845, 0.9739065285171717};
  static constexpr double weight[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                       0.1494513491505806, 0.0666713443086881};

  /// The deviation of variable j, and of what the later ones leave of it as they depend on it.
  [[nodiscard]] double deviation(std::size_t j) const {
    // By propagation of each noise.
    double variance = 0;
    for (std::size_t source = 0; source <= j; ++source) {
      std::vector<double> effect(j + 1, 0.0);
      effect[source] = all_[source].noise;
      for (std::size_t k = source + 1; k <= j; ++k) {
        for (std::size_t i = source; i < k; ++i) effect[k] += all_[k].slopes[i] * effect[i];
      }
      variance += effect[j] * effect[j];
    }
    return std::sqrt(variance);
  }
  [[nodiscard]] double scale(std::size_t j) const {
    double precision = 1 / (all_[j].noise * all_[j].noise);
    for (std::size_t k = j + 1; k < all_.size(); ++k) {
      const double slope = all_[k].slopes[j] / all_[k].noise;
      precision += slope * slope;
    }
    return 1 / std::sqrt(precision);
  }

  void choose_cells(std::size_t j) {
    if (j + 1 == all_.size()) return add_box();
    const double reach = 9.5 * deviation(j);
    for (std::size_t i = 0; i + 1 < all_[j].edges.size(); ++i) {
      const double left = std::max(all_[j].edges[i], all_[j].mean - reach);
      const double right = std::min(all_[j].edges[i + 1], all_[j].mean + reach);
      if (!(left < right)) continue;
      cell_.resize(j);
      cell_.push_back({left, right});
      choose_cells(j + 1);
    }
  }

  void add_box() {
    std::fill(q_.begin(), q_.end(), 0.0);
    integrate(0, 1);
    for (const double q : q_) {
      if (!(q > 0)) continue;
      h_ -= q * std::log2(q);
      mass_ += q;
    }
  }

  [[nodiscard]] double mean_of(std::size_t j) const {
    double mean = all_[j].mean;
    for (std::size_t k = 0; k < j; ++k) mean += all_[j].slopes[k] * (at_[k] - all_[k].mean);
    return mean;
  }

  void integrate(std::size_t j, double density) {
    if (j + 1 == all_.size()) return add_last(density);
    const double mean = mean_of(j);
    const auto [left, right] = cell_[j];
    const double panels = std::ceil((right - left) / (0.9 * scale(j)));
    const double h = (right - left) / panels;
    for (double i = 0; i < panels; ++i) {
      for (int k = 0; k < 10; ++k) {
        at_[j] = left + h * (i + 0.5 + (k < 5 ? -node[k] : node[k - 5]) / 2);
        const double t = (at_[j] - mean) / all_[j].noise;
        if (std::fabs(t) > end) continue;
        const double f = std::exp(-t * t / 2) / (all_[j].noise * std::sqrt(2 * M_PI));
        integrate(j + 1, density * f * h / 2 * weight[k % 5]);
      }
    }
  }

  void add_last(double density) {
    const variable& last = all_.back();
    const double mean = mean_of(all_.size() - 1);
    double below = 0;
    double above = 1;
    for (std::size_t i = 1; i < last.edges.size(); ++i) {
      const double u = (last.edges[i] - mean) / last.noise;
      if (u < -end) continue;
      const double here = std::erfc(-u / std::sqrt(2.0)) / 2;
      const double beyond = std::erfc(u / std::sqrt(2.0)) / 2;
      q_[i - 1] += density * (u < 0 ? here - below : above - beyond);
      if (u > end) return;
      below = here;
      above = beyond;
    }
  }

  struct interval {
    double left;
    double right;
  };
  std::vector<variable> all_;
  std::vector<double> at_;
  std::vector<double> q_;
  std::vector<interval> cell_;
  double h_ = 0;
  double mass_ = 0;
};

}  // namespace box_oracle
