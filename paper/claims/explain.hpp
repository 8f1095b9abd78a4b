#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ktln2::paper {

/// What there is to say about one label of the paper. Sentences may hold $formulas$, `code` and
/// [labels].
struct explanation {
  std::string label;
  std::string number = {};  ///< in print: "Figure 5a"; "in Appendix C" where it has none
  std::string title;
  std::string tex;  ///< the formula, in the subset of formula.hpp; empty where there is none
  std::string says;
  /// "entropy/exact.hpp: exact_entropy": a header below include/ktln2 and a name in it
  std::vector<std::string> uses;
  std::string status;                ///< one of statuses()
  std::string regime;                ///< what it needs to hold; empty where nothing
  std::vector<std::string> figures;  ///< labels of the figures that show it
  std::string command;               ///< that shows it; empty where none does
  std::string erratum;               ///< what is wrong in the paper, and what is right
};

/// All of them, in the order of the paper.
const std::vector<explanation>& all_explanations();

/// The one of a label; "single_mean_0" will do for "eq:single_mean_0" where no other label ends so,
/// and so does what is printed, "Equation 21". Null if there is none. Throws std::domain_error for
/// a number that the paper does not have.
const explanation* find_explanation(std::string_view label);

/// Those with this text in their label or title, capitals or not.
std::vector<explanation> explanations_with(std::string_view text);

/// find_explanation(). Throws std::domain_error that names the nearest labels for one that the
/// paper does not have.
const explanation& explain(std::string_view label);

/// What `status` can be.
const std::vector<std::string_view>& statuses();

/// From the text of a file like labels.toml. Throws std::logic_error that names the label whose
/// entry lacks something or has what it should not.
std::vector<explanation> read_explanations(std::string_view toml);

}  // namespace ktln2::paper
