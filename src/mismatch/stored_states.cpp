#include "mismatch/stored_states.hpp"

#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"

namespace ktln2::mismatch {

std::vector<double> listed_values(const float_format& format) {
  if (format.exponent_bits() < 1 || format.exponent_bits() > 8) {
    throw std::domain_error("islands: the format needs 1 to 8 exponent bits, got " + format.name());
  }
  return ktln2::values_of(format);
}

all_states::all_states(const format_pair& data, int points) : points_{points} {
  require_in_range("islands", "number of points", points, 1, 20);
  const int bits_in = points * (data.x.width() + data.y.width());
  constexpr int most = 20;
  if (bits_in > most) {
    throw std::domain_error("islands: " + std::to_string(points) + " points in " + data.x.name() +
                            " and " + data.y.name() + " have 2^" + std::to_string(bits_in) +
                            " states, at most 2^" + std::to_string(most) + " can be listed");
  }
  for (const double x : listed_values(data.x)) {
    for (const double y : listed_values(data.y)) digits_.push_back({x, y});
  }
  count_ = std::size_t{1} << bits_in;
}

}  // namespace ktln2::mismatch
