#include "interrupt.hpp"

#include <pthread.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ktln2::python {
namespace {

namespace py = pybind11;
using std::chrono::milliseconds;

constexpr milliseconds between_looks{40};
constexpr milliseconds patience{100};

/// How many were left to themselves and still work. At exit they would run on while what they use
/// is torn down: then the process ends without that.
std::atomic<int> left_alone{0};

void leave_without_teardown(int status, void*) {
  if (left_alone.load() > 0) _exit(status);
}

struct job {
  std::function<void(const stop_token&)> work;
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  bool is_left = false;
  std::exception_ptr error;

  void run() {
    try {
      work(stop_token{stop});
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr;
  }

  void finish() {
    const std::lock_guard lock{mutex};
    is_done = true;
    if (is_left) --left_alone;
    changed.notify_all();
  }

  bool done_within(milliseconds time) {
    std::unique_lock lock{mutex};
    return changed.wait_for(lock, time, [this] { return is_done; });
  }

  void wait() {
    std::unique_lock lock{mutex};
    changed.wait(lock, [this] { return is_done; });
  }

  void leave() {
    const std::lock_guard lock{mutex};
    if (is_done) return;
    is_left = true;
    ++left_alone;
  }
};

/// A thread that does one job after another.
class worker {
 public:
  void give(std::shared_ptr<job> next) {
    const std::lock_guard lock{mutex_};
    next_ = std::move(next);
    changed_.notify_one();
  }

  /// Waits for the next one.
  std::shared_ptr<job> take() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return next_ != nullptr; });
    return std::exchange(next_, nullptr);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<job> next_;
};

/// Those that wait for work: to start a thread for each call would take longer than many calls do.
class worker_pool {
 public:
  void run(const std::shared_ptr<job>& one) { idle_or_new()->give(one); }

 private:
  worker* idle_or_new() {
    {
      const std::lock_guard lock{mutex_};
      if (!idle_.empty()) {
        worker* const found = idle_.back();
        idle_.pop_back();
        return found;
      }
    }
    auto* const made = new worker;  // lives as long as the process
    std::thread{[this, made] { serve(made); }}.detach();
    return made;
  }

  void serve(worker* self) {
    for (;;) {
      const std::shared_ptr<job> one = self->take();
      one->run();
      {
        const std::lock_guard lock{mutex_};
        idle_.push_back(self);
      }
      one->finish();  // only now, so that the next call finds this thread
    }
  }

  std::mutex mutex_;
  std::vector<worker*> idle_;
};

/// Never torn down: at exit threads still wait in it. A forked process has none of the threads, and
/// gets a pool of its own.
worker_pool*& pool() {
  static worker_pool* made = [] {
    pthread_atfork(nullptr, nullptr, [] { pool() = new worker_pool; });
    return new worker_pool;
  }();
  return made;
}

void run(std::function<void(const stop_token&)> work, bool is_attended) {
  [[maybe_unused]] static const int registered = on_exit(leave_without_teardown, nullptr);
  const auto one = std::make_shared<job>();
  one->work = std::move(work);
  const py::gil_scoped_release unlocked;
  pool()->run(one);
  while (!one->done_within(between_looks)) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    const py::error_already_set interrupt;  // takes the exception out of the interpreter
    one->stop = true;
    {
      const py::gil_scoped_release waiting;
      if (is_attended) {
        one->wait();
      } else if (!one->done_within(patience)) {
        one->leave();
      }
    }
    throw interrupt;
  }
  if (one->error) std::rethrow_exception(one->error);
}

}  // namespace

void run_interruptibly(std::function<void(const stop_token&)> work) { run(std::move(work), false); }

void run_attended(std::function<void(const stop_token&)> work) { run(std::move(work), true); }

}  // namespace ktln2::python
