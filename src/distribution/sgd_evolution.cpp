#include "distribution/sgd_evolution.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "distribution/sgd_mesh.hpp"
#include "distribution/sgd_moments.hpp"
#include "distribution/sgd_tail.hpp"
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
  evolution(double eta, double batch, std::vector<double> asked, const sgd_start& start,
            double fineness)
      : step_{eta, batch},
        asked_{std::move(asked)},
        start_{start.mean},
        start_deviation_{start.deviation},
        fineness_{fineness} {
    const double steps = asked_.back();
    result_.tail_index = sgd_tail_index(eta, batch);
    if (result_.tail_index < 1 && steps > 1) {
      throw std::domain_error(
          "sgd: the exact law needs E|1 - eta S| < 1, so that its mean exists: "
          "eta sigma_x^2 = " +
          shown(eta) + " is too large for batches of " + shown(batch));
    }
    // The factor of the second moment, or of a lower one where that grows.
    const double q = std::min(2.0, result_.tail_index / 2);
    const double exact_factor = second_moment_factor(eta, batch);
    factor_ = q == 2 ? exact_factor : std::pow(sgd_absolute_moment(eta, batch, q), 2 / q);
    rates_ = rates_with_factor(eta, batch, factor_);
    exact_rates_ = rates_with_factor(eta, batch, exact_factor);
    // Beyond this step the law no longer changes.
    double settled = 2;
    while (settled < steps && !is_settled(settled)) settled *= 1.1;
    end_ = std::min(steps, std::ceil(settled));
    require_within_reach();
  }

  /// The law after one step, which is in closed form.
  sgd_evolution first_step() {
    const plan stage = plan_of(1);
    now_.points = make_mesh(stage);
    const double shift = now_.points.origin() - start_;
    for (std::size_t i = 0; i < now_.points.size(); ++i) {
      now_.f.push_back(std::exp(step_.log_density(start_, now_.points.node(i) + shift)));
    }
    k_ = 1;
    normalize();
    return law_of_now();
  }

  /// The laws after all asked numbers of steps: from a point, from two on.
  std::vector<sgd_evolution> compute() {
    plan stage = start_deviation_ > 0 ? begin_normal() : begin_with_two_steps();
    for (hand_out(stage); k_ < end_ && !is_lost(); hand_out(stage)) {
      if (k_ + 1 <= stage.last) {
        stay(stage);
      } else {
        stage = move_on(stage);
      }
    }
    while (laws_.size() < asked_.size()) laws_.push_back(law_of_now());
    return std::move(laws_);
  }

  /// How many entries the operators of all meshes have: each takes about 0.2 µs. Counted as far as
  /// `enough`.
  [[nodiscard]] double work(double enough) const {
    double entries = 0;
    for (double k = 2; k <= end_ && entries <= enough;) {
      const plan stage = plan_of(k);
      entries += std::pow(static_cast<double>(make_mesh(stage).size()), 2);
      k = stage.last + 1;
    }
    return entries;
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

  plan begin_with_two_steps() {
    const plan stage = plan_of(2);
    now_.points = make_mesh(stage);
    two_steps second(step_, start_, 2 * extent(1) * scale(1) + extent(2) * scale(2));
    const double shift = now_.points.origin() - start_;
    for (std::size_t i = 0; i < now_.points.size(); ++i) {
      now_.f.push_back(second(now_.points.node(i) + shift));
    }
    k_ = 2;
    normalize();
    return stage;
  }

  /// A normal start, before the first step: out to where it has less than 1e-30 of its mass.
  plan begin_normal() {
    const double s = start_deviation_;
    std::vector<double> edges;
    for (int i = -12; i <= 12; ++i) edges.push_back(i * s);
    now_.points = {start_, edges};
    for (std::size_t i = 0; i < now_.points.size(); ++i) {
      const double z = now_.points.node(i) / s;
      now_.f.push_back(std::exp(-z * z / 2) / (s * std::sqrt(2 * std::numbers::pi)));
    }
    k_ = 0;
    normalize();
    return {0, 0, s, s, 0, 0, false};
  }

  /// Very many short steps, above all on a long way, take minutes and lose their digits.
  void require_within_reach() const {
    const double remembered = std::min(end_, 0.5 / step_.eta());
    const bool is_far = std::fabs(mean_shift(end_)) > 100 * scale(end_);
    if (end_ <= 1e6 && (remembered <= 4e4 || !is_far)) return;
    throw std::domain_error(
        "sgd: the exact law is not within reach after so many steps so short (" + shown(end_) +
        " of them matter); law=moments is near it");
  }

  [[nodiscard]] double mean_shift(double k) const {
    const double a = step_.eta();
    if (a < 1) return start_ * std::expm1(k * std::log1p(-a));
    return start_ * (std::pow(1 - a, k) - 1);
  }

  /// The deviation, or a stand-in where it is infinite or about to be.
  [[nodiscard]] double scale(double k) const {
    return std::sqrt(variance_after(rates_, start_, start_deviation_ * start_deviation_, k));
  }

  [[nodiscard]] double exact_variance(double k) const {
    return variance_after(exact_rates_, start_, start_deviation_ * start_deviation_, k);
  }

  /// How many widths the mesh reaches out: as far as Student's t with the tail index of the limit
  /// law has more than 1e-17 of its mass, and, early on, the exponential tails of a few steps.
  /// Heavy tails are long: 1e-13 has to do, and the table goes on as a power.
  [[nodiscard]] double extent(double k) const {
    const double kappa = result_.tail_index;
    const double limit = std::sqrt(kappa * (std::pow(10.0, 2 * decades() / kappa) - 1));
    return std::max(13.0, limit) + 50 / std::sqrt(k * step_.batch());
  }
  [[nodiscard]] double decades() const { return result_.tail_index < 2 ? 13 : 17; }

  /// Beyond this distance from its mean the law after k steps has no such mass (Chebyshev): early
  /// on, the tails are not yet as long as those of the limit.
  [[nodiscard]] double farthest(double k) const {
    return std::sqrt(exact_variance(k) * std::pow(10.0, decades()));
  }

  /// Is the law after k steps less smooth at its start than a panel needs? From a far start the
  /// steps nearly never lead away from w, and the start stays an edge for longer. A start that is
  /// as wide as a step leaves nothing of that.
  [[nodiscard]] bool is_singular(double k) const {
    if (start_deviation_ > 2 * step_.width(start_)) return false;
    return k * step_.batch() < std::min(160.0, 24 + 34 * start_ * start_);
  }

  [[nodiscard]] bool is_settled(double k) const {
    const double rest = k * std::log(std::fabs(1 - step_.eta()));
    const double far = std::max({std::fabs(start_), start_deviation_, scale(k)});
    const double gap = std::log(far / scale(k));
    return gap + rest < -38 && 2 * gap + k * std::log(factor_) < -38;
  }

  /// The first step from k on at which a law is handed out.
  [[nodiscard]] double goal_from(double k) const {
    const auto asked = std::lower_bound(asked_.begin(), asked_.end(), k);
    return asked == asked_.end() ? end_ : std::min(*asked, end_);
  }

  [[nodiscard]] plan plan_of(double first) const {
    const double shift = mean_shift(first);
    const double width = scale(first);
    plan stage{first, first, width, width, shift, shift, is_singular(first)};
    // Large batches and many steps make nearly normal laws, whose tails are easily repaired after a
    // long way.
    const bool is_nearly_normal =
        step_.batch() > 20 || (first * step_.batch() > 1000 && result_.tail_index > 50);
    const double longest_way = is_nearly_normal ? 40 : near_way;
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
      const bool arriving = std::fabs(mean_shift(goal_from(k)) - m) < 3 * s;
      if (arriving && stage.moves_far()) break;
      const plan longer{first, k, narrowest, widest, low, high, stage.graded};
      const double goal = goal_from(first);
      if (goal <= k && goal < end_ && longer.moves_far()) break;
      stage = longer;
      k = k == end_ ? k + 1 : std::min(end_, k + std::max(1.0, std::floor((k - first) / 16)));
    }
    return stage;
  }

  /// The mean after k steps, relative to a mesh's origin: a law may be narrower than its mean's
  /// last bits.
  [[nodiscard]] double middle_on(const mesh& points, double k) const {
    return (start_ - points.origin()) + mean_shift(k);
  }

  [[nodiscard]] mesh make_mesh(const plan& stage) const {
    // Where the law is: nodes far from the origin would not have the digits that tell them apart.
    const double origin = stage.graded ? start_ : start_ + mean_shift(stage.last);
    const double shift = start_ - origin;
    const double low = stage.low + shift;
    const double high = stage.high + shift;
    const double reach = std::fmin(extent(stage.first) * stage.widest, farthest(stage.last));
    // Next to the start the law is like |φ - φ_0|^(kB-1) or, on the far side, its square root, and
    // decays on the near side in so much shorter a length.
    const double roughness = stage.first * step_.batch();
    const double sharpness = roughness < 24 ? 1 + 4 * start_ * start_ : 1;
    const double depth = roughness == 1 ? 60 : std::clamp(80 / (roughness - 1) + 2, 3.0, 12.0);
    const double finest =
        std::max(std::exp2(-depth) * stage.narrowest / sharpness, start_deviation_ / 2);
    // The bulk of a law with heavy tails is narrower than its width.
    const double core = result_.tail_index < 2 ? 0.5 : 1;
    const auto length = [&](double x) {
      const double off = std::max({0.0, low - x, x - high}) / (6 * stage.widest);
      const double far = 1 + std::min(2.5, off / 16);  // there the law is smooth in ln x
      const double smooth = 1.6 / fineness_ * stage.narrowest * std::hypot(core, off) * far;
      if (stage.graded) return std::min(smooth, std::max(finest, std::fabs(x)));
      // From a wide start, what has come near w already makes a peak there.
      if (start_deviation_ > 0.5) {
        return std::min(smooth, std::max(step_.width(0), std::fabs(origin + x)) / 1.5 / fineness_);
      }
      return smooth;
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
    const double middle = middle_on(points, k_);
    for (std::size_t p = 0; p < result.size(); ++p) {
      const double same_place = middle + (points.middle(p) - way - middle) / stretch;
      const double x =
          std::clamp(same_place, edges.front(), std::nextafter(edges.back(), edges.front()));
      const auto above = std::upper_bound(edges.begin(), edges.end(), x);
      const std::size_t home = static_cast<std::size_t>(above - edges.begin()) - 1;
      const double slope = now_.slope(home, 1e-35 * highest);
      const double off = std::fabs(x - middle) / stage.narrowest;
      // A tail that is on its way to Pareto's grows flatter, to about a slope of κ+1 in ln x.
      const double pareto =
          result_.tail_index < 6 && k_ > 0 ? (result_.tail_index + 3) / off : infinity;
      const double limit = std::min(2 * (1 + off), pareto) / stage.narrowest;
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

  /// One step, or some at once, on the mesh of a stage.
  void stay(const plan& stage) {
    if (powers_.empty()) {
      powers_.emplace_back(step_, now_.points, slopes(stage), now_.points,
                           std::log(stage.narrowest));
    }
    const double way = std::min(stage.last, goal_from(k_ + 1)) - k_;
    const double squarings = std::pow(static_cast<double>(now_.points.size()), 3) * std::log2(way);
    if (way * powers_.front().entry_count() > squarings) leap(way - 1);
    advance({now_.points, powers_.front().apply(now_.f)});
  }

  /// The step from a stage to the next.
  plan move_on(const plan& stage) {
    const plan done = {k_,   k_, stage.narrowest, stage.widest, mean_shift(k_), mean_shift(k_),
                       false};
    const plan later = plan_of(k_ + 1);
    const mesh next = make_mesh(later);
    const transfer move(step_, now_.points, slopes(done), next, std::log(stage.narrowest));
    advance({next, move.apply(now_.f)});
    if (stage.moves_far()) repair_tails();
    powers_.clear();
    return later;
  }

  /// The laws that are asked for now: from the last step on, which the law no longer changes
  /// after, all that are left.
  void hand_out(const plan& stage) {
    const std::size_t first = laws_.size();
    if (first == asked_.size() || goal_from(k_) != k_) return;
    const bool has_lost_tails = stage.moves_far();
    const state unrepaired = has_lost_tails ? now_ : state{};
    if (has_lost_tails) repair_tails();
    laws_.push_back(law_of_now());
    while (k_ == end_ && laws_.size() < asked_.size()) laws_.push_back(laws_[first]);
    if (has_lost_tails) now_ = unrepaired;
  }

  void advance(state next) {
    std::swap(now_, next);
    ++k_;
    normalize();
    before_ = std::move(next);
  }

  /// So many steps at once, by squaring the operator.
  void leap(double count) {
    const double end = k_ + count;
    double length = 1;
    for (std::size_t i = 0; count > 0; ++i, length *= 2) {
      if (i == powers_.size()) {
        powers_.push_back(powers_.back());
        powers_.back().square();
      }
      if (std::fmod(count, 2) == 1) {
        now_.f = powers_[i].apply(now_.f);
        normalize(length);
      }
      count = std::floor(count / 2);
    }
    k_ = end;
  }

  /// Panels too coarse for so many steps: what is left is noise, and the rest is not worth while.
  [[nodiscard]] bool is_lost() const { return !(result_.mass_defect < 0.5); }

  void normalize(double steps = 1) {
    const double mass = now_.mass();
    const double remembered = std::pow(std::min(1.0, factor_), steps / 2);
    result_.mass_defect = std::max(result_.mass_defect * remembered, std::fabs(mass - 1) / steps);
    for (double& f : now_.f) f /= mass;
  }

  /// One step's characteristic function: E e^(itφ') = E e^(itφ) (1 + (2/B)(iηtφ +
  /// t²η²/(2B)))^(-B/2)
  [[nodiscard]] double error_of_last_step() const {
    const double a = step_.eta();
    const double batch = step_.batch();
    double error = 0;
    for (const double frequency : {0.3, 1.0, 2.0, 4.0}) {
      const double t = frequency / scale(k_);
      const auto wave = [&](const mesh& points, double x) {
        return std::polar(1.0, t * (x - middle_on(points, k_)));
      };
      const auto expected = before_.mean_of([&](double x) {
        const std::complex<double> inner{1 + t * t * a * a / (batch * batch),
                                         2 * a * t * (before_.points.origin() + x) / batch};
        return wave(before_.points, x) * std::exp(-batch / 2 * std::log(inner));
      });
      const auto found = now_.mean_of([&](double x) { return wave(now_.points, x); });
      error = std::max(error, std::abs(found - expected));
    }
    return error;
  }

  [[nodiscard]] sgd_evolution law_of_now() const {
    sgd_evolution made = result_;
    if (!before_.f.empty()) made.step_error = error_of_last_step();
    made.law = {now_.points.origin(), now_.points.edges(), now_.f};
    made.scale = scale(k_);
    made.center = middle_on(now_.points, k_);
    made.singular = is_singular(k_);
    const double length = step_.singular_length(start_);
    const bool has_peak = step_.batch() == 1 && k_ == 1;
    made.singular_length =
        has_peak ? std::clamp(start_deviation_, 0x1p-30 * length, length) : length;
    const double middle = made.center;
    const double variance = now_.mean_of([&](double x) { return (x - middle) * (x - middle); });
    made.variance_error = variance / exact_variance(k_) - 1;
    return made;
  }

  sgd_transition step_;
  std::vector<double> asked_;  ///< numbers of steps, ascending
  double end_ = 0;
  double start_;            ///< its mean
  double start_deviation_;  ///< 0 for a point
  double fineness_;
  double factor_ = 0;
  sgd_rates rates_{};  ///< with that factor
  sgd_rates exact_rates_{};
  double k_ = 0;
  state now_;
  state before_;                  ///< one step earlier
  std::vector<transfer> powers_;  ///< 1, 2, 4, … steps on the mesh of now
  sgd_evolution result_;          ///< what is known of all laws so far
  std::vector<sgd_evolution> laws_;
};

}  // namespace

double sgd_evolution_work(double eta, double batch, const std::vector<double>& steps,
                          const sgd_start& start, const sgd_resolution& resolution, double enough) {
  return evolution(eta, batch, steps, start, resolution.panels).work(enough);
}

std::vector<sgd_evolution> evolve_sgd(double eta, double batch, const std::vector<double>& steps,
                                      const sgd_start& start, const sgd_resolution& resolution) {
  std::vector<sgd_evolution> laws;
  std::vector<double> later = steps;
  if (later.front() == 1 && start.deviation == 0) {
    laws.push_back(evolution(eta, batch, {1}, start, resolution.panels).first_step());
    later.erase(later.begin());
  }
  if (later.empty()) return laws;
  for (sgd_evolution& one :
       evolution(eta, batch, std::move(later), start, resolution.panels).compute()) {
    laws.push_back(std::move(one));
  }
  return laws;
}

}  // namespace ktln2
