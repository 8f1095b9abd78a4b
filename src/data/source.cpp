#include "data/source.hpp"

#include <algorithm>

#include "data/refuse.hpp"

namespace ktln2::data {

void source::read(std::uint64_t offset, std::span<std::byte> buffer) {
  const std::size_t got = read_some(offset, buffer);
  if (got == buffer.size()) return;
  const std::uint64_t end = offset + got;
  if (size_ && end < *size_) {
    // Where nothing was found, it may have ended long before.
    refuse_file(name_, (got > 0 ? "ended at byte " : "ended before byte ") + std::to_string(end) +
                           ", but had " + std::to_string(*size_) +
                           " bytes when it was opened: it has shrunk");
  }
  refuse_file(name_, "ends at byte " + std::to_string(end) + ", expected at least " +
                         std::to_string(offset + buffer.size()));
}

std::span<const std::byte> source::look(std::size_t most) {
  if (looked_at_.size() < most) {
    std::vector<std::byte> front(most);
    front.resize(read_some(0, front));
    looked_at_ = std::move(front);
  }
  return std::span(looked_at_).first(std::min(most, looked_at_.size()));
}

}  // namespace ktln2::data
