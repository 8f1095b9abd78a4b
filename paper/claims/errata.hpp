#pragma once

#include <string>
#include <string_view>

/// What is wrong in the paper, from its one home: the errata of labels.toml, and those of
/// claims.toml with what their checks find.
namespace ktln2::paper {

/// The page docs/errata.md with its tables made afresh: what stands between the lines
/// "<!-- generated -->" and "<!-- end -->". Throws std::invalid_argument if it has no such lines.
std::string with_errata(std::string_view page);

}  // namespace ktln2::paper
