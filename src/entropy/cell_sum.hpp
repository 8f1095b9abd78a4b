#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2 {

/// -Σ P ln P over the cells of a partition, piece by piece. All in nats.
///
/// A piece is some neighboring cells of one cell run. It is
///   - neglected, if its mass M is so small that M ln N, the most that its N cells can add to
///     M ln(1/M), does not matter; half of that goes into the value, half into the error bar;
///   - cut, where the density has a kink or a jump, at the law's center, and where it is wider
///     than its distance from the center: two quadrature orders that agree prove nothing when both
///     miss the mass;
///   - summed cell by cell, if there are few;
///   - summed by Gram quadrature otherwise, if two orders agree and the rule's ΣP is the mass that
///     the distribution function gives; if not, halved.
/// Beyond double's range a heavy tail is a power law: pieces there are seen in larger units.
template <class Law>
class cell_sum {
 public:
  cell_sum(const partition& cells, const Law& x, double tolerance)
      : cells_{cells}, law_{x}, kernel_{x.kernel()}, tolerance_{std::max(tolerance, misplaced())} {}

  bounded<bits> compute() {
    // If the law and the cells are symmetric about zero, one half is enough.
    const bool mirrored =
        kernel_.is_symmetric() && law_.location() == 0 && cells_.has_mirrored_halves();
    copies_ = mirrored ? 2 : 1;
    sum_blocks({mirrored ? cells_.block_count() / 2 : 0, mirrored ? 0 : -infinity},
               {cells_.block_count(), infinity});
    const double nats = copies_ * nats_.value();
    // What the masses of all pieces lack to 1 is mass m that was lost or counted twice; wherever it
    // belongs among the N cells, it moves the sum by at most m (1 + ln(N/m)).
    // The same bounds what mass does that a law's own table, or its rounded parameters, put in the
    // wrong place.
    const double lost = std::fabs(copies_ * mass_.value() - 1) + misplaced();
    const double lost_error = lost == 0 ? 0 : lost * (1 + log_size() - std::log(lost));
    const double error =
        chosen_error() + copies_ * rounding_error_ + 4 * unit_roundoff * nats + lost_error;
    if (!std::isfinite(nats) || !std::isfinite(error)) {
      throw std::runtime_error("entropy: the parameters are beyond what double precision can do");
    }
    return {bits{nats / std::numbers::ln2}, bits{error / std::numbers::ln2}, evidence::estimated};
  }

  /// The part of the error, in nats, that is there because the tolerance allowed it.
  [[nodiscard]] double chosen_error() const {
    return copies_ * (quadrature_error_ + neglect_error_);
  }

 private:
  static constexpr double unit_roundoff = 0x1p-53;

  /// What some cells add, and a bound on its rounding error.
  struct part {
    double nats = 0;
    double mass = 0;
    double rounding = 0;
  };

  /// The law as a piece sees it: in its own units, or in larger ones.
  struct view {
    const Law& law;
    tail_weight weight;
  };

  /// The left edge of a block, in standard units.
  struct boundary {
    std::size_t block;
    double z;
  };

  void sum_blocks(boundary first, boundary last) {
    if (last.block - first.block == 1) {
      for (const cell_run& run : cells_.block(first.block)) {
        if (run.count > 0) sum_piece({law_, {}}, run, 0, run.count);
      }
      return;
    }
    const stretch range{first.z, last.z, last.z - first.z, 1};
    const cell_mass mass = mass_between(law_, range, [&] {
      return std::pair{cells_.block_left(first.block), cells_.block_left(last.block)};
    });
    if (neglect(mass, log_size()) || sum_level(first, last, mass)) return;
    const std::size_t half = first.block + (last.block - first.block) / 2;
    const boundary middle{half, standard_edge(law_, cells_.block_left(half))};
    sum_blocks(first, middle);
    sum_blocks(middle, last);
  }

  /// Along many blocks next to zero the density may be level. Then lengths alone tell the masses:
  /// with f = M/length for all,
  ///     -Σ P ln P = -M Σ_runs (length_r/length) ln(f width_r).
  /// If ln f varies by δ, this is wrong by at most M δ (1 + the mean of |ln(width_r/widest)|).
  bool sum_level(boundary first, boundary last, cell_mass mass) {
    constexpr std::size_t most_blocks = 64;
    if (last.block - first.block > most_blocks || mass.probability == 0) return false;
    const stretch all{first.z, last.z, last.z - first.z, 1};
    if (!all.is_bounded() || !(all.length() <= resolution(kernel_, all) / 256)) return false;
    const wide length = cells_.block_left(last.block) - cells_.block_left(first.block);
    const double variation =
        variation_of_density({first.z, last.z, standard_length(law_, length), 1}, mass);
    if (!(mass.probability * variation <= tolerance_ / 256)) return false;

    double mean_log = 0;  // of width/length
    double largest_log = -infinity;
    for (std::size_t b = first.block; b < last.block; ++b) {
      for (const cell_run& run : cells_.block(b)) {
        if (run.count == 0) continue;
        const double width = ratio(run.width, length);
        const double log_width = std::log(width);
        mean_log += static_cast<double>(run.count) * width * log_width;
        largest_log = std::max(largest_log, log_width);
      }
    }
    const double error = mass.probability * variation * (1 + largest_log - mean_log);
    if (!(error <= tolerance_ / 64)) return false;
    const double nats = -mass.probability * (mass.log_probability + mean_log);
    const cell_mass mean_cell{mass.probability, mass.log_probability + mean_log};
    quadrature_error_ += error;
    add({nats, mass.probability, 2 * rounding_of(mean_cell, all.farthest())});
    return true;
  }

  /// How much ln f varies along a range that is short against all that the law does: what small
  /// cells at its ends and within it show, twice.
  [[nodiscard]] double variation_of_density(const stretch& range, cell_mass mass) const {
    constexpr double parts = 1024;
    const double width = range.length() / parts;
    const auto cell_at = kernel_.cells(width);
    double largest = 0;
    for (const double place : {0.5, parts / 4, parts / 2, 3 * parts / 4, parts - 0.5}) {
      const cell_mass cell = cell_at(range.left + place * width);
      largest = std::max(largest, std::fabs(cell.probability * parts / mass.probability - 1));
    }
    return 2 * largest;
  }

  void sum_piece(const view& seen, const cell_run& run, std::uint64_t first, std::uint64_t count) {
    const stretch piece = standard_stretch(seen.law, run, first, count);
    if constexpr (heavy_tailed<kernel_type>) {
      if (piece.nearest() > std::ldexp(1.0, near_exponent))
        return sum_far(piece, run, first, count);
    }
    const cell_mass mass = seen.weight(mass_of(seen.law, piece, run, first, count));
    const double log_count = std::log(static_cast<double>(count));
    // Near the end of double's range a piece may stand for all that lies beyond it.
    if (piece.nearest() > 0x1p990) return neglect_anyway(mass, log_size());
    if (count == 1) return add_cell(piece, mass);
    if (neglect(mass, log_count)) return;
    if (!piece.is_bounded()) return cut(seen, run, first, count, count / 2);

    const auto cut_at = [&](double z) {
      const double cells_before = std::floor((z - piece.left) / piece.width);
      const auto most = static_cast<double>(count - 1);  // may be rounded up
      const auto index = static_cast<std::uint64_t>(std::clamp(cells_before, 1.0, most));
      cut(seen, run, first, count, std::min(index, count - 1));
    };
    for (const double z : kernel_.breaks()) {
      if (piece.holds(z)) return cut_at(z);
    }
    // Short against the law's core and against the decay length of its density?
    const double far = std::max(piece.farthest(), kernel_.core());
    const double bend = piece.length() * (kernel_.condition(far) + 1);
    const bool gentle = bend <= far / 2;
    if (count < (gentle ? 64 : 128)) {
      if (piece.farthest() <= 64) return sum_directly(piece, mass);
      // So far out that a cell's place in the piece no longer fixes its edges.
      return cut(seen, run, first, count, count / 2);
    }
    const double scale = std::max(piece.nearest(), kernel_.core());
    if (piece.length() > 2 * scale + 2 * piece.width) {
      if (piece.holds(0)) return cut_at(0);
      return cut_at(piece.right > 0 ? 2 * scale : -2 * scale);
    }
    // Next to zero the density is nearly level along a piece.
    if (bend <= far / 1024 && sum_by_quadrature<2, 4>(seen.weight, piece, mass, true)) return;
    const bool done = gentle ? sum_by_quadrature<4, 8>(seen.weight, piece, mass)
                             : sum_by_quadrature<8, 16>(seen.weight, piece, mass);
    if (!done) cut(seen, run, first, count, count / 2);
  }

  /// A piece that is too far out for double, in units that bring it home.
  void sum_far(const stretch& piece, const cell_run& run, std::uint64_t first,
               std::uint64_t count) {
    const wide nearest = piece.left > 0 ? run.edge(first) : run.edge(first + count);
    const int k = law_.wide_standard(nearest).exponent() - home_exponent;
    const Law zoomed = law_.zoomed(k);
    sum_piece({zoomed, tail_weight::of(kernel_, k)}, run, first, count);
  }

  void cut(const view& seen, const cell_run& run, std::uint64_t first, std::uint64_t count,
           std::uint64_t at) {
    sum_piece(seen, run, first, at);
    sum_piece(seen, run, first + at, count - at);
  }

  /// How much mass may stand elsewhere than the law says.
  [[nodiscard]] double misplaced() const {
    if constexpr (requires { law_.rounding_error(); }) {
      return table_error(kernel_) + law_.rounding_error();
    } else {
      return table_error(kernel_);
    }
  }

  [[nodiscard]] double log_size() const { return cells_.log2_size() * std::numbers::ln2; }

  /// The mass M in N cells adds between M ln(1/M) and M ln(N/M).
  bool neglect(cell_mass mass, double log_count) {
    if (mass.probability * log_count > tolerance_ / 64) return false;
    neglect_anyway(mass, log_count);
    return true;
  }

  void neglect_anyway(cell_mass mass, double log_count) {
    if (mass.probability == 0) return;
    nats_.add(mass.probability * (log_count / 2 - mass.log_probability));
    neglect_error_ += mass.probability * log_count / 2;
    mass_.add(mass.probability);
  }

  void add_cell(const stretch& cell, cell_mass mass) {
    if (mass.probability == 0) return;
    const double nats = -mass.probability * mass.log_probability;
    const double rounding = rounding_of(mass, place_of_mass(kernel_, cell));
    // What lies about the center is what the tails leave: it has their rounding, even where it is
    // little, as it is with very heavy tails.
    const bool is_rest = cell.nearest() < kernel_.core() && cell.right - cell.left > kernel_.core();
    add({nats, mass.probability, is_rest ? rounding / mass.probability : rounding});
  }

  void sum_directly(const stretch& piece, cell_mass mass) {
    const auto cell_at = kernel_.cells(piece.width);
    part sum{0, mass.probability, 0};
    for (std::uint64_t i = 0; i < piece.count; ++i) {
      const double z = piece.left + (static_cast<double>(i) + 0.5) * piece.width;
      const cell_mass cell = cell_at(z);
      if (cell.probability == 0) continue;
      sum.nats -= cell.probability * cell.log_probability;
      sum.rounding += rounding_of(cell, z);
    }
    add(sum);
  }

  template <std::size_t Order, class CellAt>
  part apply(const mean_rule<Order>& rule, const stretch& piece, const CellAt& cell_at) const {
    const double center = piece.center();
    const double half = piece.length() / 2;
    part sum;
    for (std::size_t k = 0; k < Order; ++k) {
      const double z = center + half * rule.node[k];
      const cell_mass cell = cell_at(z);
      if (cell.probability == 0) continue;
      sum.nats -= rule.weight[k] * cell.probability * cell.log_probability;
      sum.mass += rule.weight[k] * cell.probability;
      sum.rounding += rule.weight[k] * rounding_of(cell, z);
    }
    const auto count = static_cast<double>(piece.count);
    return {count * sum.nats, count * sum.mass, count * sum.rounding};
  }

  template <std::size_t Low, std::size_t High>
  bool sum_by_quadrature(const tail_weight& weight, const stretch& piece, cell_mass mass,
                         bool is_trial = false) {
    const auto count = static_cast<double>(piece.count);
    const auto cell_at = [&weight, cell = kernel_.cells(piece.width)](double z) {
      return weight(cell(z));
    };
    const part low = apply(gram_rule<Low>(count), piece, cell_at);
    part high = apply(gram_rule<High>(count), piece, cell_at);

    // The error of a Gauss rule falls like ρ^(-2·order): doubling the order squares the relative
    // error. As QUADPACK does, rely on the power 3/2 only.
    const double difference = std::fabs(high.nats - low.nats);
    const double relative = 10 * difference / high.nats;
    const double estimate = std::fmin(difference, high.nats * relative * std::sqrt(relative));
    const double surprise = high.nats / high.mass + 1;  // mean of |ln P|, and 1
    const double mismatch =
        std::fmax(0.0, std::fabs(high.mass - mass.probability) * surprise - 2 * high.rounding);
    const double error = estimate + mismatch;
    const double allowed = tolerance_ * (mass.probability + 0x1p-8) / 8;
    // Halving a piece that is already short against all that the law does helps no more.
    const bool may_halve = is_trial || piece.length() > resolution(kernel_, piece) / 256;
    if (may_halve && !(error <= std::fmax(allowed, high.rounding))) return false;
    quadrature_error_ += error;
    high.mass = mass.probability;
    add(high);
    return true;
  }

  void add(const part& sum) {
    nats_.add(sum.nats);
    mass_.add(sum.mass);
    rounding_error_ += sum.rounding;
  }

  /// P = e^… has a relative error of a few roundings, of that of the exponent and of those of z,
  /// magnified by the law's condition; P ln P has it |ln P| + 1 times.
  [[nodiscard]] double rounding_of(cell_mass cell, double z) const {
    return unit_roundoff * cell.probability * (1 - cell.log_probability) *
           (16 - cell.log_probability + 8 * kernel_.condition(z));
  }

  using kernel_type = std::decay_t<decltype(std::declval<Law>().kernel())>;

  const partition& cells_;
  const Law& law_;
  decltype(std::declval<Law>().kernel()) kernel_;
  double tolerance_;
  double copies_ = 1;
  compensated_sum nats_;
  compensated_sum mass_;
  double quadrature_error_ = 0;
  double neglect_error_ = 0;
  double rounding_error_ = 0;
};

}  // namespace ktln2
