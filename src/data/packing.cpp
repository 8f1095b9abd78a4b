#include "data/packing.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "ktln2/core/bit_cast.hpp"

namespace ktln2::data {

void require_packable(const element& type) {
  if (!type.format || type.parts != 1) {
    throw std::domain_error("dtype: the numbers of a table cannot be stored as " + type.name +
                            ", expected a format such as BF16 or int8");
  }
}

std::span<const std::byte> pack(std::span<const double> values, const element& type,
                                std::span<std::byte> buffer) {
  const auto bits = static_cast<std::size_t>(type.bits);
  const auto used = buffer.first((values.size() * bits + 7) / 8);
  const bool is_double = type.format->name() == "binary64";
  std::fill(used.begin(), used.end(), std::byte{0});
  std::size_t at = 0;  // in bits
  for (const double value : values) {
    std::uint64_t code = is_double ? bit_cast<std::uint64_t>(value) : type.format->quantize(value);
    for (std::size_t left = bits; left > 0;) {
      const std::size_t room = std::min(left, 8 - at % 8);
      const auto low = static_cast<unsigned>(code & ((1U << room) - 1U));
      used[at / 8] |= static_cast<std::byte>(low << at % 8);
      code >>= room;
      at += room;
      left -= room;
    }
  }
  return used;
}

}  // namespace ktln2::data
