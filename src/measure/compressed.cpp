#include "ktln2/measure/compressed.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef KTLN2_HAS_ZSTD
#include <zstd.h>
#endif

namespace ktln2::measure {
namespace {

#ifdef KTLN2_HAS_ZSTD

std::uint64_t compressed_size(std::span<const std::byte> bytes) {
  constexpr int usual_level = 3;
  std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), usual_level);
  if (ZSTD_isError(size) != 0) {
    throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  }
  return size;
}

/// Byte by byte, the highest of all numbers first.
std::vector<std::byte> in_planes(std::span<const std::byte> bytes, const data::element& type) {
  const auto size = static_cast<std::size_t>(std::max(1, type.bits / 8));
  std::vector<std::byte> planes;
  planes.reserve(bytes.size());
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t from = type.big_endian ? k : size - 1 - k;
    for (std::size_t at = from; at < bytes.size(); at += size) planes.push_back(bytes[at]);
  }
  return planes;
}

#endif

}  // namespace

std::optional<compressed_sizes> zstd_sizes([[maybe_unused]] std::span<const std::byte> bytes,
                                           [[maybe_unused]] const data::element& type) {
#ifdef KTLN2_HAS_ZSTD
  return compressed_sizes{bytes.size(), compressed_size(bytes),
                          compressed_size(in_planes(bytes, type))};
#else
  return {};
#endif
}

std::optional<compressed_sizes> zstd_sizes(data::tensor_file& file,
                                           const data::tensor_file::together& pass,
                                           std::size_t tensor, std::uint64_t most,
                                           const stop_token& stop) {
  const data::element& type = file.tensors()[tensor].type;
  std::vector<std::byte> sample;
  std::vector<std::byte> buffer(std::size_t{1} << 16);
  const auto stream = file.open(pass);
  while (sample.size() < most) {
    throw_if_stopped(stop);
    const data::piece next = stream->next(buffer);
    if (next.count == 0) break;
    if (next.tensor != tensor) continue;
    sample.insert(sample.end(), next.bytes.begin(), next.bytes.end());
  }
  // Numbers are of 1, 2, 4 or 8 bytes, or packed in whole bytes.
  sample.resize(std::min<std::uint64_t>(sample.size(), most / 8 * 8));
  return zstd_sizes(sample, type);
}

}  // namespace ktln2::measure
