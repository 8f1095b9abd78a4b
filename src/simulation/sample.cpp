#include "ktln2/simulation/sample.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/format/quantize.hpp"

namespace ktln2::simulation {

sample::sample(std::vector<double> values) : values_{std::move(values)} {
  if (values_.empty()) throw std::domain_error("sample: size must be > 0, got 0");
  if (std::any_of(values_.begin(), values_.end(), [](double x) { return std::isnan(x); })) {
    throw std::domain_error("sample: values must be numbers, got nan");
  }
  std::sort(values_.begin(), values_.end());
}

double sample::quantile(double q) const {
  if (!(q >= 0 && q <= 1)) {
    throw std::domain_error("quantile: q must be from 0 to 1, got " + shown(q));
  }
  const double at = q * static_cast<double>(values_.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double a = values_[below];
  const double b = values_[std::min(below + 1, values_.size() - 1)];
  const double part = at - std::floor(at);
  if (part == 0 || a == b) return a;
  return a * (1 - part) + b * part;  // b - a may overflow
}

sample stored(const float_format& format, const sample& results) {
  std::vector<double> values(results.size());
  quantize_values(format, results.sorted(), values);
  return sample(std::move(values));
}

sample_moments moments_of(const sample& results, double tail) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  sample_moments found{{nan, nan},
                       {infinity, nan},
                       results.quantile(0.25),
                       results.quantile(0.5),
                       results.quantile(0.75)};
  const std::span<const double> all = results.sorted();
  if (std::isinf(all.front()) || std::isinf(all.back())) return found;

  const auto n = static_cast<double>(all.size());
  double mean = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    mean += (all[i] - mean) / static_cast<double>(i + 1);  // the sum itself may overflow
  }
  // In units of the largest distance, whose fourth power may overflow.
  const double unit = std::max(all.back() - mean, mean - all.front());
  if (unit == 0) return {{mean, 0}, {0, 0}, mean, mean, mean};
  double drift = 0;
  double square = 0;
  double fourth = 0;
  for (const double x : all) {
    const double d = (x - mean) / unit;
    drift += d;
    square += d * d;
    fourth += d * d * d * d;
  }
  mean += drift / n * unit;
  square -= drift * drift / n;
  const double variance = n > 1 ? square / (n - 1) : nan;
  if (tail > 1) found.mean = {mean, tail > 2 ? std::sqrt(variance / n) * unit : infinity};
  if (tail > 2) {
    const double spread = (fourth / n - (n - 3) / (n - 1) * variance * variance) / n;
    found.variance = {variance * unit * unit,
                      tail > 4 ? std::sqrt(std::max(0.0, spread)) * unit * unit : infinity};
  }
  return found;
}

sample_histogram histogram_of(const sample& results, double low, double high, std::size_t bins) {
  require_finite("histogram", "low", low);
  require_finite("histogram", "high", high);
  if (!(low < high && std::isfinite(high - low))) {
    throw std::domain_error("histogram: high must be > low, got " + shown(low) + " and " +
                            shown(high));
  }
  require_in_range("histogram", "bins", static_cast<long long>(bins), 1, 1'000'000);
  sample_histogram made{low, high, std::vector<std::uint64_t>(bins), 0, 0};
  const std::span<const double> all = results.sorted();
  auto at = std::lower_bound(all.begin(), all.end(), low);
  made.below = static_cast<std::uint64_t>(at - all.begin());
  for (std::size_t i = 0; i < bins; ++i) {
    const auto next = i + 1 == bins ? std::upper_bound(at, all.end(), high)
                                    : std::lower_bound(at, all.end(), made.edge(i + 1));
    made.counts[i] = static_cast<std::uint64_t>(next - at);
    at = next;
  }
  made.above = static_cast<std::uint64_t>(all.end() - at);
  return made;
}

sample_range bulk_of(const sample& results) {
  constexpr double normal_quartiles = 1.3489795003921634;  // their distance in deviations
  constexpr double largest = std::numeric_limits<double>::max() / 4;
  const double middle = std::clamp(results.quantile(0.5), -largest, largest);
  const double spread = results.quantile(0.75) - results.quantile(0.25);
  double reach = 4 / normal_quartiles * spread;
  if (!(reach > 0)) {  // at least half of the sample is one value: show where the rest is
    reach = std::max(results.sorted().back() - middle, middle - results.sorted().front());
  }
  if (!(reach > 0)) reach = std::max(std::fabs(middle) * 0x1p-20, 1e-300);
  reach = std::min(reach, largest);
  return {middle - reach, middle + reach};
}

}  // namespace ktln2::simulation
