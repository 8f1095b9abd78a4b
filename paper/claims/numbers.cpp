#include "paper/claims/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "core/nearest.hpp"
#include "embedded.hpp"
#include "paper/toml.hpp"

namespace ktln2::paper {
namespace {

struct numbered_label {
  std::string label;
  std::string number;  ///< "Figure 5a"
  toml::source_index line;
};

/// In the order of the paper.
const std::vector<numbered_label>& numbered_labels() {
  static const std::vector<numbered_label> all = [] {
    std::vector<numbered_label> list;
    for (const auto& [label, node] : parse_toml(embedded::numbers_toml)) {
      const auto number = node.value<std::string>();
      if (!number) throw std::logic_error(fmt::format("numbers.toml: {}: no text", label.str()));
      list.push_back({std::string(label.str()), *number, node.source().begin.line});
    }
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return a.line < b.line; });
    return list;
  }();
  return all;
}

struct kind_words {
  const char* kind;
  std::vector<std::string_view> words;  ///< as it may be written, in small letters
};

const std::vector<kind_words>& kinds_in_print() {
  static const std::vector<kind_words> all{
      {"Figure", {"figure", "fig"}},
      {"Table", {"table", "tab"}},
      {"Equation", {"equation", "eqn", "eq"}},
      {"Theorem", {"theorem", "thm"}},
      {"Lemma", {"lemma", "lem"}},
      {"Corollary", {"corollary", "cor"}},
      {"Section", {"section", "sec"}},
      {"Appendix", {"appendix", "app"}},
  };
  return all;
}

/// Small letters and digits, and between them one dot for any dots and dashes.
std::string simplified(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      result += static_cast<char>(std::tolower(letter));
    } else if ((c == '.' || c == '-') && !result.empty() && result.back() != '.') {
      result += '.';
    }
  }
  if (result.ends_with('.')) result.pop_back();
  return result;
}

/// The value of a Roman numeral; 0 if it is none.
int from_roman(std::string_view digits) {
  static constexpr std::string_view letters = "ivxlc";
  static constexpr int values[] = {1, 5, 10, 50, 100};
  int sum = 0;
  int before = 1000;
  for (const char digit : digits) {
    const std::size_t place = letters.find(digit);
    if (place == std::string_view::npos) return 0;
    const int value = values[place];
    sum += value > before ? value - 2 * before : value;
    before = value;
  }
  return sum;
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/// "iv.a2" and "4.1.2" are the same: all parts as numbers, the first one Roman or, of an appendix,
/// a letter.
std::string section_parts(const std::string& number, bool is_appendix) {
  const std::size_t end = std::min(number.find('.'), number.size());
  const std::string first = number.substr(0, end);
  const int roman = is_appendix ? 0 : from_roman(first);
  const bool is_one_letter = first.size() == 1 && is_letter(first[0]);
  std::string result = roman > 0                      ? std::to_string(roman)
                       : is_appendix && is_one_letter ? std::to_string(first[0] - 'a' + 1)
                                                      : first;
  for (std::size_t i = end; i < number.size(); ++i) {
    if (!is_letter(number[i])) {
      result += number[i];
      continue;
    }
    result += std::to_string(number[i] - 'a' + 1);
    if (i + 1 < number.size() && number[i + 1] != '.') result += '.';
  }
  return result;
}

std::string compared(const std::string& kind, std::string_view typed) {
  std::string number = simplified(typed);
  const bool is_appendix = kind == "Appendix";
  if (is_appendix || kind == "Section" || kind == "Table") {
    return section_parts(number, is_appendix);
  }
  return number;
}

}  // namespace

std::string printed_number(std::string_view label) {
  for (const numbered_label& one : numbered_labels()) {
    if (one.label == label) return one.number;
  }
  return "";
}

std::optional<printed_name> read_printed_name(std::string_view text) {
  std::size_t end = 0;
  std::string word;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[end++])));
  }
  const bool has_gap =
      end < text.size() && std::string_view(" .(~").find(text[end]) != std::string_view::npos;
  if (!has_gap) return {};  // fig:profit_ex, and any other word
  for (const kind_words& one : kinds_in_print()) {
    if (std::find(one.words.begin(), one.words.end(), word) == one.words.end()) continue;
    const std::string number = compared(one.kind, text.substr(end));
    if (!number.empty()) return printed_name{one.kind, number};
  }
  return {};
}

std::string label_printed(const printed_name& name) {
  std::vector<const numbered_label*> alike;
  for (const numbered_label& one : numbered_labels()) {
    const auto known = read_printed_name(one.number);
    if (!known || known->kind != name.kind) continue;
    if (*known == name) return one.label;
    alike.push_back(&one);
  }
  // Those with the nearest numbers, in the order of the paper.
  constexpr std::size_t most = 4;
  const auto distance = [&](const numbered_label* one) {
    const std::string number = read_printed_name(one->number)->number;
    return std::fabs(std::atof(number.c_str()) - std::atof(name.number.c_str()));
  };
  std::vector<const numbered_label*> near = alike;
  std::stable_sort(near.begin(), near.end(),
                   [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  near.resize(std::min(most, near.size()));
  std::vector<std::string> shown;
  for (const numbered_label* one : alike) {
    if (std::find(near.begin(), near.end(), one) == near.end()) continue;
    shown.push_back(fmt::format("{} ({})", one->number, one->label));
  }
  throw std::domain_error(fmt::format("the paper has no label for {} {}: it has {}", name.kind,
                                      name.number, listed(shown, "and")));
}

}  // namespace ktln2::paper
