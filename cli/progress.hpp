#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ktln2::cli {

/// While it lives, the first Ctrl-C, or another one of the signals, asks for an end, and a second
/// one ends the program as usual. Work that does not end soon after the first is left alone: its
/// last words are said, unless nobody takes them, and the program ends.
class interrupt_guard {
 public:
  explicit interrupt_guard(std::function<void()> last_words,
                           const std::vector<int>& signals = {SIGINT});
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
  interrupt_guard(interrupt_guard&&) = delete;
  interrupt_guard& operator=(interrupt_guard&&) = delete;

  /// To be held while something is written that must not be cut in two.
  [[nodiscard]] std::unique_lock<std::mutex> undivided() { return std::unique_lock{writing_}; }

  /// Set by the first signal.
  [[nodiscard]] static const std::atomic<bool>& flag();
  /// Which one it was.
  [[nodiscard]] static int signal();

 private:
  struct handled {
    int signal;
    struct sigaction before;
  };
  void watch();
  void say_last_words();

  std::function<void()> last_words_;
  std::vector<handled> handled_;
  std::mutex writing_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread watcher_;
};

/// A signal ended the work early. The exit status is the shell's for that signal. Without a message
/// all was said already.
struct interrupted_work : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] static int status() { return 128 + interrupt_guard::signal(); }
};

/// Whether one who reads it takes more now; a file always does.
[[nodiscard]] bool takes_more(int descriptor);

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
