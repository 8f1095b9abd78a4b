#pragma once

#include <atomic>
#include <exception>

namespace ktln2 {

/// Asks a long computation to end early: a copyable view of a flag that someone else owns and that
/// must outlive it. A token without a flag never stops.
class stop_token {
 public:
  stop_token() = default;
  explicit stop_token(const std::atomic<bool>& flag) : flag_{&flag} {}

  [[nodiscard]] bool stop_requested() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

/// Thrown by a computation that ended because it was asked to.
struct stopped : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

/// Throws `stopped` if a stop is requested.
inline void throw_if_stopped(const stop_token& stop) {
  if (stop.stop_requested()) throw stopped{};
}

}  // namespace ktln2
