#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Labels cannot be seen in a printed paper, numbers can.
namespace ktln2::paper {

/// What a label of the paper is called in print: "Figure 5a"; "in Appendix C" for what has no
/// number there; empty for what is no label of the paper.
std::string printed_number(std::string_view label);

/// A name in print, however it is written: "Figure 5a", "fig. 5(a)", "Eq. (12)", "Section 4.1" for
/// IV-A, "Table 2" for II.
struct printed_name {
  std::string kind;    ///< "Figure"
  std::string number;  ///< in a form in which equal ones are equal: "5a", "4.1", "12"
  friend bool operator==(const printed_name&, const printed_name&) = default;
};

/// Nothing for a text that does not begin with the name of a kind, or has no number behind it.
std::optional<printed_name> read_printed_name(std::string_view text);

/// The label that is printed so. Throws std::domain_error, with those of its kind that have labels,
/// if there is none.
std::string label_printed(const printed_name& name);

}  // namespace ktln2::paper
