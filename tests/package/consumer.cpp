#include <cstdint>
#include <cstdio>
#include <ktln2/ktln2.hpp>
#include <vector>

#ifdef HAS_CERTIFICATE
#include <ktln2/certificate/certified_entropy.hpp>
#endif

int main() {
  const ktln2::float_format format{24, 8};
  const auto h = ktln2::exact_entropy(format, ktln2::student_t{3, 0.5, 2});
  const auto cost = ktln2::landauer_cost(h.value, ktln2::kelvin{300});
  const std::vector<double> x{1.0, -2.0};
  std::vector<std::uint64_t> codes(x.size());
  ktln2::quantize_codes(format, x, codes);
  std::printf("ktln2 %s: %.6f bits, %.3g J\n", ktln2::version, h.value.value(), cost.value());
  const bool right = h.value > ktln2::bits{26} && h.value < ktln2::bits{27} &&
                     codes[0] == 0x3f800000 && codes[1] == 0xc0000000;
#ifdef HAS_CERTIFICATE
  const auto proved = ktln2::certified_entropy(format, ktln2::student_t{3, 0.5, 2});
  if (!ktln2::overlap(proved, h)) return 1;
#endif
  return right ? 0 : 1;
}
