#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "ktln2/core/integer.hpp"
#include "ktln2/core/wide.hpp"
#include "ktln2/measure/as_bytes.hpp"

namespace ktln2::measure {

/// The deviation is that of the numbers themselves, √(Σ(x - mean)²/count).
struct moments {
  double mean = 0;
  double deviation = 0;
};

/// Σx and Σx² of floating-point numbers, kept as whole numbers for each exponent and sign: exact,
/// so that the order in which numbers come does not matter, nor who adds up which of them.
class exact_sums {
 public:
  /// Σm and Σm² of numbers ±m·2^unit. The squares have 192 bits.
  struct part {
    uint128 magnitudes = 0;
    uint128 squares = 0;
    std::uint64_t squares_above = 0;

    void add(std::uint64_t m) {
      magnitudes += m;
      add_square(static_cast<uint128>(m) * m);
    }
    void add_square(uint128 square) {
      squares += square;
      squares_above += squares < square ? 1 : 0;
    }
    part& operator+=(const part& other);
    /// Adds 2^bit to each of `count` numbers, which were so far less.
    void set_bit(int bit, std::uint64_t count);
  };

  void add(bool negative, int unit, const part& sums) { parts_[{unit, negative}] += sums; }
  /// A finite number of at most 53 bits, so many times.
  void add(const wide& x, std::uint64_t times);
  exact_sums& operator+=(const exact_sums& other);

  /// Of all that were added, `count` of them, zeros included.
  [[nodiscard]] moments moments_of(std::uint64_t count) const;
  /// √(Σx/count) of what is not negative, also where Σx is beyond double's range.
  [[nodiscard]] double root_of_mean(std::uint64_t count) const;

  void put_into(byte_writer& bytes) const;
  static exact_sums from(byte_reader& bytes);

 private:
  std::map<std::pair<int, bool>, part> parts_;  ///< by unit and sign
};

}  // namespace ktln2::measure
