#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// As .safetensors files call it: BOOL, U8 … U64, I8 … I64, F4, F6_E2M3, F6_E3M2, F8_E4M3, F8_E5M2,
/// F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ, F16, BF16, F32, F64, C64. Nothing for any other name.
std::optional<element> find_safetensors_element(std::string_view name);

/// As NumPy writes it: "<f4", ">f8", "|b1", "<c8". Nothing for what is no number, or none of up to
/// 64 bits.
std::optional<element> find_numpy_element(std::string_view name);

/// As a user names it: one of the above, those of .safetensors in any letters, or a format such as
/// "bfloat16", "posit16", "q3.4". Throws std::domain_error for any other name, and for a format
/// that does not take 4, 6, 8, 16, 32 or 64 bits.
element parse_element(std::string_view name);

/// What whole bytes hold whole elements.
struct unit {
  std::uint64_t bytes = 1;
  std::uint64_t numbers = 1;
};
unit unit_of(const element& type);

/// Nothing if it is beyond 64 bits.
std::optional<std::uint64_t> product_of(const std::vector<std::uint64_t>& shape);

/// How many bytes so many elements take. Nothing if they do not end with a byte, or if it is beyond
/// 63 bits.
std::optional<std::uint64_t> bytes_of(const element& type, std::uint64_t elements);

}  // namespace ktln2::data
