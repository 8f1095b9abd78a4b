#include "data/table_cell.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

#include "core/parse.hpp"

namespace ktln2::data {
namespace {

/// The longest text that is looked at as a number.
constexpr std::size_t longest_number = 400;

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 5> words{"na", "n/a", "nan", "null", "none"};
  const auto is_same = [text](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  };
  return text.empty() || std::any_of(words.begin(), words.end(), is_same);
}

/// Decimal, or an infinity. No sign but one '-', which may follow no '+'.
cell plain_number(std::string_view text) {
  using kind = cell::kind;
  double value = 0;
#ifdef __cpp_lib_to_chars
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size())
    return {kind::text};
  if (problem == std::errc::result_out_of_range) return {kind::beyond};
#else
  // What strtod takes besides: blanks, '+' and hexadecimal
  if (text.empty() || text.find_first_of(" \t+xX") == 0 || text.find_first_of("xX") < 3) {
    return {kind::text};
  }
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return {kind::text};
  if (std::isinf(value) && text.find_first_of("iI") == std::string_view::npos)
    return {kind::beyond};
#endif
  if (std::isnan(value)) return {kind::missing};
  return {kind::number, value};
}

/// With one comma for the point.
cell comma_number(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return {cell::kind::text};
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  return plain_number(pointed);
}

}  // namespace

cell parse_cell(std::string_view text, bool decimal_comma) {
  text = trimmed(text);
  if (is_missing(text)) return {cell::kind::missing};
  if (text.size() > longest_number) return {cell::kind::text};
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (decimal_comma) return comma_number(text);
  const cell plain = plain_number(text);
  const bool may_have_comma =
      plain.what == cell::kind::text && text.find(',') != std::string_view::npos;
  if (may_have_comma && comma_number(text).what == cell::kind::number) {
    return {cell::kind::decimal_comma};
  }
  return plain;
}

}  // namespace ktln2::data
