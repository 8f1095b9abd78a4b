// Reads lines "FORMAT LAW" and prints each with its entropy and the error bar, to the last digit:
// what another machine, or another build, has to say the same.
#include <cstdio>
#include <iostream>
#include <string>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace {

ktln2::bounded<ktln2::bits> entropy_of(const std::string& format, const std::string& law) {
  const ktln2::storage where = ktln2::parse_storage(format);
  if (!ktln2::describes_pair(law)) return ktln2::exact_entropy(where, ktln2::parse_law(law));
  return ktln2::joint_entropy(ktln2::storage_pair{where, where}, ktln2::parse_pair(law)).joint;
}

}  // namespace

int main() {
  std::string format;
  std::string law;
  while (std::cin >> format >> law) {
    const auto h = entropy_of(format, law);
    std::printf("%s %s %.17g %.3g\n", format.c_str(), law.c_str(), h.value.value(),
                h.error.value());
  }
}
