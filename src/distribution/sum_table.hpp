#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/tabulated.hpp"

namespace ktln2 {

/// One density of a convolution: its logarithm, and points between which it is smooth enough for
/// one panel of quadrature, from end to end of what matters.
struct summand {
  using points = std::array<double, 16>;

  std::function<double(double)> log_density;
  std::vector<double> panels;
  std::vector<double> breaks;  ///< where it is not smooth; among the panels
  double count = 1;            ///< of how many numbers it is the sum
  double error = 0;            ///< in total variation
  double low = -infinity;      ///< where it begins and ends
  double high = infinity;
  /// At points between two neighboring panels, where that is quicker.
  std::function<points(const points&)> log_densities = {};

  [[nodiscard]] points at(const points& x) const {
    if (log_densities) return log_densities(x);
    points logs;
    std::transform(x.begin(), x.end(), logs.begin(), log_density);
    return logs;
  }
};

/// ∫ a(y) b(x - y) dy, between the panels of both.
class convolution {
 public:
  convolution(const summand& a, const summand& b) : a_{a}, b_{b} {}

  [[nodiscard]] double at(double x) const {
    const std::vector<double> cuts = cuts_for(x);
    // Where the integrand is this far below its largest value it does not count.
    constexpr double negligible = 45;
    double highest = -infinity;
    std::vector<double> middles;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      middles.push_back(log_integrand(x, cuts[i] + (cuts[i + 1] - cuts[i]) / 2));
      highest = std::max(highest, middles.back());
    }
    compensated_sum sum;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const bool counts = middles[i] > highest - negligible || next_counts(middles, i, highest);
      if (counts) sum.add(panel(x, cuts[i], cuts[i + 1]));
    }
    return is_square() ? 2 * sum.value() : sum.value();
  }

 private:
  /// Of a density with itself, whose integrand is symmetric about x/2: one half will do.
  [[nodiscard]] bool is_square() const { return &a_ == &b_; }

  /// A panel whose middle is far down may reach up to a neighbor that is not.
  static bool next_counts(const std::vector<double>& middles, std::size_t i, double highest) {
    constexpr double near_top = 30;
    const bool left = i > 0 && middles[i - 1] > highest - near_top;
    const bool right = i + 1 < middles.size() && middles[i + 1] > highest - near_top;
    return left || right;
  }

  [[nodiscard]] double log_integrand(double x, double y) const {
    return a_.log_density(y) + b_.log_density(x - y);
  }

  [[nodiscard]] std::vector<double> cuts_for(double x) const {
    const double low = std::max(a_.panels.front(), x - b_.panels.back());
    const double all = std::min(a_.panels.back(), x - b_.panels.front());
    const double high = is_square() ? x / 2 : all;
    std::vector<double> cuts;
    if (!(low < high)) return cuts;
    cuts.push_back(low);
    for (const double y : a_.panels) {
      if (low < y && y < high) cuts.push_back(y);
    }
    for (const double z : b_.panels) {
      if (low < x - z && x - z < high) cuts.push_back(x - z);
    }
    cuts.push_back(high);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
  }

  [[nodiscard]] double panel(double x, double from, double to) const {
    const auto& rule = gauss_legendre<16>();
    summand::points y;
    summand::points rest;
    for (std::size_t k = 0; k < 16; ++k) {
      y[k] = from + (to - from) / 2 * (1 + rule.node[k]);
      rest[k] = x - y[k];
    }
    const summand::points a = a_.at(y);
    const summand::points b = b_.at(rest);
    double mean = 0;
    for (std::size_t k = 0; k < 16; ++k) mean += rule.weight[k] * std::exp(a[k] + b[k]);
    return (to - from) * mean;
  }

  const summand& a_;
  const summand& b_;
};

/// Where a law is and how wide, and k numbers together.
struct sum_shape {
  double mean = 0;            ///< of one number; of a law without a mean its center
  double length = 1;          ///< over which the density of one number varies
  double spread = 1;          ///< its deviation in that unit, where panels are fine: from 1 to 3
  double tail = infinity;     ///< f falls like |z|^-(tail + 1), or faster
  bool is_symmetric = false;  ///< about the mean

  [[nodiscard]] double center(double count) const { return count * mean; }
  /// Sums grow like √k, those without a deviation like k^(1/tail).
  [[nodiscard]] double length_of(double count) const {
    return length * std::pow(count, 1 / std::fmin(tail, 2.0));
  }
};

/// The density of sums, made by doubling and adding one.
class sum_table {
 public:
  sum_table(summand one, const sum_shape& shape, const stop_token& stop)
      : one_{std::move(one)}, shape_{shape}, stop_{stop} {}

  /// The density of n numbers, from that of n >> k numbers if that is there.
  [[nodiscard]] standard_tabulated of(std::uint64_t n) { return of(n, one_); }
  [[nodiscard]] standard_tabulated of(std::uint64_t n, const summand& start) {
    const auto first = static_cast<std::uint64_t>(start.count);
    int doublings = 0;
    while (n >> doublings > first) ++doublings;
    summand sum = start;
    if (first > 1) {
      const auto density = [&start](double x) { return std::exp(start.log_density(x)); };
      sum = tabulated(density, start.count, start.breaks, start.error);
    }
    for (int bit = doublings; bit-- > 0;) {
      sum = added(sum, sum);
      if (((n >> bit) & 1U) != 0) sum = added(sum, one_);
    }
    error_ = sum.error;
    return *last_;
  }

  /// How far the last table is off, in total variation.
  [[nodiscard]] double error() const { return error_; }
  /// Where it is not smooth, in its own units.
  [[nodiscard]] const std::vector<double>& breaks() const { return breaks_; }

 private:
  /// In units of the sum's length, around its center: panels of one unit where the mass is, half
  /// of it where tails or kinks make the middle sharp, then wider with their distance, as far as
  /// the density falls by 10^25.
  [[nodiscard]] std::vector<double> mesh_around(const std::vector<double>& breaks, double low,
                                                double high) const {
    constexpr double near = 12;
    const double step = shape_.tail < 4 || !breaks.empty() ? 0.5 : 1;
    const double farthest = std::fmax(60.0, std::pow(10, 25 / (shape_.tail + 1)));
    std::vector<double> edges{0};
    while (edges.back() < near * shape_.spread) edges.push_back(edges.back() + step);
    while (edges.back() < farthest) {
      edges.push_back(edges.back() * (edges.back() < 4 * near ? 1.25 : 1.5));
    }
    std::vector<double> both(edges.rbegin(), edges.rend() - 1);
    for (double& z : both) z = -z;
    both.insert(both.end(), edges.begin(), edges.end());
    both.insert(both.end(), breaks.begin(), breaks.end());
    // At an end ln f may be a logarithm, of which all scales are alike.
    for (double distance = 0.25; distance > 1e-8; distance /= 2) {
      if (std::isfinite(low)) both.push_back(low + distance);
      if (std::isfinite(high)) both.push_back(high - distance);
    }
    std::sort(both.begin(), both.end());
    // A panel that is next to nothing is nothing.
    const auto is_same = [](double a, double b) { return b - a < 1e-9; };
    both.erase(std::unique(both.begin(), both.end(), is_same), both.end());
    return both;
  }

  /// Of a few numbers only: each addition makes the density smoother.
  [[nodiscard]] std::vector<double> breaks_of(const summand& a, const summand& b) const {
    constexpr double smooth_from = 12;
    constexpr std::size_t most = 64;
    std::vector<double> sums;
    if (a.count + b.count > smooth_from) return sums;
    for (const double x : a.breaks) {
      for (const double y : b.breaks) sums.push_back(x + y);
    }
    std::sort(sums.begin(), sums.end());
    sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
    if (sums.size() > most) sums.clear();
    return sums;
  }

  [[nodiscard]] summand added(const summand& a, const summand& b) {
    const convolution both{a, b};
    return tabulated([&both](double x) { return both.at(x); }, a.count + b.count, breaks_of(a, b),
                     a.error + b.error, a.low + b.low, a.high + b.high);
  }

  /// A density of so many numbers, by its values on the panels of its table.
  template <class Density>
  [[nodiscard]] summand tabulated(const Density& density, double count,
                                  const std::vector<double>& breaks, double error,
                                  double low = -infinity, double high = infinity) {
    const double center = shape_.center(count);
    const double length = shape_.length_of(count);
    breaks_.clear();
    for (const double x : breaks) breaks_.push_back((x - center) / length);
    tabulated_values values;
    const bool has_ends = !breaks.empty();  // those that still show
    values.edges = mesh_around(breaks_, has_ends ? (low - center) / length : low,
                               has_ends ? (high - center) / length : high);
    values.density = at_nodes(density, values.edges, center, length);
    values.breaks = breaks_;
    last_ = std::make_shared<const standard_tabulated>(values);
    const double log_length = std::log(length);
    summand made{[table = last_, center, length, log_length](double x) {
                   return table->log_pdf((x - center) / length) - log_length;
                 },
                 {},
                 breaks,
                 count,
                 0,
                 low,
                 high};
    made.log_densities = [table = last_, center, length, log_length](const summand::points& x) {
      summand::points z;
      for (std::size_t k = 0; k < z.size(); ++k) z[k] = (x[k] - center) / length;
      summand::points logs = table->log_pdf(z);
      for (double& log_f : logs) log_f -= log_length;
      return logs;
    };
    for (const double z : values.edges) made.panels.push_back(center + length * z);
    made.error = error + std::fabs(mass_of_table(values) - 1) + last_->table_error() + 0x1p-50;
    return made;
  }

  template <class Density>
  [[nodiscard]] std::vector<double> at_nodes(const Density& density,
                                             const std::vector<double>& edges, double center,
                                             double length) const {
    const auto& rule = gauss_legendre<16>();
    std::vector<double> values(16 * (edges.size() - 1));
    parallel_for(edges.size() - 1, 0, [&](std::size_t p) {
      throw_if_stopped(stop_);
      const double left = edges[p];
      const double right = edges[p + 1];
      // The other half is its mirror image.
      if (shape_.is_symmetric && right <= 0) return;
      for (std::size_t j = 0; j < 16; ++j) {
        const double z = left + (right - left) / 2 * (1 + rule.node[j]);
        values[16 * p + j] = length * density(center + length * z);
      }
    });
    if (shape_.is_symmetric) {
      for (std::size_t i = 0; i < values.size() / 2; ++i) {
        values[i] = values[values.size() - 1 - i];
      }
    }
    return values;
  }

  [[nodiscard]] static double mass_of_table(const tabulated_values& values) {
    const auto& rule = gauss_legendre<16>();
    compensated_sum sum;
    for (std::size_t p = 0; p + 1 < values.edges.size(); ++p) {
      const double width = values.edges[p + 1] - values.edges[p];
      for (std::size_t j = 0; j < 16; ++j) {
        sum.add(width * rule.weight[j] * values.density[16 * p + j]);
      }
    }
    return sum.value();
  }

  summand one_;
  sum_shape shape_;
  stop_token stop_;
  double error_ = 0;
  std::vector<double> breaks_;
  std::shared_ptr<const standard_tabulated> last_;
};

}  // namespace ktln2
