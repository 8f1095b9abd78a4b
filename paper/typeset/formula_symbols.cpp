#include "paper/typeset/formula_symbols.hpp"

#include <array>
#include <sstream>

namespace ktln2::paper {
namespace {

/// Of one kind: name and text in turn.
struct symbol_list {
  part kind;
  const char* pairs;
};

std::map<std::string, symbol_entry, std::less<>> made_symbols() {
  constexpr symbol_list lists[] = {
      {part::letter,
       "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ kappa κ "
       "lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ phi φ chi χ omega ω ell ℓ Delta Δ "
       "Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω partial ∂ nabla ∇"},
      {part::function, "psi ψ Gamma Γ log log ln ln exp exp erf erf sin sin cos cos tan tan"},
      {part::limits, "min min max max sup sup lim lim"},
      {part::big, "sum ∑ prod ∏ int ∫ iint ∬"},
      {part::binary, "cdot · times × pm ± setminus ∖ cup ∪ cap ∩ bmod mod"},
      {part::relation,
       "le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ~ propto ∝ ll ≪ gg ≫ in ∈ "
       "notin ∉ subset ⊂ subseteq ⊆ to → mapsto ↦ gets ← Rightarrow ⇒ Leftrightarrow ⇔ "
       "triangleq ≜ mid | parallel ‖ | ‖"},
      {part::symbol, "infty ∞ ldots … cdots ⋯ exists ∃ forall ∀ star *"},
  };
  std::map<std::string, symbol_entry, std::less<>> all = {
      {"argmin", {part::limits, "arg min"}}, {"argmax", {part::limits, "arg max"}},
      {",", {part::space, "0.1667"}},        {";", {part::space, "0.2778"}},
      {" ", {part::space, "0.25"}},          {"quad", {part::space, "1"}},
      {"qquad", {part::space, "2"}}};
  for (const auto& [kind, pairs] : lists) {
    std::istringstream words(pairs);
    std::string name;
    for (std::string text; words >> name >> text;) all[name] = {kind, text};
  }
  return all;
}

std::string utf8(char32_t c) {
  const auto unit = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80) return {unit(c)};
  if (c < 0x800) return {unit(0xc0 | (c >> 6)), unit(0x80 | (c & 0x3f))};
  if (c < 0x10000) {
    return {unit(0xe0 | (c >> 12)), unit(0x80 | ((c >> 6) & 0x3f)), unit(0x80 | (c & 0x3f))};
  }
  return {unit(0xf0 | (c >> 18)), unit(0x80 | ((c >> 12) & 0x3f)), unit(0x80 | ((c >> 6) & 0x3f)),
          unit(0x80 | (c & 0x3f))};
}

/// Letter by letter.
std::map<std::string, std::string> small_letters(std::string_view plain, std::string_view small) {
  const std::vector<std::string> from = characters(plain);
  const std::vector<std::string> to = characters(small);
  std::map<std::string, std::string> result;
  for (std::size_t i = 0; i < from.size(); ++i) result[from[i]] = to.at(i);
  return result;
}

std::optional<std::string> translated(std::string_view text,
                                      const std::map<std::string, std::string>& table) {
  std::string result;
  for (const std::string& c : characters(text)) {
    const auto found = table.find(c);
    if (found == table.end()) return {};
    result += found->second;
  }
  return result;
}

}  // namespace

const std::map<std::string, symbol_entry, std::less<>>& symbols() {
  static const auto all = made_symbols();
  return all;
}

std::string in_alphabet(const std::string& alphabet, char letter) {
  // Unicode has an alphabet in one place, but for the letters that it had already.
  static const std::map<std::string, std::map<char, char32_t>> elsewhere{
      {"mathbb",
       {{'C', U'ℂ'}, {'H', U'ℍ'}, {'N', U'ℕ'}, {'P', U'ℙ'}, {'Q', U'ℚ'}, {'R', U'ℝ'}, {'Z', U'ℤ'}}},
      {"mathcal",
       {{'B', U'ℬ'},
        {'E', U'ℰ'},
        {'F', U'ℱ'},
        {'H', U'ℋ'},
        {'I', U'ℐ'},
        {'L', U'ℒ'},
        {'M', U'ℳ'},
        {'R', U'ℛ'}}},
      {"mathbf", {}},
      {"boldsymbol", {}}};
  static const std::map<std::string, std::array<char32_t, 3>> starts{
      {"mathbb", {U'𝔸', U'𝕒', U'𝟘'}},
      {"mathcal", {U'𝒜', U'𝒶', U'0'}},
      {"mathbf", {U'𝐀', U'𝐚', U'𝟎'}},
      {"boldsymbol", {U'𝑨', U'𝒂', U'𝟎'}}};
  const auto& exceptions = elsewhere.at(alphabet);
  if (const auto found = exceptions.find(letter); found != exceptions.end()) {
    return utf8(found->second);
  }
  const auto& [capital, small, digit] = starts.at(alphabet);
  const auto offset = [letter](char from) { return static_cast<char32_t>(letter - from); };
  if (letter >= 'A' && letter <= 'Z') return utf8(capital + offset('A'));
  if (letter >= 'a' && letter <= 'z') return utf8(small + offset('a'));
  return utf8(digit + offset('0'));
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> list;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U && !list.empty()) {
      list.back() += c;
    } else {
      list.emplace_back(1, c);
    }
  }
  return list;
}

std::optional<std::string> superscript(std::string_view text) {
  static const auto table = small_letters("0123456789+-=()abcdefghijklmnoprstuvwxyzET′*",
                                          "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴱᵀ′*");
  return translated(text, table);
}

std::optional<std::string> subscript(std::string_view text) {
  static const auto table =
      small_letters("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");
  return translated(text, table);
}

}  // namespace ktln2::paper
