#include "ktln2/simulation/fit.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "ktln2/format/partition.hpp"

namespace ktln2::simulation {
namespace {

/// What a bin must hold for Pearson's χ² to follow its law.
constexpr double least_expected = 5;

double at(const distribution_function& law, double x) {
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  return law(x);
}

double real(std::ptrdiff_t count) { return static_cast<double>(count); }

/// Compares a sample with a law, at all points or, with a partition, at the edges of its cells.
class comparison {
 public:
  comparison(const sample& results, const distribution_function& law,
             const std::optional<partition>& cells)
      : all_{results.sorted()},
        n_{static_cast<double>(results.size())},
        law_{law},
        cells_{cells},
        middle_{std::isfinite(results.quantile(0.5)) ? results.quantile(0.5) : 0},
        spread_{results.quantile(0.75) - results.quantile(0.25)} {}

  [[nodiscard]] double largest_distance() const {
    double distance = 0;
    for (auto first = all_.begin(); first != all_.end();) {
      const double x = *first;
      const auto next = std::find_if(first, all_.end(), [x](double y) { return y != x; });
      const double below = real(first - all_.begin()) / n_;
      const double upto = real(next - all_.begin()) / n_;
      // On a register the law has an atom here, as wide as the cell.
      const auto [left, right] = edges(x);
      const double low = at(law_, left);
      const double high = left == right ? low : at(law_, right);
      distance = std::max({distance, std::fabs(below - low), std::fabs(upto - high)});
      first = next;
    }
    return distance;
  }

  /// Pearson's χ²; the number of bins grows with the sample.
  void test_bins(goodness_of_fit& found) const {
    const auto bins = static_cast<int>(std::clamp(2 * std::pow(n_, 0.4), 4.0, 200.0));
    double share_before = 0;
    auto before = all_.begin();
    int used = 0;
    for (int i = 1; i <= bins; ++i) {
      const bool last = i == bins;
      const double edge = last ? HUGE_VAL : snapped(quantile(static_cast<double>(i) / bins));
      const double share = at(law_, edge);
      const double expected = n_ * (share - share_before);
      const bool rest_is_enough = last || n_ * (1 - share) >= least_expected;
      if (!last && (expected < least_expected || !rest_is_enough)) continue;
      const auto next = last ? all_.end() : std::lower_bound(before, all_.end(), edge);
      const double surplus = real(next - before) - expected;
      if (expected > 0) found.chi_square += surplus * surplus / expected;
      before = next;
      share_before = share;
      ++used;
    }
    found.degrees_of_freedom = used - 1;
    found.chi_square_p_value =
        used < 2 ? std::numeric_limits<double>::quiet_NaN()
                 : boost::math::gamma_q(found.degrees_of_freedom / 2.0, found.chi_square / 2);
  }

 private:
  struct interval {
    double left;
    double right;
  };

  [[nodiscard]] interval edges(double x) const {
    if (!cells_) return {x, x};
    const cell_run cell = cells_->cell_of(x);
    const double right = cell.right.to_double();
    // As doubles +0 and -0 are one.
    return {x == 0 && cells_->is_symmetric() ? -right : cell.left.to_double(), right};
  }
  [[nodiscard]] double snapped(double x) const { return edges(x).right; }

  /// Where the law reaches `share`, by bisection.
  [[nodiscard]] double quantile(double share) const {
    double reach = spread_ > 0 && std::isfinite(spread_) ? spread_ : 1;
    double low = middle_;
    double high = middle_;
    for (; at(law_, low) > share && std::isfinite(low); reach *= 2) low -= reach;
    for (; at(law_, high) < share && std::isfinite(high); reach *= 2) high += reach;
    for (int i = 0; i < 100; ++i) {
      const double half = low + (high - low) / 2;
      if (!(low < half && half < high)) break;
      (at(law_, half) < share ? low : high) = half;
    }
    return high;
  }

  std::span<const double> all_;
  double n_;
  const distribution_function& law_;
  const std::optional<partition>& cells_;
  double middle_;
  double spread_;
};

goodness_of_fit compare(const sample& results, const distribution_function& law,
                        const std::optional<partition>& cells) {
  const comparison both(results, law, cells);
  goodness_of_fit found;
  found.kolmogorov_smirnov = both.largest_distance();
  const double root = std::sqrt(static_cast<double>(results.size()));
  found.kolmogorov_p_value =
      kolmogorov_tail((root + 0.12 + 0.11 / root) * found.kolmogorov_smirnov);
  both.test_bins(found);
  return found;
}

}  // namespace

double kolmogorov_tail(double x) {
  if (!(x > 0)) return 1;
  constexpr double pi = std::numbers::pi;
  if (x < 1.18) {
    // √(2π)/x Σ exp(-(2k-1)²π²/(8x²)), all terms positive, is the probability of the other side
    double sum = 0;
    for (int k = 1; k <= 7; k += 2) sum += std::exp(-k * k * pi * pi / (8 * x * x));
    return 1 - std::sqrt(2 * pi) / x * sum;
  }
  double sum = 0;
  for (int k = 1; k <= 6; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * x * x);
  return sum;
}

goodness_of_fit fit_of(const sample& results, const distribution_function& law) {
  return compare(results, law, {});
}

goodness_of_fit fit_of(const storage& where, const sample& results,
                       const distribution_function& law) {
  return compare(results, law, where.cells().cells);
}

}  // namespace ktln2::simulation
