#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ktln2::paper {

/// The three labels that are most like a mistyped one, for a message. A label without its prefix is
/// compared without theirs.
std::string nearest(std::string_view label, const std::vector<std::string_view>& known);

}  // namespace ktln2::paper
