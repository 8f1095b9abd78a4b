#include "ktln2/format/float_format.hpp"

#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "format/single_level.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// √2 to 106 bits.
wide sqrt2() { return {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0}; }

[[noreturn]] void unknown_format(std::string_view name) {
  throw std::domain_error("unknown format '" + std::string(name) +
                          "': expected p<P>e<E> with P from 1 to 64 and E from 0 to 15, such as "
                          "p24e8");
}

/// Reads one or two digits without a leading zero ("0" itself is fine) off the front of `text`.
int take_number(std::string_view& text, std::string_view name) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 2 || (digits == 2 && text[0] == '0')) unknown_format(name);
  int number = 0;
  for (const char digit : text.substr(0, digits)) number = 10 * number + (digit - '0');
  text.remove_prefix(digits);
  return number;
}

}  // namespace

float_format::float_format(int p, int exponent_bits) : p_{p}, exponent_bits_{exponent_bits} {
  require_in_range("format", "p", p, 1, 64);
  require_in_range("format", "E", exponent_bits, 0, 15);
  smallest_ = exponent_bits == 0 ? sqrt2() : wide(1.0).scaled(static_cast<int>(emin()));
  largest_ = smallest_.scaled(1) - smallest_.scaled(1 - p);
}

float_format float_format::parse(std::string_view name) {
  std::string_view rest = name;
  if (!rest.starts_with('p') && !rest.starts_with('P')) unknown_format(name);
  rest.remove_prefix(1);
  const int p = take_number(rest, name);
  if (!rest.starts_with('e') && !rest.starts_with('E')) unknown_format(name);
  rest.remove_prefix(1);
  const int exponent_bits = take_number(rest, name);
  if (!rest.empty()) unknown_format(name);
  return {p, exponent_bits};
}

std::string float_format::name() const {
  return "p" + std::to_string(p_) + "e" + std::to_string(exponent_bits_);
}

double float_format::emin() const {
  return exponent_bits_ == 0 ? 0.5 : 1 - std::scalbn(1.0, exponent_bits_ - 1);
}

double float_format::emax() const {
  return exponent_bits_ == 0 ? 0.5 : std::scalbn(1.0, exponent_bits_ - 1);
}

lattice_run float_format::run(std::size_t index) const {
  const std::size_t levels = run_count() / 2;
  const bool negative = index < levels;
  const auto level = static_cast<int>(negative ? levels - 1 - index : index - levels);
  const std::uint64_t count = std::uint64_t{1} << (p_ - 1);
  const wide first = smallest_.scaled(level);
  const wide last = largest_.scaled(level);
  const wide spacing = smallest_.scaled(level - (p_ - 1));
  if (negative) return {-last, -first, spacing, count};
  return {first, last, spacing, count};
}

wide float_format::min_positive() const { return smallest_; }

wide float_format::max() const { return run(run_count() - 1).last; }

wide float_format::granular_edge() const {
  const lattice_run top = run(run_count() - 1);
  return top.last + top.spacing.scaled(-1);
}

wide float_format::value_at(register_code i) const {
  if (i < 1 || i > size()) throw std::domain_error("format " + name() + ": index out of 1 … K");
  const register_code half = size() / 2;
  // Ascending order is the code's order for the positive values and its mirror for the negative.
  return value(decode(i > half ? i - half - 1 : size() - i));
}

register_fields float_format::quantize(double x) const {
  if (std::isnan(x)) throw std::domain_error("quantize: x must be a number, got nan");
  const std::uint64_t hidden = std::uint64_t{1} << (p_ - 1);
  const register_fields largest{x < 0, (1U << exponent_bits_) - 1, hidden - 1};
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return largest;

  if (exponent_bits_ == 0) {
    return {x < 0, 0, single_level::nearest_significand(magnitude, p_) - hidden};
  }

  const auto lowest = static_cast<int>(emin());
  const auto highest = static_cast<int>(emax());
  if (magnitude == 0 || std::ilogb(magnitude) < lowest) return {x < 0, 0, 0};
  int exponent = std::ilogb(magnitude);
  if (exponent > highest) return largest;
  auto significand =
      static_cast<std::uint64_t>(std::scalbn(magnitude, double_digits - 1 - exponent));
  if (p_ >= double_digits) {
    significand <<= p_ - double_digits;
  } else {
    const int dropped = double_digits - p_;
    significand = (significand + (std::uint64_t{1} << (dropped - 1))) >> dropped;
  }
  if (p_ < double_digits && significand == 2 * hidden) {  // rounded up to the next exponent level
    significand = hidden;
    if (++exponent > highest) return largest;
  }
  return {x < 0, static_cast<std::uint32_t>(exponent - lowest), significand - hidden};
}

wide float_format::value(const register_fields& fields) const {
  const std::uint64_t hidden = std::uint64_t{1} << (p_ - 1);
  const wide magnitude = (wide::from_integer(hidden + fields.mantissa, 1 - p_) * smallest_)
                             .scaled(static_cast<int>(fields.exponent));
  return fields.negative ? -magnitude : magnitude;
}

register_code float_format::encode(const register_fields& fields) const {
  const register_code sign = fields.negative ? 1 : 0;
  return (((sign << exponent_bits_) | fields.exponent) << (p_ - 1)) | fields.mantissa;
}

register_fields float_format::decode(register_code code) const {
  if (code >= size()) throw std::domain_error("format " + name() + ": code out of 0 … K-1");
  const register_code exponent = code >> (p_ - 1);
  const register_code exponent_mask = (register_code{1} << exponent_bits_) - 1;
  const register_code mantissa_mask = (register_code{1} << (p_ - 1)) - 1;
  return {(code >> (width() - 1)) != 0, static_cast<std::uint32_t>(exponent & exponent_mask),
          static_cast<std::uint64_t>(code & mantissa_mask)};
}

}  // namespace ktln2
