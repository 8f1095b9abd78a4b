#include "ktln2/entropy/joint.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "entropy/joint_sum.hpp"
#include "entropy/zero_row.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {
namespace {

/// The rows should be the register with the wider cells, as σ_ξ sees them: then the cells of the
/// other one are narrow along a row. Seen where the line y = wx has much mass, of what lies between
/// the cells next to zero and those that clip, in both registers.
bool y_is_coarser(const partition& x_cells, const partition& y_cells, const regression_pair& pair) {
  const double slope = std::fabs(pair.w());
  const auto low = [](const partition& cells) {
    return 1.125 * cells.cell_of(0).right.to_double();
  };
  const auto high = [](const partition& cells) {
    return 0.75 * cells.granular().right.to_double();
  };
  const double x_low = std::max(low(x_cells), low(y_cells) / slope);
  const double x_high = std::min(high(x_cells), high(y_cells) / slope);
  const double usual_x = std::hypot(pair.sigma_x(), pair.mu_x());
  const double x = std::min(std::max(usual_x, x_low), x_high);
  const double usual_y = std::hypot(pair.sigma_xi(), pair.mean_of_y().to_double());
  const double y = std::max(slope * x, std::min(usual_y, high(y_cells)));
  const double x_width = pair.gain() * ratio(x_cells.cell_of(x).width, pair.sigma_x());
  const double y_width = ratio(y_cells.cell_of(y).width, pair.sigma_xi());
  return y_width > 0.1 && x_width < y_width;
}

/// The cells of a register, which must mirror each other about 0.
class register_half {
 public:
  explicit register_half(const storage& where) : known_{where.cells()} {
    const auto* const number = where.number();
    if (number != nullptr && !known_.cells.has_mirrored_halves()) {
      cut_ = cells_cut_at_zero(number->format, number->rule);
    }
    if (known_.alike.empty() && cut().has_mirrored_halves()) return;
    throw std::domain_error("joint entropy: the cells of " + where.name() +
                            " do not mirror each other about 0, as do those of p8e8, bfloat16, "
                            "e4m3, posit16 and binary8p4se");
  }

  [[nodiscard]] const register_cells& known() const { return known_; }
  /// With an edge at 0.
  [[nodiscard]] const partition& cut() const { return cut_ ? *cut_ : known_.cells; }
  /// The same cells, whatever is at 0. A sum over both halves can do with them.
  [[nodiscard]] const partition& whole() const { return known_.cells; }
  /// Is zero one cell, around 0?
  [[nodiscard]] bool has_one_zero() const { return cut_.has_value(); }
  [[nodiscard]] wide end_of_zero() const { return cut().cell_of(0).right; }

 private:
  register_cells known_;
  std::optional<partition> cut_;
};

/// H(Y_fp), whose mean may lie between two doubles: a shift by t deviations moves less than the
/// mass t, to cells of which there are K.
bounded<bits> entropy_of_y(const partition& cells, const regression_pair& pair, bits tolerance) {
  bounded<bits> found = exact_entropy(cells, pair.y(), tolerance);
  const normal y = pair.y();
  const double moved = std::min(1.0, ratio(abs(pair.mean_of_y() - y.location()), pair.sigma_y()));
  if (moved > 0) found.error += bits{moved * (cells.log2_size() + 2 - std::log2(moved))};
  found.error = std::min(found.error, bits{cells.log2_size()});
  return found;
}

/// By how much the entropy of both registers falls when zeros have no sign.
bounded<bits> worth_of_signs(const register_half& x, const register_half& y,
                             const regression_pair& pair) {
  bounded<bits> worth = exactly(bits{0});
  if (x.has_one_zero()) {
    const zero_row row{x.end_of_zero(), y.cut(), noisy_line::by_x(pair)};
    worth += row.worth_of_sign();
    // What is next to zero in both is then of two kinds that are alike, by the sign of Y.
    if (y.has_one_zero()) worth += bounded<bits>{bits{row.both_next_to_zero()}, bits{0x1p-48}};
  }
  if (y.has_one_zero()) {
    const zero_row row{y.end_of_zero(), x.cut(), noisy_line::by_y(pair)};
    worth += x.has_one_zero() ? row.worth_of_sign_beyond_zero() : row.worth_of_sign();
  }
  return worth;
}

}  // namespace

joint_entropies joint_entropy(const storage_pair& where, const regression_pair& pair,
                              bits tolerance, const stop_token& stop) {
  const register_half x{where.x};
  const register_half y{where.y};
  if (!pair.is_centered()) return joint_entropy(x.whole(), y.whole(), pair, tolerance, stop);
  joint_entropies found = joint_entropy(x.cut(), y.cut(), pair, tolerance, stop);
  if (!x.has_one_zero() && !y.has_one_zero()) return found;
  const bits each = std::min(tolerance, default_tolerance);
  found.joint = found.joint - worth_of_signs(x, y, pair);
  found.x = exact_entropy(x.known(), pair.x(), each);
  found.y = exact_entropy(y.known(), pair.y(), each);
  found.conditional = found.joint - found.x;
  found.mutual_information = found.x + found.y - found.joint;
  return found;
}

joint_entropies joint_entropy(const partition& x_cells, const partition& y_cells,
                              const regression_pair& pair, bits tolerance, const stop_token& stop) {
  if (!(tolerance > bits{0} && tolerance <= bits{1})) {
    throw std::domain_error("joint entropy: tolerance must be > 0 and at most 1 bit, got " +
                            shown(tolerance.value()));
  }
  if (pair.is_centered() && !(x_cells.has_mirrored_halves() && y_cells.has_mirrored_halves())) {
    throw std::domain_error("joint entropy: the cells must be symmetric about an edge at 0");
  }
  if (!x_cells.is_symmetric() || !y_cells.is_symmetric()) {
    throw std::domain_error("joint entropy: the cells must be symmetric about 0");
  }
  const bits each = std::min(tolerance, default_tolerance);
  const bounded<bits> x = exact_entropy(x_cells, pair.x(), each);
  const bounded<bits> y = entropy_of_y(y_cells, pair, each);
  // No channel carries more than its input: the registers share between nothing and what X and Y
  // do.
  const bits most = mutual_information(pair);
  if (most <= tolerance / 4) {
    const bounded<bits> shared{most / 2, most / 2, evidence::estimated};
    return {x + y - shared, x, y, y - shared, shared};
  }

  const double nats = tolerance.value() * std::numbers::ln2;
  const auto by_x = [&]() -> joint_entropies {
    const bounded<bits> y_given_x =
        joint_sum(x_cells, y_cells, noisy_line::by_x(pair), nats, stop).compute();
    return {x + y_given_x, x, y, y_given_x, y - y_given_x};
  };
  const auto by_y = [&]() -> joint_entropies {
    const bounded<bits> x_given_y =
        joint_sum(y_cells, x_cells, noisy_line::by_y(pair), nats, stop).compute();
    return {y + x_given_y, x, y, y + x_given_y - x, x - x_given_y};
  };
  const bool y_first = y_is_coarser(x_cells, y_cells, pair);
  const joint_entropies found = y_first ? by_y() : by_x();
  if (found.joint.error <= 10 * tolerance) return found;
  const joint_entropies other = y_first ? by_x() : by_y();
  return other.joint.error < found.joint.error ? other : found;
}

}  // namespace ktln2
