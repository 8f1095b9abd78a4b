#include "ktln2/measure/row_bound.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numbers>

namespace ktln2::measure {
namespace {

long double to_long(double x) { return static_cast<long double>(x); }

long double to_long(const wide& x) {
  return std::scalbn(to_long(x.high()) + to_long(x.low()), x.exponent());
}

/// A bounded stand-in for the cell that holds x.
interval bounded_cell(const partition& cells, double x) {
  const cell_run cell = cells.cell_of(x);
  const auto reach = [](const wide& edge) { return edge.is_zero() ? wide(1.0) : abs(edge); };
  if (cell.left.is_infinite() && cell.right.is_infinite()) return {-1.0, 1.0};
  if (cell.left.is_infinite()) return {cell.right - reach(cell.right), cell.right};
  if (cell.right.is_infinite()) return {cell.left, cell.left + reach(cell.left)};
  return {cell.left, cell.right};
}

/// log₂ of the determinant of a positive definite matrix, by Cholesky; else no number.
long double log2_determinant(std::vector<long double> a, std::size_t m) {
  long double sum = 0;
  for (std::size_t k = 0; k < m; ++k) {
    const long double pivot = a[k * m + k];
    if (!(pivot > 0)) return std::nanl("");
    sum += std::log2(pivot);
    for (std::size_t i = k + 1; i < m; ++i) {
      const long double factor = a[i * m + k] / pivot;
      for (std::size_t j = k + 1; j < m; ++j) a[i * m + j] -= factor * a[k * m + j];
    }
  }
  return sum;
}

/// By how much log₂ det of the covariance of n normal rows, with the divisor n, is too low in the
/// mean: the sum of products has Wishart's law, so that exactly
///     E ln det = ln det C + Σ_{i≤m} [ψ((n-i)/2) - ln(n/2)].
long double determinant_bias(long double n, std::size_t m) {
  long double sum = 0;
  for (std::size_t i = 1; i <= m; ++i) {
    sum += std::log(n / 2) - boost::math::digamma((n - static_cast<long double>(i)) / 2);
  }
  return sum / std::numbers::ln2_v<long double>;
}

}  // namespace

row_bound::row_bound(const std::vector<storage>& registers) {
  for (const storage& one : registers) cells_.push_back(one.cells().cells);
  rows_.fill(none());
}

row_bound::sums row_bound::none() const {
  const std::size_t m = cells_.size();
  return {0, std::vector<long double>(2 * m), std::vector<long double>(4 * m * m),
          std::vector<long double>(m), std::vector<long double>(m)};
}

void row_bound::add(const std::vector<double>& row) {
  const std::size_t m = cells_.size();
  sums one = none();
  one.count = 1;
  for (std::size_t j = 0; j < m; ++j) {
    const interval cell = bounded_cell(cells_[j], row[j]);
    const wide width = cell.right - cell.left;
    one.means[j] = to_long(midpoint(cell.left, cell.right));
    one.means[m + j] = to_long(row[j]);
    one.logs[j] = to_long(log(width)) / std::numbers::ln2_v<long double>;
    one.squares[j] = to_long(width * width);
  }
  add_to(rows_[count_++ % groups], one);
}

/// Chan, Golub and LeVeque: sums about means, so that nothing cancels far from 0.
void row_bound::add_to(sums& all, const sums& more) {
  if (more.count == 0) return;
  const std::size_t size = all.means.size();
  const auto before = static_cast<long double>(all.count);
  const auto added = static_cast<long double>(more.count);
  const long double both = before + added;
  std::vector<long double> apart(size);
  for (std::size_t i = 0; i < size; ++i) apart[i] = more.means[i] - all.means[i];
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      all.products[i * size + j] +=
          more.products[i * size + j] + apart[i] * apart[j] * (before * added / both);
    }
  }
  for (std::size_t i = 0; i < size; ++i) all.means[i] += apart[i] * (added / both);
  for (std::size_t j = 0; j < all.logs.size(); ++j) {
    all.logs[j] += more.logs[j];
    all.squares[j] += more.squares[j];
  }
  all.count += more.count;
}

long double row_bound::most_of(const sums& rows, const std::vector<std::optional<double>>& units) {
  const std::size_t m = units.size();
  const auto n = static_cast<long double>(rows.count);
  // The coordinate that stands for a register
  const auto from = [&](std::size_t j) { return units[j] ? m + j : j; };
  std::vector<long double> covariance(m * m);
  long double logs = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      covariance[i * m + j] = rows.products[from(i) * 2 * m + from(j)] / n;
    }
    const long double unit = to_long(units[i].value_or(0));
    covariance[i * m + i] += (units[i] ? unit * unit : rows.squares[i] / n) / 12;
    logs += units[i] ? std::log2(unit) : rows.logs[i] / n;
  }
  constexpr auto e = std::numbers::e_v<long double>;
  constexpr auto pi = std::numbers::pi_v<long double>;
  return (static_cast<long double>(m) * std::log2(2 * pi * e) + log2_determinant(covariance, m) +
          determinant_bias(n, m)) /
             2 -
         logs;
}

std::optional<bounded<bits>> row_bound::most(std::vector<std::optional<double>> units) const {
  const std::uint64_t parts = std::min<std::uint64_t>(groups, count_);
  // Without a group there must be more rows than registers.
  const std::uint64_t largest_group = (count_ + groups - 1) / groups;
  if (parts < 3 || count_ - largest_group <= cells_.size()) return {};
  sums all = none();
  for (const sums& group : rows_) add_to(all, group);
  for (std::size_t j = 0; j < units.size(); ++j) {
    const bool is_wider =
        units[j] && to_long(std::log2(*units[j])) > all.logs[j] / static_cast<long double>(count_);
    if (!is_wider) units[j].reset();
  }
  std::vector<long double> without;  // one group in turn
  for (std::size_t left_out = 0; left_out < parts; ++left_out) {
    sums others = none();
    for (std::size_t i = 0; i < parts; ++i) {
      if (i != left_out) add_to(others, rows_[i]);
    }
    without.push_back(most_of(others, units));
  }
  const auto k = static_cast<long double>(parts);
  long double mean = 0;
  for (const long double one : without) mean += one / k;
  long double variance = 0;
  for (const long double one : without) variance += (one - mean) * (one - mean) * (k - 1) / k;
  const long double value = k * most_of(all, units) - (k - 1) * mean;
  if (!std::isfinite(value) || !std::isfinite(variance)) return {};
  constexpr long double normal_quantile = 1.96L;
  // How much of it is that rows were taken for normal ones
  const auto n = static_cast<long double>(count_);
  const long double normal_part = k * determinant_bias(n, cells_.size()) -
                                  (k - 1) * determinant_bias(n * (k - 1) / k, cells_.size());
  return bounded<bits>{bits{static_cast<double>(value)},
                       bits{static_cast<double>(normal_quantile * std::sqrt(variance) +
                                                std::fabs(normal_part) / 2)}};
}

}  // namespace ktln2::measure
