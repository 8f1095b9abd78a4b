#include <cstdio>
#include <ktln2/core/units.hpp>
#include <ktln2/core/version.hpp>

int main() {
  const auto cost = ktln2::landauer_cost(ktln2::bits{1}, ktln2::kelvin{300});
  std::printf("ktln2 %s: erasing a bit at 300 K costs %.3g J\n", ktln2::version, cost.value());
  return cost.value() > 2.8e-21 && cost.value() < 2.9e-21 ? 0 : 1;
}
