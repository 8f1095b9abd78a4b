#include "ktln2/cost/inference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {
namespace {

constexpr int largest_enumerated = 22;  ///< bits of a register

/// The positive cells of a format, one by one and ascending.
class positive_cells {
 public:
  explicit positive_cells(const float_format& format)
      : cells_{format}, block_{cells_.block_count() / 2}, runs_{cells_.block(block_)} {
    settle();
  }

  [[nodiscard]] wide left() const { return runs_[run_].edge(index_); }
  [[nodiscard]] wide right() const { return runs_[run_].edge(index_ + 1); }
  /// The cell as a run of one.
  [[nodiscard]] cell_run cell() const { return {left(), right(), runs_[run_].width, 1}; }
  [[nodiscard]] bool at_end() const { return block_ == cells_.block_count(); }
  void next() {
    ++index_;
    settle();
  }

 private:
  void settle() {
    while (!at_end() && index_ >= runs_[run_].count) {
      index_ = 0;
      if (++run_ < runs_.size()) continue;
      run_ = 0;
      if (++block_ < cells_.block_count()) runs_ = cells_.block(block_);
    }
  }

  partition cells_;
  std::size_t block_;
  std::array<cell_run, 3> runs_;
  std::size_t run_ = 0;
  std::uint64_t index_ = 0;
};

double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0; }

void check_arguments(double slope, double sigma_x) {
  require_finite("inference", "slope", slope);
  require_positive("inference", "sigma_x", sigma_x);
}

}  // namespace

bounded<bits> enumerated_inference_loss(const float_format& format, double slope, double sigma_x) {
  check_arguments(slope, sigma_x);
  if (format.width() > 28) {
    throw std::domain_error("inference: " + format.name() + " has too many values to enumerate");
  }
  const normal x{0, sigma_x};
  const wide factor = std::fabs(slope);
  // Values are the points of the runs; the products rise with them, so that the cells of the
  // products are passed once. A product on an edge goes to the cell away from zero [eq:sem_fp].
  positive_cells from{format};
  positive_cells to{format};
  compensated_sum loss;
  double merged = 0;        // mass of the inputs that share the current output
  double merged_terms = 0;  // Σ P log P over them
  const auto flush = [&] {
    loss.add(x_log_x(merged) - merged_terms);
    merged = merged_terms = 0;
  };
  const std::size_t half = format.run_count() / 2;
  for (std::size_t run = half; run < format.run_count(); ++run) {
    const lattice_run values = format.run(run);
    for (std::uint64_t i = 0; i < values.count; ++i, from.next()) {
      const wide value = values.start + wide::from_integer(i) * values.spacing;
      const wide product = factor * value;
      while (to.right() <= product) {
        flush();
        to.next();
      }
      const double p = mass_of(x.kernel(), standard_stretch(x, from.cell(), 0, 1)).probability;
      merged += p;
      merged_terms += x_log_x(p);
    }
  }
  flush();
  // Slope 0 takes both signs to the one value that Q(0) is: the sign is lost as well.
  const double both = 2 * loss.value() + (slope == 0 ? 1 : 0);
  return {bits{both}, bits{256 * 0x1p-53 * (format.width() + 1)}, evidence::estimated};
}

bounded<bits> equidistributed_inference_loss(const float_format& format, double slope,
                                             double sigma_x) {
  check_arguments(slope, sigma_x);
  const normal x{0, sigma_x};
  const standard_normal& kernel = x.kernel();
  if (slope == 0) return exact_entropy(format, x);
  const int shift = std::ilogb(slope);
  const double m = std::fabs(std::scalbn(slope, -shift));
  // P(mantissa of x > 2/m), exponent by exponent where X has mass.
  const int top = std::ilogb(sigma_x) + 6;
  double zone = 0;
  for (int e = top; e > top - 80; --e) {
    const double left = ratio(wide(2 / m).scaled(e), sigma_x);
    const double right = ratio(wide(1.0).scaled(e + 1), sigma_x);
    if (left < right) zone += 2 * kernel.between(left, right).probability;
  }
  // x whose product leaves the range of the format, or that are outside of it themselves.
  const wide lowest = format.min_positive();
  const wide highest = format.granular_edge();
  const double low = std::max(ratio(lowest, sigma_x), ratio(lowest, std::fabs(slope)) / sigma_x);
  const double high = std::min(ratio(highest, sigma_x), ratio(highest, std::fabs(slope)) / sigma_x);
  const double beyond =
      std::fmin(1, 2 * (kernel.between(0, low).probability + kernel.upper(high).probability));
  const double clipping = beyond > 0 ? beyond * (format.width() + 2 - std::log2(beyond)) : 0;
  return {bits{(2 - m) * zone}, bits{std::scalbn(4.0, -format.p()) + clipping},
          evidence::estimated};
}

inference_cost inference(const float_format& format, double slope, double sigma_x) {
  check_arguments(slope, sigma_x);
  const bool is_enumerated = format.width() <= largest_enumerated;
  const bounded<bits> loss = is_enumerated ? enumerated_inference_loss(format, slope, sigma_x)
                                           : equidistributed_inference_loss(format, slope, sigma_x);
  const bounded<bits> input = exact_entropy(format, normal{0, sigma_x});
  const auto group = [&](const char* name, bounded<bits> entropy) {
    return register_group{name, 1, entropy, static_cast<double>(format.p()),
                          static_cast<double>(format.width())};
  };
  bits ideal = input.value;
  if (slope != 0) {
    const double deviation = std::fabs(slope) * sigma_x;
    require_positive("inference", "deviation of the product", deviation);
    ideal = ideal - exact_entropy(format, normal{0, deviation}).value;
  }
  return {cyclic_device{{group("x", input)}, {group("prediction", input - loss)}}, ideal,
          is_enumerated};
}

}  // namespace ktln2
