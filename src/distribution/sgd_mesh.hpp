#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "ktln2/core/quadrature.hpp"

/// Where the density of SGD's law is known: panels of Gauss–Legendre nodes.
namespace ktln2::sgd {

constexpr std::size_t order = 16;  ///< nodes a panel

class mesh {
 public:
  mesh() = default;
  mesh(double origin, std::vector<double> edges) : origin_{origin}, edges_{std::move(edges)} {}

  [[nodiscard]] double origin() const { return origin_; }
  [[nodiscard]] const std::vector<double>& edges() const { return edges_; }
  [[nodiscard]] std::size_t panel_count() const { return edges_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return order * panel_count(); }
  [[nodiscard]] double half(std::size_t panel) const {
    return (edges_[panel + 1] - edges_[panel]) / 2;
  }
  [[nodiscard]] double middle(std::size_t panel) const { return edges_[panel] + half(panel); }
  [[nodiscard]] double node(std::size_t i) const {
    const double u = gauss_legendre<order>().node[i % order];
    const std::size_t panel = i / order;
    // from the nearer edge: panels that end at the origin may be tiny against their place
    return u < 0 ? edges_[panel] + half(panel) * (1 + u)
                 : edges_[panel + 1] - half(panel) * (1 - u);
  }
  [[nodiscard]] double weight(std::size_t i) const {
    return 2 * half(i / order) * gauss_legendre<order>().weight[i % order];
  }

 private:
  double origin_ = 0;
  std::vector<double> edges_;
};

/// A density on a mesh. Between the nodes of a panel it is e^(bu) times a polynomial, where b is
/// the mean slope of its logarithm: that keeps the relative accuracy of steep tails.
struct state {
  mesh points;
  std::vector<double> f;

  [[nodiscard]] bool exceeds(std::size_t panel, double least) const {
    const auto first = f.begin() + static_cast<std::ptrdiff_t>(order * panel);
    return std::all_of(first, first + order, [&](double value) { return value > least; });
  }

  /// d ln f/dx over a panel, 0 where f is too small to tell.
  [[nodiscard]] double slope(std::size_t panel, double least) const {
    const double first = f[order * panel];
    const double last = f[order * panel + order - 1];
    if (!exceeds(panel, least)) return 0;
    return std::log(last / first) /
           (points.node(order * panel + order - 1) - points.node(order * panel));
  }
  [[nodiscard]] double mass() const {
    compensated_sum sum;
    for (std::size_t i = 0; i < f.size(); ++i) sum.add(points.weight(i) * f[i]);
    return sum.value();
  }
  /// Of a function of the distance from the origin.
  template <class F>
  [[nodiscard]] auto mean_of(F g) const {
    auto sum = g(0.0) * 0.0;
    for (std::size_t i = 0; i < f.size(); ++i) sum += points.weight(i) * f[i] * g(points.node(i));
    return sum;
  }
};

}  // namespace ktln2::sgd
