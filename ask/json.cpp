#include "ask/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

namespace ktln2::ask {
namespace {

/// 10^k, known to 2^-97 relative.
wide power_of_ten(int k) {
  wide power = 1.0;
  wide square = 10.0;
  for (int left = std::abs(k); left > 0; left /= 2) {
    if (left % 2 == 1) power = power * square;
    square = square * square;
  }
  return k < 0 ? wide(1.0) / power : power;
}

/// Of a number below 2^60.
std::uint64_t whole_part(const wide& x) {
  const double high = std::floor(std::scalbn(x.high(), x.exponent()));
  const wide rest = x - wide(high);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(high) +
                                    static_cast<std::int64_t>(std::floor(rest.to_double())));
}

/// The 17 leading digits of |value|, rounded, and the power of ten of the first one. They have 57
/// bits, and what is beyond double is so long that it is never half way between two of them.
std::pair<std::string, int> leading_digits(const wide& value) {
  // Long lists need the same few powers again and again.
  static thread_local std::map<int, wide> powers_of_ten;
  const wide magnitude = abs(value);
  auto ten_exponent = static_cast<int>(std::floor(magnitude.exponent() * 0.30102999566398120));
  for (;; ++ten_exponent) {
    const int scale = 16 - ten_exponent;
    auto power = powers_of_ten.find(scale);
    if (power == powers_of_ten.end()) {
      power = powers_of_ten.emplace(scale, power_of_ten(scale)).first;
    }
    const std::string text = fmt::format("{}", whole_part(magnitude * power->second + wide(0.5)));
    if (text.size() == 17) return {text, ten_exponent};
  }
}

bool fits_double(const wide& value) {
  const double nearest = value.to_double();
  return std::isfinite(nearest) && (value.is_zero() || std::fabs(nearest) >= 0x1p-1074) &&
         (std::fabs(nearest) >= 0x1p-1022 || wide(nearest) == value);
}

}  // namespace

json number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == std::floor(value) && std::fabs(value) <= 0x1p53) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

json number(const wide& value) {
  if (value.is_infinite() || fits_double(value)) return number(value.to_double());
  return decimal(value);
}

json number(register_code code) {
  if (code >> 64 == 0) return static_cast<std::uint64_t>(code);
  return digits(code);
}

std::string decimal(const wide& value) {
  if (value.is_infinite() || fits_double(value)) return plain(value.to_double());
  auto [text, exponent] = leading_digits(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.size() > 1) text.insert(1, ".");
  return fmt::format("{}{}e{}", value.high() < 0 ? "-" : "", text, exponent);
}

std::string digits(register_code code) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(code % 10)));
    code /= 10;
  } while (code != 0);
  return text;
}

std::string text_of(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string plain(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

}  // namespace ktln2::ask
