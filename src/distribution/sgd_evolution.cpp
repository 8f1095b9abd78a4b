#include "distribution/sgd_evolution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "distribution/sgd_transition.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

constexpr std::size_t order = 16;
constexpr double largest_tail_index = 60;
/// Smaller parts of the transition density, in units of the law's width, are nothing.
constexpr double log_negligible = -70;
/// So many widths a law may move in a stage for its slopes to stay about what they are.
constexpr double near_way = 5;

/// E g(S), S a χ² variable with B degrees of freedom divided by B.
template <class F>
double mean_over_squares(double batch, double singular, F g) {
  // S = u², in panels that stop at the singular point of g and get shorter toward it
  const double spread = std::sqrt(0.5 / batch);
  const double low = std::max(0.0, 1 - 9 * spread);
  const double high = 1 + 13 * spread;
  const double log_constant =
      std::numbers::ln2 + batch / 2 * std::log(batch / 2) - std::lgamma(batch / 2);
  const auto& rule = gauss_legendre<order>();
  double sum = 0;
  for (double from = low; from < high;) {
    double to = std::min(high, from + spread);
    const double gap = std::fabs(singular - from);
    if (gap > 1e-12) to = std::min(to, from + (from < singular ? gap / 2 : gap));
    if (from < singular && singular - from <= 1e-12) to = singular + 1e-12;
    for (std::size_t j = 0; j < order; ++j) {
      const double u = from + (to - from) / 2 * (1 + rule.node[j]);
      const double log_f = log_constant + (batch - 1) * std::log(u) - batch / 2 * u * u;
      sum += rule.weight[j] * (to - from) * std::exp(log_f) * g(u * u);
    }
    from = to;
  }
  return sum;
}

/// E|1 - ηS|^q
double absolute_moment(double eta, double batch, double q) {
  return mean_over_squares(batch, std::sqrt(1 / eta),
                           [&](double s) { return std::pow(std::fabs(1 - eta * s), q); });
}

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

class mesh {
 public:
  mesh() = default;
  mesh(double origin, std::vector<double> edges) : origin_{origin}, edges_{std::move(edges)} {}

  [[nodiscard]] double origin() const { return origin_; }
  [[nodiscard]] const std::vector<double>& edges() const { return edges_; }
  [[nodiscard]] std::size_t panel_count() const { return edges_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return order * panel_count(); }
  [[nodiscard]] double half(std::size_t panel) const {
    return (edges_[panel + 1] - edges_[panel]) / 2;
  }
  [[nodiscard]] double middle(std::size_t panel) const { return edges_[panel] + half(panel); }
  [[nodiscard]] double node(std::size_t i) const {
    const double u = gauss_legendre<order>().node[i % order];
    const std::size_t panel = i / order;
    // from the nearer edge: panels that end at the origin may be tiny against their place
    return u < 0 ? edges_[panel] + half(panel) * (1 + u)
                 : edges_[panel + 1] - half(panel) * (1 - u);
  }
  [[nodiscard]] double weight(std::size_t i) const {
    return 2 * half(i / order) * gauss_legendre<order>().weight[i % order];
  }

 private:
  double origin_ = 0;
  std::vector<double> edges_;
};

/// A density on a mesh. Between the nodes of a panel it is e^(bu) times a polynomial, where b is
/// the mean slope of its logarithm: that keeps the relative accuracy of steep tails.
struct state {
  mesh points;
  std::vector<double> f;

  [[nodiscard]] bool exceeds(std::size_t panel, double least) const {
    return f[order * panel] > least && f[order * panel + order - 1] > least;
  }

  /// d ln f/dx over a panel, 0 where f is too small to tell.
  [[nodiscard]] double slope(std::size_t panel, double least) const {
    const double first = f[order * panel];
    const double last = f[order * panel + order - 1];
    if (!exceeds(panel, least)) return 0;
    return std::log(last / first) /
           (points.node(order * panel + order - 1) - points.node(order * panel));
  }
  [[nodiscard]] double mass() const {
    compensated_sum sum;
    for (std::size_t i = 0; i < f.size(); ++i) sum.add(points.weight(i) * f[i]);
    return sum.value();
  }
  template <class F>
  [[nodiscard]] auto mean_of(F g) const {
    auto sum = g(0.0) * 0.0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      sum += points.weight(i) * f[i] * g(points.origin() + points.node(i));
    }
    return sum;
  }
};

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
    moments_.fill(0);
    panel_ = panel;
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

  /// Short against the distance from the singular point, from the branch points ±i of the density,
  /// and, for large batches, against the width of its bump around (1-η)x = y.
  [[nodiscard]] double longest_piece(double t) const {
    const double x = mesh_.origin() + y_ + side_ * t;
    double length = std::min(0.75 * t, 0.5 * std::max(1.0, std::fabs(x)));
    if (step_.batch() >= 24) {
      const double off = std::fabs(mesh_.origin() + y_ - (1 - step_.eta()) * x);
      const double bump = std::max(2.5 * step_.width(x), 0.6 * off);
      length = std::min(length, bump / std::max(std::fabs(1 - step_.eta()), 0.25));
    }
    return length;
  }

  void add_piece(double t, double length) {
    const auto& rule = gauss_legendre<order>();
    const double half = mesh_.half(panel_);
    for (std::size_t j = 0; j < order; ++j) {
      const double share = (1 + rule.node[j]) / 2;
      double distance = t + length * share;
      double weight = length * rule.weight[j];
      if (t == 0) {  // the substitution t = length·v⁶ takes the singularity at t = 0 away
        const double v2 = share * share;
        distance = length * v2 * v2 * v2;
        weight *= 6 * v2 * v2 * share;
      }
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

/// The transfer operator from one mesh to another (or the same).
class transfer {
 public:
  transfer() = default;
  transfer(const sgd_transition& step, const mesh& source, const std::vector<double>& slopes,
           const mesh& target, double log_width)
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

  [[nodiscard]] bool is_empty() const { return columns_ == 0; }

  /// Only for an operator from a mesh to itself.
  void square() {
    std::vector<double> product(rows_.size(), 0.0);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      double* const row = &product[i * columns_];
      for (std::size_t k = ranges_[i].first; k < ranges_[i].last; ++k) {
        const double factor = rows_[i * columns_ + k];
        const double* const other = &rows_[k * columns_];
        for (std::size_t j = ranges_[k].first; j < ranges_[k].last; ++j)
          row[j] += factor * other[j];
      }
    }
    rows_ = std::move(product);
    for (range& one : ranges_) one = {0, columns_};
  }

  [[nodiscard]] std::vector<double> apply(const std::vector<double>& f) const {
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

 private:
  struct range {
    std::size_t first;
    std::size_t last;
  };
  std::size_t columns_ = 0;
  std::vector<double> rows_;
  std::vector<range> ranges_;
};

/// ∫ f(y|x) f(x|φ_0) dx, the law after two steps, with both factors in closed form. All relative to
/// φ_0.
class two_steps {
 public:
  two_steps(const sgd_transition& step, double start, double reach)
      : step_{step}, start_{start}, reach_{reach} {}

  double operator()(double y) {
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

 private:
  void sweep(double base, int side, double end) {
    const auto& rule = gauss_legendre<order>();
    for (double t = 0; t < end;) {
      const double here = start_ + base + side * t;
      double length = 0;
      if (t == 0) {
        length = std::min(step_.singular_length(start_), step_.singular_length(start_ + y_));
        const double gap = std::fabs(y_);
        if (gap > 0) length = std::min(length, gap / 2);
      } else {
        length = std::min(0.75 * t, 0.5 * std::max(1.0, std::fabs(here)));
        if (step_.batch() >= 24) length = std::min(length, step_.width(here));
      }
      if (end - t < 1.3 * length) length = end - t;
      for (std::size_t j = 0; j < order; ++j) {
        const double share = (1 + rule.node[j]) / 2;
        double distance = t + length * share;
        double weight = length * rule.weight[j];
        if (t == 0) {
          const double v2 = share * share;
          distance = length * v2 * v2 * v2;
          weight *= 6 * v2 * v2 * share;
        }
        const double x = base == 0 ? side * distance : base + side * distance;
        const double to_target = base == y_ ? -side * distance : y_ - x;
        const double first = step_.log_density(start_, x);
        sum_ += weight * step_.density(start_ + x, to_target, first);
      }
      t = length == end - t ? end : t + length;
    }
  }

  const sgd_transition& step_;
  double start_;
  double reach_;
  double y_ = 0;
  double sum_ = 0;
};

class evolution {
 public:
  evolution(double eta, double batch, double steps, double start, double fineness)
      : step_{eta, batch}, steps_{steps}, start_{start}, fineness_{fineness} {
    result_.tail_index = sgd_tail_index(eta, batch);
    if (result_.tail_index < 1 && steps > 1) {
      throw std::domain_error(
          "sgd: the exact law needs E|1 - eta S| < 1, so that its mean exists: "
          "eta sigma_x^2 = " +
          shown(eta) + " is too large for batches of " + shown(batch));
    }
    // The factor of the second moment, or of a lower one where that grows.
    const double q = std::min(2.0, result_.tail_index / 2);
    factor_ = q == 2 ? second_moment_factor() : std::pow(absolute_moment(eta, batch, q), 2 / q);
    // Beyond this step the law no longer changes.
    double settled = 2;
    while (settled < steps && !is_settled(settled)) settled *= 1.1;
    end_ = std::min(steps, std::ceil(settled));
  }

  sgd_evolution compute() {
    if (steps_ == 1) {
      now_.points = make_mesh(plan_of(1));
      const double shift = now_.points.origin() - start_;
      for (std::size_t i = 0; i < now_.points.size(); ++i) {
        now_.f.push_back(std::exp(step_.log_density(start_, now_.points.node(i) + shift)));
      }
      k_ = 1;
      normalize();
      return finish();
    }
    plan stage = plan_of(2);
    now_.points = make_mesh(stage);
    two_steps second(step_, start_, 2 * extent(1) * scale(1) + extent(2) * scale(2));
    const double shift = now_.points.origin() - start_;
    for (std::size_t i = 0; i < now_.points.size(); ++i) {
      now_.f.push_back(second(now_.points.node(i) + shift));
    }
    k_ = 2;
    normalize();
    transfer same;
    while (k_ < end_) {
      const double log_width = std::log(stage.narrowest);
      if (k_ + 1 <= stage.last) {
        if (same.is_empty())
          same = transfer(step_, now_.points, slopes(stage), now_.points, log_width);
        const double many = 4 * static_cast<double>(now_.points.size());
        if (stage.last - k_ > many) leap(same, stage.last - k_ - 1);
        advance({now_.points, same.apply(now_.f)});
      } else {
        const plan done = {k_,   k_, stage.narrowest, stage.widest, mean_shift(k_), mean_shift(k_),
                           false};
        const bool has_noise = stage.moves_far();
        stage = plan_of(k_ + 1);
        const mesh next = make_mesh(stage);
        const transfer move(step_, now_.points, slopes(done), next, log_width);
        advance({next, move.apply(now_.f)});
        if (has_noise) repair_tails();
        same = transfer();
      }
    }
    if (stage.moves_far()) repair_tails();
    return finish();
  }

 private:
  /// Some steps that share a mesh.
  struct plan {
    double first;
    double last;
    double narrowest;  ///< the least and the largest width of the law
    double widest;
    double low;  ///< the range of its means, relative to the start
    double high;
    bool graded;  ///< fine panels around the start, where the law is singular?

    [[nodiscard]] bool moves_far() const { return high - low > near_way * narrowest; }
  };

  [[nodiscard]] double mean_shift(double k) const {
    const double a = step_.eta();
    if (a < 1) return start_ * std::expm1(k * std::log1p(-a));
    return start_ * (std::pow(1 - a, k) - 1);
  }

  /// The deviation, or a stand-in where it is infinite or about to be.
  [[nodiscard]] double scale(double k) const { return std::sqrt(variance_with(factor_, k)); }

  [[nodiscard]] double exact_variance(double k) const {
    return variance_with(second_moment_factor(), k);
  }

  [[nodiscard]] double second_moment_factor() const {
    const double a = step_.eta();
    return (1 - a) * (1 - a) + 2 * a * a / step_.batch();
  }

  [[nodiscard]] double variance_with(double factor, double k) const {
    const double a = step_.eta();
    const double log_factor = std::log(factor);
    const double m2 = (1 - a) * (1 - a);
    const double spread = 2 * a * a / step_.batch();
    const double share = -std::expm1(k * std::log1p(-spread / (m2 + spread)));
    const double terms = factor == 1 ? k : std::expm1(k * log_factor) / (factor - 1);
    return start_ * start_ * std::exp(k * log_factor) * share + a * a / step_.batch() * terms;
  }

  /// How many widths the mesh reaches out: as far as Student's t with the tail index of the limit
  /// law has more than 1e-17 of its mass, and, early on, the exponential tails of a few steps.
  [[nodiscard]] double extent(double k) const {
    const double kappa = result_.tail_index;
    const double limit = std::sqrt(kappa * (std::pow(10.0, 34 / kappa) - 1));
    return std::max(13.0, limit) + 50 / std::sqrt(k * step_.batch());
  }

  /// Is the law after k steps less smooth at its start than a panel needs? From a far start the
  /// steps nearly never lead away from w, and the start stays an edge for longer.
  [[nodiscard]] bool is_singular(double k) const {
    return k * step_.batch() < std::min(160.0, 24 + 34 * start_ * start_);
  }

  [[nodiscard]] bool is_settled(double k) const {
    const double rest = k * std::log(std::fabs(1 - step_.eta()));
    const double gap = std::log(std::max(std::fabs(start_), scale(k)) / scale(k));
    return gap + rest < -38 && 2 * gap + k * std::log(factor_) < -38;
  }

  [[nodiscard]] plan plan_of(double first) const {
    const double shift = mean_shift(first);
    const double width = scale(first);
    plan stage{first, first, width, width, shift, shift, is_singular(first)};
    // Large batches make nearly normal laws, whose tails are easily repaired after a long way.
    const double longest_way = step_.batch() <= 20 ? near_way : 40;
    for (double k = first + 1; k <= end_;) {
      if (stage.graded != is_singular(k)) break;
      const double s = scale(k);
      const double m = mean_shift(k);
      const double narrowest = std::min(stage.narrowest, s);
      const double widest = std::max(stage.widest, s);
      const double low = std::min(stage.low, m);
      const double high = std::max(stage.high, m);
      if (widest > 1.6 * narrowest || high - low > longest_way * narrowest) break;
      // The last stretch of a long way is a stage of its own, with good tails.
      const bool arriving = std::fabs(mean_shift(end_) - m) < 3 * s;
      if (arriving && stage.moves_far()) break;
      stage = {first, k, narrowest, widest, low, high, stage.graded};
      k = k == end_ ? k + 1 : std::min(end_, k + std::max(1.0, std::floor((k - first) / 16)));
    }
    return stage;
  }

  [[nodiscard]] mesh make_mesh(const plan& stage) const {
    const double origin = stage.graded ? start_ : 0;
    const double shift = start_ - origin;
    const double low = stage.low + shift;
    const double high = stage.high + shift;
    const double reach = extent(stage.first) * stage.widest;
    // Next to the start the law is like |φ - φ_0|^(kB-1) or, on the far side, its square root, and
    // decays on the near side in so much shorter a length.
    const double roughness = stage.first * step_.batch();
    const double sharpness = roughness < 24 ? 1 + 4 * start_ * start_ : 1;
    const double depth = roughness == 1 ? 60 : std::clamp(80 / (roughness - 1) + 2, 3.0, 12.0);
    const double finest = std::exp2(-depth) * stage.narrowest / sharpness;
    const auto length = [&](double x) {
      const double off = std::max({0.0, low - x, x - high}) / (6 * stage.widest);
      const double far = 1 + std::min(1.5, off / 16);  // there the law is smooth in ln x
      const double smooth = 1.6 / fineness_ * stage.narrowest * std::sqrt(1 + off * off) * far;
      return stage.graded ? std::min(smooth, std::max(finest, std::fabs(x))) : smooth;
    };
    const double from = stage.graded ? 0 : low + (high - low) / 2;
    std::vector<double> edges{from};
    while (edges.back() > std::min(low, from) - reach) {
      edges.push_back(edges.back() - length(edges.back()));
    }
    std::reverse(edges.begin(), edges.end());
    while (edges.back() < std::max(high, from) + reach) {
      edges.push_back(edges.back() + length(edges.back()));
    }
    return {origin, edges};
  }

  /// b for every panel: the slope of ln f in the middle of the stage, for which the law of now,
  /// moved and stretched half as much as it will be, stands in. Where the law moves far, each panel
  /// sees both tails, and none is right.
  [[nodiscard]] std::vector<double> slopes(const plan& stage) const {
    const mesh& points = now_.points;
    std::vector<double> result(points.panel_count(), 0.0);
    if (stage.moves_far()) return result;
    const double way = (mean_shift(stage.last) - mean_shift(k_)) / 2;
    const double stretch = std::sqrt(scale(stage.last) / scale(k_));
    const auto& edges = points.edges();
    const double highest = *std::max_element(now_.f.begin(), now_.f.end());
    const double middle = start_ + mean_shift(k_) - points.origin();
    for (std::size_t p = 0; p < result.size(); ++p) {
      const double same_place = middle + (points.middle(p) - way - middle) / stretch;
      const double x =
          std::clamp(same_place, edges.front(), std::nextafter(edges.back(), edges.front()));
      const auto above = std::upper_bound(edges.begin(), edges.end(), x);
      const std::size_t home = static_cast<std::size_t>(above - edges.begin()) - 1;
      const double slope = now_.slope(home, 1e-35 * highest);
      const double limit = 2 * (1 + std::fabs(x - middle) / stage.narrowest) / stage.narrowest;
      const double later = std::clamp(slope, -limit, limit) / stretch;
      result[p] = points.half(p) * later;
      // It must do for now, too, where there is something to lose.
      if (now_.exceeds(p, 1e-20 * highest)) {
        const double now = points.half(p) * now_.slope(p, 0);
        result[p] = std::clamp(result[p], now - 2.5, now + 2.5);
      }
    }
    return result;
  }

  /// Tails that panels without slopes have lost, put back: from the first panel on where f falls
  /// below 1e-13 of its peak, ln f goes on as the parabola through three points of the last good
  /// one.
  void repair_tails() {
    const auto highest = std::max_element(now_.f.begin(), now_.f.end());
    const double least = 1e-13 * *highest;
    const auto peak = static_cast<std::size_t>(highest - now_.f.begin()) / order;
    const mesh& points = now_.points;
    for (const int side : {-1, 1}) {
      const auto onward = static_cast<std::size_t>(side);
      const std::size_t end = side > 0 ? points.panel_count() : static_cast<std::size_t>(-1);
      std::size_t panel = peak;
      while (panel != end && now_.exceeds(panel, least)) panel += onward;
      if (panel == end || panel == peak) continue;
      const std::size_t good = order * (panel - onward);
      const std::size_t outer = side > 0 ? good + order - 1 : good;
      const std::size_t inner = side > 0 ? good : good + order - 1;
      const std::size_t between = good + order / 2;
      const auto slope_from = [&](std::size_t i) {
        return std::log(now_.f[i] / now_.f[outer]) / (points.node(i) - points.node(outer));
      };
      const double near = slope_from(between);
      const double bend =
          std::min(0.0, (slope_from(inner) - near) / (points.node(inner) - points.node(between)));
      const double slope = near - bend * (points.node(between) - points.node(outer));
      for (; panel != end; panel += onward) {
        for (std::size_t i = order * panel; i < order * (panel + 1); ++i) {
          const double x = points.node(i) - points.node(outer);
          now_.f[i] = now_.f[outer] * std::exp(slope * x + bend * x * x);
        }
      }
    }
  }

  void advance(state next) {
    std::swap(now_, next);
    ++k_;
    normalize();
    before_ = std::move(next);
  }

  /// So many steps at once, by squaring the operator.
  void leap(transfer power, double count) {
    const double end = k_ + count;
    for (double length = 1;; length *= 2, power.square()) {
      if (std::fmod(count, 2) == 1) {
        now_.f = power.apply(now_.f);
        normalize(length);
      }
      count = std::floor(count / 2);
      if (count == 0) break;
    }
    k_ = end;
  }

  void normalize(double steps = 1) {
    const double mass = now_.mass();
    const double remembered = std::pow(std::min(1.0, factor_), steps / 2);
    result_.mass_defect = std::max(result_.mass_defect * remembered, std::fabs(mass - 1) / steps);
    for (double& f : now_.f) f /= mass;
  }

  /// One step's characteristic function: E e^(itφ') = E e^(itφ) (1 + (2/B)(iηtφ +
  /// t²η²/(2B)))^(-B/2)
  void check_last_step() {
    const double a = step_.eta();
    const double batch = step_.batch();
    for (const double frequency : {0.3, 1.0, 2.0, 4.0}) {
      const double t = frequency / scale(k_);
      const double middle = start_ + mean_shift(k_);
      const auto wave = [&](double x) { return std::polar(1.0, t * (x - middle)); };
      const auto expected = before_.mean_of([&](double x) {
        const std::complex<double> inner{1 + t * t * a * a / (batch * batch),
                                         2 * a * t * x / batch};
        return wave(x) * std::exp(-batch / 2 * std::log(inner));
      });
      result_.step_error = std::max(result_.step_error, std::abs(now_.mean_of(wave) - expected));
    }
  }

  sgd_evolution finish() {
    if (!before_.f.empty()) check_last_step();
    result_.law = {now_.points.origin(), now_.points.edges(), now_.f};
    result_.scale = scale(k_);
    result_.center = start_ - now_.points.origin() + mean_shift(k_);
    result_.singular = is_singular(k_);
    result_.singular_length =
        step_.singular_length(start_) * (step_.batch() == 1 && k_ == 1 ? 0x1p-30 : 1);
    const double middle = start_ + mean_shift(k_);
    const double variance = now_.mean_of([&](double x) { return (x - middle) * (x - middle); });
    result_.variance_error = variance / exact_variance(k_) - 1;
    return result_;
  }

  sgd_transition step_;
  double steps_;
  double end_ = 0;
  double start_;
  double fineness_;
  double factor_ = 0;
  double k_ = 0;
  state now_;
  state before_;  ///< one step earlier
  sgd_evolution result_;
};

}  // namespace

double sgd_tail_index(double eta, double batch) {
  const auto grows = [&](double q) { return absolute_moment(eta, batch, q) > 1; };
  if (!grows(largest_tail_index)) return largest_tail_index;
  double low = 1e-3;
  double high = largest_tail_index;
  if (grows(low)) return 0;
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    (grows(middle) ? high : low) = middle;
  }
  return low;
}

sgd_evolution evolve_sgd(double eta, double batch, double steps, double start,
                         const sgd_resolution& resolution) {
  return evolution(eta, batch, steps, start, resolution.panels).compute();
}

}  // namespace ktln2
