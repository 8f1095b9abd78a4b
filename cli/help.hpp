#pragma once

#include <string>

#include "ask/command.hpp"
#include "ktln2/distribution/catalogue.hpp"

namespace ktln2::cli {

/// --json, --csv and --help, which every command takes.
const std::vector<ask::option>& common_options();

/// What it is for, in a sentence.
std::string about_the_program();
/// What an option of the command means: with its default, its other names, and the kinds that have
/// it where not all do.
std::string describe(const ask::option& one, const ask::command& of);
/// What a law is, and its other names; may be empty.
std::string describe(const law_entry& one);

/// What `ktln2` alone prints: three things to try.
std::string short_help();
/// What `ktln2 --help` prints.
std::string help();
/// What `ktln2 COMMAND --help` prints, or with a kind `ktln2 COMMAND KIND --help`.
std::string help_on(const ask::command& of, const std::string& kind = "");

}  // namespace ktln2::cli
