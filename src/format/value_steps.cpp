#include "ktln2/format/value_steps.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/bit_cast.hpp"

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
    const auto a = bit_cast<double>(magnitude);
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
    const double middle = bit_cast<double>(low) / 2 + bit_cast<double>(high) / 2;
    const auto guess = bit_cast<std::uint64_t>(middle);
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
                                                            double most, bool all) {
  const stored_side stored{format, rule, negative};
  const std::vector<magnitude_run> runs = stored.runs();
  std::vector<bool> regular;
  double in_table = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    regular.push_back(!all && rule.how == rounding::nearest_even && is_regular(runs, i));
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
  const auto bits_of = [](const wide& x) { return bit_cast<std::uint64_t>(x.to_double()); };
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
  add(bit_cast<std::uint64_t>(infinity), false);
  found.starts.push_back(bit_cast<std::uint64_t>(undefined));
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

bool value_steps::flat_table::add(const changes& from, std::uint64_t sign) {
  std::vector<std::uint64_t> starts = from.starts;
  starts.back() = bit_cast<std::uint64_t>(infinity) + 1;  // all NaNs
  auto next = starts.begin();
  for (std::uint64_t lead = 0; lead < std::uint64_t{1} << (63 - dropped); ++lead) {
    if (next != starts.end() && *next == lead << dropped) ++next;
    const auto value = from.values.begin() + (next - starts.begin());
    const bool has_start = next != starts.end() && *next >> dropped == lead;
    buckets.push_back({has_start ? *next++ | sign : 0, {value[0], value[has_start ? 1 : 0]}});
    if (next != starts.end() && *next >> dropped == lead) return false;
  }
  return true;
}

value_steps::flat_table value_steps::flat_table_of(const number_format& format,
                                                   const storing& rule) {
  constexpr int most_bits = 9;
  constexpr unsigned most_leading = 5;  // of the mantissa
  if (format.width() > most_bits) return {};
  const auto above = changes_of(format, rule, false, most_in_table, true);
  const auto below = changes_of(format, rule, true, most_in_table, true);
  for (unsigned leading = 0; leading <= most_leading; ++leading) {
    flat_table made{.buckets = {}, .dropped = 52 - leading};
    if (made.add(*above, 0) && made.add(*below, std::uint64_t{1} << 63U)) return made;
  }
  return {};
}

value_steps::rounding_term value_steps::term_of(const changes& from, std::uint64_t exponent,
                                                std::uint64_t sign) {
  if (const auto found = from.regular.find(exponent); found != from.regular.end()) {
    return {found->second, sign};
  }
  const std::uint64_t first = exponent << 52U;
  const auto next = std::upper_bound(from.starts.begin(), from.starts.end(), first);
  constexpr std::uint64_t far = 60;  // binades
  const bool is_one_value =
      next != from.starts.end() && *next >= (exponent + 1) << 52U && exponent + far < 2047;
  const double value = from.values[static_cast<std::size_t>(next - from.starts.begin())];
  if (!is_one_value || (value != 0 && !std::isnan(value))) return {undefined, 0};
  const auto more = bit_cast<double>((exponent + far) << 52U);
  return {value == 0 ? more : infinity, std::signbit(value) ? sign : 0};
}

void value_steps::store(std::span<double> numbers) const {
  if (!flat_.buckets.empty()) {
    for (double& x : numbers) x = flat_(x);
    return;
  }
  for (double& x : numbers) {
    const auto word = bit_cast<std::uint64_t>(x);
    const rounding_term& term = terms_[word >> 52U];
    if (std::isnan(term.magic)) {
      x = std::isnan(x) ? undefined : (*this)(x);  // where NaN once comes it stays
    } else {
      const double rounded = std::fabs((std::fabs(x) + term.magic) - term.magic);
      x = bit_cast<double>(bit_cast<std::uint64_t>(rounded) | (word & term.sign));
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
    value_steps made{side{*above}, side{*below}};
    made.flat_ = flat_table_of(format, rule);
    for (const auto& [side, sign] :
         {std::pair{&*above, std::uint64_t{0}}, std::pair{&*below, std::uint64_t{1} << 63U}}) {
      for (std::uint64_t e = 0; e < 2047; ++e) made.terms_.push_back(term_of(*side, e, sign));
      made.terms_.push_back({undefined, 0});
    }
    return made;
  } catch (const std::domain_error&) {
    return {};
  }
}

}  // namespace ktln2
