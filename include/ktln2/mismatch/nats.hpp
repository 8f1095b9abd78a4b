#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2::mismatch {

/// Entropy in units of k_B: what ΔS is when k_B = 1.
using nats = quantity<struct nat_unit>;

inline constexpr double nats_per_bit = 0.69314718055994530942;

/// k_B ln 2 · H
constexpr nats to_nats(bits entropy) { return nats{nats_per_bit * entropy.value()}; }
constexpr bounded<nats> to_nats(const bounded<bits>& entropy) {
  return {to_nats(entropy.value), to_nats(entropy.error), entropy.how};
}
constexpr joules_per_kelvin to_joules_per_kelvin(nats entropy) {
  return entropy.value() * boltzmann_constant;
}

}  // namespace ktln2::mismatch
