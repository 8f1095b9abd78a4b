#pragma once

#include <arb.h>
#include <arb_hypgeom.h>

#include <cstdint>
#include <utility>

namespace ktln2::certificate {

/// A real number known to lie in an interval: Arb's midpoint and radius. Every operation encloses
/// the exact result for all numbers in its operands. The midpoints are rounded to the bits that the
/// innermost `working_precision` asks for.
class ball {
 public:
  ball() { arb_init(value_); }
  ball(double exact) : ball() {  // NOLINT(google-explicit-constructor): every double is a ball
    arb_set_d(value_, exact);
  }
  static ball from_integer(std::uint64_t exact) {
    ball result;
    arb_set_ui(result.value_, exact);
    return result;
  }
  ball(const ball& other) : ball() { arb_set(value_, other.value_); }
  ball(ball&& other) noexcept : ball() { arb_swap(value_, other.value_); }
  ball& operator=(const ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  ball& operator=(ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~ball() { arb_clear(value_); }

  [[nodiscard]] arb_ptr raw() { return value_; }
  [[nodiscard]] arb_srcptr raw() const { return value_; }
  static slong& precision() {
    thread_local slong bits = 128;
    return bits;
  }

  ball& operator+=(const ball& b) {
    arb_add(value_, value_, b.value_, precision());
    return *this;
  }
  ball& operator-=(const ball& b) {
    arb_sub(value_, value_, b.value_, precision());
    return *this;
  }
  ball& operator*=(const ball& b) {
    arb_mul(value_, value_, b.value_, precision());
    return *this;
  }
  ball& operator/=(const ball& b) {
    arb_div(value_, value_, b.value_, precision());
    return *this;
  }
  friend ball operator+(ball a, const ball& b) { return std::move(a += b); }
  friend ball operator-(ball a, const ball& b) { return std::move(a -= b); }
  friend ball operator*(ball a, const ball& b) { return std::move(a *= b); }
  friend ball operator/(ball a, const ball& b) { return std::move(a /= b); }
  friend ball operator-(ball a) {
    arb_neg(a.value_, a.value_);
    return a;
  }

  /// this · 2^k, exactly
  [[nodiscard]] ball scaled(long k) const {
    ball result;
    arb_mul_2exp_si(result.value_, value_, k);
    return result;
  }
  /// All numbers within |error| of this.
  [[nodiscard]] ball widened(const ball& error) const {
    ball result = *this;
    arb_add_error(result.value_, error.value_);
    return result;
  }
  /// One number that is not below (not above) any of this.
  [[nodiscard]] ball upper() const {
    ball result;
    arb_get_ubound_arf(arb_midref(result.value_), value_, precision());
    return result;
  }
  [[nodiscard]] ball lower() const {
    ball result;
    arb_get_lbound_arf(arb_midref(result.value_), value_, precision());
    return result;
  }
  [[nodiscard]] ball radius() const {
    ball result;
    arb_get_rad_arb(result.value_, value_);
    return result;
  }
  /// A double that is not below any number of this.
  [[nodiscard]] double upper_double() const {
    return arf_get_d(arb_midref(upper().value_), ARF_RND_CEIL);
  }
  /// The double next to the midpoint.
  [[nodiscard]] double middle() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }
  [[nodiscard]] bool is_finite() const { return arb_is_finite(value_) != 0; }

 private:
  arb_t value_{};
};

/// Certainly: for all numbers in the one and in the other.
inline bool operator<(const ball& a, const ball& b) { return arb_lt(a.raw(), b.raw()) != 0; }
inline bool operator<=(const ball& a, const ball& b) { return arb_le(a.raw(), b.raw()) != 0; }

/// Sets the bits of midpoints for as long as it lives.
class working_precision {
 public:
  explicit working_precision(slong bits) : before_{std::exchange(ball::precision(), bits)} {}
  ~working_precision() { ball::precision() = before_; }
  working_precision(const working_precision&) = delete;
  working_precision(working_precision&&) = delete;
  working_precision& operator=(const working_precision&) = delete;
  working_precision& operator=(working_precision&&) = delete;

 private:
  slong before_;
};

inline ball exp(const ball& a) {
  ball result;
  arb_exp(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball log(const ball& a) {
  ball result;
  arb_log(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball expm1(const ball& a) {
  ball result;
  arb_expm1(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball log1p(const ball& a) {
  ball result;
  arb_log1p(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball sqrt(const ball& a) {
  ball result;
  arb_sqrt(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball square(const ball& a) {
  ball result;
  arb_sqr(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball power(const ball& a, unsigned long exponent) {
  ball result;
  arb_pow_ui(result.raw(), a.raw(), exponent, ball::precision());
  return result;
}
inline ball abs(const ball& a) {
  ball result;
  arb_abs(result.raw(), a.raw());
  return result;
}
/// The larger (smaller) one, also where the two overlap.
inline ball max(const ball& a, const ball& b) {
  ball result;
  arb_max(result.raw(), a.raw(), b.raw(), ball::precision());
  return result;
}
inline ball min(const ball& a, const ball& b) {
  ball result;
  arb_min(result.raw(), a.raw(), b.raw(), ball::precision());
  return result;
}
/// All numbers from the lowest of a to the highest of b.
inline ball hull(const ball& a, const ball& b) {
  ball result;
  arb_union(result.raw(), a.raw(), b.raw(), ball::precision());
  return result;
}
inline ball sinh(const ball& a) {
  ball result;
  arb_sinh(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball cosh(const ball& a) {
  ball result;
  arb_cosh(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball cos(const ball& a) {
  ball result;
  arb_cos(result.raw(), a.raw(), ball::precision());
  return result;
}
inline ball pi() {
  ball result;
  arb_const_pi(result.raw(), ball::precision());
  return result;
}
inline ball ln2() {
  ball result;
  arb_const_log2(result.raw(), ball::precision());
  return result;
}

/// -P ln P
inline ball surprise(const ball& probability) {
  if (ball(0.0) < probability) return -(probability * log(probability));
  // Between 0 and some small number: -P ln P rises up to P = 1/e, where it is 1/e.
  const ball one_over_e = exp(-1.0);
  const ball most = max(probability.upper(), 0.0);
  if (arb_is_zero(most.raw()) != 0) return 0.0;
  return hull(0.0, most < one_over_e ? -(most * log(most)) : one_over_e);
}

}  // namespace ktln2::certificate
