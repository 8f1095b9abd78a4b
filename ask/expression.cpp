#include "ask/expression.hpp"

#include <stdexcept>

#ifdef KTLN2_HAS_EXPRESSIONS
#include <muParser.h>

namespace ktln2::ask {

struct expression::parser {
  std::string where;
  std::map<std::string, double> values;
  mu::Parser reads;

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
  try {
    for (auto& [name, value] : parser_->values) parser_->reads.DefineVar(name, &value);
    parser_->reads.SetExpr(text);
    (void)parser_->reads.Eval();
  } catch (const mu::ParserError& error) {
    parser_->refuse(error);
  }
}

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

double expression::operator()(const std::map<std::string, double>&) const { return 0; }

}  // namespace ktln2::ask
#endif
