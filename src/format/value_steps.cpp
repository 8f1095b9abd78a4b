#include "ktln2/format/value_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

constexpr int most_bits = 17;

/// What is stored for numbers on one side of zero.
class stored_side {
 public:
  stored_side(const number_format& format, const storing& rule, bool negative)
      : format_{format}, rule_{rule}, negative_{negative} {}

  [[nodiscard]] std::uint64_t code(std::uint64_t magnitude) const {
    const auto a = std::bit_cast<double>(magnitude);
    return format_.quantize(negative_ ? -a : a, rule_);
  }

  [[nodiscard]] double value(std::uint64_t code) const {
    const std::optional<wide> found = format_.value(code);
    if (!found) return undefined;
    const double value = found->to_double();
    if (std::isinf(value) != found->is_infinite() || (value == 0) != found->is_zero()) {
      throw std::domain_error("value steps: a value outside the range of double");
    }
    return value;
  }

  /// The magnitudes of the format's numbers, zero and infinity.
  [[nodiscard]] std::vector<std::uint64_t> magnitudes() const {
    std::vector<std::uint64_t> all{0, std::bit_cast<std::uint64_t>(infinity)};
    const bool has_numbers = !negative_ || format_.is_signed();
    for (std::uint64_t m = 0; has_numbers && m <= format_.largest(negative_); ++m) {
      all.push_back(std::bit_cast<std::uint64_t>(format_.run_of(m).value(m).to_double()));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// The least magnitude with another code than `low`, between neighboring numbers: next to the
  /// middle, or anywhere else.
  [[nodiscard]] std::uint64_t change(std::uint64_t low, std::uint64_t high) const {
    const std::uint64_t before = code(low);
    const double middle = std::bit_cast<double>(low) / 2 + std::bit_cast<double>(high) / 2;
    const auto guess = std::bit_cast<std::uint64_t>(middle);
    for (const std::uint64_t probe : {guess, guess + 1, guess - 1}) {
      if (probe <= low || probe >= high) continue;
      (code(probe) == before ? low : high) = probe;
    }
    while (high - low > 1) {
      const std::uint64_t probe = low + (high - low) / 2;
      (code(probe) == before ? low : high) = probe;
    }
    return high;
  }

 private:
  const number_format& format_;
  const storing& rule_;
  bool negative_;
};

}  // namespace

std::optional<value_steps::side> value_steps::side_of(const number_format& format,
                                                      const storing& rule, bool negative) {
  const stored_side stored{format, rule, negative};
  std::vector<std::uint64_t> starts;
  std::vector<double> values;
  try {
    const std::vector<std::uint64_t> all = stored.magnitudes();
    std::uint64_t here = stored.code(all.front());
    values.push_back(stored.value(here));
    for (std::size_t i = 1; i < all.size(); ++i) {
      const std::uint64_t next = stored.code(all[i]);
      if (next == here) continue;
      starts.push_back(stored.change(all[i - 1], all[i]));
      values.push_back(stored.value(next));
      here = next;
    }
  } catch (const std::domain_error&) {
    return {};
  }
  return side{starts, values};
}

value_steps::side::side(const std::vector<std::uint64_t>& starts,
                        const std::vector<double>& values) {
  // As few leading bits as tell all starts apart.
  for (std::size_t i = 1; i < starts.size(); ++i) {
    while (starts[i] >> dropped_ == starts[i - 1] >> dropped_) --dropped_;
  }
  if (!starts.empty()) {
    least_ = starts.front() >> dropped_;
    most_ = starts.back() >> dropped_;
  }
  std::size_t i = 0;
  for (std::uint64_t lead = least_; lead <= most_; ++lead) {
    const bool has_start = i < starts.size() && starts[i] >> dropped_ == lead;
    const std::size_t next = has_start ? i + 1 : i;
    buckets_.push_back({has_start ? starts[i] : 0, {values[i], values[next]}});
    i = next;
  }
}

std::optional<value_steps> value_steps::of(const number_format& format, const storing& rule) {
  format.require(rule);
  // Rounding to odd leaves even codes next to nothing, which no leading bits tell apart.
  const bool is_odd = rule.how == rounding::to_odd;
  if (format.width() > most_bits || rule.by_chance || is_odd) return {};
  std::optional<side> above = side_of(format, rule, false);
  std::optional<side> below = side_of(format, rule, true);
  if (!above || !below) return {};
  return value_steps{*std::move(above), *std::move(below)};
}

}  // namespace ktln2
