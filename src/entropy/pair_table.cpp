#include "entropy/pair_table.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// The edges of a register's cells: -infinity, the midpoints, infinity.
std::vector<double> edges_of(const std::vector<double>& values) {
  std::vector<double> edges{-infinity};
  for (std::size_t i = 1; i < values.size(); ++i) edges.push_back((values[i - 1] + values[i]) / 2);
  edges.push_back(infinity);
  return edges;
}

/// A cell of X in equal pieces, over which the density of X and that of Y given x are smooth.
struct smooth_pieces {
  double left;
  double half;
  int count;
  double share;  ///< of the length over which the densities turn

  smooth_pieces(double from, double to, const regression_pair& pair) : left{from} {
    const double smooth =
        std::min(pair.sigma_x(), pair.w() == 0 ? infinity : pair.sigma_xi() / std::fabs(pair.w()));
    const double pieces = std::max(1.0, std::ceil((to - from) / smooth));
    if (!(pieces <= 1e5)) {
      throw std::domain_error("pair: the noise is too narrow for the cells: sigma_xi = " +
                              shown(pair.sigma_xi()));
    }
    count = static_cast<int>(pieces);
    half = (to - from) / (2 * pieces);
    share = 2 * half / smooth;
  }

  /// each(x, weight) at all the nodes of a rule.
  template <std::size_t Order, class Each>
  void visit(const Each& each) const {
    const auto& rule = gauss_legendre<Order>();
    for (int piece = 0; piece < count; ++piece) {
      const double center = left + (2 * piece + 1) * half;
      for (std::size_t k = 0; k < Order; ++k) {
        each(center + half * rule.node[k], rule.weight[k] * 2 * half);
      }
    }
  }
};

/// The logarithms of a row for the upper half of X's cells; (x, y) and (-x, -y) are alike.
class mirrored_table {
 public:
  mirrored_table(std::size_t rows, std::size_t columns)
      : columns_{columns}, table_(rows * columns, -infinity) {}

  void set(std::size_t row, std::size_t column, double value) {
    const std::size_t at = row * columns_ + column;
    table_[at] = value;
    table_[table_.size() - 1 - at] = value;
  }
  std::vector<double> take() { return std::move(table_); }

 private:
  std::size_t columns_;
  std::vector<double> table_;
};

/// What N(0, 1) gives to a cell, as between() of the law does, but without the logarithm, which
/// takes most of the time.
double plain_mass(double left, double right) {
  const double h = right - left;
  const double z = std::fabs(left + h / 2);
  if (h <= 0.25 && z * h <= 0.5) {
    // mean of f over the cell / f(z) = Σ_k He_2k(z) (h/2)^2k / (2k+1)!
    const double u = h / 2;
    double before = 1;
    double now = z * u;
    double factorial = 1;
    double sum = 1;
    for (int n = 1; n < 11; n += 2) {
      const double even = z * u * now - n * u * u * before;
      now = z * u * even - (n + 1) * u * u * now;
      before = even;
      factorial *= (n + 1) * (n + 2);
      sum += even / factorial;
    }
    return std::exp(standard_normal{}.log_pdf(z)) * h * sum;
  }
  constexpr double root = std::numbers::sqrt2 / 2;
  if (left >= 0) return 0.5 * (std::erfc(left * root) - std::erfc(right * root));
  if (right <= 0) return 0.5 * (std::erfc(-right * root) - std::erfc(-left * root));
  return 0.5 * (std::erf(right * root) - std::erf(left * root));
}

/// The cells of Y, as seen from a point x.
class cells_given_x {
 public:
  cells_given_x(const std::vector<double>& edges, const regression_pair& pair)
      : edges_{edges}, pair_{pair}, mass_(edges.size() - 1) {}

  /// Adds weight·P(cell | x) to the cells within `reach` deviations.
  void add(double x, double weight, double reach) {
    const double middle = pair_.w() * x;
    const double far = reach * pair_.sigma_xi();
    const auto next = std::upper_bound(edges_.begin(), edges_.end(), middle - far);
    auto j = static_cast<std::size_t>(next - edges_.begin()) - 1;
    double left = (edges_[j] - middle) / pair_.sigma_xi();
    for (; j < mass_.size() && left < reach; ++j) {
      const double right = (edges_[j + 1] - middle) / pair_.sigma_xi();
      mass_[j] += weight * plain_mass(left, right);
      left = right;
    }
  }
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }
  void clear() { std::fill(mass_.begin(), mass_.end(), 0.0); }

 private:
  const std::vector<double>& edges_;
  const regression_pair& pair_;
  std::vector<double> mass_;
};

}  // namespace

std::vector<double> values_of(const float_format& format) {
  std::vector<double> values;
  const auto size = static_cast<std::size_t>(format.size());
  for (std::size_t i = 1; i <= size; ++i) values.push_back(format.value_at(i).to_double());
  return values;
}

/// The integral over the x-cell of the density times what a normal law around wx gives to the
/// y-cell.
std::vector<double> log_pair_table(const format_pair& data, const regression_pair& pair) {
  const std::vector<double> x_edges = edges_of(values_of(data.x));
  const std::vector<double> y_edges = edges_of(values_of(data.y));
  const std::size_t x_count = x_edges.size() - 1;
  const std::size_t y_count = y_edges.size() - 1;
  const standard_normal z;
  mirrored_table table{x_count, y_count};
  std::vector<log_sum> row(y_count);
  for (std::size_t i = x_count / 2; i < x_count; ++i) {
    constexpr double far = 10;  // what lies beyond is e^-50 of the cell at most
    const double right = std::min(x_edges[i + 1], x_edges[i] + far * pair.sigma_x());
    std::fill(row.begin(), row.end(), log_sum{});
    smooth_pieces{x_edges[i], right, pair}.visit<16>([&](double x, double weight) {
      const double here = std::log(weight / pair.sigma_x()) + z.log_pdf(x / pair.sigma_x());
      for (std::size_t j = 0; j < y_count; ++j) {
        const double a = (y_edges[j] - pair.w() * x) / pair.sigma_xi();
        const double b = (y_edges[j + 1] - pair.w() * x) / pair.sigma_xi();
        row[j].add(here + z.between(a, b).log_probability);
      }
    });
    for (std::size_t j = 0; j < y_count; ++j) table.set(i, j, row[j].value());
  }
  return table.take();
}

std::vector<double> likely_log_pair_table(const format_pair& data, const regression_pair& pair) {
  const std::vector<double> x_edges = edges_of(values_of(data.x));
  const std::vector<double> y_edges = edges_of(values_of(data.y));
  const std::size_t x_count = x_edges.size() - 1;
  const double reach = std::sqrt(-2 * least_likely);
  const standard_normal z;
  mirrored_table table{x_count, y_edges.size() - 1};
  cells_given_x row{y_edges, pair};
  for (std::size_t i = x_count / 2; i < x_count; ++i) {
    const double right = std::min(x_edges[i + 1], reach * pair.sigma_x());
    if (!(x_edges[i] < right)) break;
    const smooth_pieces pieces{x_edges[i], right, pair};
    const auto add = [&](double x, double weight) {
      row.add(x, weight / pair.sigma_x() * std::exp(z.log_pdf(x / pair.sigma_x())), reach);
    };
    row.clear();
    // A rule of order n errs by less than (c/4)^2n/(2n)!, e^c the most that a density changes by.
    if (pieces.share <= 0.01) {
      pieces.visit<4>(add);
    } else if (pieces.share <= 0.2) {
      pieces.visit<8>(add);
    } else {
      pieces.visit<16>(add);
    }
    for (std::size_t j = 0; j < row.mass().size(); ++j) {
      const double log_p = std::log(row.mass()[j]);
      if (log_p > least_likely) table.set(i, j, log_p);
    }
  }
  return table.take();
}

}  // namespace ktln2
