#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/data/element.hpp"

namespace ktln2::data {

/// The longest header that is read. NumPy's own are below 64 KiB.
inline constexpr std::uint64_t most_npy_header_bytes = 1 << 20;

/// What a .npy file says before its numbers. The order of the axes does not matter here.
struct npy_header {
  element type;
  std::vector<std::uint64_t> shape = {};
  std::uint64_t header_bytes = 0;  ///< where the numbers begin
  std::uint64_t data_bytes = 0;    ///< how many bytes they take
};

/// How long the header is, from the first bytes of a file, of which it must have 12 where it has so
/// many. Throws file_error.
std::uint64_t npy_header_bytes(const std::string& file, std::string_view front);

/// The header, of versions 1, 2 and 3. With a `dtype` the numbers are taken for that, which must
/// take as many bytes as the file says: NumPy writes bfloat16 as bytes without a meaning. Throws
/// file_error.
npy_header parse_npy_header(const std::string& file, std::string_view header,
                            const std::optional<element>& dtype = {});

}  // namespace ktln2::data
