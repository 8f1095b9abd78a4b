#pragma once

#include <functional>
#include <optional>

namespace ktln2::cli {

/// What the command line asks for, ready to run; nothing where it was answered already (--help,
/// --version). Throws std::domain_error for what cannot be understood.
std::optional<std::function<void()>> parse_arguments(int argc, char** argv);

}  // namespace ktln2::cli
