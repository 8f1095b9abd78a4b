#include "entropy/pair_table.hpp"

#include <algorithm>
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

}  // namespace

std::vector<double> values_of(const float_format& format) {
  std::vector<double> values;
  const auto size = static_cast<std::size_t>(format.size());
  for (std::size_t i = 1; i <= size; ++i) values.push_back(format.value_at(i).to_double());
  return values;
}

/// The integral over the x-cell of the density times what a normal law around wx gives to the
/// y-cell, on pieces over which both are smooth.
std::vector<double> log_pair_table(const format_pair& data, const regression_pair& pair) {
  const std::vector<double> x_edges = edges_of(values_of(data.x));
  const std::vector<double> y_edges = edges_of(values_of(data.y));
  const std::size_t x_count = x_edges.size() - 1;
  const std::size_t y_count = y_edges.size() - 1;
  const double smooth =
      std::min(pair.sigma_x(), pair.w() == 0 ? infinity : pair.sigma_xi() / std::fabs(pair.w()));
  const standard_normal z;
  const auto& rule = gauss_legendre<16>();
  std::vector<double> table(x_count * y_count);
  std::vector<log_sum> row(y_count);
  for (std::size_t i = x_count / 2; i < x_count; ++i) {  // (x, y) and (-x, -y) are alike
    const double left = x_edges[i];
    constexpr double far = 10;  // what lies beyond is e^-50 of the cell at most
    const double right = std::min(x_edges[i + 1], left + far * pair.sigma_x());
    const double pieces = std::max(1.0, std::ceil((right - left) / smooth));
    if (pieces > 1e5) {
      throw std::domain_error("pair: the noise is too narrow for the cells: sigma_xi = " +
                              shown(pair.sigma_xi()));
    }
    std::fill(row.begin(), row.end(), log_sum{});
    const double half = (right - left) / (2 * pieces);
    for (int piece = 0; piece < static_cast<int>(pieces); ++piece) {
      const double center = left + (2 * piece + 1) * half;
      for (std::size_t k = 0; k < rule.node.size(); ++k) {
        const double x = center + half * rule.node[k];
        const double here =
            std::log(rule.weight[k] * 2 * half / pair.sigma_x()) + z.log_pdf(x / pair.sigma_x());
        for (std::size_t j = 0; j < y_count; ++j) {
          const double a = (y_edges[j] - pair.w() * x) / pair.sigma_xi();
          const double b = (y_edges[j + 1] - pair.w() * x) / pair.sigma_xi();
          row[j].add(here + z.between(a, b).log_probability);
        }
      }
    }
    for (std::size_t j = 0; j < y_count; ++j) {
      table[i * y_count + j] = row[j].value();
      table[(x_count - 1 - i) * y_count + (y_count - 1 - j)] = row[j].value();
    }
  }
  return table;
}

}  // namespace ktln2
