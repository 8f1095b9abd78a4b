#pragma once

#include <string>
#include <vector>

#include "team.hpp"

namespace ktln2::cli {

/// The whole program: takes the words apart, answers, and shows what there is. Mistakes of the user
/// and failures are told on stderr in one line. Returns the exit status: 0 done, 2 the user's
/// mistake, 128 and its number for a signal that ended the work early, 1 anything else.
int run_program(const std::vector<std::string>& typed, team& workers);

}  // namespace ktln2::cli
