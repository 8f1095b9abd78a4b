#include "ktln2/format/value_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

/// Whether the run is all of a binade of doubles, and nearest and even multiples of its spacing
/// are nearest and even codes, up to the start of the next run.
bool is_regular(const std::vector<magnitude_run>& runs, std::size_t i) {
  constexpr int far = 900;  // from the ends of double's range
  if (i == 0 || i + 1 >= runs.size()) return false;
  const magnitude_run& run = runs[i];
  const magnitude_run& next = runs[i + 1];
  const bool is_even = run.first % 2 == 0 && run.count % 2 == 0 && next.first == run.last() + 1;
  const wide count = wide::from_integer(run.count);
  return is_even && run.count < std::uint64_t{1} << 51U && std::abs(run.start.exponent()) < far &&
         run.start == wide(1.0).scaled(run.start.exponent()) && count * run.spacing == run.start &&
         next.start == run.start.scaled(1) &&
         next.lower_edge == next.start - run.spacing.scaled(-1);
}

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

  /// The runs with numbers on this side.
  [[nodiscard]] std::vector<magnitude_run> runs() const {
    std::vector<magnitude_run> all =
        negative_ && !format_.is_signed() ? std::vector<magnitude_run>{} : format_.runs();
    while (!all.empty() && all.back().first > format_.largest(negative_)) all.pop_back();
    if (!all.empty()) {
      all.back().count =
          std::min(all.back().count, format_.largest(negative_) - all.back().first + 1);
    }
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

std::optional<value_steps::changes> value_steps::changes_of(const number_format& format,
                                                            const storing& rule, bool negative,
                                                            double most) {
  const stored_side stored{format, rule, negative};
  const std::vector<magnitude_run> runs = stored.runs();
  std::vector<bool> regular;
  double in_table = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    regular.push_back(rule.how == rounding::nearest_even && is_regular(runs, i));
    in_table += regular[i] ? 1 : static_cast<double>(runs[i].count);
  }
  if (in_table > most) return {};

  changes found;
  std::uint64_t last = 0;
  std::uint64_t here = stored.code(last);
  found.values.push_back(stored.value(here));
  const auto add = [&](std::uint64_t magnitude, bool is_after_regular) {
    const std::uint64_t next = stored.code(magnitude);
    if (next != here) {
      found.starts.push_back(is_after_regular ? magnitude : stored.change(last, magnitude));
      found.values.push_back(stored.value(next));
    }
    last = magnitude;
    here = next;
  };
  const auto bits_of = [](const wide& x) { return std::bit_cast<std::uint64_t>(x.to_double()); };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add(bits_of(runs[i].start), i > 0 && regular[i - 1]);
    if (regular[i]) {
      found.regular[last >> 52U] = runs[i].spacing.scaled(52).to_double();
      continue;
    }
    for (std::uint64_t m = runs[i].first + 1; m <= runs[i].last(); ++m) {
      add(bits_of(runs[i].value(m)), false);
    }
  }
  add(std::bit_cast<std::uint64_t>(infinity), false);
  found.starts.push_back(std::bit_cast<std::uint64_t>(undefined));
  found.values.push_back(undefined);
  return found;
}

value_steps::side::side(const changes& from) {
  const std::vector<std::uint64_t>& starts = from.starts;
  const std::vector<double>& values = from.values;
  low_ = starts.front() - 1;
  high_ = starts.back();
  auto next = starts.begin();
  for (std::uint64_t exponent = low_ >> mantissa; exponent <= high_ >> mantissa; ++exponent) {
    const auto end = std::lower_bound(next, starts.end(), (exponent + 1) << mantissa);
    if (const auto found = from.regular.find(exponent); found != from.regular.end()) {
      binades_.push_back({buckets_.size(), mantissa, found->second});
      next = end;
      continue;
    }
    // As few leading bits as tell all starts apart.
    unsigned dropped = mantissa;
    for (auto one = next; one != end && one + 1 != end; ++one) {
      while (one[0] >> dropped == one[1] >> dropped) --dropped;
    }
    binades_.push_back({buckets_.size(), dropped, 0});
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

std::optional<value_steps> value_steps::of(const number_format& format, const storing& rule,
                                           double most) {
  format.require(rule);
  // Rounding to odd leaves even codes next to nothing, which no leading bits tell apart.
  if (rule.by_chance || rule.how == rounding::to_odd) return {};
  try {
    const auto above = changes_of(format, rule, false, most);
    const auto below = changes_of(format, rule, true, most);
    if (!above || !below) return {};
    return value_steps{side{*above}, side{*below}};
  } catch (const std::domain_error&) {
    return {};
  }
}

}  // namespace ktln2
