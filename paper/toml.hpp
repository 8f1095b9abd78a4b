#pragma once

// toml++ asserts of a file, and in a release has the compiler assume, what some files do not keep
// to:
// "[*" aborts. Without its assertions it goes on and says what is wrong, and where.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)  // NOLINT(cppcoreguidelines-macro-usage)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <string_view>

namespace ktln2::paper {

/// toml::parse for any text at all. Letters beyond ASCII outside of strings and comments, which
/// TOML does not have and of which toml++ 3.0 takes some for unreachable, are refused first. Throws
/// toml::parse_error.
toml::table parse_toml(std::string_view text);

}  // namespace ktln2::paper
