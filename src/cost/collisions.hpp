#pragma once

#include <cstdint>
#include <vector>

#include "ktln2/core/integer.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// x ↦ Q(|slope| x) on the positive values of a format, counted from 0, in whole numbers. A value
/// is M·2^level times what all have in common, N ≤ M < 2N, N = 2^(p-1); with |slope| = 2^k m, 1 ≤ m
/// < 2, the product is stored with the significand ⌊mM + ½⌋ where mM < 2N, and from there on, one
/// level higher, with ⌊mM/2 + ½⌋: ties go away from zero [eq:sem_fp].
class product_map {
 public:
  /// Needs a finite slope ≠ 0.
  product_map(const float_format& format, double slope);

  [[nodiscard]] uint128 count() const { return count_; }                ///< of positive values
  [[nodiscard]] uint128 significands() const { return significands_; }  ///< N
  /// The value that holds the product, clipped at both ends.
  [[nodiscard]] uint128 operator()(uint128 value) const;
  /// The first value whose product is stored as `product` or above, count() if there is none.
  [[nodiscard]] uint128 first_reaching(uint128 product) const;
  /// The first M whose product is stored one level higher for its size, mM ≥ 2N: at most 2N.
  [[nodiscard]] uint128 first_spilled() const;
  /// m·2^52
  [[nodiscard]] std::uint64_t factor() const { return factor_; }

 private:
  uint128 significands_;
  uint128 count_;
  std::uint64_t factor_;
  int shift_;  ///< k
};

/// Σ g(M) over the M with ⌊θM + ½⌋ = ⌊θ(M+1) + ½⌋, θ = m/2, from `first` up to and without `end`,
/// as a sum of a few terms: for g that are smooth on the scale of N.
///
/// Where there are few M, those that collide are listed. Otherwise the range is cut into pieces of
/// n ≤ N/64 numbers. On average the share 1 - θ of them collides, and a piece is off that by
///     Σ g(M) d(M),   d(M) = {θ(M+1) + ½} - {θM + ½}, whose partial sums are below 1.
/// The nodes of Gram quadrature serve for both: they give g's coefficients in the polynomials that
/// are orthogonal on the piece, and against those d is summed exactly, up to some degree: number by
/// number, or by the classical sums of ⌊(ai+b)/c⌋ and i⌊(ai+b)/c⌋, which take log N steps.
class collision_rule {
 public:
  struct node {
    double at;      ///< M, real
    double weight;  ///< of g there
    double share;   ///< of the piece
  };

  collision_rule(const product_map& map, uint128 first, uint128 end);

  [[nodiscard]] const std::vector<node>& nodes() const { return nodes_; }
  /// What the polynomials leave out, at most, of a piece on which g is about g, for g like the
  /// normal density: at z, where numbers stand `step` apart, in its standard units.
  [[nodiscard]] double left_out(double g, double z, double step) const;

 private:
  void list(std::uint64_t factor, uint128 first, uint128 end);
  void cut(const product_map& map, uint128 first, std::uint64_t count);
  void add_piece(std::uint64_t factor, uint128 first, std::uint64_t count);

  std::vector<node> nodes_;
  int degree_ = -1;          ///< up to which d is summed; -1 for a list
  double longest_half_ = 0;  ///< of a piece, in numbers
};

}  // namespace ktln2
