#include "ktln2/measure/exact_sums.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace ktln2::measure {
namespace {

using boost::multiprecision::cpp_int;

/// size · 2^exponent
struct scaled {
  double size = 0;
  int exponent = 0;
};

/// a/b to one unit of the last place, for a ≥ 0 and b > 0.
scaled quotient(const cpp_int& a, const cpp_int& b) {
  if (a == 0) return {};
  // 64 or 65 bits of it
  const int shift = 64 - static_cast<int>(msb(a)) + static_cast<int>(msb(b));
  const cpp_int q = shift >= 0 ? cpp_int(a << shift) / b : cpp_int(a / (b << -shift));
  return {q.convert_to<double>(), -shift};
}

/// √(size·2^exponent)·2^unit
double root_of(const scaled& x, int unit) {
  const int odd = x.exponent & 1;
  return std::ldexp(std::sqrt(std::ldexp(x.size, odd)), (x.exponent - odd) / 2 + unit);
}

}  // namespace

exact_sums::part& exact_sums::part::operator+=(const part& other) {
  magnitudes += other.magnitudes;
  add_square(other.squares);
  squares_above += other.squares_above;
  return *this;
}

/// Σ(m + b)² = Σm² + 2bΣm + count·b²
void exact_sums::part::set_bit(int bit, std::uint64_t count) {
  const auto add_shifted = [this](uint128 x, int by) {
    squares_above += static_cast<std::uint64_t>(x >> (128 - by));
    add_square(x << by);
  };
  add_shifted(magnitudes, bit + 1);
  add_shifted(count, 2 * bit);
  magnitudes += static_cast<uint128>(count) << bit;
}

exact_sums& exact_sums::operator+=(const exact_sums& other) {
  for (const auto& [key, sums] : other.parts_) parts_[key] += sums;
  return *this;
}

void exact_sums::add(const wide& x, std::uint64_t times) {
  if (x.is_zero()) return;
  const auto m = static_cast<std::uint64_t>(std::scalbn(std::fabs(x.high()), 52));
  part sums;
  sums.magnitudes = static_cast<uint128>(m) * times;
  // times·m², which may have more than 128 bits
  const uint128 square = static_cast<uint128>(m) * m;
  const uint128 low = (square & ~std::uint64_t{0}) * times;
  const uint128 high = (square >> 64) * times;
  sums.add_square(low);
  sums.add_square(high << 64);
  sums.squares_above += static_cast<std::uint64_t>(high >> 64);
  add(x.high() < 0, x.exponent() - 52, sums);
}

/// With whole numbers in units of the smallest: Σ(x - mean)² = (count·Σx² - (Σx)²)/count.
moments exact_sums::moments_of(std::uint64_t count) const {
  if (parts_.empty() || count == 0) return {};
  const int unit = parts_.begin()->first.first;
  cpp_int sum = 0;
  cpp_int squares = 0;
  for (const auto& [key, sums] : parts_) {
    const auto shift = static_cast<unsigned>(key.first - unit);
    const cpp_int magnitudes = cpp_int(sums.magnitudes) << shift;
    sum += key.second ? cpp_int(-magnitudes) : magnitudes;
    squares += ((cpp_int(sums.squares_above) << 128) + sums.squares) << (2 * shift);
  }
  const cpp_int n = count;
  const scaled mean = quotient(abs(sum), n);
  const scaled variance = quotient(n * squares - sum * sum, n * n);
  return {std::ldexp(sum < 0 ? -mean.size : mean.size, mean.exponent + unit),
          root_of(variance, unit)};
}

double exact_sums::root_of_mean(std::uint64_t count) const {
  if (parts_.empty() || count == 0) return 0;
  const int unit = parts_.begin()->first.first;
  cpp_int sum = 0;
  for (const auto& [key, sums] : parts_) {
    sum += cpp_int(sums.magnitudes) << static_cast<unsigned>(key.first - unit);
  }
  scaled mean = quotient(sum, cpp_int(count));
  mean.exponent += unit;
  return root_of(mean, 0);
}

void exact_sums::put_into(byte_writer& bytes) const {
  bytes.put(parts_.size());
  for (const auto& [key, sums] : parts_) {
    bytes.put(key.first);
    bytes.put(key.second);
    bytes.put(sums);
  }
}

exact_sums exact_sums::from(byte_reader& bytes) {
  exact_sums made;
  for (auto left = bytes.get<std::size_t>(); left > 0; --left) {
    const int unit = bytes.get<int>();
    const bool negative = bytes.get<bool>();
    made.add(negative, unit, bytes.get<part>());
  }
  return made;
}

}  // namespace ktln2::measure
