#include "output.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

#include "ktln2/core/version.hpp"

namespace ktln2::cli {
namespace {

std::vector<std::string>& warnings() {
  static std::vector<std::string> list;
  return list;
}

/// The 17 leading digits of |value|, rounded, and the power of ten of the first one.
std::pair<std::string, int> leading_digits(const wide& value) {
  // A wide has at most 160 bits, 17 digits need 57: 256 leave no doubt about the last one.
  using big = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>>;
  static std::map<int, big> powers_of_ten;  // long lists need the same few again and again
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

/// Two significant digits are enough for an error.
std::string rounded_error(double error) { return fmt::format("{:.1e}", error); }

bool looks_numeric(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.einfa% <") == std::string::npos;
}

/// Characters on the screen, not bytes.
std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace

json_value number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == std::floor(value) && std::fabs(value) <= 0x1p53) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

json_value number(const wide& value) {
  if (value.is_infinite() || fits_double(value)) return number(value.to_double());
  return decimal(value);
}

json_value number(register_code code) {
  if (code >> 64 == 0) return static_cast<std::uint64_t>(code);
  return digits(code);
}

std::string decimal(const wide& value) {
  if (value.is_infinite() || fits_double(value)) return fmt::format("{}", value.to_double());
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

std::string with_error(bounded<bits> value) {
  const double error = value.error.value();
  const int decimals =
      error > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(error))), 0, 17) : 17;
  if (value.how == evidence::proved) {
    // What is shown is proved too: one digit more, its rounding in the bar, and the bar rounded up,
    // since two digits of it are off by less than 6 %.
    const double shown = 1.06 * (error + 0.5 * std::pow(10.0, -(decimals + 1)));
    return fmt::format("{:.{}f} ± {}", value.value.value(), decimals + 1, rounded_error(shown));
  }
  return fmt::format("{:.{}f} ± {}", value.value.value(), decimals, rounded_error(error));
}

std::string table::text() const {
  std::vector<std::size_t> width(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  std::string result;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& entry = rows_[r][i];
      const std::string pad(width[i] - columns(entry), ' ');
      const bool right = looks_numeric(rows_.size() > 1 ? rows_[r == 0 ? 1 : r][i] : entry);
      line += (i == 0 ? "  " : "   ") + (right ? pad + entry : entry + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string table::csv() const {
  std::string result;
  for (const auto& row : rows_) {
    std::string line;
    for (const std::string& entry : row) {
      const bool quoted = entry.find_first_of(",\"\n") != std::string::npos;
      std::string escaped = entry;
      for (std::size_t at = 0; (at = escaped.find('"', at)) != std::string::npos; at += 2) {
        escaped.insert(at, "\"");
      }
      line += (&entry == &row.front() ? "" : ",") + (quoted ? '"' + escaped + '"' : entry);
    }
    result += line + "\n";
  }
  return result;
}

json_value report(std::string_view command) {
  return {{"program", "ktln2"}, {"version", version}, {"command", command}};
}

void print_json(json_value object) {
  object["warnings"] = warnings();
  print(object.dump(2) + "\n");
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    throw std::runtime_error("cannot write to standard output");
  }
}

void warn(std::string_view text) {
  fmt::print(stderr, "ktln2: warning: {}\n", text);
  warnings().emplace_back(text);
}

}  // namespace ktln2::cli
