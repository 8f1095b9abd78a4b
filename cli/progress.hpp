#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ktln2/core/stop.hpp"

namespace ktln2::cli {

/// While it lives, the first Ctrl-C, or another one of the signals, asks for an end, and a second
/// one ends the program as usual. Work that does not end soon after the first is left alone: its
/// last words are said, unless nobody takes them, and the program ends.
class interrupt_guard {
 public:
  /// How long the work may take to end by itself. On a busy machine what is quick may not be, so
  /// what would be lost may have more.
  static constexpr std::chrono::milliseconds usual_patience{100};

  explicit interrupt_guard(std::function<void()> last_words,
                           std::chrono::milliseconds patience = usual_patience);
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
  std::chrono::milliseconds patience_;
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

/// Shows how far long work is, or where nobody knows how long it takes: a line on stderr, on a
/// terminal only, that comes after a second and goes away at the end.
class progress_bar {
 public:
  progress_bar();
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  progress_bar(progress_bar&&) = delete;
  progress_bar& operator=(progress_bar&&) = delete;

  /// So much is done, or 0 where that is not known.
  void show(double share, const std::string& what = "");
  /// Starts anew, for another piece of work.
  void restart();
  /// To be held while something else is written to the terminal: the line is gone.
  [[nodiscard]] std::unique_lock<std::mutex> hidden();

 private:
  using clock = std::chrono::steady_clock;
  void tick();
  void write();
  void erase();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  bool is_shown_ = false;
  double share_ = 0;
  std::string what_;
  clock::time_point start_ = clock::now();
  std::thread ticker_;  ///< none without a terminal
};

/// Work that may take long: signals end it, and a terminal sees that it goes on.
class at_work {
 public:
  /// Whoever ends it is told that it was interrupted.
  explicit at_work(const std::string& command);
  /// Or something else.
  explicit at_work(std::function<void()> last_words,
                   std::chrono::milliseconds patience = interrupt_guard::usual_patience);

  [[nodiscard]] static stop_token stop() { return stop_token{interrupt_guard::flag()}; }
  [[nodiscard]] progress_bar& bar() { return bar_; }
  /// To be held while something is written that must not be cut in two.
  [[nodiscard]] std::unique_lock<std::mutex> undivided() { return guard_->undivided(); }
  /// From now on signals end the program as they usually do: what was made so far is to be shown.
  void let_go() { guard_.reset(); }

 private:
  progress_bar bar_;
  std::optional<interrupt_guard> guard_;
};

}  // namespace ktln2::cli
