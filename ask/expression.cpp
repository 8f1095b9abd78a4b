#include "ask/expression.hpp"

#include <set>
#include <stdexcept>
#include <string_view>

#ifdef KTLN2_HAS_EXPRESSIONS
#include <muParser.h>

namespace ktln2::ask {
namespace {

/// "a = 1" would change what the names stand for; "a == 1" compares.
bool has_assignment(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool ends_comparison =
        i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos;
    const bool begins_comparison = i + 1 < text.size() && text[i + 1] == '=';
    if (!ends_comparison && !begins_comparison) return true;
  }
  return false;
}

}  // namespace

struct expression::parser {
  std::string where;
  std::map<std::string, double> values;
  mu::Parser reads;
  std::set<std::string> used = {};

  [[noreturn]] void refuse(const mu::ParserError& error) const {
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
      std::string known;
      for (const auto& [name, value] : values) known += (known.empty() ? "" : ", ") + name;
      throw std::domain_error(where + ": unknown name '" + error.GetToken() + "': expected " +
                              known);
    }
    throw std::domain_error(where + ": cannot read '" + error.GetExpr() + "': " + error.GetMsg());
  }
};

expression::expression(const std::string& where, const std::string& text,
                       const std::map<std::string, double>& names)
    : parser_{std::make_shared<parser>()} {
  parser_->where = where;
  parser_->values = names;
  const auto refuse = [&](const char* got) {
    throw std::domain_error(where + ": expected one expression, got " + got + ": '" + text + "'");
  };
  if (has_assignment(text)) refuse("an assignment");
  try {
    for (auto& [name, value] : parser_->values) parser_->reads.DefineVar(name, &value);
    parser_->reads.SetExpr(text);
    // Not later: to ask takes the expression apart anew.
    for (const auto& [name, value] : parser_->reads.GetUsedVar()) parser_->used.insert(name);
    (void)parser_->reads.Eval();
    if (parser_->reads.GetNumResults() != 1) refuse("a list");
  } catch (const mu::ParserError& error) {
    parser_->refuse(error);
  }
}

bool expression::uses(const std::string& name) const { return parser_->used.count(name) > 0; }

double expression::operator()(const std::map<std::string, double>& changed) const {
  for (const auto& [name, value] : changed) parser_->values.at(name) = value;
  try {
    return parser_->reads.Eval();
  } catch (const mu::ParserError& error) {
    parser_->refuse(error);
  }
}

}  // namespace ktln2::ask

#else

namespace ktln2::ask {

struct expression::parser {};

expression::expression(const std::string& where, const std::string&,
                       const std::map<std::string, double>&) {
  throw std::runtime_error(where + " needs a program that was built with muParser");
}

bool expression::uses(const std::string&) const { return false; }
double expression::operator()(const std::map<std::string, double>&) const { return 0; }

}  // namespace ktln2::ask
#endif
