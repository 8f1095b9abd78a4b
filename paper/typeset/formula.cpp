#include "paper/typeset/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  std::string formula;  // not written yet
  // A formula keeps the punctuation on both sides on its line.
  const auto write_formula = [&](std::string_view after) {
    if (formula.empty()) return;
    const bool has_bracket = result.ends_with('(');
    if (has_bracket) result.pop_back();
    const std::string together = (has_bracket ? "(" : "") + formula + std::string(after);
    const bool is_alone = together.size() == formula.size();
    result += is_alone ? together : R"(<span class="together">)" + together + "</span>";
    formula.clear();
  };
  split_prose(
      prose,
      [&](std::string_view text) {
        const std::size_t words =
            formula.empty() ? 0 : std::min(text.find_first_not_of(",.;:)%"), text.size());
        write_formula(text.substr(0, words));
        result += escape_html(text.substr(words));
      },
      [&](std::string_view tex) {
        write_formula("");
        formula = to_mathml(tex, false);
      },
      [&](std::string_view text) {
        write_formula("");
        result += "<code>" + escape_html(text) + "</code>";
      });
  write_formula("");
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
