#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ktln2/format/float_format.hpp"

namespace ktln2::simulation {

/// The results of many trials, in ascending order. Throws std::domain_error unless there is at
/// least one and none is NaN.
class sample {
 public:
  explicit sample(std::vector<double> values);

  [[nodiscard]] std::span<const double> sorted() const { return values_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// The value below which a share q of the sample lies, 0 ≤ q ≤ 1, between neighbors linearly.
  [[nodiscard]] double quantile(double q) const;

 private:
  std::vector<double> values_;
};

/// What the sample would hold on the registers of a format.
sample stored(const float_format& format, const sample& results);

/// A number that was measured, and its standard error: NaN where there is none, infinite where the
/// theory says that it is.
struct measured {
  double value;
  double error;
};

struct sample_moments {
  measured mean;
  measured variance;
  /// They exist for every law.
  double lower_quartile;
  double median;
  double upper_quartile;
};

/// Mean and variance, where they exist: `tail` is the order from which on the moments of the law
/// are infinite (n for the slope of n points [lem:compute_f_z]). A sample never shows that by
/// itself, so it must be said: with tail ≤ 1 the mean is NaN, with tail ≤ 2 the variance and the
/// error of the mean are infinite, with tail ≤ 4 the error of the variance is. A sample with
/// infinite values has neither.
sample_moments moments_of(const sample& results,
                          double tail = std::numeric_limits<double>::infinity());

/// Counts in equally wide bins; the last one includes its upper end.
struct sample_histogram {
  double low;
  double high;
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0;
  std::uint64_t above = 0;

  /// Lower end of bin i; of the last but one more, `high`.
  [[nodiscard]] double edge(std::size_t i) const {
    const double share = static_cast<double>(i) / static_cast<double>(counts.size());
    return i == counts.size() ? high : low + share * (high - low);
  }
};

/// Throws std::domain_error unless low < high, both finite, and 1 ≤ bins ≤ 1e6.
sample_histogram histogram_of(const sample& results, double low, double high, std::size_t bins);

/// A range that shows the bulk of the sample whatever its tails: the median ± 4 of the deviations
/// that a normal law with the same quartiles has.
struct sample_range {
  double low;
  double high;
};
sample_range bulk_of(const sample& results);

}  // namespace ktln2::simulation
