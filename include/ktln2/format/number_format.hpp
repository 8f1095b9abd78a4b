#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/format/lattice.hpp"

namespace ktln2 {

/// What becomes of a number whose rounded value is beyond the largest.
enum class overflow {
  saturate,  ///< the largest, also for infinities
  to_infinity,
  to_nan,
};

/// Rounding away from zero with a probability: the fraction of the spacing that |x| is above the
/// magnitude below it, or what N random bits R, as a number from 0 to 2^N - 1, make of that
/// fraction t (IEEE P3109).
struct chance {
  enum class variant {
    ideal,  ///< the probability is t
    a,      ///< away if 2^N t + R ≥ 2^N
    b,      ///< away if 2^N t + R + ½ ≥ 2^N
    c,  ///< away if 2^N t, rounded to the nearest whole number, the even one of two, + R ≥ 2^N
  };
  static constexpr int most_bits = 32;

  variant kind = variant::ideal;
  int random_bits = 0;  ///< N, of all but the ideal one; from 1 to most_bits

  /// What R must be less than.
  [[nodiscard]] std::uint64_t outcomes() const { return std::uint64_t{1} << random_bits; }
  friend bool operator==(const chance&, const chance&) = default;
};

/// How numbers come into a register.
struct storing {
  rounding how = rounding::nearest_even;
  overflow beyond = overflow::saturate;
  std::optional<chance> by_chance = {};  ///< instead of `how`

  friend bool operator==(const storing&, const storing&) = default;
};

/// Neighboring codes of equally spaced magnitudes: first … first + count - 1, the sign left out.
struct magnitude_run {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  wide start;       ///< of the first
  wide spacing;     ///< also that of the magnitude above the last one, where there is no other
  wide lower_edge;  ///< what is nearer to the magnitude below ends here

  [[nodiscard]] wide value(std::uint64_t magnitude) const {
    return start + wide::from_integer(magnitude - first) * spacing;
  }
  [[nodiscard]] std::uint64_t last() const { return first + count - 1; }
};

/// The fields of a floating-point format, as people describe their own.
struct float_description {
  enum class nan_codes { ieee, top, negative_zero, none };
  enum class zeros { signed_zero, one, none };

  int p = 24;  ///< bits of the significand, the hidden one included
  int exponent_bits = 8;
  int bias = 127;
  bool subnormals = true;
  bool infinity = true;
  nan_codes nan = nan_codes::ieee;
  zeros zero = zeros::signed_zero;
  bool is_signed = true;
};

/// A format that people own: floating point with zeros, subnormal numbers, infinities and NaNs,
/// fixed point, integers, posits. A code is a sign and a magnitude, and the magnitudes are runs of
/// equally spaced numbers, as are those of the paper's idealized format. A cheap value: copies
/// share their runs.
class number_format {
 public:
  enum class family { floating, twos_complement, posit };

  /// Throws std::domain_error that names the field. At most 64 bits.
  static number_format floating(std::string name, const float_description& fields,
                                overflow usual = overflow::to_infinity);
  /// Two's complement in units of 2^unit; perhaps without the lowest, which has no
  /// opposite.
  static number_format fixed(std::string name, int register_bits, int unit, bool has_lowest = true);
  /// The standard of 2022, es = 2. 3 to 32 bits
  static number_format posit(std::string name, int register_bits);

  [[nodiscard]] const std::string& name() const { return facts_->name; }
  [[nodiscard]] family kind() const { return facts_->kind; }
  [[nodiscard]] int width() const { return facts_->width; }  ///< bits of a register
  [[nodiscard]] bool is_signed() const { return facts_->fields.is_signed; }
  /// For a floating-point format; of the others only `is_signed` and `zero` mean something.
  [[nodiscard]] const float_description& fields() const { return facts_->fields; }

  [[nodiscard]] const std::vector<magnitude_run>& runs() const { return facts_->runs; }
  [[nodiscard]] const magnitude_run& run_of(std::uint64_t magnitude) const;
  /// The largest, on either side of zero. A format without a sign has none below.
  [[nodiscard]] std::uint64_t largest(bool negative = false) const {
    return negative ? facts_->largest_negative : facts_->largest;
  }
  [[nodiscard]] wide max() const;
  [[nodiscard]] wide min_positive() const;

  [[nodiscard]] storing usual() const { return {rounding::nearest_even, facts_->usual}; }
  [[nodiscard]] bool has(rounding how) const;
  [[nodiscard]] bool has(overflow beyond) const;
  /// Those that leave nothing to chance.
  [[nodiscard]] std::vector<rounding> roundings() const;
  [[nodiscard]] bool rounds_by_chance() const { return kind() != family::posit; }
  [[nodiscard]] std::vector<overflow> overflows() const;
  /// Throws std::domain_error that says what the format has instead.
  void require(const storing& rule) const;

  /// A finite value's code.
  [[nodiscard]] std::uint64_t code(bool negative, std::uint64_t magnitude) const;
  /// Of an infinity, if the format has them, else of NaN, if it has that.
  [[nodiscard]] std::optional<std::uint64_t> infinity_code(bool negative) const;
  /// The usual one.
  [[nodiscard]] std::optional<std::uint64_t> nan_code() const { return facts_->nan_code; }
  /// Where overflow makes a NaN: with its sign, if the format has two.
  [[nodiscard]] std::optional<std::uint64_t> nan_code(bool negative) const;

  /// What a code stands for: perhaps an infinity, nothing for NaN. Throws std::domain_error for a
  /// code of more than width() bits.
  [[nodiscard]] std::optional<wide> value(std::uint64_t code) const;
  /// Straight from the double, rounded once. Throws std::domain_error for NaN where the format has
  /// none, for a rule that it does not have, and for rounding by chance.
  [[nodiscard]] std::uint64_t quantize(double x, const storing& rule) const;
  /// By chance, with given random bits. Throws std::domain_error also for the ideal rule, which
  /// needs infinitely many, and for a number that has more bits than the rule.
  [[nodiscard]] std::uint64_t quantize(double x, const storing& rule, std::uint64_t random) const;
  [[nodiscard]] std::uint64_t quantize(double x) const { return quantize(x, usual()); }

 private:
  struct description {
    std::string name;
    family kind = family::floating;
    int width = 0;
    float_description fields;
    std::vector<magnitude_run> runs = {};
    std::uint64_t largest = 0;
    std::uint64_t largest_negative = 0;
    std::optional<std::uint64_t> nan_code = {};
    overflow usual = overflow::saturate;
  };

  explicit number_format(description facts);
  /// The magnitude that |x| = a is rounded to, perhaps one beyond the largest.
  [[nodiscard]] std::uint64_t rounded(double a, bool negative, rounding how) const;
  [[nodiscard]] std::uint64_t rounded(double a, bool negative, const chance& how,
                                      std::uint64_t random) const;
  /// The code of x, where `round` gives the magnitude of |x|.
  template <class Round>
  [[nodiscard]] std::uint64_t store(double x, overflow rule, const Round& round) const;
  [[nodiscard]] std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - facts_->width); }

  std::shared_ptr<const description> facts_;
};

/// "nearest-even" … , as the command line has them.
std::string_view name_of(rounding how);
std::string_view name_of(overflow beyond);
/// Also "stochastic", "stochastic-a:3" …
std::string name_of_rounding(const storing& rule);

}  // namespace ktln2
