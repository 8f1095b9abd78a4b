#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/source.hpp"
#include "ktln2/data/open.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// Every tensor by itself.
std::vector<tensor_file::together> one_by_one(std::size_t tensors);

/// One for each kind of file.
std::unique_ptr<tensor_file> open_safetensors(std::shared_ptr<source> from);
std::unique_ptr<tensor_file> open_safetensors_index(source& from, const std::string& path);
std::unique_ptr<tensor_file> open_npy(std::shared_ptr<source> from,
                                      const std::optional<element>& dtype);
/// An archive is read from its end, so it cannot come through a pipe.
std::unique_ptr<tensor_file> open_npz(const std::string& path, const std::optional<element>& dtype);
/// The columns that hold numbers.
std::unique_ptr<tensor_file> open_table(std::shared_ptr<source> from, const std::string& path,
                                        const open_options& options);
std::unique_ptr<tensor_file> open_raw(std::shared_ptr<source> from, const element& type);

}  // namespace ktln2::data
