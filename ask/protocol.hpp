#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/mismatch/markov.hpp"

namespace ktln2::ask {

/// A Markov chain in time, as a file has it [eq:CTMC]:
///
///     # a bit whose second state is lifted; what stands behind # is not read
///     duration = 100
///     start = 0.5, 0.5
///     rates:
///       *, 1/(1 + exp(-20*t/duration))
///       1/(1 + exp(20*t/duration)), *
///
/// A row is a state that is reached, a column one that is left; * is what makes the column add up
/// to 0. In place of expressions in t and duration there may be matrices of numbers, each behind
/// "rates at TIME:", between which the rates are interpolated. Without a start all states are
/// alike.
struct rate_protocol {
  std::size_t states = 0;
  double duration = 0;
  std::vector<double> start = {};
  /// From 0 to the duration. Throws std::domain_error, with the line and the time, where they are
  /// no rates.
  std::function<mismatch::rate_matrix(double time)> rates = {};
};

/// Throws std::domain_error, with the name and the line, for what is no such file: at most 2^20
/// characters, 2 to 16 states and 1000 matrices.
rate_protocol parse_protocol(std::string_view text, const std::string& name);
/// Of a file. Throws std::domain_error if there is none, too.
rate_protocol read_protocol(const std::string& file);

}  // namespace ktln2::ask
