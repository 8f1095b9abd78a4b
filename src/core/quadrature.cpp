#include "ktln2/core/quadrature.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "core/few_points.hpp"

namespace ktln2 {
namespace {

/// A node or a weight as a polynomial in s = (8·Order/N)².
using polynomial = std::array<double, 8>;

template <std::size_t Order>
struct gram_table {
  std::array<polynomial, Order / 2> node;  // the positive ones, ascending
  std::array<polynomial, Order / 2> weight;
};

#include "gram_tables.inc"

template <std::size_t Order>
constexpr const gram_table<Order>& table() {
  static_assert(Order == 4 || Order == 8 || Order == 16);
  if constexpr (Order == 4) return gram_table_4;
  if constexpr (Order == 8) return gram_table_8;
  if constexpr (Order == 16) return gram_table_16;
}

double evaluate(const polynomial& coefficients, double s) {
  double correction = 0;
  for (std::size_t k = coefficients.size(); k-- > 1;)
    correction = (correction + coefficients[k]) * s;
  return coefficients[0] + correction;
}

}  // namespace

template <std::size_t Order>
mean_rule<Order> gram_rule(double points) {
  constexpr std::size_t many = 8 * Order;  // from here on by the tables
  if (points < many) return few_points_rule<Order, many>(static_cast<std::size_t>(points));
  const double share = static_cast<double>(8 * Order) / points;
  const double s = share * share;
  mean_rule<Order> rule{};
  for (std::size_t k = 0; k < Order / 2; ++k) {
    const std::size_t left = Order / 2 - 1 - k;
    const std::size_t right = Order / 2 + k;
    rule.node[right] = evaluate(table<Order>().node[k], s);
    rule.node[left] = -rule.node[right];
    rule.weight[left] = rule.weight[right] = evaluate(table<Order>().weight[k], s);
  }
  return rule;
}

template <>
mean_rule<2> gram_rule<2>(double points) {
  const double node = std::sqrt((1 - 1 / (points * points)) / 3);  // the deviation of the points
  return {{-node, node}, {0.5, 0.5}};
}

template <std::size_t Order>
const mean_rule<Order>& gauss_legendre() {
  static const mean_rule<Order> rule = gram_rule<Order>(infinity);
  return rule;
}

template mean_rule<4> gram_rule<4>(double);
template mean_rule<8> gram_rule<8>(double);
template mean_rule<16> gram_rule<16>(double);
template const mean_rule<4>& gauss_legendre<4>();
template const mean_rule<8>& gauss_legendre<8>();
template const mean_rule<16>& gauss_legendre<16>();

}  // namespace ktln2
