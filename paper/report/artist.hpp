#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "ktln2/core/stop.hpp"

namespace ktln2::paper {

/// A program that was started, whose standard output is read line by line.
class child {
 public:
  explicit child(std::vector<std::string> words);
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  child(child&&) = delete;
  child& operator=(child&&) = delete;

  /// Nothing at the end, and once it is to stop.
  std::optional<std::string> line(const stop_token& stop = {});
  void interrupt() const;
  /// At once, whatever it does.
  void end() const;
  /// Waits for the end: was it a good one?
  bool succeeds();

 private:
  bool read_more(const stop_token& stop);

  pid_t pid_ = -1;
  int output_ = -1;
  std::string unread_;
};

/// A Python that has matplotlib; empty if there is none. The environment may name another one.
std::string python_that_draws(const stop_token& stop = {});

/// What to do where there is none.
inline constexpr const char* how_to_draw =
    "install matplotlib (on Debian: apt install python3-matplotlib) and run the same command again";

}  // namespace ktln2::paper
