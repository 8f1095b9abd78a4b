#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/data/element.hpp"
#include "ktln2/data/table.hpp"
#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// What a file may be.
enum class kind { safetensors, safetensors_index, npy, npz, table, raw };

/// What a file does not say of itself.
struct open_options {
  std::optional<kind> as = {};        ///< by its name or its first bytes where not given
  std::optional<element> dtype = {};  ///< of raw numbers, and what a table's are stored as
  table_options table = {};
};

/// "safetensors", "index", "npy", "npz", "csv" or "raw". Throws std::domain_error.
kind parse_kind(std::string_view name);

/// A file of tensors; "-" is standard input. Throws file_error for a file that is not as it should
/// be, and std::domain_error for options that do not belong to it.
std::unique_ptr<tensor_file> open_file(const std::string& path, const open_options& options = {});

/// The files that the patterns stand for, each pattern's sorted: "*", "?" and "[a-z]" within the
/// names of files and folders. A name without them, or that exists as it is, or that matches
/// nothing, stands for itself.
std::vector<std::string> expand(const std::vector<std::string>& patterns);

}  // namespace ktln2::data
