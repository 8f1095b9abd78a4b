#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// The longest header that is read: that of the reference implementation.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// A tensor, and where its bytes are.
struct placed_tensor {
  tensor what;
  std::uint64_t begin = 0;  ///< from the beginning of the data
  std::uint64_t end = 0;
};

/// The header of a .safetensors file, the JSON behind the eight bytes that say how long it is: its
/// tensors in the order of their bytes. They must fill the data, without overlaps and holes;
/// `data_bytes` is how long it is, where that is known. Throws file_error.
std::vector<placed_tensor> parse_safetensors_header(const std::string& file, std::string_view json,
                                                    std::optional<std::uint64_t> data_bytes);

/// The index of a model in several files: the names of the tensors in each file. A file is a plain
/// name, so that it lies beside the index. Throws file_error.
std::map<std::string, std::vector<std::string>> parse_safetensors_index(const std::string& file,
                                                                        std::string_view json);

}  // namespace ktln2::data
