#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "paper/figures/figure.hpp"

namespace ktln2::paper {

/// A number, a threshold or a statement of the paper, as claims.toml has it.
struct claim {
  std::string id;
  std::string label;                 ///< where the paper says it
  std::string says;                  ///< in our words
  std::string paper;                 ///< the paper's value, as it is printed there
  std::string check;                 ///< name of the function that finds out
  std::string how;                   ///< what that function does, in words
  std::vector<std::string> figures;  ///< labels of those that show it
  std::string command;               ///< shows it too; may be empty
  std::string erratum;               ///< why it does not simply hold; empty for a claim that should
  std::map<std::string, std::vector<double>> numbers;  ///< what the check compares with
  std::string headline = {};  ///< of those that the report opens with, unless they hold
  std::string drawing = {};   ///< that stands beside the headline

  /// These throw std::domain_error, since numbers are the file's: if there is none of that name, or
  /// several, or not a whole one, or fewer in the list than the check needs.
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] int integer(const std::string& name) const;
  [[nodiscard]] const std::vector<double>& list(const std::string& name,
                                                std::size_t least = 1) const;
  [[nodiscard]] std::vector<int> integers(const std::string& name) const;
};

/// What a check found out.
struct finding {
  std::string found;                ///< our numbers, with their error, in words
  bool as_stated = false;           ///< the claim is true as the paper has it
  bool as_qualified = false;        ///< it is true under the qualification
  std::string qualification = {};   ///< where, or in what sense, it is true
  std::string counterexample = {};  ///< where it is not
};

enum class verdict { holds, qualified, fails };
std::string_view name_of(verdict v);

struct checked_claim {
  claim what;
  finding found;
  verdict result = verdict::fails;
  double seconds = 0;

  /// A claim that holds has no erratum, and one that does not has one. Otherwise the program, the
  /// paper's number or the erratum is wrong.
  [[nodiscard]] bool is_expected() const;
};

/// Looks at a claim with the library, afresh.
using check = std::function<finding(const claim&, const effort&)>;
/// By name. One function a theme, each in its own file.
using check_table = std::map<std::string, check>;
check_table device_checks();      ///< what a cycle of the device costs
check_table register_checks();    ///< formats and the quantizer
check_table cell_checks();        ///< the cells of a format and their widths
check_table entropy_checks();     ///< entropy of one register
check_table bound_checks();       ///< what approximations 1 and 2 may cost
check_table offset_checks();      ///< what approximation 3 neglects
check_table joint_checks();       ///< entropy of two registers
check_table slope_checks();       ///< the law of the slope
check_table regression_checks();  ///< costs of regression and averaging
check_table general_checks();     ///< any codebook, averages of any law
check_table sgd_checks();
check_table prediction_checks();
check_table optimum_checks();
check_table scaling_checks();
check_table mismatch_checks();
check_table mismatch_start_checks();  ///< the best start over all states, and step by step
check_table beyond_checks();          ///< models with many features
const check_table& checks();

/// The claims of a file in the format of claims.toml. Throws std::domain_error, which says what
/// and where, if it is not one, or if it names a check that is not known.
std::vector<claim> parse_claims(std::string_view text, const std::string& file,
                                const check_table& known = checks());
/// The claims of the paper.
const std::vector<claim>& claims();

/// Throws std::domain_error, with the claim, if its numbers make no sense to the check.
checked_claim examine(const claim& what, const effort& work, const check_table& known = checks());

}  // namespace ktln2::paper
