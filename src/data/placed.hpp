#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "data/source.hpp"
#include "ktln2/data/element.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// The numbers of one tensor that stand in a row in a file. A piece is claimed by moving the offset
/// on, so that several threads read a file at the same time; of a pipe they take turns.
class placed_stream : public tensor_stream {
 public:
  /// Without `bytes`: up to the end of the source. Behind the last numbers of a pipe there must be
  /// its end; of a file that is known beforehand.
  placed_stream(std::shared_ptr<source> from, std::size_t tensor, const element& type,
                std::uint64_t begin, std::optional<std::uint64_t> bytes, bool is_last = false);
  piece next(std::span<std::byte> buffer) override;

 private:
  [[nodiscard]] piece piece_at(std::uint64_t at, std::span<const std::byte> bytes) const;
  piece next_to_the_end(std::span<std::byte> buffer);
  void require_end();

  std::shared_ptr<source> from_;
  std::size_t tensor_;
  unit unit_;
  std::uint64_t begin_;
  std::optional<std::uint64_t> bytes_;
  bool must_end_;
  std::atomic<std::uint64_t> claimed_ = 0;
  std::mutex turn_;
};

}  // namespace ktln2::data
