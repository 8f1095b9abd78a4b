#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/row_entropy.hpp"

namespace ktln2 {
namespace {

constexpr double end_of_mass = 9.5;  ///< in deviations: Φ(-9.5) = 1e-21

struct weighted_point {
  double at;
  double weight;
};

/// The cells of one variable within reach, with points of a Gauss rule in them: in panels no longer
/// than the integrand's own scale.
class cell_points {
 public:
  cell_points(const partition& cells, const normal& z, double longest) {
    const double low = z.location() - end_of_mass * z.scale();
    const double high = z.location() + end_of_mass * z.scale();
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      const bool is_within =
          cells.block_left(block) < wide(high) && wide(low) < cells.block_right(block);
      if (!is_within) continue;
      for (const cell_run& run : cells.block(block)) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
          const double left = std::max(low, run.edge(k).to_double());
          const double right = std::min(high, run.edge(k + 1).to_double());
          if (left < right) add_cell(left, right, longest);
        }
      }
    }
  }

  [[nodiscard]] const std::vector<std::vector<weighted_point>>& cells() const { return cells_; }

 private:
  void add_cell(double left, double right, double longest) {
    const auto& rule = gauss_legendre<8>();
    const double panels = std::ceil((right - left) / longest);
    const double h = (right - left) / panels;
    std::vector<weighted_point> points;
    for (double i = 0; i < panels; ++i) {
      for (std::size_t k = 0; k < 8; ++k) {
        points.push_back({left + h * (i + (1 + rule.node[k]) / 2), h * rule.weight[k]});
      }
    }
    cells_.push_back(std::move(points));
  }

  std::vector<std::vector<weighted_point>> cells_;
};

/// The finite edges of a register.
std::vector<double> edges_of(const partition& cells) {
  std::vector<double> edges;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        if (!run.edge(k).is_infinite()) edges.push_back(run.edge(k).to_double());
      }
    }
  }
  return edges;
}

double normal_between(double a, double b) {
  constexpr double root = std::numbers::sqrt2 / 2;
  if (a > 0) return (std::erfc(a * root) - std::erfc(b * root)) / 2;
  if (b < 0) return (std::erfc(-b * root) - std::erfc(-a * root)) / 2;
  return 1 - (std::erfc(-a * root) + std::erfc(b * root)) / 2;
}

class all_boxes {
 public:
  all_boxes(const std::vector<partition>& cells, const normal_vector& z, double longest,
            const stop_token& stop)
      : links_{z.chain()}, edges_{edges_of(cells.back())}, q_(edges_.size() + 1), stop_{stop} {
    const std::vector<double> precision = z.precisions();
    for (std::size_t j = 0; j + 1 < z.size(); ++j) {
      points_.emplace_back(cells[j], z.marginal(j), longest / std::sqrt(precision[j]));
    }
    box_.resize(points_.size());
    at_.resize(points_.size());
  }

  /// Products of a density and an integral.
  [[nodiscard]] double work() const {
    double points = 1;
    for (const cell_points& one : points_) {
      double all = 0;
      for (const auto& cell : one.cells()) all += static_cast<double>(cell.size());
      points *= all;
    }
    return points * static_cast<double>(edges_.size());
  }

  struct sum {
    double entropy;  ///< nats
    double mass;
  };
  sum compute() {
    visit_boxes(0);
    return {nats_.value(), mass_.value()};
  }

 private:
  void visit_boxes(std::size_t j) {
    if (j == points_.size()) return add_box();
    for (const auto& cell : points_[j].cells()) {
      if (j == 0) throw_if_stopped(stop_);
      box_[j] = &cell;
      visit_boxes(j + 1);
    }
  }

  void add_box() {
    std::fill(q_.begin(), q_.end(), 0.0);
    visit_points(0, 1);
    for (const double q : q_) {
      if (!(q > 0)) continue;
      nats_.add(-q * std::log(q));
      mass_.add(q);
    }
  }

  [[nodiscard]] double mean_of(const normal_link& link) const {
    double mean = link.mean;
    for (std::size_t k = 0; k < link.slopes.size(); ++k) {
      mean += link.slopes[k] * (at_[k] - links_[k].mean);
    }
    return mean;
  }

  void visit_points(std::size_t j, double density) {
    const normal_link& link = links_[j];
    const double mean = mean_of(link);
    if (j == points_.size()) return add_last(link, mean, density);
    constexpr double unit = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    for (const weighted_point& point : *box_[j]) {
      const double t = (point.at - mean) / link.deviation;
      if (std::fabs(t) > end_of_mass) continue;
      at_[j] = point.at;
      visit_points(j + 1, density * point.weight * unit * std::exp(-t * t / 2) / link.deviation);
    }
  }

  void add_last(const normal_link& link, double mean, double density) {
    const auto place = [&](double y) { return (y - mean) / link.deviation; };
    const double from = mean - end_of_mass * link.deviation;
    auto next = std::lower_bound(edges_.begin(), edges_.end(), from);
    double left = -infinity;
    for (auto i = static_cast<std::size_t>(next - edges_.begin());; ++i) {
      const double right = i < edges_.size() ? place(edges_[i]) : infinity;
      q_[i] += density * normal_between(left, right);
      if (right > end_of_mass) return;
      left = right;
    }
  }

  std::vector<normal_link> links_;
  std::vector<double> edges_;
  std::vector<double> q_;
  stop_token stop_;
  std::vector<cell_points> points_;
  std::vector<const std::vector<weighted_point>*> box_;
  std::vector<double> at_;
  compensated_sum nats_;
  compensated_sum mass_;
};

constexpr double panel = 0.7;  ///< of the scale of the integrand

double total_log_size(const std::vector<partition>& cells) {
  double sum = 0;
  for (const partition& one : cells) sum += one.log2_size();
  return sum;
}

}  // namespace

double enumeration_work(const std::vector<partition>& cells, const normal_vector& z) {
  if (cells.size() != z.size() || total_log_size(cells) > 40) return infinity;
  const std::vector<double> precision = z.precisions();
  for (std::size_t j = 0; j + 1 < z.size(); ++j) {
    // Panels along one variable, of which there may be more than anyone could count.
    if (!(z.deviation(j) * std::sqrt(precision[j]) < 1e3)) return infinity;
  }
  return all_boxes{cells, z, panel, {}}.work();
}

bounded<bits> enumerated_entropy(const std::vector<partition>& cells, const normal_vector& z,
                                 const stop_token& stop) {
  if (enumeration_work(cells, z) > 1e11) {
    throw std::domain_error("enumeration: these registers have too many cells together");
  }
  const auto fine = all_boxes{cells, z, panel, stop}.compute();
  const auto coarse = all_boxes{cells, z, 1.5 * panel, stop}.compute();
  const double log_cells = total_log_size(cells) * std::numbers::ln2;
  // Each mass is a sum of differences of distribution functions, which have an ulp of 1.
  const double boxes = std::exp2(std::min(60.0, total_log_size(cells)));
  const double rounding = 0x1p-53 * (64 * (1 + fine.entropy) + std::sqrt(boxes) * log_cells);
  const double error = std::fabs(fine.entropy - coarse.entropy) +
                       std::fabs(fine.mass - 1) * (1 + log_cells) + rounding;
  return {bits{fine.entropy * bits_per_nat}, bits{error * bits_per_nat} + rounding_of(z),
          evidence::estimated};
}

}  // namespace ktln2
