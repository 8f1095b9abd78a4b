#pragma once

#include <string>

#include "ask/command.hpp"

namespace ktln2::cli {

/// --json, --csv and --help, which every command takes.
const std::vector<ask::option>& common_options();

/// What `ktln2` alone prints: three things to try.
std::string short_help();
/// What `ktln2 --help` prints.
std::string help();
/// What `ktln2 COMMAND --help` prints, or with a kind `ktln2 COMMAND KIND --help`.
std::string help_on(const ask::command& of, const std::string& kind = "");

}  // namespace ktln2::cli
