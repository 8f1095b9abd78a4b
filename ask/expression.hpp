#pragma once

#include <map>
#include <memory>
#include <string>

namespace ktln2::ask {

/// An expression such as "constant + alpha*(sigma_x^2 + sigma_xi^2)", over names with values, some
/// of which may change from one evaluation to the next.
class expression {
 public:
  /// Throws std::domain_error that begins with `where` for what cannot be read, for an assignment,
  /// a list of expressions, and for unknown names, with a list of the known ones.
  expression(const std::string& where, const std::string& text,
             const std::map<std::string, double>& names);

  /// Does its value depend on this name?
  [[nodiscard]] bool uses(const std::string& name) const;
  /// With new values for some of the names.
  [[nodiscard]] double operator()(const std::map<std::string, double>& changed) const;

 private:
  struct parser;
  std::shared_ptr<parser> parser_;
};

}  // namespace ktln2::ask
