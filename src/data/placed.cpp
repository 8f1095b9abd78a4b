#include "data/placed.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "data/refuse.hpp"

namespace ktln2::data {

placed_stream::placed_stream(std::shared_ptr<source> from, std::size_t tensor, const element& type,
                             std::uint64_t begin, std::optional<std::uint64_t> bytes, bool is_last)
    : from_{std::move(from)},
      tensor_{tensor},
      unit_{unit_of(type)},
      begin_{begin},
      bytes_{bytes},
      must_end_{is_last && from_->is_pipe()} {}

piece placed_stream::piece_at(std::uint64_t at, std::span<const std::byte> bytes) const {
  return {.tensor = tensor_,
          .first = at / unit_.bytes * unit_.numbers,
          .count = bytes.size() / unit_.bytes * unit_.numbers,
          .bytes = bytes};
}

piece placed_stream::next(std::span<std::byte> buffer) {
  buffer = buffer.first(buffer.size() - buffer.size() % static_cast<std::size_t>(unit_.bytes));
  std::unique_lock mine{turn_, std::defer_lock};
  if (from_->is_pipe()) mine.lock();
  if (!bytes_) return next_to_the_end(buffer);
  // At the end the offset stays, so that no number of calls wraps it around.
  if (claimed_.load() >= *bytes_) {
    require_end();
    return {.tensor = tensor_};
  }
  const std::uint64_t at = claimed_.fetch_add(buffer.size());
  if (at >= *bytes_) return {.tensor = tensor_};
  const auto part =
      buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), *bytes_ - at)));
  from_->read(begin_ + at, part);
  return piece_at(at, part);
}

/// Asked of a pipe, whose readers take turns, and once: the other threads find nothing more, also
/// after an error.
void placed_stream::require_end() {
  if (!must_end_) return;
  must_end_ = false;
  std::array<std::byte, 1> more{};
  if (from_->read_some(begin_ + *bytes_, more) > 0) {
    refuse_file(from_->name(), "its numbers end at byte " + std::to_string(begin_ + *bytes_) +
                                   ", but more bytes follow");
  }
}

piece placed_stream::next_to_the_end(std::span<std::byte> buffer) {
  const std::uint64_t at = claimed_.load();
  const std::size_t got = from_->read_some(begin_ + at, buffer);
  // The other threads find nothing more, also after an error.
  claimed_ += got;
  if (got % unit_.bytes != 0) {
    refuse_file(from_->name(), "ends at byte " + std::to_string(begin_ + at + got) +
                                   ", within a number of " + std::to_string(unit_.bytes) +
                                   " bytes");
  }
  return piece_at(at, buffer.first(got));
}

}  // namespace ktln2::data
