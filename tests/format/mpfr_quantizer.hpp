#pragma once

#define MPFR_USE_NO_MACRO
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "ktln2/format/number_format.hpp"

/// Another quantizer, on MPFR and on the formats' own documents. It shares with the library the
/// names of the rules and nothing else: no catalogue, no fields, no runs, no `wide`.
namespace mpfr_oracle {

using ktln2::overflow;
using ktln2::rounding;

/// The layout of a format, as its document has it.
struct layout {
  enum class nans { ieee, top, negative_zero, none };

  std::string name;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  nans nan = nans::ieee;
  bool infinity = true;
  bool is_signed = true;

  [[nodiscard]] int width() const { return (is_signed ? 1 : 0) + exponent_bits + mantissa_bits; }
  [[nodiscard]] bool has_one_zero() const { return nan == nans::negative_zero || !is_signed; }
};

/// IEEE 754, the OCP specifications of 8, 6 and 4 bits, and ONNX' float8.
inline std::vector<layout> well_known() {
  using nans = layout::nans;
  return {{"binary16", 5, 10, 15},
          {"bfloat16", 8, 7, 127},
          {"tf32", 8, 10, 127},
          {"binary32", 8, 23, 127},
          {"binary64", 11, 52, 1023},
          {"e4m3", 4, 3, 7, nans::top, false},
          {"e5m2", 5, 2, 15},
          {"e3m2", 3, 2, 3, nans::none, false},
          {"e2m3", 2, 3, 1, nans::none, false},
          {"e2m1", 2, 1, 1, nans::none, false},
          {"e4m3fnuz", 4, 3, 8, nans::negative_zero, false},
          {"e5m2fnuz", 5, 2, 16, nans::negative_zero, false},
          {"e4m3b11fnuz", 4, 3, 11, nans::negative_zero, false},
          {"e4m3ieee", 4, 3, 7},
          {"e3m4", 3, 4, 3}};
}

/// IEEE P3109's binary{K}p{P}{s|u}{e|f}.
inline layout p3109(int k, int p, bool is_signed, bool extended) {
  const int exponent_bits = is_signed ? k - p : k - p + 1;
  return {"binary" + std::to_string(k) + "p" + std::to_string(p) + (is_signed ? "s" : "u") +
              (extended ? "e" : "f"),
          exponent_bits,
          p - 1,
          1 << (exponent_bits - 1),
          is_signed ? layout::nans::negative_zero : layout::nans::top,
          extended,
          is_signed};
}

/// One MPFR number.
class number {
 public:
  explicit number(mpfr_prec_t digits) { mpfr_init2(it_, digits); }
  ~number() { mpfr_clear(it_); }
  number(const number&) = delete;
  number& operator=(const number&) = delete;
  operator mpfr_ptr() { return it_; }  // NOLINT(google-explicit-constructor)

 private:
  mpfr_t it_;
};

class quantizer {
 public:
  explicit quantizer(layout format) : f_{std::move(format)}, rounded_{f_.mantissa_bits + 1} {
    const std::uint64_t top = (std::uint64_t{1} << (f_.exponent_bits + f_.mantissa_bits)) - 1;
    const std::uint64_t fractions = (std::uint64_t{1} << f_.mantissa_bits) - 1;
    sign_ = f_.is_signed ? top + 1 : 0;
    switch (f_.nan) {
      case layout::nans::ieee:  // infinity has a fraction of 0, the quiet NaN its first bit
        infinity_ = top - fractions;
        nan_ = infinity_ + (fractions + 1) / 2;
        largest_ = infinity_ - 1;
        break;
      case layout::nans::top:
        nan_ = top;
        infinity_ = top - 1;
        largest_ = top - (f_.infinity ? 2 : 1);
        break;
      default:
        nan_ = sign_;
        infinity_ = top;
        largest_ = top - (f_.infinity ? 1 : 0);
    }
  }

  [[nodiscard]] const layout& format() const { return f_; }
  [[nodiscard]] std::uint64_t largest() const { return largest_; }

  /// What a code stands for, exactly.
  [[nodiscard]] double decode(std::uint64_t code) {
    const bool negative = (code & sign_) != 0;
    const std::uint64_t m = code & ~sign_;
    const bool is_nan = f_.nan != layout::nans::none && code == nan_;
    if (is_nan || m > (f_.infinity ? infinity_ : largest_)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (f_.infinity && m == infinity_) return negative ? -HUGE_VAL : HUGE_VAL;
    set_magnitude(work_, m);
    const double size = mpfr_get_d(work_, MPFR_RNDN);
    return negative ? -size : size;
  }

  /// Halfway from one magnitude to the next.
  [[nodiscard]] double edge_above(std::uint64_t magnitude) {
    set_magnitude(work_, magnitude);
    set_magnitude(other_, magnitude + 1);
    mpfr_add(work_, work_, other_, MPFR_RNDN);
    mpfr_div_2si(work_, work_, 1, MPFR_RNDN);
    return mpfr_get_d(work_, MPFR_RNDN);
  }

  [[nodiscard]] std::uint64_t quantize(double x, rounding how, overflow rule) {
    const bool negative = std::signbit(x);
    if (std::isnan(x)) return not_a_number();
    if (std::isinf(x)) return beyond(negative, rule);
    std::uint64_t m = magnitude(x, how);
    const bool goes_inward = how == rounding::toward_zero ||
                             how == (negative ? rounding::up : rounding::down) ||
                             (how == rounding::to_odd && largest_ % 2 == 1);
    if (goes_inward) m = std::min(m, largest_);
    if (m > largest_ || (negative && !f_.is_signed && m != 0)) return beyond(negative, rule);
    return with_sign(negative, m);
  }

 private:
  [[nodiscard]] std::uint64_t not_a_number() const {
    if (f_.nan == layout::nans::none) throw std::domain_error("no NaN");
    return nan_;
  }

  [[nodiscard]] std::uint64_t with_sign(bool negative, std::uint64_t m) const {
    return negative && (m != 0 || !f_.has_one_zero()) ? m | sign_ : m;
  }

  [[nodiscard]] std::uint64_t beyond(bool negative, overflow rule) const {
    if (negative && !f_.is_signed) return rule == overflow::saturate ? 0 : not_a_number();
    if (rule == overflow::saturate) return with_sign(negative, largest_);
    if (rule == overflow::to_infinity) return with_sign(negative, infinity_);
    return f_.nan == layout::nans::top ? with_sign(negative, nan_) : nan_;
  }

  /// With an exponent that has no upper end.
  std::uint64_t magnitude(double x, rounding how) {
    if (x == 0) return 0;
    const bool is_mpfrs = how != rounding::nearest_away && how != rounding::to_odd;
    return is_mpfrs && f_.mantissa_bits > 0 ? by_subnormalizing(x, how)
                                            : by_whole_numbers(std::fabs(x), x < 0, how);
  }

  /// As MPFR emulates IEEE 754: its exponents end where the subnormal numbers do.
  std::uint64_t by_subnormalizing(double x, rounding how) {
    const mpfr_rnd_t direction = how == rounding::nearest_even  ? MPFR_RNDN
                                 : how == rounding::toward_zero ? MPFR_RNDZ
                                 : how == rounding::up          ? MPFR_RNDU
                                                                : MPFR_RNDD;
    const mpfr_exp_t before = mpfr_get_emin();
    mpfr_set_emin(lowest() - f_.mantissa_bits + 1);  // MPFR's significands are from ½ to 1
    const int inexact = mpfr_set_d(rounded_, x, direction);
    mpfr_subnormalize(rounded_, inexact, direction);
    mpfr_set_emin(before);
    if (mpfr_zero_p(rounded_) != 0) return 0;
    mpfr_abs(work_, rounded_, MPFR_RNDN);
    const int exponent = static_cast<int>(mpfr_get_exp(work_)) - 1;
    return in_units(work_, exponent);
  }

  /// In units of the spacing, with a look at what is cut off.
  std::uint64_t by_whole_numbers(double size, bool negative, rounding how) {
    mpfr_set_d(work_, size, MPFR_RNDN);
    const int exponent = static_cast<int>(mpfr_get_exp(work_)) - 1;
    const int spacing = std::max(exponent, lowest()) - f_.mantissa_bits;
    mpfr_mul_2si(work_, work_, -spacing, MPFR_RNDN);
    const bool inexact = mpfr_rint(other_, work_, MPFR_RNDZ) != 0;
    mpfr_sub(work_, work_, other_, MPFR_RNDN);
    const int side = mpfr_cmp_d(work_, 0.5);
    mpfr_mul_2si(other_, other_, spacing, MPFR_RNDN);
    const std::uint64_t m = mpfr_zero_p(other_) != 0 ? 0 : in_units(other_, exponent);
    switch (how) {
      case rounding::nearest_even:
        return m + (side > 0 || (side == 0 && m % 2 == 1) ? 1 : 0);
      case rounding::nearest_away:
        return m + (side >= 0 ? 1 : 0);
      case rounding::to_odd:
        return m + (inexact && m % 2 == 0 ? 1 : 0);
      case rounding::up:
      case rounding::down:
        return m + (inexact && negative == (how == rounding::down) ? 1 : 0);
      default:
        return m;
    }
  }

  /// The magnitude of a number that the format has, but for its largest.
  std::uint64_t in_units(mpfr_ptr value, int exponent) {
    const int level = std::max(exponent, lowest());
    mpfr_mul_2si(value, value, f_.mantissa_bits - level, MPFR_RNDN);
    if (mpfr_integer_p(value) == 0) throw std::logic_error("not a number of the format");
    return mpfr_get_ui(value, MPFR_RNDN) +
           (static_cast<std::uint64_t>(level - lowest()) << f_.mantissa_bits);
  }

  void set_magnitude(mpfr_ptr to, std::uint64_t m) const {
    const std::uint64_t hidden = std::uint64_t{1} << f_.mantissa_bits;
    const std::uint64_t biased = m >> f_.mantissa_bits;
    const std::uint64_t fraction = m & (hidden - 1);
    mpfr_set_ui(to, biased == 0 ? fraction : hidden + fraction, MPFR_RNDN);
    const int level = biased == 0 ? lowest() : static_cast<int>(biased) - f_.bias;
    mpfr_mul_2si(to, to, level - f_.mantissa_bits, MPFR_RNDN);
  }

  [[nodiscard]] int lowest() const { return 1 - f_.bias; }  // of the normal numbers' exponents

  layout f_;
  std::uint64_t sign_ = 0;
  std::uint64_t infinity_ = 0;
  std::uint64_t nan_ = 0;
  std::uint64_t largest_ = 0;
  number rounded_;
  number work_{128};
  number other_{128};
};

}  // namespace mpfr_oracle
