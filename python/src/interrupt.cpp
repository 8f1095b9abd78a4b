#include "interrupt.hpp"

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

void run(std::function<void(const stop_token&)> work, bool is_attended) {
  [[maybe_unused]] static const int registered = on_exit(leave_without_teardown, nullptr);
  const auto one = std::make_shared<job>();
  one->work = std::move(work);
  const py::gil_scoped_release unlocked;
  std::thread{[one] { one->run(); }}.detach();
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
