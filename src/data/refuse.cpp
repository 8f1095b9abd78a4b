#include "data/refuse.hpp"

#include <algorithm>
#include <cstddef>

#include "ktln2/data/tensor.hpp"

namespace ktln2::data {
namespace {

/// The length of the UTF-8 character at the front; 0 if there is none, also none that is longer
/// than it needs to be, half of a pair, or beyond the last.
std::size_t utf8_length(std::string_view text) {
  const auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (at(i) < 0x80 || at(i) > 0xBF) return 0;
  }
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  // The second line: U+0080 … U+009F, which old terminals obey too.
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

}  // namespace

void refuse_file(const std::string& file, const std::string& what) {
  throw file_error(file + ": " + what);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string shown = "'";
  while (!text.empty() && shown.size() <= most) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    shown += length == 0 || is_control(character) ? "?" : std::string(character);
    text.remove_prefix(character.size());
  }
  return shown + (text.empty() ? "'" : "…'");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace ktln2::data
