#include "ask/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ask/residual_moments.hpp"

namespace ktln2::ask {
namespace {

using real = long double;

/// Means, and sums of squares and products about them, as points go by (Welford): nothing cancels.
struct pair_sums {
  real n = 0;
  real x = 0;
  real y = 0;
  real xx = 0;
  real xy = 0;
  real yy = 0;

  void add(real a, real b) {
    n += 1;
    const real dx = a - x;
    const real dy = b - y;
    x += dx / n;
    y += dy / n;
    xx += dx * (a - x);
    xy += dx * (b - y);
    yy += dy * (b - y);
  }
  /// About 0 instead of about the means.
  [[nodiscard]] pair_sums about_zero() const {
    return {n, 0, 0, xx + n * x * x, xy + n * x * y, yy + n * y * y};
  }
};

/// Sums over the residuals r = y - wx - b, with u = x - center and a root of the mean of u².
struct residual_sums {
  real root = 0;
  residual_moments moments = {};
  real uurr = 0;
  pair_sums squares = {};  ///< of (x - mean)² and r²
  pair_sums sizes = {};    ///< of u² less its mean: as a product, as u may be far from 0

  void add(real residual, real u, real from_mean) {
    const real square = residual * residual;
    moments.add(residual);
    uurr += u * u * square;
    squares.add(from_mean * from_mean, square);
    sizes.add((u - root) * (u + root), 0);
  }
};

double as_double(real value) { return static_cast<double>(value); }

/// Of the residuals. From sums about the means also where the line goes through 0, so that they do
/// not drown in squares of numbers far from it.
real residual_squares(const pair_sums& sums, real w, bool has_intercept) {
  const real apart = has_intercept ? 0 : sums.y - w * sums.x;
  return std::max<real>(0, sums.yy - 2 * w * sums.xy + w * w * sums.xx + sums.n * apart * apart);
}

/// The error of σ_x, the root of the mean u², by the variance of u², as a share: √((κ-1)/4n).
double size_error(const pair_sums& used, real variance) {
  return as_double(std::sqrt(variance * used.n) / (2 * used.xx));
}

/// That variance, if the numbers are normal about their mean.
real normal_variance(const pair_sums& sums, bool has_intercept) {
  const real variance = sums.xx / sums.n;
  const real mean = has_intercept ? 0 : sums.x;
  return 2 * variance * (variance + 2 * mean * mean);
}

void require_points(const pair_sums& sums, const pair_sums& used, bool has_intercept) {
  if (sums.n < 3) {
    throw std::domain_error("expected at least 3 rows with both numbers, got " +
                            std::to_string(static_cast<long long>(sums.n)));
  }
  if (!(used.xx > 0)) {
    throw std::domain_error(has_intercept ? "x is the same in every row, so there is no slope"
                                          : "x is 0 in every row, so there is no slope");
  }
  require_in_range(used.xx, used.n);
  require_in_range(used.yy, used.n);
}

/// By the delta method, from the errors of the three parameters; the last term is what is left
/// where there is no signal.
void estimate_snr(line_fit& made) {
  const auto& [w, sigma_x, sigma_xi] = made.model;
  const double plain = std::pow(w * sigma_x / sigma_xi, 2);
  made.snr = std::max(0.0, plain - 1 / made.n);
  const double sizes =
      std::pow(made.errors.sigma_x / sigma_x, 2) + std::pow(made.errors.sigma_xi / sigma_xi, 2);
  made.snr_error =
      std::sqrt(4 * plain * plain * sizes + 4 * plain / made.n + 2 / (made.n * made.n));
}

/// What the second reading adds.
void add_residuals(line_fit& made, const residual_sums& sums, const pair_sums& used, real freedom) {
  const real n = used.n;
  const real kurtosis = sums.moments.kurtosis();
  const pair_sums& squares = sums.squares;
  const real spread = squares.xx * squares.yy;
  made.model.sigma_xi = as_double(std::sqrt(sums.moments.squares() / freedom));
  made.errors.sigma_xi =
      as_double(std::sqrt(sums.moments.squares() / freedom) * deviation_error(kurtosis, n));
  made.errors.sigma_x = made.model.sigma_x * size_error(used, sums.sizes.xx / n);
  made.robust_error = as_double(std::sqrt(sums.uurr) / used.xx);
  made.residuals = {as_double(sums.moments.mean()), as_double(sums.moments.skewness()),
                    as_double(kurtosis),
                    spread > 0 ? as_double(n * squares.xy * squares.xy / spread) : 0};
}

}  // namespace

void require_in_range(long double squares, long double n) {
  if (!std::isfinite(as_double(squares))) {
    throw std::domain_error("the squares of the numbers are beyond the range of double precision");
  }
  // Variances of 0 would divide what is made of them.
  if (squares > 0 && as_double(squares / n) < std::numeric_limits<double>::min()) {
    throw std::domain_error("the squares of the numbers are below the range of double precision");
  }
}

line_fit fit_line(const each_pair& points, bool has_intercept, bool can_read_again) {
  pair_sums sums;
  points([&](double x, double y) { sums.add(static_cast<real>(x), static_cast<real>(y)); });
  const pair_sums used = has_intercept ? sums : sums.about_zero();
  require_points(sums, used, has_intercept);
  const real n = sums.n;
  const real freedom = has_intercept ? n - 2 : n - 1;
  const real w = used.xy / used.xx;
  const real intercept = has_intercept ? sums.y - w * sums.x : 0;
  const real center = has_intercept ? sums.x : 0;

  line_fit made{.n = as_double(n), .has_intercept = has_intercept};
  made.intercept = as_double(intercept);
  made.mean_x = as_double(sums.x);
  made.mean_y = as_double(sums.y);
  made.model.w = as_double(w);
  made.model.sigma_x = as_double(std::sqrt(used.xx / (has_intercept ? n - 1 : n)));
  made.errors.sigma_x = made.model.sigma_x * size_error(used, normal_variance(sums, has_intercept));
  made.model.sigma_xi = as_double(std::sqrt(residual_squares(sums, w, has_intercept) / freedom));
  made.errors.sigma_xi = made.model.sigma_xi * as_double(deviation_error(3, freedom));
  if (can_read_again) {
    residual_sums residuals{.root = std::sqrt(used.xx / n)};
    points([&](double a, double b) {
      const auto x = static_cast<real>(a);
      const auto y = static_cast<real>(b);
      residuals.add(y - w * x - intercept, x - center, x - sums.x);
    });
    if (residuals.moments.squares() > 0) add_residuals(made, residuals, used, freedom);
  }
  if (!(made.model.sigma_xi > 1e-14 * std::sqrt(as_double(used.yy / n)))) {
    throw std::domain_error("the points lie on a line, so their noise cannot be estimated");
  }
  made.errors.w = made.model.sigma_xi / as_double(std::sqrt(used.xx));
  made.intercept_error =
      has_intercept ? made.model.sigma_xi * as_double(std::sqrt(1 / n + sums.x * sums.x / used.xx))
                    : 0;
  estimate_snr(made);
  return made;
}

}  // namespace ktln2::ask
