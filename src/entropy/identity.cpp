#include "ktln2/entropy/identity.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/constants.hpp"
#include "entropy/cell_functional.hpp"
#include "entropy/law_integrals.hpp"

namespace ktln2 {
namespace {

/// (1+e) ln(1+e) - e, which is e²/2 to first order.
double relative_surprise(double e) {
  if (std::fabs(e) < 1e-3) return e * e * (0.5 - e * (1.0 / 6 - e * (1.0 / 12 - e / 20)));
  return e > -1 ? (1 + e) * std::log1p(e) - e : 1;
}

template <class Law>
class identity_sum {
 public:
  identity_sum(const partition& cells, const Law& x) : cells_{cells}, x_{x}, kernel_{x.kernel()} {}

  identity_terms compute() {
    double clipped = 0;
    for (std::size_t block = 0; block < cells_.block_count(); ++block) {
      for (const cell_run& run : cells_.block(block)) {
        if (run.count == 0) continue;
        if (run.left.is_infinite() || run.right.is_infinite()) {
          clipped += clipped_cell(run);
        } else {
          add_log_width(run);
        }
      }
    }
    // h(X) = h(Z) + ln scale; of the tails, the scale's part is their mass.
    const double tails = tail_mass_ * std::log(x_.scale());
    const double differential = kernel_.entropy() + std::log(x_.scale()) - tail_entropy_ - tails;
    const double log_width = log_width_.value();
    const auto total = divergence_with(outermost_cells::nothing);
    const double divergence = total.value();
    const double value = differential - log_width + divergence + clipped;
    // Rounding of the large terms that nearly cancel, and a panel rule good to 1e-15 for the tails.
    const double scale = std::fabs(differential) + std::fabs(log_width) + tail_entropy_ + 4;
    // Mass that lies beyond double's range, in cells no wider and no narrower than the format has.
    const double lost = std::fabs(1 - tail_mass_ - mass_.value()) + table_error(kernel_);
    const double lost_error =
        lost == 0 ? 0 : lost * (largest_log_width_ + std::fabs(differential) + 1 - std::log(lost));
    const double error = 256 * 0x1p-53 * (scale + absolute_log_width_) + total.error() + lost_error;
    constexpr double nat = 1 / std::numbers::ln2;
    return {nat * differential,
            nat * log_width,
            nat * divergence,
            nat * clipped,
            {bits{nat * value}, bits{nat * error}, evidence::estimated}};
  }

  /// ∫ f ln(f/g) over the cells.
  [[nodiscard]] auto divergence_with(outermost_cells ends) const {
    const auto of_cell = [this](const stretch& cell, const wide& width) {
      return cell_divergence(cell, width);
    };
    return cell_functional<Law, decltype(of_cell)>(cells_, x_, of_cell, ends);
  }

 private:
  double clipped_cell(const cell_run& run) {
    if (run.left.is_infinite() && run.right.is_infinite()) {
      tail_mass_ = 1;
      tail_entropy_ = kernel_.entropy();
      return 0;
    }
    const double edge = x_.standard(run.left.is_infinite() ? run.right : run.left);
    const cell_mass mass = run.left.is_infinite() ? kernel_.lower(edge) : kernel_.upper(edge);
    if (mass.probability == 0) return 0;
    tail_mass_ += mass.probability;
    tail_entropy_ += run.left.is_infinite() ? entropy_integral(kernel_, -infinity, edge)
                                            : entropy_integral(kernel_, edge, infinity);
    return -mass.probability * mass.log_probability;
  }

  void add_log_width(const cell_run& run) {
    const double mass = mass_of(x_, run, 0, run.count).probability;
    const double log_width = log(run.width);
    log_width_.add(mass * log_width);
    absolute_log_width_ += mass * std::fabs(log_width);
    mass_.add(mass);
    largest_log_width_ = std::fmax(largest_log_width_, std::fabs(log_width));
  }

  /// ∫ f ln(f/g) over a cell.
  [[nodiscard]] double cell_divergence(const stretch& cell, const wide& width) const {
    const cell_mass mass = mass_of(kernel_, cell);
    if (!is_narrow(kernel_, cell)) {
      if (mass.probability < 1e-24) return 0;
      const double log_width =
          cell.is_bounded() ? std::log(cell.width) : log(width) - std::log(x_.scale());
      return -entropy_integral(kernel_, cell.left, cell.right) -
             mass.probability * (mass.log_probability - log_width);
    }
    // All in relative deviations from the middle: nothing cancels.
    const auto& rule = gauss_legendre<16>();
    std::array<double, 16> deviation{};
    double mean = 0;
    for (std::size_t k = 0; k < 16; ++k) {
      deviation[k] = std::expm1(kernel_.log_ratio(cell.center(), cell.width / 2 * rule.node[k]));
      mean += rule.weight[k] * deviation[k];
    }
    double divergence = 0;
    for (std::size_t k = 0; k < 16; ++k) {
      divergence += rule.weight[k] * relative_surprise((deviation[k] - mean) / (1 + mean));
    }
    return mass.probability * divergence;
  }

  const partition& cells_;
  const Law& x_;
  decltype(std::declval<Law>().kernel()) kernel_;
  double tail_mass_ = 0;
  double tail_entropy_ = 0;
  compensated_sum log_width_;
  double absolute_log_width_ = 0;
  compensated_sum mass_;
  double largest_log_width_ = 0;
};

}  // namespace

identity_terms entropy_by_identity(const partition& cells, const law& x) {
  require_usual_density("entropy", x);
  return std::visit([&](const auto& known) { return identity_sum(cells, known).compute(); }, x);
}

bits granular_divergence(const partition& cells, const law& x) {
  return std::visit(
      [&](const auto& known) {
        const identity_sum sum(cells, known);
        const auto total = sum.divergence_with(outermost_cells::granular_part);
        return bits{(std::fabs(total.value()) + total.error()) / std::numbers::ln2};
      },
      x);
}

}  // namespace ktln2
