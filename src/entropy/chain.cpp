#include "ktln2/entropy/chain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "entropy/cell_moments.hpp"
#include "entropy/joint_sum.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {
namespace {

/// ½ log(1 + v/s²), from v/s².
double channel_capacity(double ratio) { return std::log1p(ratio) / 2 * bits_per_nat; }

/// One link, with what is known of the registers before it.
class chain_link {
 public:
  chain_link(const normal_link& link, const std::vector<normal_link>& all,
             const std::vector<cell_moments>& moments)
      : link_{link}, all_{all}, moments_{moments} {}

  /// Σ β_k² E Var(Z_k | cell)/s²: what M_j varies inside a box, to leading order.
  [[nodiscard]] double leading() const {
    double sum = 0;
    for (std::size_t k = 0; k < link_.slopes.size(); ++k) {
      const double slope = link_.slopes[k] / link_.deviation;
      sum += slope * slope * before(k).variance;
    }
    return sum;
  }

  [[nodiscard]] bits bound() const {
    if (link_.independent) return bits{channel_capacity(leading())};
    double length = 0;
    double clipped = 0;
    for (std::size_t k = 0; k < link_.slopes.size(); ++k) {
      const double slope = std::fabs(link_.slopes[k]) / link_.deviation;
      length += slope * std::sqrt(before(k).width_square);
      if (slope > 0) clipped += before(k).clipped;
    }
    const double spread = link_.spread / link_.deviation;
    const double all = channel_capacity(spread * spread);
    const double bounded_boxes = channel_capacity(length * length / 12);
    return bits{std::min(all, bounded_boxes + std::min(clipped, 1.0) * all)};
  }

  /// How far below its leading order the smear may be: the register sees M_j less well than Z_j
  /// does, a channel carries less than its capacity, and inside a box variables are correlated.
  [[nodiscard]] bits doubt() const {
    const double own = moments_[link_.variable].variance / (link_.deviation * link_.deviation);
    return smear() * std::min(1.0, 8 * (own + leading() / 2 + correlated()));
  }
  /// How far above: they may be correlated so that they add up.
  [[nodiscard]] bits excess() const {
    return leading() > 0 ? smear() * (8 * correlated()) : bits{0};
  }
  [[nodiscard]] bits smear() const { return bits{leading() / 2 * bits_per_nat}; }

 private:
  /// Σ V_k (1/s_k² - 1/σ_k²), V_k = E Var(Z_k | cell): inside a box correlations are of the order
  /// of what a variable varies in its cell over what the others leave it; 0 if all are independent.
  [[nodiscard]] double correlated() const {
    double sum = 0;
    for (std::size_t k = 0; k < link_.slopes.size(); ++k) {
      const double in_cell = std::sqrt(before(k).variance) / all_[k].deviation;
      const double share = all_[k].spread / std::hypot(all_[k].spread, all_[k].deviation);
      sum += in_cell * in_cell * share * share;
    }
    return sum;
  }
  [[nodiscard]] const cell_moments& before(std::size_t k) const {
    return moments_[all_[k].variable];
  }

  const normal_link& link_;
  const std::vector<normal_link>& all_;
  const std::vector<cell_moments>& moments_;
};

void require_partitions(const std::vector<partition>& cells, std::size_t variables) {
  if (cells.size() != variables) {
    throw std::domain_error("chain: there are " + std::to_string(variables) + " variables, but " +
                            std::to_string(cells.size()) + " registers");
  }
}

/// Where the noise is far below the cells the sum may be no more than a bound: then as far as it is
/// between 0 and what the register holds.
bounded<bits> clipped(const bounded<bits>& found, const bounded<bits>& whole) {
  const bits low = std::max(bits{0}, found.value - found.error);
  const bits high = std::max(low, std::min(found.value + found.error, whole.value + whole.error));
  return {(low + high) / 2, (high - low) / 2, evidence::estimated};
}

/// A mean that varies by so many deviations of the noise: no sum gets to its end.
constexpr double hopeless = 1e12;

bounded<bits> entropy_of_link(const partition& cells, const normal_link& link, bits tolerance,
                              const stop_token& stop) {
  const normal all{link.mean, std::hypot(link.deviation, link.spread)};
  const bits each = std::min(tolerance, default_tolerance);
  if (link.spread == 0) return exact_entropy(cells, all, each);
  const double share = link.spread / link.deviation;
  const bits most{channel_capacity(share * share)};
  const bounded<bits> anything{bits{0}, bits{infinity}, evidence::estimated};
  if (share > hopeless) return clipped(anything, exact_entropy(cells, all, each));
  if (most > tolerance / 4) {
    const bounded<bits> found =
        entropy_given_mean(cells, normal{link.mean, link.spread}, link.deviation, tolerance, stop);
    return found.error < bits{1e-6} ? found : clipped(found, exact_entropy(cells, all, each));
  }
  return exact_entropy(cells, all, each) - bounded<bits>{most / 2, most / 2, evidence::estimated};
}

bool are_equal(const normal& a, const normal& b) {
  return a.location() == b.location() && a.scale() == b.scale();
}

bool are_equal(const normal_link& a, const normal_link& b) {
  return a.mean == b.mean && a.deviation == b.deviation && a.spread == b.spread;
}

/// `size`: what the registers can hold at most; `rounding`: what that of the law may move.
chain_entropy added_up(std::vector<chain_step> steps, bits doubt, bits excess, bits size,
                       bits rounding) {
  bounded<bits> numbers{bits{0}, rounding, evidence::estimated};
  bits smear;
  bits most;
  for (const chain_step& one : steps) {
    numbers += one.given_numbers;
    smear += one.smear;
    most += one.smear_bound;
  }
  smear = std::min(smear, size);  // it may be beyond double's range
  doubt = std::min(doubt, size);
  excess = std::min(excess, size);
  numbers.error += bits{0x1p-51 * (std::fabs(numbers.value.value()) + smear.value())};
  most = std::min(most, std::max(bits{0}, size - numbers.value) + numbers.error);
  // The middle of what is likely, as far as the bracket allows.
  const bits upper = std::min(smear + excess, most);
  const bits lower = std::min(upper, std::max(bits{0}, smear - doubt));
  const bits value = numbers.value + (lower + upper) / 2;
  // A law that nobody knows, its covariance being rounded, still fills no more than all registers.
  const bits low = std::min(value, std::max(bits{0}, numbers.value - numbers.error));
  const bits high = std::max(value, std::min(size, numbers.value + most + numbers.error));
  return {{value, (upper - lower) / 2 + numbers.error, evidence::estimated},
          low,
          high,
          std::move(steps)};
}

}  // namespace

bounded<bits> entropy_given_mean(const partition& cells, const normal& mean, double noise,
                                 bits tolerance, const stop_token& stop) {
  if (!cells.is_symmetric()) {
    throw std::domain_error("entropy: the cells must be symmetric about 0");
  }
  const regression_pair pair{{1, mean.scale(), noise}, {mean.location(), 0}};
  const double nats = tolerance.value() * std::numbers::ln2;
  return joint_sum(cells, cells, noisy_line::by_x(pair), nats, stop).compute_given_points();
}

std::vector<partition> register_partitions(const std::vector<storage>& where) {
  std::vector<partition> cells;
  for (const storage& one : where) {
    const register_cells known = one.cells();
    if (!known.alike.empty() || !known.cells.is_symmetric()) {
      throw std::domain_error("entropy: the cells of " + one.name() +
                              " do not mirror each other about 0, as do those of p8e8, bfloat16, "
                              "e4m3, posit16 and binary8p4se");
    }
    cells.push_back(known.cells);
  }
  return cells;
}

chain_entropy entropy_by_chain(const std::vector<partition>& cells, const normal_vector& z,
                               const std::vector<std::size_t>& order, bits tolerance,
                               const stop_token& stop) {
  require_partitions(cells, z.size());
  const std::vector<normal_link> links = z.chain(order);
  const bits each = tolerance / static_cast<double>(links.size());
  std::vector<cell_moments> moments(z.size());
  std::vector<chain_step> steps(z.size());
  for (std::size_t j = 0; j < links.size(); ++j) {
    const std::size_t variable = links[j].variable;
    // Registers that are alike often stand one after the other; they are looked at once.
    const std::size_t before = j > 0 ? links[j - 1].variable : variable;
    const bool is_alike = j > 0 && cells[variable].is_copy_of(cells[before]) &&
                          are_equal(z.marginal(variable), z.marginal(before));
    moments[variable] =
        is_alike ? moments[before] : cell_moments_of(cells[variable], z.marginal(variable));
    const bool is_known = is_alike && are_equal(links[j], links[j - 1]);
    const bounded<bits> given_numbers =
        is_known ? steps[j - 1].given_numbers
                 : entropy_of_link(cells[variable], links[j], each, stop);
    steps[j] = {variable, given_numbers, {}, {}};
  }
  bits doubt;
  bits excess;
  bits size;
  for (const partition& one : cells) size += bits{one.log2_size()};
  for (std::size_t j = 0; j < links.size(); ++j) {
    const chain_link link{links[j], links, moments};
    steps[j].smear = link.smear();
    steps[j].smear_bound = link.bound();
    doubt += link.doubt();
    excess += link.excess();
  }
  const double turned =
      std::is_sorted(order.begin(), order.end()) ? z.doubt() : z.doubt_when_turned();
  return added_up(std::move(steps), doubt, excess, size, rounding_by(turned));
}

chain_entropy entropy_by_chain(const std::vector<partition>& cells, const normal_vector& z,
                               bits tolerance, const stop_token& stop) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), 0);
  return entropy_by_chain(cells, z, order, tolerance, stop);
}

}  // namespace ktln2
