#include "cost/pair_masses.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// -infinity, the midpoints, infinity.
std::vector<double> edges_between(const std::vector<double>& values) {
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

std::vector<double> pair_masses(const float_format& format, const regression_pair& pair) {
  const std::vector<double> edges = edges_between(values_of(format));
  const std::size_t count = edges.size() - 1;
  const double narrowest =
      std::min(pair.sigma_x(), pair.w() == 0 ? infinity : pair.sigma_xi() / std::fabs(pair.w()));
  const double far = 40 * pair.sigma_x();  // beyond, P < 1e-300
  const standard_normal z;
  const auto& rule = gauss_legendre<16>();
  std::vector<double> table(count * count);
  for (std::size_t i = count / 2; i < count; ++i) {  // (x, y) and (-x, -y) are alike
    const double left = std::min(edges[i], far);
    const double right = std::min(edges[i + 1], far);
    const double pieces = std::max(1.0, std::ceil((right - left) / narrowest));
    if (!(pieces <= 1e5)) {
      throw std::domain_error("streaming: the noise is too narrow for the cells: sigma_xi = " +
                              shown(pair.sigma_xi()));
    }
    const double half = (right - left) / (2 * pieces);
    for (double piece = 0; piece < pieces; ++piece) {
      for (std::size_t k = 0; k < rule.node.size(); ++k) {
        const double x = left + (2 * piece + 1 + rule.node[k]) * half;
        const double here =
            rule.weight[k] * 2 * half / pair.sigma_x() * std::exp(z.log_pdf(x / pair.sigma_x()));
        for (std::size_t j = 0; j < count; ++j) {
          const double a = (edges[j] - pair.w() * x) / pair.sigma_xi();
          const double b = (edges[j + 1] - pair.w() * x) / pair.sigma_xi();
          table[i * count + j] += here * z.between(a, b).probability;
        }
      }
    }
    for (std::size_t j = 0; j < count; ++j) {
      table[(count - 1 - i) * count + (count - 1 - j)] = table[i * count + j];
    }
  }
  return table;
}

}  // namespace ktln2
