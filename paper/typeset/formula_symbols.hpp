#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paper/typeset/formula_tree.hpp"

/// What Unicode has for the names and positions of TeX.
namespace ktln2::paper {

struct symbol_entry {
  part kind = {};
  std::string text;
};

/// The commands that stand for one thing: \alpha, \log, \le, \quad.
const std::map<std::string, symbol_entry, std::less<>>& symbols();

/// A letter of another alphabet: mathbb, mathcal, mathbf or boldsymbol.
std::string in_alphabet(const std::string& alphabet, char letter);

/// The characters of a UTF-8 string.
std::vector<std::string> characters(std::string_view text);

/// The text in small letters above or below the line; nothing if one of them has none.
std::optional<std::string> superscript(std::string_view text);
std::optional<std::string> subscript(std::string_view text);

}  // namespace ktln2::paper
