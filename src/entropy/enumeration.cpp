#include "ktln2/entropy/enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "entropy/part_sum.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// Σ P s and its error bar, cell by cell.
template <class Law>
class weighted_cells {
 public:
  explicit weighted_cells(const Law& x) : x_{x}, misplaced_{table_error(x.kernel())} {
    if constexpr (requires { x.rounding_error(); }) {
      const auto& kernel = x.kernel();
      shift_ = x.rounding_error() / std::exp(kernel.log_pdf(kernel.mode()));
      if (kernel.has_jumps()) misplaced_ += x.rounding_error();
    }
  }

  void add(const cell_run& run, std::uint64_t k, double s) {
    if (s == 0) return;
    const stretch cell = standard_stretch(x_, run, k, 1);
    const double p = mass_of(x_, cell, run, k, 1).probability;
    if (p == 0) return;
    sum_.add(p * s);
    error_ += std::fabs(s) * rounding_of(p, cell);
    // Tables keep the digits of their tails: mass is misplaced where there is some.
    if (p > 0x1p-20 * misplaced_) largest_ = std::max(largest_, std::fabs(s));
  }

  [[nodiscard]] bounded<double> result() const {
    return {sum_.value(), error_ + 2 * misplaced_ * largest_, evidence::estimated};
  }

 private:
  /// Each P is good to a few ulps times the law's condition, and moves with the law. What lies
  /// about the center may be what the tails leave, with their rounding.
  [[nodiscard]] double rounding_of(double p, const stretch& cell) const {
    const auto& kernel = x_.kernel();
    const double condition = kernel.condition(place_of_mass(kernel, cell));
    const bool is_rest = cell.nearest() < kernel.core() && cell.right - cell.left > kernel.core();
    return (is_rest ? 1 : p) *
           (0x1p-53 * (16 + 8 * condition) + shift_ / kernel.core() * (1 + condition));
  }

  const Law& x_;
  double misplaced_;  ///< mass that may stand anywhere
  double shift_ = 0;  ///< of the law as a whole, in its standard units
  compensated_sum sum_;
  double error_ = 0;
  double largest_ = 0;
};

/// The probability of one cell of a run.
template <class Law>
class masses_by_cell {
 public:
  masses_by_cell(const partition& /*cells*/, const Law& x) : x_{x} {}
  double operator()(const cell_run& run, std::uint64_t k) const {
    return mass_of(x_, run, k, 1).probability;
  }

 private:
  const Law& x_;
};

template <>
class masses_by_cell<compound_law> {
 public:
  masses_by_cell(const partition& cells, const compound_law& x)
      : x_{x}, atoms_{cells_with_atoms(cells, x.atoms())} {}
  double operator()(const cell_run& run, std::uint64_t k) const {
    const wide left = run.edge(k);
    const double p = mass_between(x_.parts(), left, run.edge(k + 1)).probability;
    const auto atom = std::lower_bound(atoms_.begin(), atoms_.end(), left,
                                       [](const auto& a, const wide& at) { return a.left < at; });
    return atom != atoms_.end() && atom->left == left ? p + atom->mass : p;
  }

 private:
  const compound_law& x_;
  std::vector<atom_cell> atoms_;
};

}  // namespace

bounded<bits> enumerated_entropy(const partition& cells, const law& x) {
  if (cells.log2_size() > 28) {
    throw std::domain_error("enumerated_entropy: 2^" + shown(cells.log2_size()) +
                            " cells are too many, expected at most 2^28");
  }
  compensated_sum sum;
  double misplaced = 0;
  std::visit(
      [&](const auto& known) {
        misplaced = table_error(known.kernel());
        const masses_by_cell mass{cells, known};
        for (std::size_t block = 0; block < cells.block_count(); ++block) {
          for (const cell_run& run : cells.block(block)) {
            for (std::uint64_t k = 0; k < run.count; ++k) {
              const double p = mass(run, k);
              if (p > 0) sum.add(-p * std::log2(p));
            }
          }
        }
      },
      x);
  // Each P is good to a few ulps times the law's condition, which is large only where P is not.
  constexpr double ulps = 32;
  const double error = ulps * 0x1p-53 * (sum.value() + 1);
  const double table =
      misplaced == 0 ? 0 : misplaced * (2 + cells.log2_size() - std::log2(misplaced));
  return {bits{sum.value()}, bits{error + table}, evidence::estimated};
}

bounded<double> mean_over_cells(const partition& cells, const law& x, const std::vector<double>& of,
                                const stop_token& stop) {
  if (cells.size() != of.size()) {
    throw std::domain_error("mean_over_cells: expected one number for each of 2^" +
                            shown(cells.log2_size()) + " cells, got " + std::to_string(of.size()));
  }
  return std::visit(
      [&](const auto& known) {
        weighted_cells sum{known};
        std::size_t cell = 0;
        for (std::size_t block = 0; block < cells.block_count(); ++block) {
          for (const cell_run& run : cells.block(block)) {
            throw_if_stopped(stop);
            for (std::uint64_t k = 0; k < run.count; ++k) sum.add(run, k, of[cell++]);
          }
        }
        return sum.result();
      },
      x);
}

}  // namespace ktln2
