#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The quantizer as the paper defines it, in exact integers: the judge of the library, written from
/// Eq. [eq:sem_fp] term by term and sharing no code with what it judges.
namespace definition {

struct format {
  int p;
  int E;

  [[nodiscard]] std::string name() const {
    return "p" + std::to_string(p) + "e" + std::to_string(E);
  }
  /// -(2^(E-1) - 1) and 2^(E-1), for E ≥ 1
  [[nodiscard]] int e_min() const { return -((1 << (E - 1)) - 1); }
  [[nodiscard]] int e_max() const { return 1 << (E - 1); }
  /// 2^(p-1), the number of mantissa values
  [[nodiscard]] std::uint64_t mantissas() const { return std::uint64_t{1} << (p - 1); }
};

/// x_fp = (-1)^s · 2^e · (1 + m·2^-(p-1)). With E = 0, where the exponent is 1/2, e stays 0.
struct stored {
  bool s;
  int e;
  std::uint64_t m;

  friend bool operator==(const stored&, const stored&) = default;
};

/// Eq. [eq:sem_fp]. Not for NaN; x = 0 counts as log|x| = -infinity.
stored quantize(format f, double x);

/// |x| rounded down to the next representable magnitude instead, clipped at both ends.
stored quantize_toward_zero(format f, double x);

/// The fields from the top bit down, modulo 2^64.
std::uint64_t code(format f, const stored& y);

/// The double nearest to the stored value, ties to even; 0 or infinity where there is none.
double value(format f, const stored& y);

/// All formats with p + E ≤ width.
std::vector<format> formats_up_to(int width);

/// ±0, ±infinity, and what is smallest, largest and special among the doubles.
std::vector<double> extremes();

/// Every representable number and every midpoint that is a double, and the doubles next to them (of
/// irrational ones, the nearest doubles); of both signs.
std::vector<double> points_and_midpoints(format f);

}  // namespace definition
