#include "ask/json.hpp"

#include <fmt/format.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace ktln2::ask {
namespace {

/// The 17 leading digits of |value|, rounded, and the power of ten of the first one.
std::pair<std::string, int> leading_digits(const wide& value) {
  // A wide has at most 160 bits, 17 digits need 57: 256 leave no doubt about the last one.
  using big = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>>;
  // Long lists need the same few powers again and again.
  static thread_local std::map<int, big> powers_of_ten;
  const wide magnitude = abs(value);
  const big exact = ldexp(big(magnitude.high()) + big(magnitude.low()), magnitude.exponent());
  auto ten_exponent = static_cast<int>(std::floor(magnitude.exponent() * 0.30102999566398120));
  for (;; ++ten_exponent) {
    const int scale = 16 - ten_exponent;
    auto power = powers_of_ten.find(scale);
    if (power == powers_of_ten.end()) {
      power = powers_of_ten.emplace(scale, pow(big(10), scale)).first;
    }
    const std::string text =
        fmt::format("{}", (exact * power->second + 0.5).convert_to<std::uint64_t>());
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
