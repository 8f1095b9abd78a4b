#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paper/figures/table.hpp"

namespace ktln2::paper {

/// One of the files in data/, read back: what its columns mean, and its cells as they are written.
struct data_file {
  std::vector<column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// From the text of a file that table::csv wrote.
data_file parse_data(std::string_view csv);
/// Nothing if there is no such file.
std::optional<data_file> read_data(const std::filesystem::path& file);

/// The whole file; empty if there is none.
std::string contents_of(const std::filesystem::path& file);

}  // namespace ktln2::paper
