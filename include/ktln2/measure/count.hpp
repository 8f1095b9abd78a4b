#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/data/tensor.hpp"
#include "ktln2/measure/tensor_counts.hpp"

namespace ktln2::measure {

/// Told how many more bytes were counted, by any of the threads.
using bytes_counted = std::function<void(std::uint64_t bytes)>;

/// The tensors of one pass through a file, on so many threads (0: all of the machine's). Throws
/// data::file_error, and `stopped`.
std::vector<tensor_counts> count(data::tensor_file& file, const data::tensor_file::together& pass,
                                 unsigned threads, const stop_token& stop = {},
                                 const bytes_counted& told = {});

}  // namespace ktln2::measure
