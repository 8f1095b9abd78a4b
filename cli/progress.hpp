#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>

namespace ktln2::cli {

/// While it lives, the first Ctrl-C asks for an end and the second one ends the program as usual.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  interrupt_guard(interrupt_guard&&) = delete;
  interrupt_guard& operator=(interrupt_guard&&) = delete;

  /// Set by the first Ctrl-C.
  [[nodiscard]] static const std::atomic<bool>& flag();

 private:
  struct sigaction before_ = {};
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
