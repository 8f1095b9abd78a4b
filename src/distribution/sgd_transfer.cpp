#include "distribution/sgd_transfer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ktln2/core/quadrature.hpp"

namespace ktln2::sgd {
namespace {

/// Smaller parts of the transition density, in units of the law's width, are nothing.
constexpr double log_negligible = -70;

/// P_0 … P_15 at u, by (n+1) P_{n+1} = (2n+1) u P_n - n P_{n-1}.
using legendre_values = std::array<double, order>;
constexpr legendre_values legendre_share = [] {
  legendre_values share{};
  for (std::size_t n = 0; n < order; ++n) {
    share[n] = static_cast<double>(n) / (static_cast<double>(n) + 1);
  }
  return share;
}();
legendre_values legendre(double u) {
  legendre_values p{};
  p[0] = 1;
  p[1] = u;
  for (std::size_t n = 1; n + 1 < order; ++n) {
    const double share = legendre_share[n];
    p[n + 1] = (1 + share) * u * p[n] - share * p[n - 1];
  }
  return p;
}

/// (2n+1) w_j P_n(u_j): from the moments of a weight against P_n to its weights at the nodes.
const std::array<legendre_values, order>& node_weights() {
  static const auto table = [] {
    std::array<legendre_values, order> weights{};
    const auto& rule = gauss_legendre<order>();
    for (std::size_t j = 0; j < order; ++j) {
      const legendre_values p = legendre(rule.node[j]);
      for (std::size_t n = 0; n < order; ++n) {
        weights[j][n] = (2 * static_cast<double>(n) + 1) * rule.weight[j] * p[n];
      }
    }
    return weights;
  }();
  return table;
}

/// A node of the piece from the distance t on, and its weight. At t = 0 the density is singular;
/// the substitution distance = length·v⁶ takes that away.
struct weighted_distance {
  double distance;
  double weight;
};
weighted_distance quadrature_point(std::size_t j, double t, double length) {
  const auto& rule = gauss_legendre<order>();
  const double share = (1 + rule.node[j]) / 2;
  const double weight = length * rule.weight[j];
  if (t != 0) return {t + length * share, weight};
  const double v2 = share * share;
  return {length * v2 * v2 * v2, weight * (6 * v2 * v2 * share)};
}

/// ∫ of the transition density times P_n e^(bu) over the panels, for one target point at a time.
class row_builder {
 public:
  row_builder(const sgd_transition& step, const mesh& source, std::vector<double> slopes,
              double log_width)
      : step_{step}, mesh_{source}, log_width_{log_width}, slopes_{std::move(slopes)} {}

  /// The weights of the values at the source's nodes; y is relative to the source's origin.
  void build(double y, double* row) {
    y_ = y;
    row_ = row;
    const auto& edges = mesh_.edges();
    std::fill(row, row + mesh_.size(), 0.0);
    const std::size_t last = mesh_.panel_count() - 1;
    if (y < edges.front()) return sweep(1, 0, edges.front() - y);
    if (y >= edges.back()) return sweep(-1, last, y - edges.back());
    const auto above = std::upper_bound(edges.begin(), edges.end(), y);
    const auto home = static_cast<std::size_t>(above - edges.begin()) - 1;
    sweep(1, home, 0);
    sweep(-1, home, 0);
  }

 private:
  [[nodiscard]] double log_density(double t) const {
    const double x = y_ + side_ * t;
    return step_.log_density(mesh_.origin() + x, -side_ * t);
  }

  /// From the distance t on, panel by panel, away from the target.
  void sweep(int side, std::size_t panel, double t) {
    side_ = side;
    const std::size_t end = side > 0 ? mesh_.panel_count() : static_cast<std::size_t>(-1);
    for (; panel != end; panel += static_cast<std::size_t>(side)) {
      const double far = side > 0 ? mesh_.edges()[panel + 1] - y_ : y_ - mesh_.edges()[panel];
      if (far > t && !is_negligible(t, far)) add_panel(panel, t, far);
      t = std::max(t, far);
    }
  }

  [[nodiscard]] bool is_negligible(double near, double far) const {
    if (near == 0) return false;
    const double limit = log_negligible - log_width_;
    return log_density(near) < limit && log_density(far) < limit &&
           log_density(near + (far - near) / 2) < limit;
  }

  void add_panel(std::size_t panel, double near, double far) {
    panel_ = panel;
    if (near > 0 && far - near < 1.3 * longest_piece(near)) return add_whole_panel();
    moments_.fill(0);
    for (double t = near; t < far;) {
      double length = t == 0 ? step_.singular_length(mesh_.origin() + y_) : longest_piece(t);
      if (far - t < 1.3 * length) length = far - t;
      add_piece(t, length);
      t = length == far - t ? far : t + length;
    }
    const auto& weights = node_weights();
    const auto& node = gauss_legendre<order>().node;
    for (std::size_t j = 0; j < order; ++j) {
      double sum = 0;
      for (std::size_t n = 0; n < order; ++n) sum += weights[j][n] * moments_[n];
      row_[order * panel + j] += sum * std::exp(-slopes_[panel] * node[j]);
    }
  }

  /// One piece, whose quadrature has the panel's nodes: their weights need no polynomials.
  void add_whole_panel() {
    for (std::size_t i = order * panel_; i < order * (panel_ + 1); ++i) {
      const double x = mesh_.node(i);
      row_[i] += mesh_.weight(i) * step_.density(mesh_.origin() + x, y_ - x, 0);
    }
  }

  /// Short against the distance from the singular point, from the branch points ±i of the density,
  /// and, for large batches, against the width of its bump around (1-η)x = y.
  [[nodiscard]] double longest_piece(double t) const {
    const double x = mesh_.origin() + y_ + side_ * t;
    double length = std::min(t, std::max(1.0, std::fabs(x)));
    if (step_.batch() >= 24) {
      const double off = std::fabs(mesh_.origin() + y_ - (1 - step_.eta()) * x);
      const double bump = std::max(2.5 * step_.width(x), 0.6 * off);
      length = std::min(length, bump / std::max(std::fabs(1 - step_.eta()), 0.25));
    }
    return length;
  }

  void add_piece(double t, double length) {
    const double half = mesh_.half(panel_);
    for (std::size_t j = 0; j < order; ++j) {
      const auto [distance, weight] = quadrature_point(j, t, length);
      const double x = y_ + side_ * distance;
      const double u = (x - mesh_.middle(panel_)) / half;
      const double value =
          weight * step_.density(mesh_.origin() + x, -side_ * distance, slopes_[panel_] * u);
      if (value == 0) continue;
      const legendre_values p = legendre(u);
      for (std::size_t n = 0; n < order; ++n) moments_[n] += value * p[n];
    }
  }

  const sgd_transition& step_;
  const mesh& mesh_;
  double log_width_;
  std::vector<double> slopes_;
  double y_ = 0;
  int side_ = 1;
  double* row_ = nullptr;
  std::size_t panel_ = 0;
  legendre_values moments_{};
};

}  // namespace

transfer::transfer(const sgd_transition& step, const mesh& source,
                   const std::vector<double>& slopes, const mesh& target, double log_width)
    : columns_{source.size()} {
  rows_.resize(target.size() * columns_);
  row_builder builder(step, source, slopes, log_width);
  const double shift = target.origin() - source.origin();
  for (std::size_t i = 0; i < target.size(); ++i) {
    double* const row = &rows_[i * columns_];
    builder.build(target.node(i) + shift, row);
    std::size_t first = 0;
    std::size_t last = columns_;
    while (first < last && row[first] == 0) ++first;
    while (last > first && row[last - 1] == 0) --last;
    ranges_.push_back({first, last});
  }
}

double transfer::entry_count() const {
  double count = 0;
  for (const range& one : ranges_) count += static_cast<double>(one.last - one.first);
  return count;
}

void transfer::square() {
  std::vector<double> product(rows_.size(), 0.0);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    double* const row = &product[i * columns_];
    for (std::size_t k = ranges_[i].first; k < ranges_[i].last; ++k) {
      const double factor = rows_[i * columns_ + k];
      const double* const other = &rows_[k * columns_];
      for (std::size_t j = ranges_[k].first; j < ranges_[k].last; ++j) row[j] += factor * other[j];
    }
  }
  rows_ = std::move(product);
  for (range& one : ranges_) one = {0, columns_};
}

std::vector<double> transfer::apply(const std::vector<double>& f) const {
  std::vector<double> result(ranges_.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double* const row = &rows_[i * columns_];
    double even = 0;  // four sums at once: the additions do not wait for each other
    double odd = 0;
    double third = 0;
    double fourth = 0;
    std::size_t j = ranges_[i].first;
    for (; j + 4 <= ranges_[i].last; j += 4) {
      even += row[j] * f[j];
      odd += row[j + 1] * f[j + 1];
      third += row[j + 2] * f[j + 2];
      fourth += row[j + 3] * f[j + 3];
    }
    for (; j < ranges_[i].last; ++j) even += row[j] * f[j];
    result[i] = (even + odd) + (third + fourth);
  }
  return result;
}

/// Where a step's density, which falls away from its peak near (1-η)φ_0, becomes nothing.
two_steps::two_steps(const sgd_transition& step, double start, double reach)
    : step_{step}, start_{start}, reach_{reach} {
  const double width = step.width(start);
  const double peak = -step.eta() * start;
  const double nothing = 2 * log_negligible - std::log(width);
  const auto end_of_mass = [&](int side) {
    double length = width;
    while (step.log_density(start, peak + side * length) > nothing) length *= 1.25;
    return peak + side * length;
  };
  low_ = end_of_mass(-1);
  high_ = end_of_mass(1);
}

double two_steps::operator()(double y) {
  y_ = y;
  sum_ = 0;
  const double low = std::min(y, 0.0);
  const double high = std::max(y, 0.0);
  const double gap = high - low;
  sweep(low, -1, reach_);
  sweep(high, 1, reach_);
  if (gap > 0) {
    sweep(low, 1, gap / 2);
    sweep(high, -1, gap / 2);
  }
  return sum_;
}

void two_steps::sweep(double base, int side, double end) {
  const double first = side > 0 ? low_ - base : base - high_;
  end = std::min(end, side > 0 ? high_ - base : base - low_);
  for (double t = std::max(first, 0.0); t < end;) {
    double length = longest_piece(start_ + base + side * t, t);
    if (end - t < 1.3 * length) length = end - t;
    add_piece(base, side, t, length);
    t = length == end - t ? end : t + length;
  }
}

/// `here` is the point at the distance t from one of the two singular ones.
double two_steps::longest_piece(double here, double t) const {
  if (t == 0) {
    const double length =
        std::min(step_.singular_length(start_), step_.singular_length(start_ + y_));
    const double gap = std::fabs(y_);
    return gap > 0 ? std::min(length, gap / 2) : length;
  }
  const double length = std::min(t, std::max(1.0, std::fabs(here)));
  if (step_.batch() < 24) return length;
  // Large batches have a bump in either step.
  const double off = std::fabs(start_ + y_ - (1 - step_.eta()) * here);
  const double second = std::max(step_.width(here), 0.5 * off);
  return std::min({length, step_.width(start_), second});
}

void two_steps::add_piece(double base, int side, double t, double length) {
  for (std::size_t j = 0; j < order; ++j) {
    const auto [distance, weight] = quadrature_point(j, t, length);
    const double x = base == 0 ? side * distance : base + side * distance;
    const double to_target = base == y_ ? -side * distance : y_ - x;
    const double first = step_.log_density(start_, x);
    sum_ += weight * step_.density(start_ + x, to_target, first);
  }
}

}  // namespace ktln2::sgd
