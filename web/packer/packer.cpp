// Packs the page and the engine in it, and unpacks them: an arithmetic coder of what `model`
// expects. Made twice, with and without what packs; the page brings along only what unpacks.
#include <new>

#include "model.hpp"

namespace ktln2::packer {
namespace {

constexpr std::uint32_t most = 1U << 22;

alignas(16) std::uint8_t input[most];
alignas(16) std::uint8_t output[most];
alignas(model) std::uint8_t memory[sizeof(model)];

/// Where a bit that is one with the chance p in units of 2^-16 divides the numbers from low to
/// high.
std::uint32_t middle(std::uint32_t low, std::uint32_t high, int p) {
  return low +
         static_cast<std::uint32_t>(std::uint64_t{high - low} * static_cast<unsigned>(p) >> 16);
}

/// A function says its size before it begins.
std::uint32_t with_sizes(const std::uint8_t* from, std::uint32_t length) {
  wasm_reader reader;
  std::uint32_t written = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t function = reader.function();
    reader.take(from[i]);
    output[written++] = from[i];
    if (reader.function() == function) continue;
    if (function > 0) {
      std::uint32_t size = written - begin;
      const std::uint32_t digits = size < 1U << 7    ? 1
                                   : size < 1U << 14 ? 2
                                   : size < 1U << 21 ? 3
                                                     : 4;
      for (std::uint32_t at = written; at-- > begin;) output[at + digits] = output[at];
      written += digits;
      for (std::uint32_t d = 0; d < digits; ++d, size >>= 7) {
        output[begin + d] = static_cast<std::uint8_t>((size & 127) | (d + 1 < digits ? 128 : 0));
      }
    }
    begin = written;
  }
  return written;
}

#ifdef KTLN2_PACKS
std::uint32_t without_sizes(std::uint32_t length) {
  wasm_reader reader;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < length;) {
    const std::uint32_t function = reader.function();
    reader.take(input[i]);
    input[kept++] = input[i++];
    if (reader.function() == function || !reader.is_in_code()) continue;
    while (input[i] >= 128) ++i;
    ++i;
  }
  return kept;
}
#endif

}  // namespace
extern "C" {

/// Where what is to be packed or unpacked is to be written, and what it became.
__attribute__((export_name("input"))) std::uint8_t* input_place() { return input; }
__attribute__((export_name("output"))) std::uint8_t* output_place() { return output; }

/// The first four bytes say how long it will be. Returns that.
__attribute__((export_name("unpack"))) std::uint32_t unpack(int is_wasm) {
  model& expected = *new (memory) model(is_wasm != 0);
  const std::uint8_t* from = input;
  const auto word = [&from] {
    std::uint32_t read = 0;
    for (int i = 0; i < 4; ++i) read = read << 8 | *from++;
    return read;
  };
  const std::uint32_t length = word();
  std::uint32_t low = 0;
  std::uint32_t high = 0xffffffffU;
  std::uint32_t code = word();
  while (expected.length() < length) {
    const std::uint32_t mid = middle(low, high, expected.predict());
    const bool bit = code <= mid;
    (bit ? high : low) = bit ? mid : mid + 1;
    expected.take(bit);
    for (; (low ^ high) >> 24 == 0; low <<= 8, high = high << 8 | 255) code = code << 8 | *from++;
  }
  if (is_wasm != 0) return with_sizes(expected.text(), length);
  for (std::uint32_t i = 0; i < length; ++i) output[i] = expected.text()[i];
  return length;
}

#ifdef KTLN2_PACKS
/// Returns how many bytes it became.
__attribute__((export_name("pack"))) std::uint32_t pack(std::uint32_t length, int is_wasm) {
  if (is_wasm != 0) length = without_sizes(length);
  model& expected = *new (memory) model(is_wasm != 0);
  std::uint8_t* to = output;
  const auto put = [&to](std::uint32_t word) { *to++ = static_cast<std::uint8_t>(word >> 24); };
  for (int i = 0; i < 4; ++i) put(length << 8 * i);
  std::uint32_t low = 0;
  std::uint32_t high = 0xffffffffU;
  for (std::uint32_t i = 0; i < length; ++i) {
    for (int place = 7; place >= 0; --place) {
      const int bit = input[i] >> place & 1;
      const std::uint32_t mid = middle(low, high, expected.predict());
      (bit != 0 ? high : low) = bit != 0 ? mid : mid + 1;
      expected.take(bit);
      for (; (low ^ high) >> 24 == 0; low <<= 8, high = high << 8 | 255) put(low);
    }
  }
  for (int i = 0; i < 4; ++i) put(low << 8 * i);
  return static_cast<std::uint32_t>(to - output);
}
#endif
}

}  // namespace ktln2::packer
