#include "formula.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ktln2::paper {
namespace {

/// Hands each stretch of a sentence to the function for its kind.
template <class Plain, class Formula, class Code>
void split_prose(std::string_view prose, Plain plain, Formula formula, Code code) {
  std::size_t at = 0;
  while (at < prose.size()) {
    const std::size_t mark = prose.find_first_of("$`", at);
    plain(prose.substr(at, mark == std::string_view::npos ? mark : mark - at));
    if (mark == std::string_view::npos) return;
    const std::size_t end = prose.find(prose[mark], mark + 1);
    if (end == std::string_view::npos) {
      throw std::invalid_argument(fmt::format("prose: '{}' at character {} of '{}' is never closed",
                                              prose[mark], mark + 1, prose));
    }
    const std::string_view inner = prose.substr(mark + 1, end - mark - 1);
    if (prose[mark] == '$') {
      formula(inner);
    } else {
      code(inner);
    }
    at = end + 1;
  }
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string prose_to_html(std::string_view prose) {
  std::string result;
  split_prose(
      prose, [&](std::string_view text) { result += escape_html(text); },
      [&](std::string_view tex) { result += to_mathml(tex, false); },
      [&](std::string_view text) { result += "<code>" + escape_html(text) + "</code>"; });
  return result;
}

std::string prose_to_text(std::string_view prose) {
  std::string result;
  split_prose(
      prose, [&](std::string_view text) { result += text; },
      [&](std::string_view tex) { result += to_text(tex); },
      [&](std::string_view text) { result += fmt::format("`{}`", text); });
  return result;
}

}  // namespace ktln2::paper
