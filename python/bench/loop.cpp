// What python/bench/bars.py compares the package with: so many exact entropies of binary32-sized
// registers in a plain loop, with deviations that it is told. Prints the processor's time in
// seconds, and the sum.
//     ktln2-python-loop COUNT LOW HIGH
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "ktln2/entropy/exact.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const long count = std::strtol(argv[1], nullptr, 10);
  const double low = std::strtod(argv[2], nullptr);
  const double high = std::strtod(argv[3], nullptr);
  const ktln2::float_format format{24, 8};
  const std::clock_t begin = std::clock();
  double sum = 0;
  for (long i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double sigma = low + (high - low) * share;
    sum += ktln2::exact_entropy(format, ktln2::normal{0, sigma}).value.value();
  }
  std::printf("%.6f %.6f\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, sum);
}
