#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <cstring>
#include <numbers>

namespace ktln2 {

/// A real number with about 106 significant bits and an exponent that does not overflow.
///     value = (high + low) · 2^exponent,   1 ≤ |high| < 2,  |low| ≤ ulp(high)/2
/// Registers need both: with p = 64 a cell edge has 65 significant bits, and with E = 15 the
/// largest value is near 2^16385. Sums, products, quotients and roots are rounded to about 2^-103
/// relative; sums that fit in 105 bits and products with powers of two are exact. Infinities are
/// kept.
class wide {
 public:
  constexpr wide() = default;
  wide(double value)  // NOLINT(google-explicit-constructor): every double is a wide, exactly
      : wide(value, 0.0, 0) {}
  /// (high + low) · 2^exponent for any |low| ≤ |high|.
  wide(double high, double low, int exponent);
  /// integer · 2^exponent, exactly.
  static wide from_integer(std::uint64_t integer, int exponent = 0) {
    const std::uint64_t low = integer & 0xffffffffU;
    const auto high = static_cast<double>(integer - low);  // 32 significant bits: exact
    return high == 0 ? wide(static_cast<double>(low), 0.0, exponent)
                     : wide(high, static_cast<double>(low), exponent);
  }

  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] int exponent() const { return exponent_; }
  [[nodiscard]] bool is_zero() const { return high_ == 0; }
  [[nodiscard]] bool is_infinite() const { return std::isinf(high_); }
  /// The nearest double (within one unit of the last place where that is subnormal); ±infinity
  /// beyond double's range.
  [[nodiscard]] double to_double() const { return std::scalbn(high_, exponent_); }
  /// this · 2^k
  [[nodiscard]] wide scaled(int k) const {
    wide result = *this;
    if (!is_zero() && !is_infinite()) result.exponent_ += k;
    return result;
  }

  friend wide operator-(const wide& a) {
    wide negated = a;
    negated.high_ = -a.high_;
    negated.low_ = -a.low_;
    return negated;
  }
  friend wide operator+(const wide& a, const wide& b);
  friend wide operator-(const wide& a, const wide& b) { return a + -b; }
  friend wide operator*(const wide& a, const wide& b);
  friend wide operator/(const wide& a, const wide& b);
  friend bool operator==(const wide& a, const wide& b) = default;
  friend std::partial_ordering operator<=>(const wide& a, const wide& b) {
    if (a.is_infinite() && b.is_infinite()) return a.high_ <=> b.high_;
    return (a - b).high_ <=> 0.0;
  }

 private:
  double high_ = 0;
  double low_ = 0;
  int exponent_ = 0;
};

inline wide abs(const wide& a) { return a.high() < 0 ? -a : a; }
inline wide midpoint(const wide& a, const wide& b) { return (a + b).scaled(-1); }
/// ln a for a > 0, also beyond double's range.
inline double log(const wide& a) { return std::log(a.high()) + a.exponent() * std::numbers::ln2; }

/// For a ≥ 0.
inline wide sqrt(const wide& a) {
  if (a.is_zero() || a.is_infinite()) return a;
  const int half = a.exponent() >> 1;
  const wide reduced = a.scaled(-2 * half);  // from 1 to 4
  const wide guess = std::sqrt(reduced.to_double());
  return (guess + (reduced - guess * guess) / guess.scaled(1)).scaled(half);  // Newton's step
}

/// width / scale to within two ulps; 0 or ±infinity where the quotient leaves double's range.
/// Needs a finite scale > 0.
double ratio(const wide& width, const wide& scale);

// Below: what the hot paths of the entropy engine want inlined.

namespace detail {

/// x · 2^k, without a call where 2^k is a normal double.
inline double times_power_of_two(double x, int k) {
  if (k < -1022 || k > 1023) return std::scalbn(x, k);
  const std::uint64_t pattern = static_cast<std::uint64_t>(k + 1023) << 52;
  double power = 0;
  std::memcpy(&power, &pattern, sizeof power);
  return x * power;
}

/// floor(log2 |x|) for finite x ≠ 0.
inline int binary_exponent(double x) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, &x, sizeof pattern);
  const auto biased = static_cast<int>((pattern >> 52) & 0x7ff);
  return biased == 0 ? std::ilogb(x) : biased - 1023;
}

struct exact_sum {
  double sum;
  double error;
};

/// Knuth's two-sum: sum + error = a + b exactly.
inline exact_sum two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// Dekker's fast two-sum, for |a| ≥ |b|.
inline exact_sum fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

}  // namespace detail

inline wide::wide(double high, double low, int exponent) {
  const auto [sum, error] = detail::fast_two_sum(high, low);
  if (sum == 0) return;
  if (!std::isfinite(sum)) {
    high_ = high;
    return;
  }
  const int shift = detail::binary_exponent(sum);
  high_ = detail::times_power_of_two(sum, -shift);
  low_ = detail::times_power_of_two(error, -shift);
  exponent_ = exponent + shift;
}

inline wide operator+(const wide& a, const wide& b) {
  if (a.is_zero() || b.is_infinite()) return b;
  if (b.is_zero() || a.is_infinite()) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  const int shift = b.exponent_ - a.exponent_;
  if (shift < -120) return a;  // b is below the last bit that a keeps
  const auto [high, high_error] =
      detail::two_sum(a.high_, detail::times_power_of_two(b.high_, shift));
  const auto [low, low_error] = detail::two_sum(a.low_, detail::times_power_of_two(b.low_, shift));
  const auto [sum, error] = detail::two_sum(high, high_error + low);
  return {sum, error + low_error, a.exponent_};
}

inline wide operator*(const wide& a, const wide& b) {
  if (a.is_zero() || b.is_zero()) return {};
  const double product = a.high_ * b.high_;
  if (!std::isfinite(product)) return product;
  const double error = std::fma(a.high_, b.high_, -product);
  return {product, error + (a.high_ * b.low_ + a.low_ * b.high_), a.exponent_ + b.exponent_};
}

inline wide operator/(const wide& a, const wide& b) {
  if (a.is_zero() || a.is_infinite()) return a.high() / b.high();
  if (b.is_infinite()) return {};
  // As in long division, three digits of 53 bits.
  wide rest = a;
  wide quotient;
  for (int digit = 0; digit < 3 && !rest.is_zero(); ++digit) {
    const wide next{rest.high() / b.high(), 0.0, rest.exponent() - b.exponent()};
    quotient = quotient + next;
    rest = rest - next * b;
  }
  return quotient;
}

inline double ratio(const wide& width, const wide& scale) {
  if (width.is_infinite()) return width.high();
  return detail::times_power_of_two(width.high() / scale.high(),
                                    width.exponent() - scale.exponent());
}

}  // namespace ktln2
