#include "distribution/sgd_evolution.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <utility>

#include "distribution/sgd_mesh.hpp"
#include "distribution/sgd_moment.hpp"
#include "distribution/sgd_transfer.hpp"
#include "distribution/sgd_transition.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using sgd::mesh;
using sgd::order;
using sgd::state;
using sgd::transfer;
using sgd::two_steps;

/// So many widths a law may move in a stage for its slopes to stay about what they are.
constexpr double near_way = 5;

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
    factor_ = q == 2 ? second_moment_factor() : std::pow(sgd_absolute_moment(eta, batch, q), 2 / q);
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

sgd_evolution evolve_sgd(double eta, double batch, double steps, double start,
                         const sgd_resolution& resolution) {
  return evolution(eta, batch, steps, start, resolution.panels).compute();
}

}  // namespace ktln2
