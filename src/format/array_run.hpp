#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>

/// What all functions on arrays have in common: which arrays they take, and who does what.
namespace ktln2::array_run {

/// Outputs beyond this size do not stay in the caches anyway: writing past the caches saves
/// reading the old contents first.
constexpr std::size_t streaming_bytes = std::size_t{32} << 20;
constexpr std::size_t streaming_alignment = 64;

inline std::string element(const char* where, std::size_t index) {
  return std::string(where) + ": element " + std::to_string(index);
}

/// The same memory is allowed where elements of both have the same size.
template <class In, class Stored>
void require_same_extent(const char* where, std::span<const In> in, std::span<Stored> out) {
  if (in.size() != out.size()) {
    throw std::domain_error(std::string(where) + ": out must have the size of in, " +
                            std::to_string(in.size()) + ", got " + std::to_string(out.size()));
  }
  const std::less<> before;
  const void* first = in.data();
  const void* other = out.data();
  const bool in_place = first == other && sizeof(In) == sizeof(Stored);
  if (!in_place && before(first, out.data() + out.size()) && before(other, in.data() + in.size())) {
    throw std::domain_error(std::string(where) + ": in and out must not overlap" +
                            (sizeof(In) == sizeof(Stored) ? " in part" : ""));
  }
}

/// Runs `kernel` over the array; what it leaves, at the ends and in between, goes one by one.
template <class In, class Stored, class Kernel, class One>
void quantize(std::span<const In> in, std::span<Stored> out, std::size_t group, Kernel kernel,
              One one_element) {
  const std::size_t size = in.size();
  std::size_t done = 0;
  const auto one_by_one = [&](std::size_t count) {
    const std::size_t end = done + std::min(size - done, count);
    for (; done < end; ++done) out[done] = one_element(in[done], done);
  };
  // In place, the line to be written is in the cache already.
  const bool in_place = static_cast<const void*>(in.data()) == out.data();
  const bool streaming = size * sizeof(Stored) > streaming_bytes && !in_place;
  if (streaming) {
    const auto misaligned = reinterpret_cast<std::uintptr_t>(out.data()) % streaming_alignment;
    one_by_one((streaming_alignment - misaligned) % streaming_alignment / sizeof(Stored));
  }
  while (done < size) {
    done += kernel(in.data() + done, out.data() + done, size - done, streaming);
    one_by_one(group);
  }
}

}  // namespace ktln2::array_run
