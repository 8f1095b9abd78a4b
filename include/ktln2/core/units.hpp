#pragma once

#include <compare>

namespace ktln2 {

/// A number with a unit. Quantities of different units do not mix: adding bits to joules does not
/// compile. The number itself is reached only by asking for it: `h.value()`.
template <class Unit>
class quantity {
 public:
  constexpr quantity() = default;
  constexpr explicit quantity(double value) : value_{value} {}

  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr quantity& operator+=(quantity other) { return value_ += other.value_, *this; }
  constexpr quantity& operator-=(quantity other) { return value_ -= other.value_, *this; }

  friend constexpr quantity operator+(quantity a, quantity b) { return a += b; }
  friend constexpr quantity operator-(quantity a, quantity b) { return a -= b; }
  friend constexpr quantity operator-(quantity a) { return quantity{-a.value_}; }
  friend constexpr quantity operator*(double k, quantity a) { return quantity{k * a.value_}; }
  friend constexpr quantity operator*(quantity a, double k) { return k * a; }
  friend constexpr quantity operator/(quantity a, double k) { return quantity{a.value_ / k}; }
  friend constexpr double operator/(quantity a, quantity b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(quantity a, quantity b) = default;
  friend constexpr auto operator<=>(quantity a, quantity b) { return a.value_ <=> b.value_; }

 private:
  double value_ = 0;
};

/// Discrete (Shannon) entropy H.
using bits = quantity<struct bit_unit>;
/// Differential entropy h: it depends on the unit of x, so it is no amount of information by
/// itself and does not mix with `bits`.
using differential_bits = quantity<struct differential_bit_unit>;
using joules = quantity<struct joule_unit>;
using kelvin = quantity<struct kelvin_unit>;
using joules_per_kelvin = quantity<struct joule_per_kelvin_unit>;

/// k_B, exact by the definition of the kelvin.
inline constexpr joules_per_kelvin boltzmann_constant{1.380649e-23};

/// The least energy that erasing so much entropy costs at temperature T. This is the only road
/// from bits to joules.
///     ΔE_min = k_B T ln 2 · ΔH        [eq:Landauer]
/// Throws std::domain_error unless T is finite and > 0.
joules landauer_cost(bits erased, kelvin temperature);

}  // namespace ktln2
