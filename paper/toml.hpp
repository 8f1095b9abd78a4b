#pragma once

// toml++ asserts of a file, and in a release has the compiler assume, what some files do not keep
// to:
// "[*" aborts. Without its assertions it goes on and says what is wrong, and where.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)  // NOLINT(cppcoreguidelines-macro-usage)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
