#include <fmt/format.h>

#include <set>

#include "paper/typeset/formula.hpp"
#include "paper/typeset/formula_tree.hpp"

namespace ktln2::paper {
namespace {

class mathml_writer {
 public:
  explicit mathml_writer(bool display) : display_{display} {}

  [[nodiscard]] std::string write(const formula& node) const {
    const std::string text = escape_html(node.text);
    switch (node.kind) {
      case part::row:
        return "<mrow>" + items(node) + "</mrow>";
      case part::number:
        return "<mn>" + text + "</mn>";
      case part::letter:
        return letter(node.text);
      case part::symbol:
        return text.starts_with("′") || text == "*" || text == "!" ? "<mo>" + text + "</mo>"
                                                                   : "<mi>" + text + "</mi>";
      case part::word:
        return node.text.size() == 1 ? "<mi mathvariant=\"normal\">" + text + "</mi>"
                                     : "<mi>" + text + "</mi>";
      case part::function:
      case part::limits:
        return letter(node.text);
      case part::big:
        return "<mo largeop=\"true\">" + text + "</mo>";
      case part::text:
        return "<mtext>" + kept_blanks(text) + "</mtext>";
      case part::space:
        return "<mspace width=\"" + text + "em\"/>";
      case part::slash:
        return R"(<mo lspace="0" rspace="0">/</mo>)";
      case part::fraction:
        return element("mfrac", node);
      case part::root:
        return "<msqrt>" + write(node.parts[0]) + "</msqrt>";
      case part::scripts:
        return scripts(node);
      case part::accent:
        return accent(node);
      case part::fenced:
        return fenced(node);
      case part::cases:
        return cases(node);
      default:
        return "<mo>" + (node.text == "-" ? "−" : text) + "</mo>";
    }
  }

  /// A row without its <mrow>.
  [[nodiscard]] std::string items(const formula& row) const {
    if (row.kind != part::row) return write(row);
    std::string result;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
      const formula& item = row.parts[i];
      if (needs_room(row, i)) result += thin_space;
      if (item.kind == part::binary && is_sign(row, i)) {
        result += fmt::format("<mo form=\"prefix\">{}</mo>", item.text == "-" ? "−" : item.text);
      } else {
        result += write(item);
      }
      if (is_name(item) && i + 1 < row.parts.size()) result += application(row.parts[i + 1]);
    }
    return result;
  }

 private:
  static constexpr const char* thin_space = "<mspace width=\"0.1667em\"/>";

  /// Before a function among factors, "x ln 2", and where its argument ends, "ln 2 (x + y)".
  static bool needs_room(const formula& row, std::size_t i) {
    if (i == 0) return false;
    if (is_name(row.parts[i])) return !is_sign(row, i) && !is_name(row.parts[i - 1]);
    return is_fenced(row.parts[i]) && i > 1 && is_name(row.parts[i - 2]) &&
           !is_fenced(row.parts[i - 1]);
  }

  static bool is_name(const formula& node) {
    if (node.kind == part::scripts) return is_name(node.parts[0]);
    return node.kind == part::function || node.kind == part::limits;
  }

  /// Greek capitals are upright.
  static std::string letter(const std::string& text) {
    static const std::set<std::string> capitals{"Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Φ", "Ψ", "Ω"};
    return (capitals.contains(text) ? "<mi mathvariant=\"normal\">" : "<mi>") + text + "</mi>";
  }

  static bool is_fenced(const formula& node) {
    return node.kind == part::fenced || (node.kind == part::scripts && is_fenced(node.parts[0]));
  }

  /// The invisible operator takes no room, so that "ln 2" needs a blank of its own.
  static std::string application(const formula& argument) {
    const std::string invisible = "<mo>\u2061</mo>";
    return is_fenced(argument) ? invisible : invisible + thin_space;
  }

  static bool is_sign(const formula& row, std::size_t i) {
    if (i == 0) return true;
    const part before = row.parts[i - 1].kind;
    return before == part::binary || before == part::relation || before == part::punctuation ||
           before == part::slash || before == part::space || before == part::text;
  }

  static std::string kept_blanks(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == ' ' ? std::string("\u00a0") : std::string(1, c);
    return result;
  }

  [[nodiscard]] std::string element(const char* name, const formula& node) const {
    std::string inner;
    for (const formula& child : node.parts) inner += write(child);
    return fmt::format("<{0}>{1}</{0}>", name, inner);
  }

  [[nodiscard]] std::string scripts(const formula& node) const {
    const formula& base = node.parts[0];
    const bool below =
        display_ && (base.kind == part::limits ||
                     (base.kind == part::big && base.text != "∫" && base.text != "∬"));
    const bool has_sub = !node.parts[1].is_empty();
    const bool has_super = !node.parts[2].is_empty();
    const char* name = below ? "munder" : "msub";
    if (has_super) name = below ? "mover" : "msup";
    if (has_sub && has_super) name = below ? "munderover" : "msubsup";
    const mathml_writer small{false};
    std::string inner = write(base);
    if (has_sub) inner += small.write(node.parts[1]);
    if (has_super) inner += small.write(node.parts[2]);
    return fmt::format("<{0}>{1}</{0}>", name, inner);
  }

  [[nodiscard]] std::string accent(const formula& node) const {
    const char* mark = node.text == "tilde" ? "˜" : (node.text == "hat" ? "^" : "¯");
    return fmt::format(R"(<mover accent="true">{}<mo stretchy="false">{}</mo></mover>)",
                       write(node.parts[0]), mark);
  }

  [[nodiscard]] std::string fenced(const formula& node) const {
    const auto fence = [&node](const std::string& text, const char* form) {
      if (text.empty()) return std::string();
      return fmt::format(R"(<mo form="{}" stretchy="{}">{}</mo>)", form, node.stretchy,
                         escape_html(text));
    };
    return "<mrow>" + fence(node.text, "prefix") + items(node.parts[0]) +
           fence(node.closing, "postfix") + "</mrow>";
  }

  [[nodiscard]] std::string cases(const formula& node) const {
    std::string rows;
    for (std::size_t i = 0; i < node.parts.size(); i += 2) {
      rows += "<mtr><mtd>" + write(node.parts[i]) + "</mtd><mtd>" + write(node.parts[i + 1]) +
              "</mtd></mtr>";
    }
    return R"(<mrow><mo form="prefix" stretchy="true">{</mo><mtable>)" + rows + "</mtable></mrow>";
  }

  bool display_;
};

}  // namespace

std::string to_mathml(std::string_view tex, bool display) {
  const formula parsed = parse_formula(tex);
  return fmt::format("<math{}><mrow>{}</mrow></math>", display ? " display=\"block\"" : "",
                     mathml_writer{display}.items(parsed));
}

}  // namespace ktln2::paper
