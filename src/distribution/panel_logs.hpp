#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "distribution/legendre.hpp"

namespace ktln2 {

/// The logarithm of a density between given points, as polynomials wherever these are as good as
/// what they stand for.
class panel_logs {
 public:
  using points = std::array<double, 16>;

  /// `panels` ascend.
  template <class Log>
  panel_logs(const Log& log_density, std::vector<double> panels) : panels_{std::move(panels)} {
    for (std::size_t p = 0; p + 1 < panels_.size(); ++p) {
      points logs;
      for (std::size_t j = 0; j < logs.size(); ++j) {
        const double u = gauss_legendre<16>().node[j];
        logs[j] = log_density(panels_[p] + (panels_[p + 1] - panels_[p]) / 2 * (1 + u));
      }
      polynomials_.push_back(legendre::through(logs.data()));
    }
  }

  /// At points of one panel. Nothing where they are not, or the polynomial will not do.
  [[nodiscard]] std::optional<points> at(const points& x) const {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const std::size_t p = panel_with(*low, *high);
    if (p == none) return {};
    points u;
    for (std::size_t j = 0; j < u.size(); ++j) u[j] = place(p, x[j]);
    return legendre::sums(polynomials_[p], u);
  }
  [[nodiscard]] std::optional<double> at(double x) const {
    const std::size_t p = panel_with(x, x);
    if (p == none) return {};
    return legendre::sum(polynomials_[p], place(p, x));
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t panel_with(double low, double high) const {
    const auto above = std::upper_bound(panels_.begin(), panels_.end(), low);
    if (above == panels_.begin() || above == panels_.end() || high > *above) return none;
    const auto p = static_cast<std::size_t>(above - panels_.begin()) - 1;
    return is_exact(polynomials_[p]) ? p : none;
  }
  [[nodiscard]] double place(std::size_t p, double x) const {
    return (x - panels_[p]) / ((panels_[p + 1] - panels_[p]) / 2) - 1;
  }

  /// Coefficients fall off geometrically, down to the roundings of the values.
  static bool is_exact(const legendre::coefficients& a) {
    const double last = std::fabs(a[15]) + std::fabs(a[14]) + std::fabs(a[13]);
    return last <= 1e-14 * (1 + std::fabs(a[0]));
  }

  std::vector<double> panels_;
  std::vector<legendre::coefficients> polynomials_;
};

}  // namespace ktln2
