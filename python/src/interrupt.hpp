#pragma once

#include <functional>

#include "ktln2/core/stop.hpp"

namespace ktln2::python {

/// Does `work` without the interpreter's lock, and hears Ctrl-C: KeyboardInterrupt then leaves at
/// most a fifth of a second later. The work is asked to stop; if it does not at once, it is left to
/// itself. So it must own all that it touches.
void run_interruptibly(std::function<void(const stop_token&)> work);

/// The same for work that soon looks at its token, which is waited for, and so may use what belongs
/// to the caller.
void run_attended(std::function<void(const stop_token&)> work);

}  // namespace ktln2::python
