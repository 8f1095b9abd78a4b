#pragma once

#include <functional>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"

namespace ktln2::ask {

/// Reads a question, answers it, and hands the report of the answer to `use`, which may look at it
/// as long as it runs. For every command that can be swept. Throws std::domain_error for the user's
/// mistakes, `stopped` where a stop was asked for.
void answer(const words& asked, const std::function<void(const report&)>& use,
            const stop_token& stop = {});

}  // namespace ktln2::ask
