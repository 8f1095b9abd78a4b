#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ktln2 {

/// Capitals as small letters, what is no letter of ASCII as it is.
std::string in_small_letters(std::string_view text);

/// How many letters must change, or neighbors change places, to turn one word into the other;
/// capitals do not matter.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Those of the known names that are most like a mistyped one, the likeliest first, at most `most`.
/// One that begins with what was typed, or holds it, comes before others. A name without its prefix
/// ("single_mean" for "eq:single_mean_0") is compared without theirs.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& known,
                                 std::size_t most = 3);

/// The one that was surely meant; empty if none is like enough.
std::string meant(std::string_view name, const std::vector<std::string>& known);

/// "unknown law 'norml': did you mean normal? Expected normal, student, …": the list only where it
/// is short, or where nothing is like the name.
std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known);

/// "a, b or c"
std::string listed(const std::vector<std::string>& names, std::string_view last = "or");

}  // namespace ktln2
