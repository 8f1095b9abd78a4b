#include "data/table_cell.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/parse.hpp"
#include "data/decimal.hpp"

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

/// With one comma for the point.
cell comma_number(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return {cell::kind::text};
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  return decimal(pointed);
}

}  // namespace

cell parse_cell(std::string_view text, bool decimal_comma) {
  text = trimmed(text);
  if (is_missing(text)) return {cell::kind::missing};
  if (text.size() > longest_number) return {cell::kind::text};
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (decimal_comma) return comma_number(text);
  const cell plain = decimal(text);
  const bool may_have_comma =
      plain.what == cell::kind::text && text.find(',') != std::string_view::npos;
  if (may_have_comma && comma_number(text).what == cell::kind::number) {
    return {cell::kind::decimal_comma};
  }
  return plain;
}

}  // namespace ktln2::data
