#include "cost/collisions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

constexpr std::uint64_t whole = std::uint64_t{1} << 52;  ///< m = 1
constexpr std::uint64_t turn = 2 * whole;                ///< θ = 1

/// So few numbers are looked at one by one, for every level anew.
constexpr std::uint64_t most_listed = 2048;
/// So many are looked at once, for all levels.
constexpr std::uint64_t most_walked = std::uint64_t{1} << 19;
/// Up to here floor sums fit in 128 bits, and beyond they would change less than 2^-40 bits.
constexpr std::uint64_t most_summed = std::uint64_t{1} << 39;
constexpr std::uint64_t pieces_of_level = 128;
constexpr std::uint64_t shortest_piece = 32;  ///< that Gram quadrature of order 4 takes

/// Σ ⌊y_i⌋, Σ i⌊y_i⌋ and Σ ⌊y_i⌋² over i = 0 … n, y_i = (ai + b)/c.
struct floor_sums {
  uint128 floors = 0;
  uint128 moments = 0;
  uint128 squares = 0;
};

/// Euclid's algorithm on (a, c): the whole parts of a/c and b/c come out in closed form, and what
/// is left counts the same lattice points from the other axis. Needs a·n + b and n³ max(1, a/c)² to
/// fit in 127 bits.
floor_sums sum_floors(uint128 n, uint128 a, uint128 b, uint128 c) {
  const uint128 slope = a / c;
  const uint128 offset = b / c;
  const uint128 sum = n * (n + 1) / 2;                    // Σ i
  const uint128 squares = n * (n + 1) * (2 * n + 1) / 6;  // Σ i²
  floor_sums rest;
  a %= c;
  b %= c;
  if (const uint128 top = (a * n + b) / c; top > 0) {
    const floor_sums across = sum_floors(top - 1, c, c - b - 1, a);
    rest.floors = n * top - across.floors;
    rest.moments = (top * n * (n + 1) - across.squares - across.floors) / 2;
    rest.squares = n * top * (top + 1) - 2 * across.moments - 2 * across.floors - rest.floors;
  }
  return {rest.floors + slope * sum + offset * (n + 1),
          rest.moments + slope * squares + offset * sum,
          rest.squares + 2 * offset * rest.floors + 2 * slope * rest.moments +
              slope * slope * squares + offset * offset * (n + 1) + 2 * slope * offset * sum};
}

using moments = std::array<double, 4>;  ///< Σ t^k d, t_i = (2i+1)/n - 1

/// Number by number.
moments walk(std::uint64_t factor, std::uint64_t phase, std::uint64_t count) {
  moments sum{};
  const double theta = static_cast<double>(factor) / static_cast<double>(turn);
  const auto n = static_cast<double>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    phase += factor;
    const bool steps_up = phase >= turn;
    if (steps_up) phase -= turn;
    const double t = (2 * static_cast<double>(i) + 1) / n - 1;
    double term = theta - (steps_up ? 1 : 0);
    for (double& power : sum) {
      power += term;
      term *= t;
    }
  }
  return sum;
}

/// By parts: Σ t^k d = [t^k {y}] - Σ {y_i} (t_i^k - t_{i-1}^k), up to k = `degree` ≤ 2.
moments sum_by_parts(std::uint64_t factor, std::uint64_t phase, std::uint64_t count, int degree) {
  const uint128 n = count;
  const auto fraction_at = [&](uint128 i) {
    return static_cast<double>((factor * i + phase) % turn) / static_cast<double>(turn);
  };
  const double first = fraction_at(0);
  const double last = fraction_at(n);
  moments sum{last - first, 0, 0, 0};
  if (degree == 0) return sum;
  // Σ {y_i} and Σ i{y_i}, i = 1 … n - 1, times 2^53: what is left of two numbers that are equal
  // in all but their lowest 128 bits, which is what uint128 keeps.
  const floor_sums floors = sum_floors(n - 1, factor, phase, turn);
  const uint128 all = n * (n - 1) / 2;
  const uint128 zeroth = factor * all + phase * (n - 1) - turn * floors.floors;
  const uint128 squares = (n - 1) * n * (2 * n - 1) / 6;
  const uint128 weighted = factor * squares + phase * all - turn * floors.moments;
  const auto size = static_cast<double>(count);
  const double fractions = static_cast<double>(zeroth) / static_cast<double>(turn);
  const double weighted_fractions = static_cast<double>(weighted) / static_cast<double>(turn);
  const double edge = 1 - 1 / size;  // t_{n-1} = -t_0
  sum[1] = edge * (last + first) - 2 / size * fractions;
  sum[2] = edge * edge * (last - first) - 4 / size * (2 / size * weighted_fractions - fractions);
  return sum;
}

}  // namespace

product_map::product_map(const float_format& format, double slope)
    : significands_{uint128{1} << (format.p() - 1)},
      count_{format.size() / 2},
      shift_{std::ilogb(slope)} {
  factor_ = static_cast<std::uint64_t>(std::scalbn(std::fabs(slope), 52 - shift_));
}

uint128 product_map::operator()(uint128 value) const {
  const uint128 product = factor_ * (significands_ + value % significands_);
  const bool spills = product >= 2 * significands_ * whole;
  const uint128 significand = spills ? (product + whole) / turn : (product + whole / 2) / whole;
  const long long level = static_cast<long long>(value / significands_) + shift_ + (spills ? 1 : 0);
  if (level < 0) return 0;
  if (level >= static_cast<long long>(count_ / significands_)) return count_ - 1;
  const uint128 stored = static_cast<uint128>(level) * significands_ + significand - significands_;
  return std::min(stored, count_ - 1);
}

uint128 product_map::first_reaching(uint128 product) const {
  uint128 low = 0;
  uint128 high = count_;
  while (low < high) {
    const uint128 middle = low + (high - low) / 2;
    if ((*this)(middle) < product) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

uint128 product_map::first_spilled() const {
  return (2 * significands_ * whole + factor_ - 1) / factor_;
}

collision_rule::collision_rule(const product_map& map, uint128 first, uint128 end) {
  if (end <= first + most_listed) {
    list(map.factor(), first, end);
  } else {
    cut(map, first, static_cast<std::uint64_t>(end - first));
  }
}

void collision_rule::list(std::uint64_t factor, uint128 first, uint128 end) {
  const auto stored = [&](uint128 significand) { return (factor * significand + whole) / turn; };
  for (uint128 at = first; at < end; ++at) {
    if (stored(at) == stored(at + 1)) nodes_.push_back({static_cast<double>(at), 1, 0});
  }
}

void collision_rule::cut(const product_map& map, uint128 first, std::uint64_t count) {
  const auto level = static_cast<std::uint64_t>(map.significands());
  degree_ = level <= most_walked ? 3 : level <= most_summed ? 2 : 0;
  const std::uint64_t unit = std::max(level / pieces_of_level, shortest_piece);
  const std::uint64_t pieces = std::max(count / unit, std::uint64_t{1});
  for (std::uint64_t k = 0; k < pieces; ++k) {
    const std::uint64_t from = count / pieces * k + std::min(k, count % pieces);
    add_piece(map.factor(), first + from, count / pieces + (k < count % pieces ? 1 : 0));
  }
}

void collision_rule::add_piece(std::uint64_t factor, uint128 first, std::uint64_t count) {
  const auto phase = static_cast<std::uint64_t>((factor * first + whole) % turn);
  const moments d =
      degree_ == 3 ? walk(factor, phase, count) : sum_by_parts(factor, phase, count, degree_);
  const auto n = static_cast<double>(count);
  // The monic polynomials that are orthogonal on the piece: π_{k+1} = tπ_k - β_k π_{k-1}.
  const auto beta = [&](double k) { return (1 - (k / n) * (k / n)) / (4 - 1 / (k * k)); };
  const double b1 = beta(1);
  const double b2 = beta(2);
  const double b3 = beta(3);
  const moments norm{1, b1, b1 * b2, b1 * b2 * b3};
  const moments off{d[0], d[1], d[2] - b1 * d[0], d[3] - (b1 + b2) * d[1]};
  const double mean = static_cast<double>(turn - factor) / static_cast<double>(turn) * n;
  const auto rule = gram_rule<4>(n);
  for (std::size_t j = 0; j < 4; ++j) {
    const double t = rule.node[j];
    const moments value{1, t, t * t - b1, t * (t * t - b1 - b2)};
    double weight = mean;
    for (std::size_t k = 0; k < static_cast<std::size_t>(degree_ + 1); ++k) {
      weight += value[k] * off[k] / norm[k];
    }
    nodes_.push_back({static_cast<double>(first) + (n - 1) / 2 + n / 2 * t, rule.weight[j] * weight,
                      rule.weight[j]});
  }
  longest_half_ = std::max(longest_half_, n / 2);
}

/// With K the degree and h half a piece, what the polynomial leaves of g varies by at most about
/// 2h^(K+1) |g^(K+1)|/K!, and |Σ r d| ≤ the variation of r; |He_k(z)| ≤ E|z + iX|^k, X normal.
double collision_rule::left_out(double g, double z, double step) const {
  if (degree_ < 0) return 0;
  const double h = longest_half_ * step;
  const double y = h * h * (z * z + 3);  // E|z + iX|^k ≤ (z² + 3)^(k/2) up to k = 4
  const double by_variation = degree_ == 3   ? y * y / 3
                              : degree_ == 2 ? y * std::sqrt(y)
                                             : 2 * std::sqrt(y);
  // The mean's own Gauss rule of order 4, relative: (4!)^4 2^8 h^8 |g^(8)|/(9 (8!)^3).
  const double by_rule = 2e-7 * std::pow(h * h * (z * z + 8), 4) * 2 * longest_half_;
  return 2 * g * (by_variation + by_rule);
}

}  // namespace ktln2
