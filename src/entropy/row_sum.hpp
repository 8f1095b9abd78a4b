#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "entropy/row_kernels.hpp"
#include "entropy/width_map.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

/// Σ_j -q_j ln(q_j/b_j) over the cells of Y, given a row: the entropy of the register of Y and the
/// mean of ln b, b the width of Y's cell over σ_ξ (1 for an unbounded one). It is the differential
/// entropy of Y given the row and what rounding adds; unlike the entropy it does not change with
/// the widths of cells that are fine against the noise.
class row_sum {
 public:
  struct result {
    double nats = 0;
    double error = 0;
  };

  explicit row_sum(const width_map& y_cells, double sigma_xi)
      : y_cells_{y_cells}, sigma_xi_{sigma_xi} {}

  /// `mean` is that of Y at the left end of the row.
  [[nodiscard]] result operator()(const wide& mean, const row_cell& cell) const {
    if (corner_row::suits(cell)) return sum(corner_row{cell}, mean, cell);
    if (narrow_row::suits(cell)) return sum(narrow_row{cell}, mean, cell);
    return sum(wide_row{cell}, mean, cell);
  }

 private:
  static constexpr double longest = 4.25;  ///< panel: Φ has its zeros at 1.9 ± 2.8i
  static constexpr std::uint64_t few = 24;

  template <class Kernel>
  class one_row {
   public:
    one_row(const Kernel& kernel, const wide& mean, const row_cell& cell, double sigma_xi)
        : kernel_{kernel},
          mean_{mean},
          sigma_xi_{sigma_xi},
          end_{cell.smear()},
          gentle_{cell.gain / (1 + std::fabs(cell.right()))} {}

    void add(const cell_segment& cells) {
      const double left = std::max(place(cells.left_edge), -row_reach);
      const double right = std::min(place(cells.right_edge), end_ + row_reach);
      if (!(left < right)) return;
      if (cells.is_unbounded()) return add_mass(mass(left, right), 1);
      const bool is_level = left == -row_reach && right == end_ + row_reach;
      if (cells.is_points() || (is_level && cells.width <= widest_fine_cell(end_))) {
        return add_density(left, right, cells.width);
      }
      add_cells(cells, left, right);
    }

    [[nodiscard]] result value() const {
      // What the masses lack to 1 may belong to any cell; and each term has a few roundings.
      const double lost = std::fabs(mass_ - 1);
      return {nats_, lost * (2 + std::fabs(nats_) + std::log1p(end_)) + 64 * 0x1p-53 * absolute_};
    }

   private:
    [[nodiscard]] double place(const wide& y) const { return ratio(y - mean_, sigma_xi_); }

    [[nodiscard]] double mass(double left, double right) const {
      const double below = left <= -row_reach ? 0 : kernel_.through(left);
      return (right >= end_ + row_reach ? 1 : kernel_.through(right)) - below;
    }

    /// `weight` cells of mass q and width b each.
    void add_mass(double q, double b, double weight = 1) {
      if (!(q > 0)) return;
      const double term = -q * std::log(q / b);
      nats_ += weight * term;
      absolute_ += weight * (std::fabs(term) + q);
      mass_ += weight * q;
    }

    /// Calls f(from, to) for panels that are short where Y has an end of the row within reach, and
    /// short against the scale of X elsewhere.
    template <class F>
    void for_panels(double left, double right, F f) const {
      const auto cut_up = [&](double from, double to, double step) {
        if (!(from < to)) return;
        const double count = std::ceil((to - from) / step);
        const double h = (to - from) / count;
        for (double k = 0; k < count; ++k) f(from + k * h, from + (k + 1) * h);
      };
      if (end_ <= 2 * row_reach) return cut_up(left, right, longest);
      const double inner_left = row_reach;
      const double inner_right = end_ - row_reach;
      cut_up(left, std::min(right, inner_left), longest);
      cut_up(std::max(left, inner_left), std::min(right, inner_right), gentle_);
      cut_up(std::max(left, inner_right), right, longest);
    }

    /// Cells so fine, or so many, that where they stand does not matter.
    void add_density(double left, double right, double b) {
      const auto density = kernel_.cells(b);
      const auto& rule = gauss_legendre<16>();
      for_panels(left, right, [&](double from, double to) {
        for (std::size_t k = 0; k < 16; ++k) {
          const double u = (from + to) / 2 + (to - from) / 2 * rule.node[k];
          add_mass(density(u), 1, rule.weight[k] * (to - from));
        }
      });
    }

    /// The cells of a segment that lie, in part or as a whole, between left and right.
    void add_cells(const cell_segment& cells, double left, double right) {
      const double b = cells.width;
      const auto edge = [&](std::uint64_t k) {
        return place(cells.left_edge + wide::from_integer(k) * cells.cell_width);
      };
      const std::uint64_t half = cells.count / 2;
      const auto whole = [&](double x) {
        return static_cast<std::uint64_t>(std::clamp(x, 0.0, static_cast<double>(half)));
      };
      // The second step makes up for the digits that the first one lacks where cells are many.
      std::uint64_t first = 2 * whole((left - edge(0)) / b / 2);
      const double ahead = std::floor((left - edge(first)) / b);
      first = ahead < 0 ? first - std::min(first, whole(-ahead)) : first + whole(ahead);
      first = std::min(first, cells.count - 1);
      // Next to an edge of cells that are long against the row a double does not tell on which
      // side.
      while (first > 0 && edge(first) > left) --first;
      const double u = edge(first);
      const auto most = static_cast<double>(cells.count - first);
      auto size = static_cast<std::uint64_t>(std::clamp(std::ceil((right - u) / b), 1.0, most));
      while (first + size < cells.count && edge(first + size) < right) ++size;
      if (b <= fine_cell) return add_fine(u, b, size);
      // A sum of doubles has its digits where the cells are, not where the row is.
      add_coarse(u, b, size, [&](std::uint64_t k) {
        return b < 64 ? u + static_cast<double>(k) * b : edge(first + k);
      });
    }

    void add_fine(double u, double b, std::uint64_t size) {
      std::uint64_t done = 0;
      for_panels(u, u + static_cast<double>(size) * b, [&](double, double to) {
        const double cells = std::round((to - u) / b);
        const std::uint64_t next =
            std::clamp(static_cast<std::uint64_t>(std::max(cells, 0.0)), done, size);
        add_lattice(u + static_cast<double>(done) * b, b, next - done);
        done = next;
      });
    }

    template <class Edge>
    void add_coarse(double u, double b, std::uint64_t size, const Edge& edge) {
      // Cells that are within reach of neither end.
      const double before = std::ceil(std::max(0.0, row_reach - u) / b);
      const double after = std::floor((end_ - row_reach - u) / b);
      if (!(after - before > few)) return add_each(edge, b, 0, size);
      // As doubles first: a long row may have more cells than a whole number can count.
      const auto all = static_cast<double>(size);
      const auto from = static_cast<std::uint64_t>(std::min(before, all));
      const auto to = static_cast<std::uint64_t>(std::clamp(after, std::min(before, all), all));
      add_each(edge, b, 0, from);
      std::uint64_t done = from;
      while (done < to) {
        const auto cells = static_cast<std::uint64_t>(
            std::min(std::ceil(gentle_ / b), static_cast<double>(to - done)));
        add_lattice(u + static_cast<double>(done) * b, b, cells);
        done += cells;
      }
      add_each(edge, b, to, size);
    }

    /// Cell by cell, by what lies below their edges.
    template <class Edge>
    void add_each(const Edge& edge, double b, std::uint64_t first, std::uint64_t last) {
      if (first == last) return;
      double below = kernel_.through(edge(first));
      for (std::uint64_t k = first + 1; k <= last; ++k) {
        const double next = kernel_.through(edge(k));
        add_mass(next - below, b);
        below = next;
      }
    }

    /// Along neighboring cells the density is smooth: with its nearest singular points at 1.9
    /// ± 2.8i a rule of order n errs by ρ^-2n, ρ = 57, 11 and 3 for lengths up to 0.2, 1 and 4.25.
    void add_lattice(double u, double b, std::uint64_t size) {
      const double length = static_cast<double>(size) * b;
      if (size >= 4 && length <= 0.007) return by_rule<2>(u, b, size);
      if (size >= 7 && length <= 0.2) return by_rule<4>(u, b, size);
      if (size >= 14 && length <= 1) return by_rule<8>(u, b, size);
      if (size >= 24) return by_rule<16>(u, b, size);
      const auto density = kernel_.cells(b);
      for (std::uint64_t k = 0; k < size; ++k) {
        add_mass(b * density(u + (static_cast<double>(k) + 0.5) * b), b);
      }
    }

    template <std::size_t Order>
    void by_rule(double u, double b, std::uint64_t size) {
      const auto density = kernel_.cells(b);
      const auto count = static_cast<double>(size);
      const mean_rule<Order> rule = gram_rule<Order>(count);
      for (std::size_t k = 0; k < Order; ++k) {
        add_mass(b * density(u + count * b / 2 * (1 + rule.node[k])), b, rule.weight[k] * count);
      }
    }

    const Kernel& kernel_;
    const wide& mean_;
    double sigma_xi_;
    double end_;     ///< of the row
    double gentle_;  ///< the scale of X, in units of the noise
    double nats_ = 0;
    double absolute_ = 0;
    double mass_ = 0;
  };

  template <class Kernel>
  [[nodiscard]] result sum(const Kernel& kernel, const wide& mean, const row_cell& cell) const {
    one_row<Kernel> row(kernel, mean, cell, sigma_xi_);
    const double u = ratio(mean, sigma_xi_);
    const auto& segments = y_cells_.segments();
    const double end = u + cell.smear() + row_reach;
    const double slack = 1e-12 * std::fabs(end);
    for (std::size_t i = y_cells_.segment_of(u - row_reach - slack);
         i < segments.size() && segments[i].left <= end + slack; ++i) {
      row.add(segments[i]);
    }
    return row.value();
  }

  const width_map& y_cells_;
  double sigma_xi_;
};

}  // namespace ktln2
