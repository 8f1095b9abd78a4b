#pragma once

#include <cmath>
#include <vector>

namespace ktln2 {

/// The density at x of the sum of n numbers that are uniform between 0 and 1, by the recurrence of
/// splines:
///     f_k(x) = (x f_(k-1)(x) + (k - x) f_(k-1)(x - 1)) / (k - 1)
/// Inside 0 < x < k all terms are positive: nothing cancels.
inline double irwin_hall_density(int n, double x) {
  if (!(x > 0 && x < n)) return 0;
  if (x > n / 2.0) x = n - x;  // from the nearer end
  const int whole = static_cast<int>(std::floor(x));
  const double rest = x - whole;
  std::vector<double> f(static_cast<std::size_t>(whole) + 1, 0);  // f_k(rest + i)
  f[0] = 1;
  for (int k = 2; k <= n; ++k) {
    for (int i = whole; i >= 0; --i) {
      const double at = rest + i;
      const auto here = static_cast<std::size_t>(i);
      const double below = i > 0 ? f[here - 1] : 0;
      f[here] = at < k ? (at * f[here] + (k - at) * below) / (k - 1) : 0;
    }
  }
  return f[static_cast<std::size_t>(whole)];
}

}  // namespace ktln2
