#include "core/parse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace ktln2 {
namespace {

[[noreturn]] void refuse(std::string_view where, const std::string& what) {
  throw std::domain_error(std::string(where) + ": " + what);
}

std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
  return n;
}

/// [+-] digits [. digits] [e [+-] digits], with a digit before or after the point.
bool is_decimal(std::string_view text) {
  const auto skip_sign = [&text] {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  };
  skip_sign();
  std::size_t digits = count_digits(text);
  text.remove_prefix(digits);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t decimals = count_digits(text);
    text.remove_prefix(decimals);
    digits += decimals;
  }
  if (digits == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    skip_sign();
    const std::size_t exponent_digits = count_digits(text);
    if (exponent_digits == 0) return false;
    text.remove_prefix(exponent_digits);
  }
  return text.empty();
}

bool has_nonzero_digit(std::string_view text) {
  const std::string_view significand = text.substr(0, text.find_first_of("eE"));
  return significand.find_first_of("123456789") != std::string_view::npos;
}

}  // namespace

double parse_number(std::string_view where, std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  if (!is_decimal(text)) refuse(where, "expected a number, got " + quoted);
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(value) || (value == 0 && has_nonzero_digit(text))) {
    refuse(where, quoted + " is beyond the range of double precision");
  }
  return value;
}

uint128 parse_count(std::string_view where, std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  if (!is_decimal(text) || text.starts_with('-')) {
    refuse(where, "expected a whole number, got " + quoted);
  }
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  long power = e == std::string_view::npos
                   ? 0
                   : std::strtol(std::string(text.substr(e + 1)).c_str(), nullptr, 10);
  power = std::clamp(power, -1'000'000'000L, 1'000'000'000L);  // strtol's own limits would overflow
  std::string digits;
  bool after_point = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      after_point = true;
    } else {
      digits += c;
      if (after_point) --power;
    }
  }
  for (; power < 0 && digits.size() > 1 && digits.back() == '0'; ++power) digits.pop_back();
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits == "0") return 0;
  if (power < 0) refuse(where, "expected a whole number, got " + quoted);
  if (power > 38 || digits.size() + static_cast<std::size_t>(power) > 38) {
    refuse(where, quoted + " is too large");
  }
  digits.append(static_cast<std::size_t>(power), '0');
  uint128 value = 0;
  for (const char c : digits) value = 10 * value + static_cast<unsigned>(c - '0');
  return value;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<numbered_line> line_reader::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    line = trimmed(line.substr(0, line.find('#')));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (!line.empty()) return numbered_line{number_, line};
  }
  return {};
}

std::string_view take_column(std::string_view& rest) {
  constexpr std::string_view between = " \t\r,";
  const std::size_t begin = std::min(rest.find_first_not_of(between), rest.size());
  const std::size_t end = std::min(rest.find_first_of(between, begin), rest.size());
  const std::string_view column = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return column;
}

described parse_described(std::string_view text) {
  const std::size_t colon = text.find(':');
  described result{std::string(text.substr(0, colon)), {}};
  if (result.name.empty())
    refuse("distribution",
           "expected a name such as normal:mu=0,sigma=1, got '" + std::string(text) + "'");
  if (colon == std::string_view::npos) return result;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse(result.name, "expected key=value, got '" + std::string(item) + "'");
    }
    const std::string key(item.substr(0, equals));
    for (const auto& earlier : result.settings) {
      if (earlier.key == key) refuse(result.name, "key '" + key + "' is given twice");
    }
    const std::string value(item.substr(equals + 1));
    if (value.empty()) refuse(result.name + ": " + key, "expected a value, got ''");
    result.settings.push_back({key, value});
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

void fill_settings(const described& given, std::initializer_list<slot> slots) {
  for (const auto& setting : given.settings) {
    const slot* match = nullptr;
    std::string known;
    for (const slot& candidate : slots) {
      if (candidate.key == setting.key) match = &candidate;
      known += (known.empty() ? "" : ", ") + std::string(candidate.key);
    }
    if (match == nullptr) {
      throw std::domain_error(given.name + ": unknown key '" + setting.key + "': expected " +
                              known);
    }
    if (auto* const* text = std::get_if<std::string*>(&match->value)) {
      **text = setting.text;
    } else {
      *std::get<double*>(match->value) =
          parse_number(given.name + ": " + setting.key, setting.text);
    }
  }
}

}  // namespace ktln2
