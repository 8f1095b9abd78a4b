#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include "ktln2/core/stop.hpp"

namespace ktln2::python {

/// A mistake in one row of many: the first, however many threads there were.
struct row_error : std::domain_error {
  row_error(std::size_t at, const std::string& message) : std::domain_error(message), row{at} {}
  std::size_t row;
};

/// work(0) … work(count - 1) on so many threads, 0 for all. A std::domain_error becomes a row_error
/// with the lowest row that has one. Throws `stopped` after a stop.
void for_rows(std::size_t count, unsigned threads, const stop_token& stop,
              const std::function<void(std::size_t)>& work);

/// How many rows there are where arrays of these lengths go together: each has 1 or as many.
std::size_t common_length(std::initializer_list<std::size_t> lengths);

}  // namespace ktln2::python
