#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "format/number_kernel.hpp"
#include "ktln2/format/number_format.hpp"

/// A format in the terms of the kernels.
namespace ktln2::kernel {

/// How the bits of a double or a float go together with the codes of a floating-point format.
template <class Word>
struct number_grid {
  using real = std::numeric_limits<real_of<Word>>;
  static constexpr int digits = real::digits;
  static constexpr int least = real::min_exponent - 1;  ///< exponent of the smallest normal one
  static constexpr int bias = 1 - least;
  static constexpr Word infinity = Word{2 * bias + 1} << (digits - 1);

  explicit number_grid(const number_format& format)
      : p{format.fields().p},
        has_zero{format.fields().zero != float_description::zeros::none},
        first{has_zero ? std::uint64_t{1} << (p - 1) : 0},
        lowest{(has_zero ? 1 : 0) - format.fields().bias},
        largest{format.largest()} {
    const int subnormal_digits = format.fields().subnormals ? p - 1 : 0;
    // Without a zero all that is below the smallest number becomes that, so nothing may count.
    step = has_zero ? lowest - subnormal_digits : lowest + 2;
  }

  /// Whether the kernels' arithmetic holds.
  [[nodiscard]] bool fits() const {
    if (p > digits || lowest < least || largest < first || step + digits - 1 > bias) return false;
    return static_cast<std::uint64_t>(bias - lowest) >= (largest - first) >> (p - 1);
  }

  [[nodiscard]] static Word power(int exponent) {
    return static_cast<Word>(exponent + bias) << (digits - 1);
  }
  [[nodiscard]] int dropped() const { return digits - p; }
  [[nodiscard]] Word base() const {
    return static_cast<Word>((power(lowest) >> dropped()) - static_cast<Word>(first));
  }
  /// The bits of a normal number.
  [[nodiscard]] Word value(std::uint64_t magnitude) const {
    return static_cast<Word>((static_cast<Word>(magnitude) + base()) << dropped());
  }

  int p;
  bool has_zero;
  std::uint64_t first;  ///< magnitude of the smallest normal number
  int lowest;           ///< its exponent
  std::uint64_t largest;
  int step;  ///< exponent of the spacing below it
};

/// Rounding, and what becomes of the ends.
template <class Word>
number_levels<Word> rounding_levels(const number_format& format, const number_grid<Word>& grid) {
  constexpr Word all_ones = ~Word{0};
  constexpr Word sign_bit = Word{1} << (8 * sizeof(Word) - 1);
  number_levels<Word> levels{};
  levels.lowest = grid.power(grid.lowest);
  levels.magic = std::ldexp(real_of<Word>{1}, grid.step + grid.digits - 1);
  levels.magic_bits = grid.power(grid.step + grid.digits - 1);
  levels.dropped = grid.dropped();
  const Word half = levels.dropped > 0 ? Word{1} << (levels.dropped - 1) : 0;
  levels.odd = half > 0 ? 1 : 0;
  levels.flip = grid.base() & 1;
  levels.below_half = half > 0 ? half - 1 : 0;
  levels.mask = static_cast<Word>(all_ones << levels.dropped);
  // The last number that is rounded to the largest: halfway to the next one is nearer to an even
  // code.
  const Word odd_largest = levels.odd & static_cast<Word>(grid.largest);
  levels.most = grid.value(grid.largest) + half - odd_largest;
  levels.nan_above = grid.infinity;
  levels.signed_zero = format.fields().zero != float_description::zeros::one ? all_ones : 0;
  levels.refuse_nan = format.nan_code() ? 0 : all_ones;
  levels.refuse_sign = format.is_signed() ? 0 : sign_bit;
  const bool is_quick = grid.has_zero && format.is_signed() && format.fields().subnormals &&
                        grid.p > 1 && levels.dropped > 0;
  // The magic number of this exponent and of those below is finite.
  const Word most_with_magic = grid.power(grid.bias - levels.dropped + 1) - 1;
  levels.quick_most = is_quick ? std::min(levels.most, most_with_magic) : all_ones;
  return levels;
}

template <class Word>
number_levels<Word> value_levels_of(const number_format& format, const number_grid<Word>& grid,
                                    overflow beyond) {
  number_levels<Word> levels = rounding_levels(format, grid);
  levels.smallest = grid.has_zero ? 0 : levels.lowest;
  levels.beyond = beyond == overflow::saturate ? grid.value(grid.largest) : grid.infinity;
  if (beyond == overflow::to_nan) levels.nan_above = levels.most;
  levels.nan = grid.infinity | grid.infinity >> 1;  // the quiet one
  levels.sign = format.is_signed() ? Word{1} << (8 * sizeof(Word) - 1) : 0;
  return levels;
}

template <class Word>
number_levels<Word> code_levels_of(const number_format& format, const number_grid<Word>& grid,
                                   overflow beyond) {
  number_levels<Word> levels = rounding_levels(format, grid);
  levels.small_left = format.fields().subnormals ? 0 : grid.p - 1;
  levels.base = grid.base();
  levels.nan = static_cast<Word>(format.nan_code().value_or(0));
  levels.beyond = static_cast<Word>(grid.largest + (beyond == overflow::saturate ? 0 : 1));
  if (beyond == overflow::to_nan) {
    const bool has_two = format.nan_code(true) != format.nan_code(false);
    levels.beyond = levels.nan;
    if (!has_two) levels.nan_above = levels.most;
  }
  levels.sign_right = static_cast<int>(8 * sizeof(Word)) - format.width();
  levels.sign = format.is_signed() ? Word{1} << (format.width() - 1) : 0;
  return levels;
}

/// Nothing where the kernels do not do.
template <class Word>
std::optional<number_levels<Word>> number_levels_of(const number_format& format,
                                                    const storing& rule, bool values) {
  if (format.kind() != number_format::family::floating || rule.how != rounding::nearest_even) {
    return {};
  }
  const number_grid<Word> grid{format};
  // Zero is NaN only where there is no zero, and only then.
  if (!grid.fits() || (!grid.has_zero && rule.beyond == overflow::to_nan)) return {};
  return values ? value_levels_of(format, grid, rule.beyond)
                : code_levels_of(format, grid, rule.beyond);
}

}  // namespace ktln2::kernel
