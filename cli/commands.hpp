#pragma once

#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "output.hpp"
#include "team.hpp"

/// The commands that do more than read a question and show the answer.
namespace ktln2::cli {

/// The words behind `sweep`, most of which belong to another command.
void run_sweep(const std::vector<std::string>& typed, team& workers);
/// Its trials are spread over the team.
void run_simulate(const ask::words& asked, style how, team& workers);
/// Tells how far it is; a Ctrl-C leaves what is complete.
void run_measure(const ask::words& asked, style how, team& workers);
/// Exit status 1, after everything is written, if a claim did not come out as it should.
void run_paper(const ask::words& asked, style how);
/// All labels without one.
void run_explain(const ask::words& asked, style how);

/// Takes --json and --csv out of the words. Throws std::domain_error for both at once.
style take_style(ask::words& asked);

/// A whole answer.
inline std::string whole(const ask::report& made) { return ask::text_of(made.all(), 2) + "\n"; }
inline void print_json(const ask::report& made) { print(whole(made)); }

}  // namespace ktln2::cli
