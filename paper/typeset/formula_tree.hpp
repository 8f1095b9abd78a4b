#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What the two writers of formulas have in common: the formula as a tree.
namespace ktln2::paper {

enum class part {
  row,
  number,
  letter,       ///< a variable, one character
  word,         ///< an upright name
  function,     ///< log, and all that is applied to what follows
  limits,       ///< min, max: a function with its condition below it
  big,          ///< ∑, ∏, ∫
  binary,       ///< + - ·
  relation,     ///< = ≤ ∈
  punctuation,  ///< , ;
  slash,
  symbol,  ///< an operand that is no letter: ∞, …
  text,
  space,
  fraction,  ///< two parts
  root,      ///< one part
  scripts,   ///< base, subscript, superscript; an empty row where there is none
  accent,    ///< one part; its text is the name of the accent
  fenced,    ///< one part; its text is the opening, `closing` the closing fence
  cases,     ///< parts two by two: value and condition
};

struct formula {
  part kind = part::row;
  std::string text = {};
  std::vector<formula> parts = {};
  std::string closing = {};
  bool stretchy = false;  ///< fences that grow with what they hold

  [[nodiscard]] bool is_empty() const { return kind == part::row && parts.empty(); }
};

/// Throws std::invalid_argument as to_text does.
formula parse_formula(std::string_view tex);

}  // namespace ktln2::paper
