#include "rows.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "ktln2/core/parallel.hpp"

namespace ktln2::python {
namespace {

class first_mistake {
 public:
  [[nodiscard]] bool is_before(std::size_t row) const { return row_.load() < row; }

  void note(std::size_t row, const char* message) {
    const std::lock_guard lock{mutex_};
    if (row_.load() <= row) return;
    row_ = row;
    message_ = message;
  }

  void rethrow() const {
    if (row_.load() != none) throw row_error(row_, message_);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::mutex mutex_;
  std::atomic<std::size_t> row_{none};
  std::string message_;
};

}  // namespace

void for_rows(std::size_t count, unsigned threads, const stop_token& stop,
              const std::function<void(std::size_t)>& work) {
  // Rows are handed out in ascending order, some at a time; those before a mistake are all done.
  const std::size_t workers = threads > 0 ? threads : hardware_threads();
  const std::size_t some = std::clamp<std::size_t>(count / (16 * workers), 1, 64);
  first_mistake mistake;
  parallel_for((count + some - 1) / some, threads, [&](std::size_t group) {
    const std::size_t end = std::min(count, (group + 1) * some);
    for (std::size_t row = group * some; row < end; ++row) {
      if (stop.stop_requested() || mistake.is_before(row)) return;
      try {
        work(row);
      } catch (const std::domain_error& error) {
        mistake.note(row, error.what());
        return;
      }
    }
  });
  throw_if_stopped(stop);
  mistake.rethrow();
}

std::size_t common_length(std::initializer_list<std::size_t> lengths) {
  std::size_t longest = 1;
  for (const std::size_t length : lengths) {
    if (length == 1) continue;
    if (longest != 1 && longest != length) {
      throw std::logic_error("arrays of " + std::to_string(longest) + " and " +
                             std::to_string(length) + " rows do not go together");
    }
    longest = length;
  }
  return longest;
}

}  // namespace ktln2::python
