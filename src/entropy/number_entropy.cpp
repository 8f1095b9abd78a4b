#include "ktln2/entropy/number_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/constants.hpp"
#include "entropy/chain_rule.hpp"
#include "entropy/plain_sum.hpp"
#include "ktln2/entropy/stochastic_entropy.hpp"

namespace ktln2 {
namespace {

using family = number_format::family;
using zeros = float_description::zeros;

/// What H changes by when these cells become one.
bounded<bits> joined(const law& x, const std::vector<interval>& cells) {
  plain_sum apart;
  plain_sum together;
  bounded<double> all = exactly(0.0);
  for (const interval& cell : cells) {
    const bounded<double> mass = mass_in(x, cell);
    apart.add(mass);
    all += mass;
  }
  together.add(all);
  return together.part() - apart.part();
}

/// P(X = 0)
double mass_at_zero(const law& x) {
  const auto* const compound = std::get_if<compound_law>(&x);
  double mass = 0;
  if (compound == nullptr) return mass;
  for (const law_atom& one : compound->atoms()) mass += one.at == 0 ? one.mass : 0;
  return mass;
}

/// A posit's zero is a code that nothing but zero is stored as, so that no cell stands for it: what
/// H gains if zero has a probability of its own.
bounded<bits> zero_by_itself(const stored_variable& stored) {
  if (stored.format.kind() != family::posit) return exactly(bits{0});
  const double at_zero = mass_at_zero(stored.x);
  if (at_zero == 0) return exactly(bits{0});
  const interval cell = cell_of(stored.format, stored.rule, false, 1, 1);
  const bounded<double> all = mass_in(stored.x, {wide(0.0), cell.right});
  plain_sum together;
  together.add(all);
  plain_sum apart;
  apart.add({at_zero, 0x1p-49 * at_zero, evidence::estimated});
  apart.add({std::fmax(0.0, all.value - at_zero), all.error, evidence::estimated});
  return apart.part() - together.part();
}

/// The binades of a posit, or with `per` = 4 its regimes, as the cells of one partition.
partition binades(const number_format& format, int per) {
  const auto& runs = format.runs();
  std::vector<wide> edges;
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const int scale = runs[r].start.exponent();
    const bool begins = r == 1 || per == 1 || (scale & 3) == 0 ||
                        (scale >> 2) != (runs[r - 1].start.exponent() >> 2);
    if (begins) edges.push_back(r == 1 ? wide(0.0) : runs[r].lower_edge);
  }
  std::vector<wide> all{-infinity};
  for (std::size_t i = edges.size(); i-- > 1;) all.push_back(-edges[i]);
  all.insert(all.end(), edges.begin(), edges.end());
  all.emplace_back(infinity);
  std::vector<cell_run> cells;
  for (std::size_t i = 1; i < all.size(); ++i) {
    cells.push_back({all[i - 1], all[i], all[i] - all[i - 1], 1});
  }
  return partition{std::move(cells), {-format.max(), format.max()}};
}

std::string name_of_bit(const number_format& format, int position) {
  const int signs = format.is_signed() ? 1 : 0;
  if (position < signs) return "sign";
  const int exponent_bits = format.kind() == family::floating ? format.fields().exponent_bits : 0;
  if (position < signs + exponent_bits) {
    return "exponent " + std::to_string(signs + exponent_bits - 1 - position);
  }
  const std::string rest = format.kind() == family::posit ? "bit " : "mantissa ";
  return rest + std::to_string(format.width() - 1 - position);
}

/// The magnitudes of an exponent, on both sides of zero.
std::vector<interval> with_exponent(const stored_variable& stored, std::uint64_t e) {
  const number_format& format = stored.format;
  const std::uint64_t in_binade = std::uint64_t{1} << (format.fields().p - 1);
  const auto side = [&](bool negative) {
    return cell_of(format, stored.rule, negative, e * in_binade, (e + 1) * in_binade - 1);
  };
  const interval above = side(false);
  if (!format.is_signed()) {
    if (e > 0) return {above};
    // Below zero is all that is stored as the lowest number.
    const bool saturates = stored.rule.beyond == overflow::saturate;
    const bool has_zero = format.fields().zero != zeros::none;
    const wide zero = has_zero ? -cell_of(format, stored.rule, true, 1, 1).left : wide(0.0);
    return {{saturates ? wide(-infinity) : zero, above.right}};
  }
  const interval below = side(true);
  if (e == 0) return {{-below.right, above.right}};
  return {{-below.right, -below.left}, above};
}

/// Calls a function with every code that a number may be stored as, and a part of the line that is.
/// A code may have several.
template <class F>
void for_each_code(const stored_variable& stored, const F& see) {
  const number_format& format = stored.format;
  const storing& rule = stored.rule;
  const bool saturates = rule.beyond == overflow::saturate;
  const auto code_beyond = [&](bool negative) {
    return rule.beyond == overflow::to_nan ? *format.nan_code(negative)
                                           : *format.infinity_code(negative);
  };
  const bool one_zero = format.fields().zero == zeros::one;
  const wide below_zero = cell_of(format, rule, true, 1, 1).left;
  const auto see_side = [&](bool negative) {
    const std::uint64_t largest = format.largest(negative);
    const bool overflows = may_overflow(format, rule, negative);
    for (std::uint64_t m = negative && one_zero ? 1 : 0; m <= largest; ++m) {
      interval part = cell_of(format, rule, negative, m, m);
      if (m == largest && !overflows) part.right = infinity;
      if (m == 0 && !format.is_signed()) part.left = saturates ? wide(-infinity) : -below_zero;
      if (m == 0 && format.is_signed() && one_zero) part.left = -below_zero;
      see(format.code(negative, m), negative ? interval{-part.right, -part.left} : part);
    }
    if (!overflows) return;
    const wide end = cell_of(format, rule, negative, largest, largest).right;
    see(code_beyond(negative), negative ? interval{-infinity, -end} : interval{end, infinity});
  };
  if (format.is_signed()) see_side(true);
  see_side(false);
  if (format.is_signed() || saturates) return;
  const bool has_zero = format.fields().zero != zeros::none;
  see(*format.nan_code(), interval{-infinity, has_zero ? -below_zero : wide(0.0)});
}

}  // namespace

bounded<bits> exact_entropy(const register_cells& register_of, const law& x, bits tolerance) {
  const bounded<bits> apart = exact_entropy(register_of.cells, x, tolerance);
  return register_of.alike.empty() ? apart : apart + joined(x, register_of.alike);
}

bounded<bits> exact_entropy(const stored_variable& stored) {
  if (stored.rule.by_chance) return stochastic_code{stored}.entropy();
  return exact_entropy(cells_of(stored.format, stored.rule), stored.x, stored.tolerance) +
         zero_by_itself(stored);
}

leading_entropy exact_leading_entropy(const stored_variable& stored) {
  if (stored.rule.by_chance) {
    return [code = stochastic_code{stored}](int kept) { return code.leading(kept); };
  }
  return [stored](int kept) {
    if (kept == 0) return exactly(bits{0});
    if (kept == stored.format.width()) return exact_entropy(stored);
    return exact_entropy(cells_of(stored.format, stored.rule, stored.format.width() - kept),
                         stored.x, stored.tolerance);
  };
}

number_fields entropy_by_field(const stored_variable& stored, const leading_entropy& leading) {
  return entropy_by_field(stored, leading, [&stored](const partition& cells) {
    return exact_entropy(cells, stored.x, stored.tolerance);
  });
}

number_fields entropy_by_field(const stored_variable& stored, const leading_entropy& leading,
                               const cell_entropy& of_cells) {
  const number_format& format = stored.format;
  const int signs = format.is_signed() ? 1 : 0;
  const bounded<bits> sign = leading(signs);
  const bounded<bits> total = leading(format.width());
  if (format.kind() == family::posit) {
    const bounded<bits> head = of_cells(binades(format, 1));
    const bounded<bits> regime = of_cells(binades(format, 4));
    return {{total, sign, what_is_left(head, sign), what_is_left(total, head)},
            what_is_left(regime, sign),
            what_is_left(head, regime)};
  }
  const bool has_exponent = format.kind() == family::floating;
  const bounded<bits> head = has_exponent ? leading(signs + format.fields().exponent_bits) : sign;
  return {{total, sign, has_exponent ? what_is_left(head, sign) : exactly(bits{0}),
           what_is_left(total, head)}};
}

std::vector<bit_entropy> entropy_by_bit(const number_format& format,
                                        const leading_entropy& leading) {
  return worth_of_bits(format.width(), leading,
                       [&format](int position) { return name_of_bit(format, position); });
}

bounded<bits> entropy_of_value(const stored_variable& stored, const bounded<bits>& of_code) {
  if (stored.rule.by_chance) return stochastic_code{stored}.of_value();
  if (stored.format.fields().zero != zeros::signed_zero) return of_code;
  const interval above = cell_of(stored.format, stored.rule, false, 0, 0);
  const interval below = cell_of(stored.format, stored.rule, true, 0, 0);
  return of_code + joined(stored.x, {{-below.right, -below.left}, above});
}

bounded<double> mass_beyond_max(const stored_variable& stored) {
  const number_format& format = stored.format;
  const std::uint64_t last = format.largest(true);
  const wide lowest = format.is_signed() ? format.run_of(last).value(last) : wide(0.0);
  return mass_in(stored.x, {-infinity, -lowest}) + mass_in(stored.x, {format.max(), infinity});
}

stored_masses masses_of(const stored_variable& stored) {
  if (stored.rule.by_chance) return stochastic_code{stored}.masses();
  const number_format& format = stored.format;
  const auto mass_of_all = [&](const std::vector<interval>& parts) {
    bounded<double> mass = exactly(0.0);
    for (const interval& part : parts) mass += mass_in(stored.x, part);
    return mass;
  };
  stored_masses masses{exactly(0.0), exactly(0.0), mass_beyond_max(stored)};
  const bool has_zero = format.fields().zero != zeros::none;
  if (has_zero) {
    const wide above = cell_of(format, stored.rule, false, 0, 0).right;
    const wide below = cell_of(format, stored.rule, true, 0, 0).right;
    const bool is_lowest = !format.is_signed() && stored.rule.beyond == overflow::saturate;
    masses.zero = mass_in(stored.x, {is_lowest ? wide(-infinity) : -below, above});
  }
  if (format.kind() == family::posit) {
    const double at_zero = mass_at_zero(stored.x);
    masses.zero = {at_zero, 0x1p-49 * at_zero, evidence::estimated};
  }
  if (format.kind() == family::floating) {
    const bounded<double> exponent_zero = mass_of_all(with_exponent(stored, 0));
    const bool is_counted = format.fields().subnormals || !has_zero;
    if (is_counted) masses.subnormal = exponent_zero - masses.zero;
    masses.subnormal.value = std::max(0.0, masses.subnormal.value);
  }
  return masses;
}

std::optional<bounded<bits>> marginal_entropy(const stored_variable& stored, std::uint64_t mask) {
  constexpr int most = 20;
  if (stored.format.width() > most) return {};
  if (stored.rule.by_chance) return stochastic_code{stored}.marginal(mask);
  std::map<std::uint64_t, bounded<double>> masses;
  for_each_code(stored, [&](std::uint64_t code, const interval& part) {
    masses.try_emplace(code & mask, exactly(0.0)).first->second += mass_in(stored.x, part);
  });
  plain_sum sum;
  for (const auto& [key, mass] : masses) sum.add(mass);
  return sum.entropy(static_cast<double>(masses.size()));
}

}  // namespace ktln2
