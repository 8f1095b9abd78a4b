#include "ktln2/cost/device.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

bounded<bits> total(const std::vector<register_group>& groups) {
  std::vector<bounded<bits>> entropies;
  entropies.reserve(groups.size());
  for (const register_group& group : groups) entropies.push_back(group.entropy());
  return sum_of(entropies);
}

double significant_bits(const std::vector<register_group>& groups) {
  double sum = 0;
  for (const register_group& group : groups) sum += group.count * group.significand;
  return sum;
}

}  // namespace

cyclic_device::cyclic_device(std::vector<register_group> input, std::vector<register_group> output,
                             internal_entropies internal)
    : input_{std::move(input)}, output_{std::move(output)}, internal_{internal} {
  require_finite("cyclic device", "internal entropy", internal.loaded.value.value());
  require_finite("cyclic device", "internal entropy", internal.computed.value.value());
}

std::array<device_step, 4> cyclic_device::protocol() const {
  const bounded<bits> nothing = exactly(bits{0});
  return {device_step{"start", "fixed", "fixed", "fixed", nothing, true},
          {"load", "loaded", "fixed", "fixed", input_entropy(), true},
          {"compute and forget", "reset", "reset", "computed", output_entropy(), false},
          {"hand on", "fixed", "fixed", "offloaded, reset", nothing, true}};
}

bounded<bits> cyclic_device::input_entropy() const { return total(input_); }
bounded<bits> cyclic_device::output_entropy() const { return total(output_); }

bits cyclic_device::precision() const {
  return bits{significant_bits(input_) - significant_bits(output_)};
}

bounded<joules> cyclic_device::cost(kelvin temperature) const {
  const bounded<bits> bill = lost();
  return {landauer_cost(bill.value, temperature), landauer_cost(bill.error, temperature), bill.how};
}

}  // namespace ktln2
