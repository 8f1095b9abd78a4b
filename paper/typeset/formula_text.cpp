#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "paper/typeset/formula.hpp"
#include "paper/typeset/formula_symbols.hpp"
#include "paper/typeset/formula_tree.hpp"

namespace ktln2::paper {
namespace {

/// How tightly a piece of text holds together, the loosest first.
enum class binding { list, sum, open, product, quotient, atom };

struct piece {
  std::string text;
  binding holds = binding::atom;
};

std::string parenthesized(const piece& inner, bool needed) {
  return needed ? "(" + inner.text + ")" : inner.text;
}

const std::map<std::string, const char*>& accented_letters() {
  static const std::map<std::string, const char*> table{{"hat w", "ŵ"}, {"hat W", "Ŵ"},
                                                        {"hat y", "ŷ"}, {"hat Y", "Ŷ"},
                                                        {"hat g", "ĝ"}, {"tilde n", "ñ"}};
  return table;
}

class text_writer {
 public:
  explicit text_writer(bool spaced) : spaced_{spaced} {}

  [[nodiscard]] piece write(const formula& node) const {
    switch (node.kind) {
      case part::row:
        return row(node);
      case part::fraction:
        return fraction(node);
      case part::root: {
        const piece inner = write(node.parts[0]);
        return {"√" + parenthesized(inner, inner.holds != binding::atom)};
      }
      case part::scripts:
        return scripts(node);
      case part::accent:
        return accent(node);
      case part::fenced:
        return {node.text + write(node.parts[0]).text + node.closing};
      case part::cases:
        return cases(node);
      case part::space:
        return {" "};
      case part::big:
      case part::function:
      case part::limits:
        return {node.text, binding::open};
      default:
        return {node.text};
    }
  }

 private:
  [[nodiscard]] piece fraction(const formula& node) const {
    const piece above = write(node.parts[0]);
    const piece below = write(node.parts[1]);
    static const std::map<std::string, const char*> vulgar{
        {"1/2", "½"}, {"1/3", "⅓"}, {"2/3", "⅔"}, {"1/4", "¼"}, {"3/4", "¾"}};
    if (const auto found = vulgar.find(above.text + "/" + below.text);
        spaced_ && found != vulgar.end()) {
      return {found->second};
    }
    return {
        parenthesized(above, above.holds < binding::product || above.holds == binding::quotient) +
            "/" + parenthesized(below, below.holds != binding::atom),
        binding::quotient};
  }

  [[nodiscard]] static std::string script(const formula& node,
                                          std::optional<std::string> (*small)(std::string_view),
                                          const char* sign, const char* open, const char* close) {
    const std::string text = text_writer{false}.write(node).text;
    const bool is_word = node.kind == part::word && text.size() > 1;
    if (const auto letters = small(text); letters && !is_word) return *letters;
    if (is_word || characters(text).size() == 1) return sign + text;
    return sign + (open + text) + close;
  }

  [[nodiscard]] piece scripts(const formula& node) const {
    const formula& base = node.parts[0];
    const piece inner = write(base);
    const bool is_operator =
        base.kind == part::function || base.kind == part::big || base.kind == part::limits;
    const bool is_raised = base.kind == part::scripts && !base.parts[2].is_empty();
    std::string text = parenthesized(inner, !is_operator && (inner.holds != binding::atom ||
                                                             base.kind == part::root || is_raised));
    if (!node.parts[1].is_empty()) text += script(node.parts[1], subscript, "_", "{", "}");
    if (!node.parts[2].is_empty()) text += script(node.parts[2], superscript, "^", "(", ")");
    return {text, is_operator ? binding::open : binding::atom};
  }

  [[nodiscard]] piece accent(const formula& node) const {
    const piece inner = write(node.parts[0]);
    const auto found = accented_letters().find(node.text + " " + inner.text);
    if (found != accented_letters().end()) return {found->second};
    const char* mark = node.text == "tilde" ? "\u0303" : (node.text == "hat" ? "\u0302" : "\u0304");
    return {inner.text + mark, inner.holds};
  }

  [[nodiscard]] piece cases(const formula& node) const {
    std::string text = "{ ";
    for (std::size_t i = 0; i < node.parts.size(); i += 2) {
      if (i > 0) text += "; ";
      text += write(node.parts[i]).text;
      if (!node.parts[i + 1].is_empty()) text += " " + write(node.parts[i + 1]).text;
    }
    return {text + " }"};
  }

  /// What an item of a row is to its neighbors.
  static part role(const formula& node) {
    if (node.kind == part::scripts) {
      const part base = node.parts[0].kind;
      if (base == part::function || base == part::big || base == part::limits) return base;
    }
    return node.kind;
  }

  static bool is_operand(const formula& node) {
    static constexpr std::array others{part::binary, part::relation, part::punctuation,
                                       part::slash,  part::space,    part::text};
    return std::find(others.begin(), others.end(), role(node)) == others.end();
  }

  static bool is_operator_name(const formula& node) {
    const part what = role(node);
    return what == part::function || what == part::big || what == part::limits;
  }

  /// A sign rather than an operation: nothing to the left that it could join to what follows.
  static bool is_sign(const formula& row, std::size_t i) {
    const formula& node = row.parts[i];
    if (node.kind != part::binary || (node.text != "-" && node.text != "+" && node.text != "±")) {
      return false;
    }
    return i == 0 || !is_operand(row.parts[i - 1]);
  }

  static bool begins_with_number(const formula& node) {
    return node.kind == part::number ||
           (node.kind == part::scripts && node.parts[0].kind == part::number);
  }

  /// Can two neighbors stand without a blank, and still be read as two?
  static bool is_tight(const formula& node, const std::string& text) {
    if (is_operator_name(node) || node.kind == part::word || node.kind == part::root) return false;
    return text.find_first_of("_^ /*") == std::string::npos && !text.ends_with("′");
  }

  [[nodiscard]] std::string gap(const formula& before, const std::string& before_text,
                                const formula& after, const std::string& after_text) const {
    if (role(before) == part::big || role(before) == part::limits) return " ";
    if (before.kind == part::letter && before.text == "Δ") return "";
    if (after.kind != part::fenced && after_text.starts_with('(')) {
      return role(before) == part::function ? "" : " ";
    }
    if (after.kind == part::fenced) {
      if (role(before) == part::function) return "";
      const bool can_apply = before.kind == part::letter || before.kind == part::scripts ||
                             before.kind == part::accent || before.kind == part::fenced ||
                             before.kind == part::word;
      const bool takes = after.text == "(" || after.text == "[";
      return can_apply && takes && !begins_with_number(before) ? "" : " ";
    }
    if (is_operator_name(before) || is_operator_name(after)) return " ";
    if (before.kind == part::fenced || before_text.ends_with(')')) return " ";
    if (begins_with_number(after)) return " ";
    return is_tight(before, before_text) && is_tight(after, after_text) ? "" : " ";
  }

  /// A quotient among factors reads otherwise than it is meant.
  static bool is_misread(const formula& row, std::size_t i, const piece& item) {
    const bool has_next = i + 1 < row.parts.size();
    if (item.holds == binding::quotient) {
      const bool next_joins =
          has_next && (is_operand(row.parts[i + 1]) || row.parts[i + 1].kind == part::slash ||
                       row.parts[i + 1].text == "·");
      const bool after_name =
          i > 0 && (is_operator_name(row.parts[i - 1]) || row.parts[i - 1].kind == part::slash);
      return next_joins || after_name;
    }
    if (row.parts[i].kind == part::row)
      return item.holds < binding::product && row.parts.size() > 1;
    // Two and a half, not two halves.
    return row.parts[i].kind == part::fraction && i > 0 && row.parts[i - 1].kind == part::number;
  }

  /// The application of a function to something in brackets holds like the brackets.
  static bool is_application(const formula& row, std::size_t i) {
    return role(row.parts[i]) == part::function && i + 1 < row.parts.size() &&
           (row.parts[i + 1].kind == part::fenced ||
            (row.parts[i + 1].kind == part::scripts &&
             row.parts[i + 1].parts[0].kind == part::fenced));
  }

  /// dt
  static bool is_differential(const formula& row) {
    return row.parts.size() == 2 && row.parts[0].kind == part::letter && row.parts[0].text == "d" &&
           (row.parts[1].kind == part::letter || row.parts[1].kind == part::accent);
  }

  /// Of a row whose operands hold together so.
  [[nodiscard]] static binding binding_of(const formula& row, const std::vector<binding>& holds) {
    if (is_differential(row)) return binding::atom;
    binding result = binding::atom;
    std::size_t operands = 0;
    const auto at_most = [&result](binding limit) { result = std::min(result, limit); };
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
      const formula& node = row.parts[i];
      if (is_operand(node)) {
        ++operands;
        if (is_application(row, i)) {
          --operands;
        } else if (is_operator_name(node)) {
          at_most(binding::open);
        } else if (node.kind == part::fraction && holds[i] == binding::quotient) {
          at_most(binding::quotient);
        }
      } else if (node.kind == part::slash) {
        at_most(binding::quotient);
      } else if (node.kind == part::binary) {
        at_most(is_sign(row, i) || node.text == "·" || node.text == "×" ? binding::product
                                                                        : binding::sum);
      } else if (node.kind != part::space) {
        at_most(binding::list);
      }
    }
    if (operands > 1) at_most(binding::product);
    return result;
  }

  [[nodiscard]] std::string separator(const formula& node) const {
    if (node.text == "‖") return node.text;
    if (node.kind == part::punctuation) return spaced_ ? node.text + " " : node.text;
    return spaced_ || node.text == "mod" ? " " + node.text + " " : node.text;
  }

  [[nodiscard]] piece row(const formula& node) const {
    std::string text;
    std::string before_text;
    const formula* before = nullptr;
    std::vector<binding> holds(node.parts.size(), binding::atom);
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const formula& item = node.parts[i];
      if (is_operand(item)) {
        const piece written = write(item);
        holds[i] = written.holds;
        std::string shown = written.text;
        if (is_misread(node, i, written)) {
          const bool is_vulgar = item.kind == part::fraction && written.holds == binding::atom;
          shown = "(" + (is_vulgar ? text_writer{false}.write(item).text : shown) + ")";
        }
        if (before != nullptr) text += gap(*before, before_text, item, shown);
        text += shown;
        before = &item;
        before_text = shown;
        continue;
      }
      before = nullptr;
      if (item.kind == part::space) {
        if (spaced_ && !text.ends_with(' ') && !text.empty()) text += ' ';
      } else if (item.kind == part::slash || item.kind == part::text || is_sign(node, i)) {
        text += item.text;
      } else {
        const std::string shown = separator(item);
        const bool has_blank = text.empty() || text.ends_with(' ');
        text += has_blank && shown.starts_with(' ') ? shown.substr(1) : shown;
      }
    }
    return {text, binding_of(node, holds)};
  }

  bool spaced_;  ///< blanks around operations; not inside scripts
};

}  // namespace

std::string to_text(std::string_view tex) {
  std::string text = text_writer{true}.write(parse_formula(tex)).text;
  std::string result;
  for (const char c : text) {
    if (c != ' ' || !result.ends_with(' ')) result += c;
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

}  // namespace ktln2::paper
