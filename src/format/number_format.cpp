#include "ktln2/format/number_format.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using nan_codes = float_description::nan_codes;
using zeros = float_description::zeros;

/// A run above the ones that are there.
void push(std::vector<magnitude_run>& runs, std::uint64_t first, std::uint64_t count,
          const wide& start, const wide& spacing) {
  if (count == 0) return;
  const wide edge =
      runs.empty() ? wide(0.0) : midpoint(runs.back().value(runs.back().last()), start);
  runs.push_back({first, count, start, spacing, edge});
}

void require_float(const std::string& name, const float_description& f) {
  require_in_range(name, "p", f.p, 1, 63);
  require_in_range(name, "exponent_bits", f.exponent_bits, 1, 15);
  require_in_range(name, "bias", f.bias, -20000, 20000);
  require_in_range(name, "the number of bits", f.p + f.exponent_bits - (f.is_signed ? 0 : 1), 2,
                   64);
  const auto refuse = [&name](const char* why) { throw std::domain_error(name + ": " + why); };
  if (f.nan == nan_codes::ieee && f.p == 1) refuse("nan=ieee needs p >= 2, got 1");
  if (f.nan == nan_codes::negative_zero && (!f.is_signed || f.zero != zeros::one)) {
    refuse("nan=negzero needs signed=yes and zero=one");
  }
  if (f.zero == zeros::signed_zero && !f.is_signed) refuse("zero=signed needs signed=yes");
  // What is below zero would have no code.
  if (!f.is_signed && f.infinity && f.nan == nan_codes::none) {
    refuse("infinity=yes needs signed=yes or a NaN");
  }
  if (f.zero == zeros::none && f.subnormals) refuse("zero=none needs subnormals=no");
}

/// The runs of a floating-point format up to its largest magnitude.
std::vector<magnitude_run> float_runs(const float_description& f, std::uint64_t largest) {
  const wide one = 1.0;
  const std::uint64_t in_binade = std::uint64_t{1} << (f.p - 1);
  const int lowest = 1 - f.bias;  // exponent of the smallest normal number
  std::vector<magnitude_run> runs;
  if (f.zero != zeros::none) {
    const wide spacing = one.scaled(lowest - (f.subnormals ? f.p - 1 : 0));
    push(runs, 0, 1, 0.0, spacing);
    if (f.subnormals) push(runs, 1, std::min(in_binade - 1, largest), spacing, spacing);
  }
  const std::uint64_t first = f.zero == zeros::none ? 0 : 1;
  for (std::uint64_t e = first; e * in_binade <= largest; ++e) {
    const int exponent = static_cast<int>(e) - f.bias;
    push(runs, e * in_binade, std::min(in_binade, largest - e * in_binade + 1),
         one.scaled(exponent), one.scaled(exponent - f.p + 1));
  }
  return runs;
}

/// What the posit with these bits below its sign is, and how many of them are its fraction.
struct posit_parts {
  int scale;  ///< floor log2
  int fraction_bits;
  std::uint64_t fraction;
};

posit_parts take_apart(std::uint64_t magnitude, int bits) {
  int left = bits - 1;
  const auto bit = [magnitude](int i) { return i >= 0 ? (magnitude >> i) & 1U : 0U; };
  const auto leading = bit(left - 1);
  int regime = 0;
  while (left > 0 && bit(left - 1) == leading) --left, ++regime;
  --left;  // what ends the regime
  constexpr int exponent_bits = 2;
  int scale = (leading == 1 ? regime - 1 : -regime) * (1 << exponent_bits);
  // Exponent bits beyond the end are zeros.
  scale += static_cast<int>(2 * bit(left - 1) + bit(left - 2));
  const int fraction_bits = std::max(0, left - exponent_bits);
  return {scale, fraction_bits, magnitude & ((std::uint64_t{1} << fraction_bits) - 1)};
}

wide posit_value(std::uint64_t magnitude, int bits) {
  const posit_parts parts = take_apart(magnitude, bits);
  const std::uint64_t hidden = std::uint64_t{1} << parts.fraction_bits;
  return wide::from_integer(hidden + parts.fraction, parts.scale - parts.fraction_bits);
}

/// The index of the last magnitude whose value is at most a, in the runs and one step beyond them.
std::uint64_t magnitude_below(const std::vector<magnitude_run>& runs, double a) {
  const wide x = a;
  const auto above = std::upper_bound(runs.begin(), runs.end(), x,
                                      [](const wide& v, const auto& run) { return v < run.start; });
  if (above == runs.begin())
    return runs.front().first;  // below the smallest, where there is no zero
  const magnitude_run& run = *std::prev(above);
  const double steps = std::floor(ratio(x - run.start, run.spacing));
  if (!(steps < static_cast<double>(run.count))) {
    return above == runs.end() ? run.first + run.count : run.last();
  }
  // A quotient just below a whole number may have been rounded up to it.
  const std::uint64_t found = run.first + static_cast<std::uint64_t>(steps);
  return run.value(found) > x ? found - 1 : found;
}

}  // namespace

number_format::number_format(description facts)
    : facts_{std::make_shared<const description>(std::move(facts))} {}

number_format number_format::floating(std::string name, const float_description& f,
                                      overflow usual) {
  require_float(name, f);
  const int magnitude_bits = f.p + f.exponent_bits - 1;
  const std::uint64_t sign = f.is_signed ? std::uint64_t{1} << magnitude_bits : 0;
  const std::uint64_t top = (std::uint64_t{1} << magnitude_bits) - 1;
  const std::uint64_t in_binade = std::uint64_t{1} << (f.p - 1);
  description made{.name = std::move(name),
                   .width = magnitude_bits + (f.is_signed ? 1 : 0),
                   .fields = f,
                   .usual = usual};
  switch (f.nan) {
    case nan_codes::ieee:
      made.largest = top - in_binade;
      made.nan_code = top - in_binade + 1 + in_binade / 2;  // the quiet one
      break;
    case nan_codes::top:
      made.largest = top - (f.infinity ? 2 : 1);
      made.nan_code = top;
      break;
    case nan_codes::negative_zero:
      made.largest = top - (f.infinity ? 1 : 0);
      made.nan_code = sign;
      break;
    case nan_codes::none:
      made.largest = top - (f.infinity ? 1 : 0);
      break;
  }
  const bool only_zeros = f.zero != zeros::none && !f.subnormals && made.largest < in_binade;
  if (made.largest > top || made.largest == 0 || only_zeros) {
    throw std::domain_error(made.name + ": no code is left for a number");
  }
  made.largest_negative = f.is_signed ? made.largest : 0;
  made.runs = float_runs(f, made.largest);
  number_format format{std::move(made)};
  format.require(format.usual());
  return format;
}

number_format number_format::fixed(std::string name, int bits, int unit, bool has_lowest) {
  require_in_range(name, "the number of bits", bits, 2, 64);
  const std::uint64_t largest = (std::uint64_t{1} << (bits - 1)) - 1;
  const wide step = wide(1.0).scaled(unit);
  description made{.name = std::move(name),
                   .kind = family::twos_complement,
                   .width = bits,
                   .fields = {.p = bits - 1,
                              .exponent_bits = 0,
                              .bias = 0,
                              .subnormals = false,
                              .infinity = false,
                              .nan = nan_codes::none,
                              .zero = zeros::one},
                   .largest = largest,
                   .largest_negative = largest + (has_lowest ? 1 : 0)};
  push(made.runs, 0, 1, 0.0, step);
  push(made.runs, 1, made.largest_negative, step, step);
  return number_format{std::move(made)};
}

number_format number_format::posit(std::string name, int bits) {
  require_in_range(name, "the number of bits", bits, 3, 32);
  const std::uint64_t largest = (std::uint64_t{1} << (bits - 1)) - 1;
  description made{.name = std::move(name),
                   .kind = family::posit,
                   .width = bits,
                   .fields = {.p = 0,
                              .exponent_bits = 2,
                              .bias = 0,
                              .subnormals = false,
                              .infinity = false,
                              .nan = nan_codes::negative_zero,
                              .zero = zeros::one},
                   .largest = largest,
                   .largest_negative = largest,
                   .nan_code = std::uint64_t{1} << (bits - 1)};
  made.runs.push_back({0, 1, 0.0, 0.0, 0.0});
  for (std::uint64_t m = 1; m <= largest; m = made.runs.back().last() + 1) {
    const posit_parts parts = take_apart(m, bits);
    const wide start = posit_value(m, bits);
    // Nothing is rounded to zero; other edges are what one bit more would say.
    const wide edge = m == 1 ? wide(0.0) : posit_value(2 * m - 1, bits + 1);
    made.runs.push_back({m, std::uint64_t{1} << parts.fraction_bits, start,
                         wide(1.0).scaled(parts.scale - parts.fraction_bits), edge});
  }
  return number_format{std::move(made)};
}

const magnitude_run& number_format::run_of(std::uint64_t magnitude) const {
  const auto above =
      std::upper_bound(runs().begin(), runs().end(), magnitude,
                       [](std::uint64_t m, const magnitude_run& run) { return m < run.first; });
  return *std::prev(above);
}

wide number_format::max() const { return run_of(largest()).value(largest()); }

wide number_format::min_positive() const {
  const bool has_zero = fields().zero != zeros::none;
  return runs()[has_zero ? 1 : 0].start;
}

bool number_format::has(rounding how) const {
  if (kind() == family::posit) return how == rounding::nearest_even;
  if (how != rounding::to_odd) return true;
  // Below the smallest number there must be an even one, and one of two neighbors must be odd.
  const bool has_gap = kind() == family::floating && !fields().subnormals && fields().p > 1;
  return fields().zero != zeros::none && !has_gap;
}

bool number_format::has(overflow beyond) const {
  if (beyond == overflow::saturate) return true;
  if (kind() != family::floating) return false;
  return beyond == overflow::to_infinity ? fields().infinity
                                         : !fields().infinity && nan_code().has_value();
}

std::vector<rounding> number_format::roundings() const {
  std::vector<rounding> all{rounding::nearest_even, rounding::nearest_away, rounding::toward_zero,
                            rounding::down,         rounding::up,           rounding::to_odd};
  std::erase_if(all, [this](rounding how) { return !has(how); });
  return all;
}

std::vector<overflow> number_format::overflows() const {
  std::vector<overflow> all{overflow::saturate, overflow::to_infinity, overflow::to_nan};
  std::erase_if(all, [this](overflow beyond) { return !has(beyond); });
  return all;
}

void number_format::require(const storing& rule) const {
  const auto refuse = [this](const char* what, const auto& chosen, const auto& list) {
    std::string known;
    for (const auto& one : list) known += (known.empty() ? "" : ", ") + std::string(name_of(one));
    throw std::domain_error(name() + " has no " + what + " '" + std::string(name_of(chosen)) +
                            "': expected " + known);
  };
  if (!rule.by_chance) {
    if (!has(rule.how)) refuse("rounding", rule.how, roundings());
  } else if (!rounds_by_chance()) {
    throw std::domain_error(name() + " has no rounding '" + name_of_rounding(rule) +
                            "': expected " + std::string(name_of(roundings().front())));
  }
  if (!has(rule.beyond)) refuse("overflow", rule.beyond, overflows());
}

std::uint64_t number_format::code(bool negative, std::uint64_t magnitude) const {
  if (!negative || (magnitude == 0 && fields().zero == zeros::one)) return magnitude;
  if (kind() != family::floating) return (~magnitude + 1) & mask();
  return magnitude | std::uint64_t{1} << (width() - 1);
}

std::optional<std::uint64_t> number_format::infinity_code(bool negative) const {
  if (!fields().infinity) return nan_code(negative);
  if (negative && !is_signed()) return nan_code();
  return code(negative, largest() + 1);
}

std::optional<std::uint64_t> number_format::nan_code(bool negative) const {
  const bool has_two = fields().nan == nan_codes::top && is_signed();
  if (!nan_code() || !negative || !has_two) return nan_code();
  return *nan_code() | std::uint64_t{1} << (width() - 1);
}

std::optional<wide> number_format::value(std::uint64_t code) const {
  if ((code & ~mask()) != 0) {
    throw std::domain_error(name() + ": a code has " + std::to_string(width()) + " bits, got " +
                            std::to_string(code));
  }
  const bool negative = is_signed() && (code >> (width() - 1)) != 0;
  const std::uint64_t sign = std::uint64_t{1} << (width() - 1);
  std::uint64_t magnitude = code;
  if (negative) magnitude = kind() == family::floating ? code ^ sign : (~code + 1) & mask();
  const bool is_special_zero = fields().nan == nan_codes::negative_zero && code == sign;
  if (is_special_zero) return {};
  if (magnitude > largest(negative)) {
    if (!fields().infinity || magnitude != largest() + 1) return {};
    return negative ? -infinity : infinity;
  }
  const magnitude_run& run = run_of(magnitude);
  // Without subnormal numbers their codes are never written; read, they are zeros.
  const wide size = magnitude > run.last() ? wide(0.0) : run.value(magnitude);
  return negative ? -size : size;
}

std::uint64_t number_format::quantize(double x, const storing& rule) const {
  require(rule);
  if (rule.by_chance) {
    throw std::domain_error(name() + ": rounding '" + name_of_rounding(rule) +
                            "' needs random bits, got none");
  }
  return store(x, rule.beyond,
               [&](double a, bool negative) { return rounded(a, negative, rule.how); });
}

std::uint64_t number_format::quantize(double x, const storing& rule, std::uint64_t random) const {
  if (!rule.by_chance) return quantize(x, rule);
  require(rule);
  const chance& how = *rule.by_chance;
  if (how.kind == chance::variant::ideal) {
    throw std::domain_error(name() +
                            ": rounding 'stochastic' needs infinitely many random bits: expected "
                            "stochastic-a:N, stochastic-b:N or stochastic-c:N");
  }
  if (random >= how.outcomes()) {
    throw std::domain_error(name() + ": " + name_of_rounding(rule) +
                            " takes random bits from 0 to " + std::to_string(how.outcomes() - 1) +
                            ", got " + std::to_string(random));
  }
  return store(x, rule.beyond,
               [&](double a, bool negative) { return rounded(a, negative, how, random); });
}

template <class Round>
std::uint64_t number_format::store(double x, overflow rule, const Round& round) const {
  const auto not_a_number = [this](bool negative) {
    if (const auto nan = nan_code(negative)) return *nan;
    throw std::domain_error(name() + " has no NaN, got nan");
  };
  if (std::isnan(x)) return not_a_number(false);
  const bool negative = std::signbit(x);
  const double a = std::fabs(x);
  if (std::isinf(a) && kind() == family::posit) return *nan_code();

  const auto beyond = [&] {
    if (negative && !is_signed()) {
      return rule == overflow::saturate ? 0 : not_a_number(false);
    }
    switch (rule) {
      case overflow::saturate:
        return code(negative, largest(negative));
      case overflow::to_infinity:
        return *infinity_code(negative);
      case overflow::to_nan:
        break;
    }
    return not_a_number(negative);
  };
  const std::uint64_t m = std::isinf(a) ? largest(negative) + 1 : round(a, negative);
  const bool has_zero = fields().zero != zeros::none;
  if (a == 0 && !has_zero && rule == overflow::to_nan) return not_a_number(negative);
  const bool is_zero = a == 0 || (m == 0 && has_zero);
  const bool fits = negative && !is_signed() ? is_zero : m <= largest(negative);
  return fits ? code(negative && is_signed(), m) : beyond();
}

/// First as if there were no largest.
std::uint64_t number_format::rounded(double a, bool negative, rounding how) const {
  const std::uint64_t most = largest(negative && is_signed());
  const std::uint64_t m = magnitude_below(runs(), a);
  if (kind() == family::posit && (m >= most || a == 0)) return std::min(m, most);
  if (how == rounding::toward_zero || how == (negative ? rounding::up : rounding::down)) {
    return std::min(m, most);
  }
  if (m > most) return how == rounding::to_odd && most % 2 == 1 ? most : m;
  const magnitude_run& run = run_of(m);
  const wide value = run.value(m);
  const wide x = a;
  if (value >= x) return m;  // exactly, or below the smallest of a format without a zero
  const magnitude_run* const above = m == run.last() && &run != &runs().back() ? &run + 1 : nullptr;
  const std::uint64_t next = above != nullptr ? above->first : m + 1;
  if (how == rounding::up || how == rounding::down) return next;
  if (how == rounding::to_odd) return m % 2 == 1 ? m : next;
  const wide edge = above != nullptr ? above->lower_edge : value + run.spacing.scaled(-1);
  if (x == edge) return how == rounding::nearest_even && m % 2 == 0 ? m : next;
  return x < edge ? m : next;
}

std::uint64_t number_format::rounded(double a, bool negative, const chance& how,
                                     std::uint64_t random) const {
  const std::uint64_t below = rounded(a, negative, rounding::toward_zero);
  const std::uint64_t above = rounded(a, negative, negative ? rounding::down : rounding::up);
  if (below == above || above > largest(negative && is_signed()) + 1) return above;
  const magnitude_run& run = run_of(below);
  const wide low = run.value(below);
  const magnitude_run& next = run_of(above);
  // The fraction of the spacing, which is a power of two, times 2^N: all of it is exact. What is
  // more than one step beyond the largest number is so large that it does not matter.
  const double t = ratio((wide(a) - low).scaled(how.random_bits), next.value(above) - low);
  const auto lacking = static_cast<double>(how.outcomes() - random);
  const auto is_away = [&] {
    switch (how.kind) {
      case chance::variant::b:
        return t >= lacking - 0.5;
      case chance::variant::c:
        return std::nearbyint(t) >= lacking;
      default:
        return t >= lacking;
    }
  };
  return is_away() ? above : below;
}

std::string_view name_of(rounding how) {
  switch (how) {
    case rounding::nearest_even:
      return "nearest-even";
    case rounding::nearest_away:
      return "nearest-away";
    case rounding::toward_zero:
      return "toward-zero";
    case rounding::down:
      return "down";
    case rounding::up:
      return "up";
    case rounding::to_odd:
      return "to-odd";
  }
  return {};
}

std::string_view name_of(overflow beyond) {
  switch (beyond) {
    case overflow::saturate:
      return "saturate";
    case overflow::to_infinity:
      return "infinity";
    case overflow::to_nan:
      return "nan";
  }
  return {};
}

std::string name_of_rounding(const storing& rule) {
  if (!rule.by_chance) return std::string(name_of(rule.how));
  const std::string bits = ":" + std::to_string(rule.by_chance->random_bits);
  switch (rule.by_chance->kind) {
    case chance::variant::ideal:
      break;
    case chance::variant::a:
      return "stochastic-a" + bits;
    case chance::variant::b:
      return "stochastic-b" + bits;
    case chance::variant::c:
      return "stochastic-c" + bits;
  }
  return "stochastic";
}

}  // namespace ktln2
