#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ktln2/core/integer.hpp"
#include "ktln2/format/lattice.hpp"

namespace ktln2 {

/// Wide enough for the code of every format: p + E bits, at most 79.
using register_code = uint128;

/// What a register holds, field by field: (-1)^negative · 2^(emin + exponent) · (1 +
/// mantissa·2^(1-p)).
struct register_fields {
  bool negative = false;
  std::uint32_t exponent = 0;  ///< biased: 0 … 2^E - 1
  std::uint64_t mantissa = 0;  ///< 0 … 2^(p-1) - 1

  friend bool operator==(const register_fields&, const register_fields&) = default;
};

/// The paper's idealized floating-point format [sec:fpn_structure]: a sign, E exponent bits and
/// p - 1 stored mantissa bits; no zero, no subnormal numbers, no infinities.
///     e_min = -(2^(E-1) - 1),  e_max = 2^(E-1),  K = 2^(E+p)        [cor:gauss_fp_ent]
/// With E = 0 there is one level, with exponent 1/2: the values are ±√2 (1 + m·2^(1-p)).
///
/// Seen from outside it is a sorted sequence of lattice runs, one for each sign and exponent.
class float_format {
 public:
  /// 1 ≤ p ≤ 64, 0 ≤ E ≤ 15; throws std::domain_error otherwise.
  float_format(int p, int exponent_bits);
  /// From a name such as "p24e8"; throws std::domain_error that says what was expected.
  static float_format parse(std::string_view name);

  [[nodiscard]] int p() const { return p_; }
  [[nodiscard]] int exponent_bits() const { return exponent_bits_; }
  [[nodiscard]] int width() const { return p_ + exponent_bits_; }  ///< bits of a register
  [[nodiscard]] std::string name() const;
  [[nodiscard]] double emin() const;
  [[nodiscard]] double emax() const;
  [[nodiscard]] register_code size() const { return register_code{1} << width(); }  ///< K

  /// The runs, ascending: the negative ones from the largest exponent down, then the positive.
  [[nodiscard]] std::size_t run_count() const { return std::size_t{2} << exponent_bits_; }
  [[nodiscard]] lattice_run run(std::size_t index) const;

  [[nodiscard]] wide min_positive() const;
  [[nodiscard]] wide max() const;
  /// Right end of the granular region 𝕌 of [eq:diff_approx]: half a spacing beyond the largest
  /// value.
  [[nodiscard]] wide granular_edge() const;
  /// u_i of [cor:gauss_fp_ent], i = 1 … K in ascending order; throws std::domain_error otherwise.
  [[nodiscard]] wide value_at(register_code i) const;

  /// The quantizer [eq:sem_fp]: nearest value, ties away from zero, clipped at both ends. The
  /// formula gives +2^e_min for x = 0 (of either sign). Throws std::domain_error for NaN.
  [[nodiscard]] register_fields quantize(double x) const;

  [[nodiscard]] wide value(const register_fields& fields) const;
  /// Sign, exponent, mantissa from the top bit down.
  [[nodiscard]] register_code encode(const register_fields& fields) const;
  /// Throws std::domain_error for a code ≥ K.
  [[nodiscard]] register_fields decode(register_code code) const;

  friend bool operator==(const float_format&, const float_format&) = default;

 private:
  int p_;
  int exponent_bits_;
  wide smallest_;  ///< smallest and largest magnitude with the lowest exponent
  wide largest_;
};

}  // namespace ktln2
