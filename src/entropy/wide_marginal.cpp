#include "entropy/wide_marginal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "core/constants.hpp"
#include "entropy/mantissa_marginal.hpp"
#include "entropy/plain_sum.hpp"
#include "entropy/stored_atoms.hpp"

namespace ktln2 {
namespace {

/// The lowest k bits are ones.
std::uint64_t low_bits(int k) { return k < 64 ? (std::uint64_t{1} << k) - 1 : ~std::uint64_t{0}; }

/// Which exponent is stored, whatever the sign and the mantissa.
bounded<bits> exponent_marginal(const stored_variable& stored) {
  const number_format& format = stored.format;
  const law x = with_stored_atoms(stored);
  const int shift = format.fields().p - 1;
  const std::uint64_t in_binade = std::uint64_t{1} << shift;
  std::map<std::uint64_t, bounded<double>> masses;
  const auto add = [&](std::uint64_t e, bool negative, const interval& part) {
    const bounded<double> mass = mass_in(x, negative ? interval{-part.right, -part.left} : part);
    masses.try_emplace(e, exactly(0.0)).first->second += mass;
  };
  for (const bool negative : {true, false}) {
    const std::uint64_t largest = format.largest(negative);
    const bool overflows = may_overflow(format, stored.rule, negative);
    for (std::uint64_t first = 0; first <= largest; first += in_binade) {
      const std::uint64_t last = std::min(first + in_binade - 1, largest);
      interval part = cell_of(format, stored.rule, negative, first, last);
      if (last == largest && !overflows) part.right = infinity;
      add(first >> shift, negative, part);
      if (last < largest || !overflows) continue;
      const std::uint64_t code = stored.rule.beyond == overflow::to_nan
                                     ? *format.nan_code(negative)
                                     : *format.infinity_code(negative);
      add((code >> shift) & low_bits(format.fields().exponent_bits), negative,
          {part.right, infinity});
    }
  }
  plain_sum sum;
  for (const auto& [e, mass] : masses) sum.add(mass);
  return sum.entropy(static_cast<double>(masses.size()));
}

/// How much a density with one peak goes up and down between two points.
double ups_and_downs(double at_left, double at_right, double at_mode, bool holds_mode) {
  return holds_mode ? 2 * at_mode - at_left - at_right : std::fabs(at_left - at_right);
}

/// ∫ |f'| times a length over a part of the line.
template <class Law>
double total_variation(const Law& x, const interval& part, const wide& length) {
  const auto& kernel = x.kernel();
  const double a = standard_edge(x, part.left);
  const double b = standard_edge(x, part.right);
  const auto f = [&](double z) { return std::isinf(z) ? 0 : std::exp(kernel.log_pdf(z)); };
  const bool holds_mode = a < kernel.mode() && kernel.mode() < b;
  return x.standard_length(length) * ups_and_downs(f(a), f(b), f(kernel.mode()), holds_mode);
}
double total_variation(const compound_law& x, const interval& part, const wide& length) {
  double sum = 0;
  for (const weighted_part& one : x.parts()) {
    const wide& mode = one.part->facts().mode;
    const auto f = [&](const wide& at) {
      return at.is_infinite() ? 0 : std::exp(one.log_weight + one.part->log_pdf(at) + log(length));
    };
    const bool holds_mode = part.left < mode && mode < part.right;
    sum += ups_and_downs(f(part.left), f(part.right), f(mode), holds_mode);
  }
  return sum;
}

/// Neighboring magnitudes first … last that are equally spaced.
struct even_run {
  std::uint64_t first;
  std::uint64_t last;
  wide spacing;
};
std::vector<even_run> even_runs(const number_format& format, bool negative) {
  std::vector<even_run> list;
  const std::uint64_t lowest =
      negative && format.fields().zero == float_description::zeros::one ? 1 : 0;
  for (const magnitude_run& run : format.runs()) {
    const std::uint64_t first = std::max(run.first, lowest);
    const std::uint64_t last = std::min(run.last(), format.largest(negative));
    if (first > last) continue;
    if (!list.empty() && list.back().spacing == run.spacing) {
      list.back().last = last;
    } else {
      list.push_back({first, last, run.spacing});
    }
  }
  return list;
}

/// How far, at most, the probability of any value of the last k bits is from 2^-k: a run of cells
/// in which all these values take turns adds what f varies in it, times the width of a cell, and
/// its first cell, which may be narrower; what is over may all have one value.
template <class Law>
double unevenness(const stored_variable& stored, const Law& x, bool negative, int k) {
  const number_format& format = stored.format;
  const auto placed = [&](const interval& part) {
    return negative ? interval{-part.right, -part.left} : part;
  };
  const auto cell = [&](std::uint64_t first, std::uint64_t last) {
    return placed(cell_of(format, stored.rule, negative, first, last));
  };
  // Codes of two's complement end with a turn where those of a sign and a magnitude begin.
  const std::uint64_t shift = negative && format.kind() != number_format::family::floating ? 1 : 0;
  double sum = 0;
  for (const even_run& run : even_runs(format, negative)) {
    const double all = mass_in(x, cell(run.first, run.last)).value;
    if (!(all > 0)) continue;
    const std::uint64_t begin = ((run.first - shift + low_bits(k)) & ~low_bits(k)) + shift;
    const std::uint64_t end = ((run.last + 1 - shift) & ~low_bits(k)) + shift;
    if (end <= begin) {
      sum += all;
      continue;
    }
    sum += total_variation(x, cell(run.first, run.last), run.spacing);
    sum += mass_in(x, cell(run.first, begin > run.first ? begin - 1 : run.first)).value;
    if (end <= run.last) sum += mass_in(x, cell(end, run.last)).value;
  }
  const std::uint64_t largest = format.largest(negative);
  const wide reach = cell_of(format, stored.rule, negative, largest, largest).right;
  return sum + mass_in(x, placed({reach, infinity})).value;
}

template <class Law>
double unevenness(const stored_variable& stored, const Law& x, int k) {
  const double misplaced = table_error(x.kernel()) + x.rounding_error();
  const double below = stored.format.is_signed() ? unevenness(stored, x, true, k)
                                                 : mass_in(x, {-infinity, wide(0.0)}).value;
  return misplaced + below + unevenness(stored, x, false, k);
}

/// With |P - 2^-k| ≤ δ for all values, H is between k - log (1 + (2^k δ)²) and k.
std::optional<bounded<bits>> low_bits_marginal(const stored_variable& stored, int k) {
  if (has_atoms(stored.x) || stored.rule.how == rounding::to_odd) return {};
  const double uneven =
      std::visit([&](const auto& x) { return unevenness(stored, x, k); }, stored.x);
  const double share = std::ldexp(uneven, k);
  const double most = std::log1p(share * share) * bits_per_nat;
  constexpr double enough = 1e-6;
  if (!(most <= enough)) return {};
  return bounded<bits>{bits{k - most / 2}, bits{most / 2}, evidence::estimated};
}

}  // namespace

std::optional<bounded<bits>> wide_marginal(const stored_variable& stored, std::uint64_t mask) {
  const number_format& format = stored.format;
  const int count = std::popcount(mask);
  const int below = format.width() - count;
  if (mask == low_bits(count) << below) return exact_leading_entropy(stored)(count);
  if (stored.rule.by_chance) return {};
  const bool is_float = format.kind() == number_format::family::floating && format.is_signed();
  const int mantissa_bits = format.fields().p - 1;
  if (is_float && mask == low_bits(format.fields().exponent_bits) << mantissa_bits) {
    return exponent_marginal(stored);
  }
  if (mask != low_bits(count)) return {};
  if (is_float && count == mantissa_bits) return mantissa_marginal(stored);
  constexpr int few = 16;
  if (count > few) return {};
  return low_bits_marginal(stored, count);
}

}  // namespace ktln2
