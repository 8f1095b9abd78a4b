#include <fmt/format.h>

#include <array>
#include <cctype>
#include <map>
#include <stdexcept>

#include "paper/typeset/formula_symbols.hpp"
#include "paper/typeset/formula_tree.hpp"

namespace ktln2::paper {
namespace {

/// Recursive descent, one function for each kind of thing.
class parser {
 public:
  explicit parser(std::string_view tex) : tex_{tex} {}

  formula all() {
    formula whole = row();
    if (!at_end()) fail(fmt::format("'{}' closes nothing", rest_shown()));
    return whole;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(
        fmt::format("formula: {} at character {} of '{}'", what, at_ + 1, tex_));
  }

  [[nodiscard]] std::string rest_shown() const { return std::string(tex_.substr(at_, 6)); }
  [[nodiscard]] bool at_end() const { return at_ == tex_.size(); }
  [[nodiscard]] bool looking_at(std::string_view text) const {
    return tex_.substr(at_).starts_with(text);
  }
  void skip_blanks() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(tex_[at_])) != 0) ++at_;
  }
  bool take(std::string_view text) {
    skip_blanks();
    if (!looking_at(text)) return false;
    at_ += text.size();
    return true;
  }

  /// The name of the command that begins here; empty if none does.
  [[nodiscard]] std::string command_ahead() const {
    if (at_end() || tex_[at_] != '\\') return "";
    std::size_t end = at_ + 1;
    while (end < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[end])) != 0) ++end;
    if (end == at_ + 1 && end < tex_.size()) ++end;
    return std::string(tex_.substr(at_ + 1, end - at_ - 1));
  }

  [[nodiscard]] bool at_row_end() {
    skip_blanks();
    if (at_end() || std::string_view("})]&").find(tex_[at_]) != std::string_view::npos) return true;
    const std::string command = command_ahead();
    return command == "right" || command == "}" || command == "rfloor" || command == "rceil" ||
           command == "\\" || command == "end";
  }

  formula row() {
    formula result;
    while (!at_row_end()) result.parts.push_back(with_scripts());
    if (result.parts.size() == 1) return formula{result.parts.front()};
    return result;
  }

  formula with_scripts() {
    formula base = atom();
    formula sub;
    formula super;
    for (;;) {
      if (take("_")) {
        if (!sub.is_empty()) fail("a second subscript");
        sub = argument("_");
      } else if (take("^")) {
        if (!super.is_empty()) fail("a second superscript");
        super = argument("^");
      } else if (take("'")) {
        if (!super.is_empty() && super.kind != part::symbol) fail("a second superscript");
        super = {part::symbol, super.text + "′"};
      } else {
        break;
      }
    }
    if (sub.is_empty() && super.is_empty()) return base;
    return {part::scripts, "", {std::move(base), std::move(sub), std::move(super)}};
  }

  formula argument(const std::string& of) {
    skip_blanks();
    if (at_row_end()) fail(of + " needs an argument");
    return atom();
  }

  /// Every nesting passes here; a formula that a person can read is nowhere near the limit.
  formula atom() {
    constexpr int deepest = 100;
    if (depth_ == deepest) fail(fmt::format("more than {} levels", deepest));
    ++depth_;
    formula made = atom_at_any_depth();
    --depth_;
    return made;
  }

  formula atom_at_any_depth() {
    skip_blanks();
    const char c = tex_[at_];
    if (c == '{') return group();
    if (c == '\\') return command();
    if (c == '(' || c == '[') return bracket();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      ++at_;
      return {part::letter, {c}};
    }
    static const std::map<char, symbol_entry> signs{
        {'+', {part::binary, "+"}},      {'-', {part::binary, "-"}},
        {'=', {part::relation, "="}},    {'<', {part::relation, "<"}},
        {'>', {part::relation, ">"}},    {'|', {part::relation, "|"}},
        {':', {part::relation, ":"}},    {',', {part::punctuation, ","}},
        {';', {part::punctuation, ";"}}, {'/', {part::slash, "/"}},
        {'*', {part::symbol, "*"}},      {'!', {part::symbol, "!"}},
        {'.', {part::punctuation, "."}}};
    const auto found = signs.find(c);
    if (found == signs.end()) fail(fmt::format("unknown '{}'", rest_shown()));
    ++at_;
    return {found->second.kind, found->second.text};
  }

  formula group() {
    const std::size_t start = at_;
    ++at_;
    formula inner = row();
    if (!take("}")) {
      at_ = start;
      fail("'{' is never closed");
    }
    return inner;
  }

  formula bracket() {
    const std::size_t start = at_;
    formula result{part::fenced, {tex_[at_++]}, {row()}};
    skip_blanks();
    if (at_end() || (tex_[at_] != ')' && tex_[at_] != ']')) {
      at_ = start;
      fail(fmt::format("'{}' is never closed", tex_[start]));
    }
    result.closing = tex_[at_++];
    return result;
  }

  formula number() {
    const std::size_t start = at_;
    const auto is_digit = [this](std::size_t i) {
      return i < tex_.size() && std::isdigit(static_cast<unsigned char>(tex_[i])) != 0;
    };
    while (is_digit(at_) || (!at_end() && tex_[at_] == '.' && is_digit(at_ + 1))) ++at_;
    return {part::number, std::string(tex_.substr(start, at_ - start))};
  }

  formula command() {
    const std::string name = command_ahead();
    const auto found = symbols().find(name);
    if (found != symbols().end()) {
      skip(name);
      return {found->second.kind, found->second.text};
    }
    if (name == "frac" || name == "tfrac" || name == "dfrac") {
      skip(name);
      formula above = argument("\\frac");
      return {part::fraction, "", {std::move(above), argument("\\frac")}};
    }
    if (name == "sqrt") return skip(name), formula{part::root, "", {argument("\\sqrt")}};
    if (name == "abs") {
      skip(name);
      return {part::fenced, "|", {argument("\\abs")}, "|", true};
    }
    if (name == "tilde" || name == "hat" || name == "bar") {
      skip(name);
      return {part::accent, name, {argument("\\" + name)}};
    }
    if (name == "mathbb" || name == "mathcal" || name == "mathbf" || name == "boldsymbol") {
      skip(name);
      return alphabet(name);
    }
    if (name == "text") return skip(name), formula{part::text, raw_argument(name)};
    if (name == "mathrm") return skip(name), formula{part::word, raw_argument(name)};
    if (name == "operatorname") return skip(name), formula{part::function, raw_argument(name)};
    if (name == "left") return left_right();
    if (name == "lfloor" || name == "lceil" || name == "{") return paired(name);
    if (name == "begin") return cases();
    fail(fmt::format("unknown command '\\{}'", name));
  }

  void skip(const std::string& name) { at_ += 1 + name.size(); }

  formula alphabet(const std::string& name) {
    const std::size_t start = at_;
    const std::string letters = raw_argument(name);
    static const std::map<std::string, std::string> bold_greek{{"\\xi", "𝝃"}, {"\\Xi", "𝜩"}};
    if (const auto found = bold_greek.find(letters); found != bold_greek.end()) {
      return {part::letter, found->second};
    }
    if (letters.size() != 1 || std::isalnum(static_cast<unsigned char>(letters[0])) == 0) {
      at_ = start;
      fail(fmt::format("\\{} needs one letter", name));
    }
    return {part::letter, in_alphabet(name, letters[0])};
  }

  /// TeX takes a single letter without braces: \\mathcal N.
  std::string one_letter(const std::string& of) {
    skip_blanks();
    if (at_ >= tex_.size() || std::isalpha(static_cast<unsigned char>(tex_[at_])) == 0) {
      fail(fmt::format("\\{} needs braces", of));
    }
    return std::string(tex_.substr(at_++, 1));
  }

  std::string raw_argument(const std::string& of) {
    if (!take("{")) return one_letter(of);
    const std::size_t end = tex_.find('}', at_);
    if (end == std::string_view::npos) fail("'{' is never closed");
    std::string inner(tex_.substr(at_, end - at_));
    at_ = end + 1;
    return inner;
  }

  std::string fence(const char* after) {
    skip_blanks();
    static constexpr std::pair<const char*, const char*> fences[] = {
        {"\\{", "{"},     {"\\}", "}"}, {"\\lfloor", "⌊"}, {"\\rfloor", "⌋"}, {"\\lceil", "⌈"},
        {"\\rceil", "⌉"}, {"\\|", "‖"}, {"(", "("},        {")", ")"},        {"[", "["},
        {"]", "]"},       {"|", "|"},   {".", ""}};
    for (const auto& [written, shown] : fences) {
      if (take(written)) return shown;
    }
    fail(fmt::format("\\{} needs a fence", after));
  }

  formula left_right() {
    const std::size_t start = at_;
    skip("left");
    formula result{part::fenced, fence("left")};
    result.stretchy = true;
    result.parts.push_back(row());
    if (!take("\\right")) {
      at_ = start;
      fail("\\left without \\right");
    }
    result.closing = fence("right");
    return result;
  }

  formula paired(const std::string& name) {
    const std::size_t start = at_;
    formula result{part::fenced, fence("left"), {row()}};
    const char* closing = name == "{" ? "\\}" : (name == "lceil" ? "\\rceil" : "\\rfloor");
    skip_blanks();
    if (!looking_at(closing)) {
      at_ = start;
      fail(fmt::format("'\\{}' is never closed", name));
    }
    result.closing = fence("right");
    return result;
  }

  formula cases() {
    const std::size_t start = at_;
    if (!take("\\begin{cases}")) fail("the only environment is cases");
    formula result{part::cases};
    do {
      result.parts.push_back(row());
      result.parts.push_back(take("&") ? row() : formula{});
    } while (take("\\\\"));
    if (!take("\\end{cases}")) {
      at_ = start;
      fail("\\begin{cases} is never ended");
    }
    return result;
  }

  std::string_view tex_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

formula parse_formula(std::string_view tex) { return parser{tex}.all(); }

}  // namespace ktln2::paper
