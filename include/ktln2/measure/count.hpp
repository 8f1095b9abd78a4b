#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/data/tensor.hpp"
#include "ktln2/measure/requantized.hpp"
#include "ktln2/measure/tensor_counts.hpp"

namespace ktln2::measure {

/// Told how many more bytes were counted, by any of the threads.
using bytes_counted = std::function<void(std::uint64_t bytes)>;

/// The tensors of one pass through a file, on so many threads (0: all of the machine's). One of
/// them does first what else there is to be done, `beside`. Throws data::file_error, and `stopped`.
std::vector<tensor_counts> count(data::tensor_file& file, const data::tensor_file::together& pass,
                                 unsigned threads, const stop_token& stop = {},
                                 const bytes_counted& told = {},
                                 const std::function<void()>& beside = {});

/// The same tensors once more, each into the requantizers that are given for it; all are empty
/// before.
void requantize(data::tensor_file& file, const data::tensor_file::together& pass,
                std::vector<std::vector<requantizer>>& into, unsigned threads,
                const stop_token& stop = {});

}  // namespace ktln2::measure
