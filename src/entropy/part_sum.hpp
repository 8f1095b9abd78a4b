#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/compound_law.hpp"
#include "ktln2/entropy/atoms.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// -Σ P ln P over the cells of a partition, for a law made of parts and atoms: what cell_sum does
/// for a law with one center, on the real line itself. A piece of a run of cells is cut where a
/// part breaks and around cells with atoms, and until it is short for each part that has mass in
/// it; the mass that the parts' distribution functions give it shows whether a rule of quadrature
/// has missed something. All in nats.
class part_sum {
 public:
  part_sum(const partition& cells, std::vector<weighted_part> parts, std::vector<atom_cell> atoms,
           double misplaced, double tolerance);

  bounded<bits> compute();
  /// The part of the error that is there because the tolerance allowed it.
  [[nodiscard]] double chosen_error() const { return quadrature_error_ + neglect_error_; }

 private:
  struct tally {
    double nats = 0;
    double mass = 0;
    double rounding = 0;
  };
  struct piece;

  void sum_blocks(std::size_t first, std::size_t last);
  void sum_piece(const cell_run& run, std::uint64_t first, std::uint64_t count);
  void sum_bounded(const piece& here, cell_mass mass);
  void sum_directly(const piece& here);
  template <std::size_t Low, std::size_t High>
  bool sum_by_quadrature(const piece& here, cell_mass mass);
  template <std::size_t Order>
  [[nodiscard]] tally by_rule(const piece& here) const;
  [[nodiscard]] tally of_cell(const wide& center, const wide& width) const;
  void add_cell(const wide& left, const wide& right, cell_mass mass);
  bool neglect(cell_mass mass, double log_count);
  void add(const tally& sum);

  /// Where the piece has to be cut, if anywhere.
  [[nodiscard]] std::optional<wide> place_to_cut(const piece& here) const;
  [[nodiscard]] wide shortest_length(const piece& here) const;
  [[nodiscard]] bool counts(const weighted_part& one, const wide& a, const wide& b) const;
  [[nodiscard]] bool has_atom(const wide& left, const wide& right) const;
  /// Of the cells with atoms the first that does not end before x.
  [[nodiscard]] std::vector<atom_cell>::const_iterator atom_from(const wide& x) const;
  [[nodiscard]] double log_size() const { return cells_.log2_size() * std::numbers::ln2; }

  const partition& cells_;
  std::vector<weighted_part> parts_;
  std::vector<atom_cell> atoms_;
  std::vector<wide> breaks_;
  double misplaced_;
  double tolerance_;
  compensated_sum nats_;
  compensated_sum mass_;
  double quadrature_error_ = 0;
  double neglect_error_ = 0;
  double rounding_error_ = 0;
};

}  // namespace ktln2
