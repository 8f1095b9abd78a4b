#include "ktln2/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>

#ifdef KTLN2_PARALLEL
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace ktln2 {
namespace {

std::size_t one_by_one(std::size_t count,
                       const std::function<std::function<void()>(std::size_t)>& work,
                       const stop_token& stop) {
  std::size_t done = 0;
  for (; done < count && !stop.stop_requested(); ++done) work(done)();
  return done;
}

#ifdef KTLN2_PARALLEL

/// What TBB runs without further ado; it warns on stderr when asked for more.
constexpr unsigned most_threads = 256;
/// Items under way, for each thread.
constexpr std::size_t items_per_thread = 4;

/// How many threads, the caller among them, the system lets us have at once, up to `wanted`: they
/// are started, and end.
unsigned rehearsed(unsigned wanted) {
  std::latch all_started{1};
  std::vector<std::thread> others;
  try {
    others.reserve(wanted);
    while (others.size() + 1 < wanted) others.emplace_back([&] { all_started.wait(); });
  } catch (const std::system_error&) {  // a limit such as `ulimit -u`: so many there are
  } catch (const std::bad_alloc&) {     // or `ulimit -v`
  }
  all_started.count_down();
  for (std::thread& one : others) one.join();
  return static_cast<unsigned>(others.size()) + 1;
}

/// TBB aborts the program when it cannot start a thread. So it may only start as many as the system
/// is known to grant.
class allowance {
 public:
  /// How many of these threads there may be, and TBB is told so.
  unsigned of(unsigned wanted) {
    const std::lock_guard lock(guard_);
    if (wanted > granted_) {
      granted_ = std::max(granted_, rehearsed(wanted));
      // Without it TBB starts no more threads than the machine has cores. A smaller limit that the
      // program sets itself still holds.
      limit_.emplace(tbb::global_control::max_allowed_parallelism, granted_);
    }
    return std::min(wanted, granted_);
  }

 private:
  std::mutex guard_;
  unsigned granted_ = 1;
  std::optional<tbb::global_control> limit_;
};

/// Throws std::runtime_error if the system does not grant as many as were asked for.
unsigned threads_for(std::size_t count, unsigned asked) {
  static allowance granted;
  const unsigned wanted = std::min(asked > 0 ? asked : hardware_threads(), most_threads);
  const auto used = static_cast<unsigned>(std::min<std::size_t>(wanted, count));
  if (used <= 1) return used;
  const unsigned possible = granted.of(used);
  if (asked > 0 && possible < used) {
    throw std::runtime_error("cannot start " + std::to_string(used) +
                             " threads: the system grants " + std::to_string(possible));
  }
  return possible;
}

/// Arenas that nobody is in, by how many threads they have. One that was left is not gone before
/// TBB's own threads have left it, too, and on a busy machine many short calls are quicker than
/// that: new ones would pile up.
class arena_pool {
 public:
  using arena = std::unique_ptr<tbb::task_arena>;

  arena take(unsigned threads) {
    const std::lock_guard lock(guard_);
    std::vector<arena>& left = idle_[threads];
    if (left.empty()) return std::make_unique<tbb::task_arena>(static_cast<int>(threads));
    arena found = std::move(left.back());
    left.pop_back();
    return found;
  }

  void put_back(unsigned threads, arena one) {
    const std::lock_guard lock(guard_);
    idle_[threads].push_back(std::move(one));
  }

 private:
  std::mutex guard_;
  std::map<unsigned, std::vector<arena>> idle_;
};

/// Runs `body` in an arena of its own: it has that many threads whatever the caller stands in, and
/// one that waits for its end takes up no work from outside.
template <class Body>
void with_threads(unsigned threads, const Body& body) {
  static auto* const pool = new arena_pool;  // not torn down before those who may still be in it
  arena_pool::arena arena = pool->take(threads);
  try {
    arena->execute(body);
  } catch (...) {
    pool->put_back(threads, std::move(arena));
    throw;
  }
  pool->put_back(threads, std::move(arena));
}

#endif

}  // namespace

#ifdef KTLN2_PARALLEL

unsigned hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_for(std::size_t count, unsigned threads,
                  const std::function<void(std::size_t)>& work) {
  const unsigned used = threads_for(count, threads);
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&](unsigned) {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  if (used <= 1) return take_turns(0);
  with_threads(used, [&] { tbb::parallel_for(0U, used, take_turns, tbb::simple_partitioner{}); });
}

std::size_t parallel_in_order(std::size_t count, unsigned threads,
                              const std::function<std::function<void()>(std::size_t)>& work,
                              const stop_token& stop) {
  const unsigned used = threads_for(count, threads);
  if (used <= 1) return one_by_one(count, work, stop);
  std::size_t begun = 0;
  std::size_t done = 0;
  // No exception may cross TBB: it would lose the items that are under way. One of the work is
  // thrown in its turn, and the first one of a turn is kept.
  std::atomic<bool> has_failed = false;
  std::exception_ptr problem;
  const auto begin = tbb::make_filter<void, std::size_t>(
      tbb::filter_mode::serial_in_order, [&](tbb::flow_control& flow) -> std::size_t {
        if (begun < count && !has_failed && !stop.stop_requested()) return begun++;
        flow.stop();
        return count;
      });
  const auto compute = tbb::make_filter<std::size_t, std::function<void()>>(
      tbb::filter_mode::parallel, [&](std::size_t i) -> std::function<void()> {
        try {
          return work(i);
        } catch (...) {
          has_failed = true;
          return [thrown = std::current_exception()] { std::rethrow_exception(thrown); };
        }
      });
  const auto finish = tbb::make_filter<std::function<void()>, void>(
      tbb::filter_mode::serial_in_order, [&](const std::function<void()>& in_turn) {
        if (problem) return;
        try {
          in_turn();
          ++done;
        } catch (...) {
          has_failed = true;
          problem = std::current_exception();
        }
      });
  with_threads(used,
               [&] { tbb::parallel_pipeline(items_per_thread * used, begin & compute & finish); });
  if (problem) std::rethrow_exception(problem);
  return done;
}

#else

unsigned hardware_threads() { return 1; }

void parallel_for(std::size_t count, unsigned, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

std::size_t parallel_in_order(std::size_t count, unsigned,
                              const std::function<std::function<void()>(std::size_t)>& work,
                              const stop_token& stop) {
  return one_by_one(count, work, stop);
}

#endif

}  // namespace ktln2
