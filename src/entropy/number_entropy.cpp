#include "ktln2/entropy/number_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/chain_rule.hpp"
#include "entropy/plain_sum.hpp"
#include "entropy/stored_atoms.hpp"
#include "entropy/wide_marginal.hpp"
#include "ktln2/entropy/stochastic_entropy.hpp"

namespace ktln2 {
namespace {

using family = number_format::family;
using zeros = float_description::zeros;

constexpr int most_listed_bits = 20;

/// What H changes by when these masses become one.
bounded<bits> joined(const std::vector<bounded<double>>& masses) {
  plain_sum apart;
  plain_sum together;
  for (const bounded<double>& mass : masses) apart.add(mass);
  together.add(sum_of(masses));
  return together.part() - apart.part();
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

bounded<double> mass_with_exponent(const stored_variable& stored, const law& x, std::uint64_t e) {
  bounded<double> mass = exactly(0.0);
  for (const interval& part : with_exponent(stored, e)) mass += mass_in(x, part);
  return mass;
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
  // Of a format without a sign; without a zero its smallest number takes nothing from below it.
  const wide zero_begins = format.fields().zero != zeros::none ? -below_zero : wide(0.0);
  const auto see_side = [&](bool negative) {
    const std::uint64_t largest = format.largest(negative);
    const bool overflows = may_overflow(format, rule, negative);
    for (std::uint64_t m = negative && one_zero ? 1 : 0; m <= largest; ++m) {
      interval part = cell_of(format, rule, negative, m, m);
      if (m == largest && !overflows) part.right = infinity;
      if (m == 0 && !format.is_signed()) part.left = saturates ? wide(-infinity) : zero_begins;
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
  see(*format.nan_code(), interval{-infinity, zero_begins});
}

}  // namespace

bounded<bits> exact_entropy(const register_cells& register_of, const law& x, bits tolerance) {
  const bounded<bits> apart = exact_entropy(register_of.cells, x, tolerance);
  if (register_of.alike.empty()) return apart;
  std::vector<bounded<double>> masses;
  for (const interval& cell : register_of.alike) masses.push_back(mass_in(x, cell));
  return apart + joined(masses);
}

bounded<bits> exact_entropy(const stored_variable& stored) {
  if (stored.rule.by_chance) return stochastic_code{stored}.entropy();
  const law x = with_stored_atoms(stored);
  return exact_entropy(cells_of(stored.format, stored.rule), x, stored.tolerance) +
         gain_of_lone_codes(stored, x);
}

leading_entropy exact_leading_entropy(const stored_variable& stored) {
  if (stored.rule.by_chance) {
    return [code = stochastic_code{stored}](int kept) { return code.leading(kept); };
  }
  return [stored, x = with_stored_atoms(stored)](int kept) {
    if (kept == 0) return exactly(bits{0});
    if (kept == stored.format.width()) return exact_entropy(stored);
    return exact_entropy(cells_of(stored.format, stored.rule, stored.format.width() - kept), x,
                         stored.tolerance);
  };
}

number_fields entropy_by_field(const stored_variable& stored, const leading_entropy& leading) {
  return entropy_by_field(stored, leading,
                          [&stored, x = with_stored_atoms(stored)](const partition& cells) {
                            return exact_entropy(cells, x, stored.tolerance);
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

bounded<bits> exact_entropy(const storage& where, const law& x, bits tolerance) {
  if (where.ideal() != nullptr) return exact_entropy(*where.ideal(), x, tolerance);
  return exact_entropy(stored_variable{where.number()->format, where.number()->rule, x, tolerance});
}

field_entropies entropy_by_field(const storage& where, const law& x) {
  if (where.ideal() != nullptr) return entropy_by_field(*where.ideal(), x);
  const stored_variable stored{where.number()->format, where.number()->rule, x};
  return entropy_by_field(stored, exact_leading_entropy(stored)).fields;
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
  const law x = with_stored_atoms(stored);
  return of_code + joined({mass_in(x, {-below.right, -below.left}),
                           mass_in(x, above) + mass_alone(stored, 0)});
}

bounded<double> mass_beyond_max(const stored_variable& stored) {
  const number_format& format = stored.format;
  const std::uint64_t last = format.largest(true);
  const wide lowest = format.is_signed() ? -format.run_of(last).value(last) : wide(0.0);
  bounded<double> mass = mass_of_parts(stored.x, {-infinity, lowest}) +
                         mass_of_parts(stored.x, {format.max(), infinity});
  for (const law_atom& one : atoms_of(stored.x)) {
    const bool is_beyond = wide(one.at) < lowest || wide(one.at) > format.max();
    if (is_beyond) mass += bounded<double>{one.mass, 0x1p-49 * one.mass};
  }
  return mass;
}

stored_masses masses_of(const stored_variable& stored) {
  if (stored.rule.by_chance) return stochastic_code{stored}.masses();
  const number_format& format = stored.format;
  const law x = with_stored_atoms(stored);
  stored_masses masses{exactly(0.0), exactly(0.0), mass_beyond_max(stored)};
  const bool has_zero = format.fields().zero != zeros::none;
  if (has_zero) {
    const wide above = cell_of(format, stored.rule, false, 0, 0).right;
    const wide below = cell_of(format, stored.rule, true, 0, 0).right;
    const bool is_lowest = !format.is_signed() && stored.rule.beyond == overflow::saturate;
    masses.zero = mass_in(x, {is_lowest ? wide(-infinity) : -below, above}) + mass_alone(stored, 0);
  }
  if (format.kind() == family::floating) {
    const bounded<double> exponent_zero = mass_with_exponent(stored, x, 0);
    const bool is_counted = format.fields().subnormals || !has_zero;
    if (is_counted) masses.subnormal = exponent_zero - masses.zero;
    masses.subnormal.value = std::max(0.0, masses.subnormal.value);
  }
  return masses;
}

bounded<bits> mapped_entropy(const stored_variable& stored,
                             const std::function<std::uint64_t(std::uint64_t)>& of) {
  if (stored.format.width() > most_listed_bits || stored.rule.by_chance) {
    throw std::domain_error("mapped entropy: expected at most " + std::to_string(most_listed_bits) +
                            " bits and nothing left to chance, got " + stored.format.name() + ", " +
                            name_of_rounding(stored.rule));
  }
  std::map<std::uint64_t, bounded<double>> masses;
  const auto add = [&](std::uint64_t code, const bounded<double>& mass) {
    masses.try_emplace(of(code), exactly(0.0)).first->second += mass;
  };
  for_each_code(stored, [&](std::uint64_t code, const interval& part) {
    add(code, mass_of_parts(stored.x, part));
  });
  for (const law_atom& one : atoms_of(stored.x)) {
    add(stored.format.quantize(one.at, stored.rule), {one.mass, 0x1p-49 * one.mass});
  }
  plain_sum sum;
  for (const auto& [key, mass] : masses) sum.add(mass);
  return sum.entropy(static_cast<double>(masses.size()));
}

std::optional<bounded<bits>> marginal_entropy(const stored_variable& stored, std::uint64_t mask) {
  if (stored.format.width() > most_listed_bits) return wide_marginal(stored, mask);
  if (stored.rule.by_chance) return stochastic_code{stored}.marginal(mask);
  return mapped_entropy(stored, [mask](std::uint64_t code) { return code & mask; });
}

}  // namespace ktln2
