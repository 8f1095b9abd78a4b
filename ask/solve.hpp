#pragma once

#include <functional>
#include <memory>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"

namespace ktln2::ask {

/// Reads a question and answers it: the report, which keeps the answer that it looks into. For
/// every command that can be swept. Throws std::domain_error for the user's mistakes, `stopped`
/// where a stop was asked for.
std::shared_ptr<const report> kept_answer(const words& asked, const stop_token& stop = {});

/// The whole answer, as --json has it, of every command that has one: also of those that cannot be
/// swept. Throws the same, and std::domain_error for a file that is not what it should be.
json whole_answer(const words& asked, const stop_token& stop = {});

/// The same as the first, for `use` to look at as long as it runs.
void answer(const words& asked, const std::function<void(const report&)>& use,
            const stop_token& stop = {});

}  // namespace ktln2::ask
