#include "counting_rule.hpp"

#include <memory>
#include <utility>

namespace oracle {
namespace {

// The monic orthogonal polynomials (of Gram, or Chebyshev) in y = 2 x / N satisfy Legendre's
// recurrence with its coefficients multiplied by 1 - (k/N)^2: p_{k+1} = y p_k - beta_k p_{k-1}.
Rule make_rule(int n, quad count) {
  std::vector<quad> beta(n);
  std::vector<long double> beta_ld(n);
  for (int k = 1; k < n; ++k) {
    beta[k] = quad(k * k) * (1 - (k / count) * (k / count)) / (4 * k * k - 1);
    beta_ld[k] = static_cast<long double>(beta[k]);
  }
  // Number of zeros of p_n above y, by the signs of p_k / p_{k-1} (Sturm).
  auto zeros_above = [&](long double y) {
    int zeros = 0;
    long double ratio = 1;
    for (int k = 0; k < n; ++k) {
      ratio = y - (k > 0 ? beta_ld[k] / ratio : 0.0L);
      if (ratio == 0) ratio = 1e-30L;
      zeros += ratio < 0;
    }
    return zeros;
  };
  Rule rule;
  for (int i = 0; 2 * i < n; ++i) {  // zeros from the largest down to 0, mirrored
    quad y = 0;
    if (2 * i + 1 != n) {
      long double low = 0;
      long double high = 1;
      for (int bit = 0; bit < 60; ++bit) {
        long double const middle = (low + high) / 2;
        (zeros_above(middle) > i ? low : high) = middle;
      }
      y = low;
    }
    quad christoffel = 0;  // 1 / weight = sum of squares of the orthonormal polynomials
    for (int newton = 0; newton < 3; ++newton) {
      quad p = 1, p_before = 0, slope = 0, slope_before = 0, norm = 1;
      christoffel = 0;
      for (int k = 0; k < n; ++k) {
        if (k > 0) norm *= beta[k];
        christoffel += p * p / norm;
        slope_before = std::exchange(slope, p + y * slope - beta[k] * slope_before);
        p_before = std::exchange(p, y * p - beta[k] * p_before);
      }
      if (newton < 2 && y != 0) y -= p / slope;
    }
    for (int sign = 1; sign >= (y == 0 ? 1 : -1); sign -= 2) {
      rule.offset.push_back(sign * y * count / 2);
      rule.weight.push_back(count / christoffel);
    }
  }
  return rule;
}

}  // namespace

Rule const& rule(int n, int log2_count) {
  thread_local std::unique_ptr<Rule> cache[kMaxOrder + 1][64];
  auto& slot = cache[n][log2_count];
  if (!slot) slot = std::make_unique<Rule>(make_rule(n, power_of_two(log2_count)));
  return *slot;
}

}  // namespace oracle
