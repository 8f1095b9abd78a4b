#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "ktln2/mismatch/variational.hpp"

namespace ktln2::mismatch {
namespace {

/// Along ln σ.
struct gentle_axis {
  double slope = 0;
  double curvature = 0;

  [[nodiscard]] double operator()(double way) const { return way * (slope + way * curvature / 2); }
};

/// What a slow production has more than a quick one, near a point.
struct gentle_gap {
  variational_optimum center;
  double here = 0;
  gentle_axis x{};
  gentle_axis xi{};

  [[nodiscard]] double operator()(double sigma_x, double sigma_xi) const {
    return here + x(std::log(sigma_x / center.sigma_x)) + xi(std::log(sigma_xi / center.sigma_xi));
  }
};

class slow_search {
 public:
  slow_search(const entropy_production& slow, const entropy_production& quick,
              const variational_bounds& bounds)
      : slow_{slow}, quick_{quick}, bounds_{bounds} {}

  variational_optimum from(variational_optimum center) {
    constexpr int most_rounds = 4;
    for (int round = 1;; ++round) {
      const gentle_gap gap = gap_near(center);
      variational_optimum next = best_with(gap);
      const double way = std::hypot(std::log(next.sigma_x / center.sigma_x),
                                    std::log(next.sigma_xi / center.sigma_xi));
      const bounded<nats> found = slow_at(next.sigma_x, next.sigma_xi);
      const double surprise = std::fabs((found.value - next.production.value).value());
      next.production = found;
      next.production.error += nats{slow_.noise + surprise};
      if (way <= step / 2 || round == most_rounds) return next;
      center = next;
    }
  }

 private:
  static constexpr double step = 0.02;  ///< of the differences, in ln σ
  static constexpr double near = 0.5;   ///< how far the optimum may be from the quick one's

  bounded<nats> slow_at(double sigma_x, double sigma_xi) {
    const auto key = std::pair(sigma_x, sigma_xi);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_.emplace(key, slow_(sigma_x, sigma_xi)).first->second;
  }
  double gap_at(double sigma_x, double sigma_xi) {
    return (slow_at(sigma_x, sigma_xi).value - quick_(sigma_x, sigma_xi).value).value();
  }

  /// By what lies a step away on both sides; or on one side next to a bound.
  template <class Gap>
  gentle_axis axis(double sigma, double low, double high, double here, const Gap& gap) {
    if (low == high) return {};
    const double up = std::min(std::log(high / sigma), step);
    const double down = std::min(std::log(sigma / low), step);
    const double above = up > 0 ? (gap(std::min(sigma * std::exp(up), high)) - here) / up : 0;
    const double below = down > 0 ? (here - gap(std::max(sigma * std::exp(-down), low))) / down : 0;
    const bool has_both = std::min(up, down) > step / 8;
    if (!has_both) return {up > down ? above : below};
    return {(above * down + below * up) / (up + down), 2 * (above - below) / (up + down)};
  }

  gentle_gap gap_near(const variational_optimum& center) {
    gentle_gap made{center, gap_at(center.sigma_x, center.sigma_xi)};
    made.x = axis(center.sigma_x, bounds_.sigma_x_low, bounds_.sigma_x_high, made.here,
                  [&](double sigma) { return gap_at(sigma, center.sigma_xi); });
    made.xi = axis(center.sigma_xi, bounds_.sigma_xi_low, bounds_.sigma_xi_high, made.here,
                   [&](double sigma) { return gap_at(center.sigma_x, sigma); });
    return made;
  }

  /// The best nearby, with the quick production and the gap.
  [[nodiscard]] variational_optimum best_with(const gentle_gap& gap) const {
    entropy_production both = quick_;
    both.flow = [&gap, flow = quick_.flow](double sigma_x, double sigma_xi) {
      return flow(sigma_x, sigma_xi) + gap(sigma_x, sigma_xi);
    };
    const double grow = std::exp(near);
    const variational_optimum& center = gap.center;
    const variational_bounds nearby{std::max(bounds_.sigma_x_low, center.sigma_x / grow),
                                    std::min(bounds_.sigma_x_high, center.sigma_x * grow),
                                    std::max(bounds_.sigma_xi_low, center.sigma_xi / grow),
                                    std::min(bounds_.sigma_xi_high, center.sigma_xi * grow)};
    variational_optimum best =
        variational_optima(both, nearby, {.grid = 2, .starts = {center}}).front();
    const auto is_bound = [](double sigma, double low, double high) {
      return sigma == low || sigma == high;
    };
    best.sigma_x_at_bound = is_bound(best.sigma_x, bounds_.sigma_x_low, bounds_.sigma_x_high);
    best.sigma_xi_at_bound = is_bound(best.sigma_xi, bounds_.sigma_xi_low, bounds_.sigma_xi_high);
    return best;
  }

  const entropy_production& slow_;
  const entropy_production& quick_;
  const variational_bounds& bounds_;
  std::map<std::pair<double, double>, bounded<nats>> known_;
};

}  // namespace

std::vector<variational_optimum> slow_optima(const entropy_production& slow,
                                             const entropy_production& quick,
                                             const variational_bounds& bounds,
                                             const std::vector<variational_optimum>& of_quick) {
  require_valid(bounds);
  slow_search search{slow, quick, bounds};
  std::vector<variational_optimum> optima;
  optima.reserve(of_quick.size());
  for (const variational_optimum& one : of_quick) optima.push_back(search.from(one));
  std::sort(optima.begin(), optima.end(),
            [](const variational_optimum& a, const variational_optimum& b) {
              return a.production.value < b.production.value;
            });
  return optima;
}

}  // namespace ktln2::mismatch
