#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ktln2/core/stop.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::measure {

/// What zstd makes of bytes at its usual level, 3: as they are, and with the highest bytes of all
/// numbers before all that are next to them, and so on down to the lowest.
struct compressed_sizes {
  std::uint64_t bytes = 0;
  std::uint64_t plain = 0;
  std::uint64_t split = 0;
};

/// Of whole numbers. Nothing in a build without zstd.
std::optional<compressed_sizes> zstd_sizes(std::span<const std::byte> bytes,
                                           const data::element& type);

/// Of the first numbers of a tensor, at most so many bytes of them. Throws data::file_error, and
/// `stopped`.
std::optional<compressed_sizes> zstd_sizes(data::tensor_file& file,
                                           const data::tensor_file::together& pass,
                                           std::size_t tensor,
                                           std::uint64_t most = std::uint64_t{1} << 23,
                                           const stop_token& stop = {});

}  // namespace ktln2::measure
