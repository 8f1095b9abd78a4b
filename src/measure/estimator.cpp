#include "ktln2/measure/estimator.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace ktln2::measure {
namespace {

struct estimator_name {
  estimator how;
  std::string_view name;
};
constexpr std::array estimator_names{estimator_name{estimator::plug_in, "plugin"},
                                     estimator_name{estimator::miller_madow, "miller-madow"},
                                     estimator_name{estimator::grassberger, "grassberger"},
                                     estimator_name{estimator::chao, "chao"}};

/// How many codes were seen how often, and what follows from it.
struct occupancy {
  struct repeated {
    double times;
    double codes;
    double log_times;
  };
  std::vector<repeated> seen;
  double n = 0;
  double different = 0;
  double once = 0;
  double twice = 0;

  explicit occupancy(std::vector<std::uint64_t> counts) {
    std::sort(counts.begin(), counts.end());
    for (const std::uint64_t count : counts) {
      if (count == 0) continue;
      const auto times = static_cast<double>(count);
      if (seen.empty() || seen.back().times != times) seen.push_back({times, 0, std::log(times)});
      ++seen.back().codes;
      n += times;
      ++different;
      once += count == 1 ? 1 : 0;
      twice += count == 2 ? 1 : 0;
    }
  }
  /// Σ p f over all codes.
  template <class Function>
  [[nodiscard]] double mean_of(const Function& f) const {
    double sum = 0;
    for (const repeated& one : seen) sum += one.codes * one.times * f(one);
    return sum / n;
  }
};

/// ψ(t)
double digamma_of(double t, double log_t) {
  if (t < 100) return boost::math::digamma(t);
  return log_t - 1 / (2 * t) - 1 / (12 * t * t);  // to 1/(120 t^4) < 1e-10
}

/// G(t) = ψ(t) + (-1)^t/2 (ψ((t+1)/2) - ψ(t/2))
double unbiased_log(const occupancy::repeated& one) {
  const double t = one.times;
  if (t > 1e6) return one.log_times;  // to 1e-12
  using boost::math::digamma;
  const double alternating = (digamma((t + 1) / 2) - digamma(t / 2)) / 2;
  return digamma(t) + (std::fmod(t, 2) == 0 ? alternating : -alternating);
}

/// Σ_{k ≥ 1} (1-a)^k/(k + n - 1), for 0 < a < 1
double tail_sum(double a, double n) {
  constexpr double few = 200;
  double sum = 0;
  double power = 1;
  for (double k = 1; k <= few; ++k) {
    power *= 1 - a;
    sum += power / (k + n - 1);
  }
  // The rest as an integral from few + ½ on, of e^(-bx)/(x + n - 1): that of e^-y/y
  const double b = -std::log1p(-a);
  const double from = b * (few + 0.5 + n - 1);
  if (from > 700) return sum;
  return sum + std::exp(b * (n - 1)) * boost::math::expint(1, from);
}

/// What is missing of Σ p (ψ(n) - ψ(times)): once/n Σ_{r ≥ n} (1-a)^(r-n+1)/r, where a is what the
/// codes seen once have as their mean probability.
double of_the_unseen(const occupancy& seen) {
  if (seen.once == 0 || seen.n < 2) return 0;
  const double a = seen.twice > 0 ? 2 * seen.twice / ((seen.n - 1) * seen.once + 2 * seen.twice)
                                  : 2 / ((seen.n - 1) * (seen.once - 1) + 2);
  return a < 1 ? seen.once / seen.n * tail_sum(a, seen.n) : 0;
}

double plug_in_nats(const occupancy& seen) {
  const double log_n = std::log(seen.n);
  return seen.mean_of([&](const auto& one) { return log_n - one.log_times; });
}

double entropy_in_nats(const occupancy& seen, estimator how) {
  const double log_n = std::log(seen.n);
  switch (how) {
    case estimator::plug_in:
      return plug_in_nats(seen);
    case estimator::miller_madow:
      return plug_in_nats(seen) + (seen.different - 1) / (2 * seen.n);
    case estimator::grassberger:
      return seen.mean_of([&](const auto& one) { return log_n - unbiased_log(one); });
    case estimator::chao:
      break;
  }
  // By one formula for all and for each code, so that one code alone has 0.
  const double all = digamma_of(seen.n, log_n);
  const double of_seen =
      seen.mean_of([&](const auto& one) { return all - digamma_of(one.times, one.log_times); });
  return of_seen + of_the_unseen(seen);
}

/// One standard error: Var(log p)/n; where all codes are alike that vanishes, and the next order is
/// (codes - 1)/(2n²); and what is made of a few codes seen twice.
double standard_error(const occupancy& seen) {
  const double n = seen.n;
  const double mean = plug_in_nats(seen);
  const double log_n = std::log(n);
  const double variance = seen.mean_of([&](const auto& one) {
    const double off = log_n - one.log_times - mean;
    return off * off;
  });
  const double unseen = seen.once / n;
  return std::sqrt(variance / n + (seen.different - 1) / (2 * n * n) +
                   unseen * unseen / (seen.twice + 1));
}

/// Of the best estimator, in bits.
double half_width(const occupancy& seen, double value, int code_bits) {
  constexpr double deviations = 1.96;
  constexpr double bias = 1;  // bits for each unit of unseen probability
  // A code that is as rare as one in n may be there or not.
  const double of_one_code = std::log2(seen.n) / seen.n;
  const double width = deviations * standard_error(seen) / std::numbers::ln2 +
                       bias * seen.once / seen.n + of_one_code;
  // That one code or two came again may be chance: nothing says how many there are.
  const bool shows_little = seen.different - seen.once < 3 && 2 * seen.once > seen.n;
  return shows_little ? std::max(width, code_bits - value) : width;
}

}  // namespace

std::string_view name_of(estimator how) {
  for (const estimator_name& one : estimator_names) {
    if (one.how == how) return one.name;
  }
  throw std::logic_error("an estimator without a name");
}

estimator parse_estimator(std::string_view name) {
  std::string known;
  for (const estimator_name& one : estimator_names) {
    if (one.name == name) return one.how;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  throw std::domain_error("unknown estimator '" + std::string(name) + "': expected " + known);
}

bounded<bits> entropy_of_counts(const std::vector<std::uint64_t>& counts, int code_bits,
                                estimator how) {
  const occupancy seen(counts);
  if (seen.n == 0) return exactly(bits{0});
  const double most = code_bits;
  const auto in_bits = [&](estimator which) {
    return std::min(most, entropy_in_nats(seen, which) / std::numbers::ln2);
  };
  const double best = std::max(0.0, in_bits(best_estimator));
  const double value = std::max(0.0, how == best_estimator ? best : in_bits(how));
  const double width = half_width(seen, best, code_bits);
  return {bits{value}, bits{width + std::fabs(value - best)}, evidence::estimated};
}

}  // namespace ktln2::measure
