#include "ktln2/core/units.hpp"

#include <numbers>

#include "ktln2/core/check.hpp"

namespace ktln2 {

joules landauer_cost(bits erased, kelvin temperature) {
  require_positive("landauer_cost", "temperature", temperature.value());
  return joules{boltzmann_constant.value() * temperature.value() * std::numbers::ln2 *
                erased.value()};
}

}  // namespace ktln2
