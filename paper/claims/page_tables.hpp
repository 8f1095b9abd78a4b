#pragma once

#include <string>
#include <string_view>

/// The tables of the documentation that are made by the program: what stands between the lines
/// "<!-- generated -->" and "<!-- end -->" of a page. All throw std::invalid_argument if the page
/// has no such lines.
namespace ktln2::paper {

/// docs/errata.md: what is wrong in the paper, from its one home, the errata of labels.toml and
/// those of claims.toml with what their checks find.
std::string with_errata(std::string_view page);

/// docs/paper.md: every label of the paper, and the command that computes it.
std::string with_commands(std::string_view page);

}  // namespace ktln2::paper
