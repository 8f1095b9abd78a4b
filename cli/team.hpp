#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ktln2/core/stop.hpp"

namespace ktln2::cli {

/// Rows first … last - 1 of something long, to be made in blocks.
struct row_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t block = 1;  ///< rows a block
  unsigned threads = 0;     ///< 0: as many as the machine has

  [[nodiscard]] std::uint64_t blocks() const {
    return last > first ? (last - first - 1) / block + 1 : 0;
  }
  [[nodiscard]] std::uint64_t begin_of(std::uint64_t i) const { return first + i * block; }
  [[nodiscard]] std::uint64_t end_of(std::uint64_t i) const {
    const std::uint64_t end = begin_of(i) + block;
    return end < last ? end : last;
  }
};

/// The rows begin … end - 1, as bytes.
using row_maker = std::function<std::string(std::uint64_t begin, std::uint64_t end)>;
/// What is done with them.
using row_taker = std::function<void(std::string_view bytes)>;

/// Those who work on long lists of rows: the threads of this process, or the processes of a job.
class team {
 public:
  team() = default;
  virtual ~team() = default;
  team(const team&) = delete;
  team& operator=(const team&) = delete;
  team(team&&) = delete;
  team& operator=(team&&) = delete;

  /// Does this process write what comes out? One of them does; only its range and its taker count.
  [[nodiscard]] virtual bool writes() const = 0;
  [[nodiscard]] virtual bool has_threads() const = 0;
  /// Makes blocks anywhere and takes them in order. Ends early, without a gap, after a stop.
  /// Rethrows what a maker or the taker throws; all blocks before that one have been taken if it
  /// was the taker.
  virtual void run(const row_range& rows, const row_maker& make, const row_taker& take,
                   const stop_token& stop) = 0;
};

/// The threads of this process.
class thread_team : public team {
 public:
  [[nodiscard]] bool writes() const override { return true; }
  [[nodiscard]] bool has_threads() const override { return true; }
  void run(const row_range& rows, const row_maker& make, const row_taker& take,
           const stop_token& stop) override;
};

}  // namespace ktln2::cli
