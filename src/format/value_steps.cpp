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
  if (!starts.empty()) {
    low_ = starts.front() - 1;
    high_ = starts.back();
  }
  auto next = starts.begin();
  for (std::uint64_t exponent = low_ >> mantissa; exponent <= high_ >> mantissa; ++exponent) {
    const auto end = std::lower_bound(next, starts.end(), (exponent + 1) << mantissa);
    // As few leading bits as tell all starts apart.
    unsigned dropped = mantissa;
    for (auto one = next; one != end && one + 1 != end; ++one) {
      while (one[0] >> dropped == one[1] >> dropped) --dropped;
    }
    binades_.push_back({buckets_.size(), dropped});
    const std::uint64_t first = exponent << (mantissa - dropped);
    for (std::uint64_t lead = first; lead < first + (std::uint64_t{1} << (mantissa - dropped));
         ++lead) {
      const auto before = static_cast<std::size_t>(next - starts.begin());
      const bool has_start = next != end && *next >> dropped == lead;
      buckets_.push_back({has_start ? *next++ : 0, {values[before], values[before]}});
      if (has_start) buckets_.back().value[1] = values[before + 1];
    }
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
