#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "certificate/cell_line.hpp"
#include "certificate/even_law.hpp"
#include "certificate/lattice_rule.hpp"
#include "certificate/parameters.hpp"

namespace ktln2::certificate {

/// -Σ P ln P over the cells of a line, for the law of location + scale·Z, Z as even_law.hpp has it.
/// See docs/certificates.md.
template <class Law>
class line_sum {
 public:
  line_sum(const cell_line& cells, const Law& standard, const lattice_rule& rule,
           const parameters& place, ball share)
      : cells_{cells},
        law_{standard},
        rule_{rule},
        location_{place.location},
        scale_{place.scale},
        share_{std::move(share)} {}

  void add_blocks(std::size_t first, std::size_t last) {
    if (last - first == 1) return add_block(first);
    const stretch all{standard(cells_.left(first)), standard(cells_.right(last - 1)), {}};
    if (leave_out(all, cells_.most_cells(first, last))) return;
    const std::size_t middle = first + (last - first) / 2;
    add_blocks(first, middle);
    add_blocks(middle, last);
  }

  /// Makes one cell of some that were added, and that need not be neighbors.
  void join(const joined_cells& alike) {
    ball together;
    for (const auto& [left, right] : alike) {
      const stretch cell{standard(left), standard(right),
                         left && right ? (*right - *left) / scale_ : ball()};
      const ball mass = mass_of(cell);
      sum_ -= surprise(mass);
      together += mass;
    }
    sum_ += surprise(together);
  }

  /// In nats: sum, what rounding leaves open, and the rest: H ∈ sum + [0, left_out] ± truncated.
  [[nodiscard]] const ball& sum() const { return sum_; }
  [[nodiscard]] const ball& left_out() const { return left_out_; }
  [[nodiscard]] const ball& truncated() const { return truncated_; }

 private:
  /// Nodes of the rule are 32; fewer cells than twice as many are summed one by one.
  static constexpr std::uint64_t few_cells = 64;
  /// Pieces to be bounded and cells to be evaluated before what is left is only bounded: a few
  /// seconds.
  static constexpr long most_work = 1'000'000;

  [[nodiscard]] ball standard(const ball& edge) const { return (edge - location_) / scale_; }
  [[nodiscard]] std::optional<ball> standard(const std::optional<ball>& edge) const {
    return edge ? std::optional<ball>(standard(*edge)) : std::nullopt;
  }

  void add_block(std::size_t block) {
    for (const line_run& run : cells_.runs(block)) {
      if (run.count > 1) {
        add_piece(run, 0, run.count);
      } else {
        add_cell({standard(run.left), standard(run.right), run.width / scale_});
      }
    }
  }

  /// The `count` cells of the run to the right of edge m.
  void add_piece(const line_run& run, std::uint64_t m, std::uint64_t count) {
    const stretch piece{standard(run.edge(m)), standard(run.edge(m + count)), run.width / scale_};
    if (leave_out(piece, ball::from_integer(count))) return;
    if (count < few_cells) {
      for (std::uint64_t i = 0; i < count; ++i) {
        add_cell({*piece.left + ball::from_integer(i) * piece.width,
                  *piece.left + ball::from_integer(i + 1) * piece.width, piece.width});
      }
      return;
    }
    if (add_by_rule(piece, count)) return;
    add_piece(run, m, count / 2);
    add_piece(run, m + count / 2, count - count / 2);
  }

  /// The mass M ≤ m < N/e in N cells adds at least 0 and at most M ln(N/M) ≤ m ln(N/m).
  bool leave_out(const stretch& cells, const ball& count) {
    const working_precision rough{rough_bits};
    ++work_;
    const ball mass = law_.mass_bound(cells);
    ball most = count / exp(1.0);  // whatever the mass
    if (mass < most) most = mass.upper() * log(count / mass.upper());
    if (arb_is_zero(mass.raw()) != 0) most = 0.0;
    if (!(most < share_) && work_ < most_work) return false;
    left_out_ += most.upper();
    return true;
  }

  void add_cell(const stretch& cell) {
    if (leave_out(cell, 1.0)) return;
    if (const auto narrow = narrow_mass(cell)) {
      sum_ -= narrow->probability * narrow->logarithm;
    } else {
      sum_ += surprise(law_.wide(cell));
    }
  }

  [[nodiscard]] std::optional<log_mass> narrow_mass(const stretch& cell) const {
    if (!cell.left || !cell.right) return {};
    return law_.narrow(*cell.left + cell.width.scaled(-1), cell.width, log(cell.width));
  }
  [[nodiscard]] ball mass_of(const stretch& cell) const {
    // Functions are not asked for what is beyond all scales.
    const ball most = law_.mass_bound(cell).upper();
    if (most < ball(1.0).scaled(-2 * ball::precision())) return hull(0.0, most);
    const auto narrow = narrow_mass(cell);
    return narrow ? narrow->probability : law_.wide(cell);
  }

  /// The sum over the piece by the rule, if the bound on its error is small enough.
  bool add_by_rule(const stretch& piece, std::uint64_t count) {
    const ball center = (*piece.left + *piece.right).scaled(-1);
    const ball half = (*piece.right - *piece.left).scaled(-1);
    const std::optional<ball> error = rule_error(center, half, piece.width, count);
    if (!error) return false;
    const ball log_width = log(piece.width);
    const std::vector<ball> weights = rule_.weights(count);
    ball mean;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const ball z = center + half * rule_.nodes()[k];
      if (const auto narrow = law_.narrow(z, piece.width, log_width)) {
        mean -= weights[k] * narrow->probability * narrow->logarithm;
      } else {
        const ball reach = piece.width.scaled(-1);
        mean += weights[k] * surprise(law_.wide({z - reach, z + reach, piece.width}));
      }
    }
    work_ += rule_.size();
    sum_ += ball::from_integer(count) * mean;
    truncated_ += error->upper();
    return true;
  }

  /// A bound below the share on how far the rule is off, from a bound on F = -P ln P in a Bernstein
  /// ellipse; none, if no ellipse gives one.
  [[nodiscard]] std::optional<ball> rule_error(const ball& center, const ball& half,
                                               const ball& width, std::uint64_t count) const {
    const working_precision rough{rough_bits};
    for (const double rho : {5.0, 8.0, 3.5, 14.0, 2.5, 30.0, 2.0}) {
      const ball inverse = ball(1.0) / ball(rho);
      const ball reach = half * (ball(rho) + inverse).scaled(-1);
      const ball height = half * (ball(rho) - inverse).scaled(-1);
      const region ellipse{max((abs(center) - reach).lower(), 0.0), (abs(center) + reach).upper(),
                           height.upper()};
      const std::optional<ball> size = size_of_terms(ellipse, width);
      if (!size) continue;
      const ball error = ball::from_integer(count) * *size * rule_.error_factor(rho);
      if (error < share_) return error;
    }
    return {};
  }

  /// A bound on |P ln P| for all centers of cells in the region; none, if P may vanish there.
  [[nodiscard]] std::optional<ball> size_of_terms(const region& where, const ball& width) const {
    const region around = where.widened(width.scaled(-1).upper());
    if (!law_.is_analytic(around)) return {};
    // P = h f(z) A(z), where A is the mean of f(z + t)/f(z) = e^g, |g| ≤ G: |A - 1| ≤ e^G - 1.
    const ball g = (law_.steepest(around) * width).scaled(-1).upper();
    if (!(g < ball(0.5))) return {};
    const ball growth = exp(g);
    const log_range range = law_.log_density_in(where);
    const ball log_width = log(width);
    const ball logarithm = max(abs(range.lowest + log_width), abs(range.highest + log_width)) +
                           range.turn - log(ball(2.0) - growth);
    return width * exp(range.highest) * growth * logarithm;
  }

  const cell_line& cells_;
  const Law& law_;
  const lattice_rule& rule_;
  ball location_;
  ball scale_;
  ball share_;
  ball sum_;
  ball left_out_;
  ball truncated_;
  long work_ = 0;
};

}  // namespace ktln2::certificate
