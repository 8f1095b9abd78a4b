#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2::measure {

/// The most that rows of m registers can hold, whatever their law. Spread each stored number evenly
/// over its cell: the row then has a density with the entropy H + Σ E log Δ_j, and of all densities
/// with its covariance C a normal one has the most,
///     H ≤ ½ log((2πe)^m det C) - Σ E log Δ_j.
/// C is that of the middles of the cells with E Δ_j²/12 added to its diagonal. An unbounded cell
/// may be spread over any part of it: here, as far again from its edge as that is from 0. Numbers
/// that are all multiples of a unit may have cells of that width instead, if they are wider: what
/// is stored is a function of them.
class row_bound {
 public:
  /// One register for each number of a row.
  explicit row_bound(const std::vector<storage>& registers);

  /// Needs as many finite numbers as there are registers.
  void add(const std::vector<double>& row);

  /// In bits a row, without the bias of a finite sample: that of normal rows exactly, and of others
  /// to leading order. The error is the half width of an interval that holds the truth 95 times of
  /// 100, for independent rows. Both by leaving out groups of rows in turn (the jackknife). A unit,
  /// or nothing, for each register. Nothing where there are not clearly more rows than registers,
  /// and where a number leaves the range of long double.
  [[nodiscard]] std::optional<bounded<bits>> most(std::vector<std::optional<double>> units) const;

 private:
  /// Of some rows: 2m coordinates, the middles of the m cells and then the m numbers themselves.
  struct sums {
    std::uint64_t count = 0;
    std::vector<long double> means;
    std::vector<long double> products;  ///< Σ(a - ā)(b - b̄), all pairs
    std::vector<long double> logs;      ///< Σ log₂ Δ of each register
    std::vector<long double> squares;   ///< Σ Δ²
  };
  static constexpr std::size_t groups = 32;

  [[nodiscard]] sums none() const;
  static void add_to(sums& all, const sums& more);
  /// A register with a unit has cells of that width.
  static long double most_of(const sums& rows, const std::vector<std::optional<double>>& units);

  std::vector<partition> cells_;
  std::array<sums, groups> rows_;
  std::uint64_t count_ = 0;
};

}  // namespace ktln2::measure
