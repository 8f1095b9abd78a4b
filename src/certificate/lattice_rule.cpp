#include "certificate/lattice_rule.hpp"

#include <bernoulli.h>

#include <cstddef>

namespace ktln2::certificate {
namespace {

/// cos(π a/b)
ball cos_pi(long a, long b) {
  ball result;
  fmpq_t angle;
  fmpq_init(angle);
  fmpq_set_si(angle, a, static_cast<ulong>(b));
  arb_cos_pi_fmpq(result.raw(), angle, ball::precision());
  fmpq_clear(angle);
  return result;
}

ball bernoulli(int k) {
  ball result;
  arb_bernoulli_ui(result.raw(), static_cast<ulong>(k), ball::precision());
  return result;
}

ball binomial(int n, int k) {
  ball result;
  arb_bin_uiui(result.raw(), static_cast<ulong>(n), static_cast<ulong>(k), ball::precision());
  return result;
}

/// The mean of x^m, m even, over the lattice as a polynomial in N^-2 (Faulhaber):
///     1/(m+1) Σ_k C(m+1, k) (2 - 2^k) B_k N^-k,   k = 0, 2, … , m
std::vector<ball> power_mean(int m) {
  std::vector<ball> coefficients;
  for (int k = 0; k <= m; k += 2) {
    const ball two_power = ball(1.0).scaled(k);
    coefficients.push_back(binomial(m + 1, k) * (ball(2.0) - two_power) * bernoulli(k) /
                           ball(m + 1));
  }
  return coefficients;
}

}  // namespace

lattice_rule::lattice_rule(int n) : n_{n}, guarded_{ball::precision() + long{4} * n} {
  const auto half = static_cast<std::size_t>(n / 2);
  for (long k = 0; k < n; ++k) nodes_.push_back(cos_pi(2 * k + 1, long{2} * n));
  for (long j = 0; j < n; j += 2) {
    std::vector<ball> row;
    for (long k = 0; k < n; ++k) row.push_back(cos_pi(j * (2 * k + 1), long{2} * n));
    chebyshev_.push_back(std::move(row));
  }

  const working_precision guard{guarded_};
  std::vector<std::vector<ball>> powers;
  for (int m = 0; m < n; m += 2) powers.push_back(power_mean(m));
  // The coefficients of x^0, x^2, … in T_j, from T_{j+2} = (4x² - 2) T_j - T_{j-2}: exact.
  std::vector<ball> before(half + 1);
  std::vector<ball> now(half + 1);
  before[0] = -1.0;  // T_{-2} = T_2 = 2x² - 1
  before[1] = 2.0;
  now[0] = 1.0;
  for (std::size_t i = 0; i < half; ++i) {
    std::vector<ball> row(half);
    for (std::size_t m = 0; m <= i; ++m) {
      for (std::size_t k = 0; k <= m; ++k) row[k] += now[m] * powers[m][k];
    }
    mean_.push_back(std::move(row));
    std::vector<ball> next(half + 1);
    for (std::size_t m = 0; m <= half; ++m) {
      next[m] = -(now[m].scaled(1) + before[m]);
      if (m > 0) next[m] += now[m - 1].scaled(2);
    }
    before = std::move(now);
    now = std::move(next);
  }
}

std::vector<ball> lattice_rule::chebyshev_means(std::uint64_t points) const {
  const working_precision guard{guarded_};
  const ball u = ball(1.0) / square(ball::from_integer(points));
  std::vector<ball> result;
  for (const std::vector<ball>& row : mean_) {
    ball sum;
    for (std::size_t k = result.size() + 1; k-- > 0;) sum = sum * u + row[k];
    result.push_back(std::move(sum));
  }
  return result;
}

std::vector<ball> lattice_rule::weights(std::uint64_t points) const {
  const std::vector<ball> means = chebyshev_means(points);
  const auto n = static_cast<std::size_t>(n_);
  std::vector<ball> result(n);
  for (std::size_t k = 0; k < n / 2; ++k) {
    ball sum;
    for (std::size_t i = 1; i < means.size(); ++i) sum += means[i] * chebyshev_[i][k];
    result[k] = (means[0] + sum.scaled(1)) / ball(n_);
    result[n - 1 - k] = result[k];  // the nodes and the lattice are symmetric
  }
  return result;
}

ball lattice_rule::error_factor(const ball& rho) const {
  return ball(4.0) /
         (power(rho, static_cast<unsigned long>(n_)) * (ball(1.0) - ball(1.0) / square(rho)));
}

}  // namespace ktln2::certificate
