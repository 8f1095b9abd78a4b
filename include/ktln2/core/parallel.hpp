#pragma once

#include <cstddef>
#include <functional>

#include "ktln2/core/stop.hpp"

namespace ktln2 {

/// Work on several cores. In a build without threads (KTLN2_PARALLEL=OFF, the browser) the same
/// functions do one thing after another, with the same results.
///
/// At most `threads` calls of `work` run at the same time. 0 stands for as many as the machine runs
/// at once, or fewer where the system grants no more; a number that is asked for, up to 256, is
/// used, or std::runtime_error says that the system does not grant it. There are never more threads
/// than calls. Calls may be nested.

/// How many threads the machine runs at once, at least 1. Without threads: 1.
unsigned hardware_threads();

/// work(0) … work(count - 1), begun in ascending order. The first exception is rethrown once the
/// calls that run have ended; no other is then begun.
void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& work);

/// Calls work(0) … work(count - 1) in parallel, and what each returns in order, one at a time, as
/// soon as its turn comes. At most four a thread are under way or wait for their turn.
///
/// Returns how many came to their turn, from the first on without a gap: fewer than `count` only if
/// a stop was requested. Then no other is begun, but what was begun is finished. The first
/// exception of either kind of call is rethrown; no turn comes after that of the call that threw.
std::size_t parallel_in_order(std::size_t count, unsigned threads,
                              const std::function<std::function<void()>(std::size_t)>& work,
                              const stop_token& stop = {});

}  // namespace ktln2
