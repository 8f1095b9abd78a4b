#pragma once

#include <memory>
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
std::unique_ptr<tensor_file> open_raw(std::shared_ptr<source> from, const element& type);

}  // namespace ktln2::data
