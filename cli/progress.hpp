#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

namespace ktln2::cli {

/// While it lives, the first Ctrl-C, or another one of the signals, asks for an end, and a second
/// one ends the program as usual.
class interrupt_guard {
 public:
  explicit interrupt_guard(const std::vector<int>& signals = {SIGINT});
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  interrupt_guard(interrupt_guard&&) = delete;
  interrupt_guard& operator=(interrupt_guard&&) = delete;

  /// Set by the first signal.
  [[nodiscard]] static const std::atomic<bool>& flag();
  /// Which one it was.
  [[nodiscard]] static int signal();

 private:
  struct handled {
    int signal;
    struct sigaction before;
  };
  std::vector<handled> handled_;
};

/// A signal ended the work early. The exit status is the shell's for that signal.
struct interrupted_work : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] static int status() { return 128 + interrupt_guard::signal(); }
};

/// Shows how far long work is: a line on stderr, on a terminal only, that goes away at the end.
class progress_bar {
 public:
  progress_bar();
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  progress_bar(progress_bar&&) = delete;
  progress_bar& operator=(progress_bar&&) = delete;

  void show(double share, const std::string& what = "");
  /// Starts anew, for another piece of work.
  void restart();

 private:
  using clock = std::chrono::steady_clock;
  bool is_on_terminal_;
  bool is_shown_ = false;
  clock::time_point start_ = clock::now();
  clock::time_point next_ = start_ + std::chrono::milliseconds(500);
};

}  // namespace ktln2::cli
