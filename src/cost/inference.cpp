#include "ktln2/cost/inference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "cost/clipped_cells.hpp"
#include "cost/collisions.hpp"
#include "cost/odd.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {
namespace {

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

/// The law of Q(slope·x_fp), x_fp a stored normal variable, from the values that become one:
///     H(Q(slope·X)) = H(X, the values told apart that are not clipped) - Σ (a+b) h(a/(a+b))
/// over the pairs of neighbors that collide. Three never do, as products stand at least half the
/// spacing of the values apart that hold them.
class prediction {
 public:
  prediction(const float_format& format, double slope, double sigma_x)
      : format_{format},
        cells_{format},
        x_{0, sigma_x},
        map_{format, slope},
        significands_{map_.significands()},
        told_apart_{map_.first_reaching(1), map_.first_reaching(map_.count() - 1)} {
    told_apart_.end = std::max(told_apart_.first, told_apart_.end);
  }

  bounded<bits> output_entropy() {
    const bounded<bits> apart = unclipped_entropy();
    sum_collisions();
    const double lost = 2 * lost_.value();  // of both signs
    return apart - bounded<bits>{bits{lost}, bits{2 * error_ + 64 * 0x1p-53 * lost}};
  }

 private:
  /// With all that clips as one number on each side, and nothing else in common.
  [[nodiscard]] bounded<bits> unclipped_entropy() const {
    const double clipped =
        mass_between(0, told_apart_.first) + mass_between(told_apart_.end, map_.count());
    const double most = 2 * clipped * format_.width();  // all that could be lost
    const bool nothing_clips = told_apart_.first <= 1 && told_apart_.end + 1 >= map_.count();
    if (!nothing_clips && most > 0x1p-60) {
      return exact_entropy(clipped_cells(format_, told_apart_), x_);
    }
    return exact_entropy(format_, x_) - bounded<bits>{bits{0}, bits{nothing_clips ? 0 : most}};
  }

  /// Of the values from one on, up to and without another.
  [[nodiscard]] double mass_between(uint128 first, uint128 end) const {
    if (first == end) return 0;
    const wide left = positive_cell(cells_, format_, first).left;
    const wide right = positive_cell(cells_, format_, end - 1).right;
    return mass_of(x_.kernel(), standard_stretch(x_, {left, right, right - left, 1}, 0, 1))
        .probability;
  }

  /// Beyond such levels there is so little mass that what it loses does not matter: for a mass m in
  /// pairs, of which one may meet all the rest, that is at most m (1 + log(e/m)).
  static constexpr double least_z = 0x1p-52;
  static constexpr double largest_z = 9;

  void sum_collisions() {
    const uint128 levels = map_.count() / significands_;
    const std::size_t half = format_.run_count() / 2;
    // Levels are factors of two: few of them matter.
    const double lowest = (log(format_.run(half).start) - std::log(x_.scale())) / std::numbers::ln2;
    const double skipped =
        std::clamp(std::floor(std::log2(least_z) - lowest), 0.0, static_cast<double>(levels));
    const auto first = static_cast<std::size_t>(skipped);
    if (first > 0) error_ += least_z * 64;
    for (std::size_t level = first; level < levels; ++level) {
      const lattice_run values = format_.run(half + level);
      if (ratio(values.start, x_.scale()) > largest_z) {
        error_ += 0x1p-58;  // P(X > 9) = 1e-19
        return;
      }
      add_level(level, ratio(values.spacing, x_.scale()));
    }
  }

  /// Cells next to another level are not as wide as the others: what they are in goes apart.
  void add_level(std::size_t level, double spacing) {
    const uint128 start = level * significands_;
    const bool is_last = start + significands_ == map_.count();
    const uint128 spilled = map_.first_spilled();
    std::set<uint128> apart{start + spilled - significands_ - 1, start + significands_ - 1};
    if (is_last && significands_ > 1) apart.insert(start + significands_ - 2);
    for (const uint128 value : apart) add_pair(value);

    const auto significand_of = [&](uint128 value) {
      return std::clamp(value, start, start + significands_) - start + significands_;
    };
    const uint128 from = std::max(spilled, significand_of(told_apart_.first));
    const uint128 last =
        std::min(2 * significands_ - (is_last ? 2 : 1), significand_of(told_apart_.end) - 1);
    if (from < last) add_regular(rule_of(from, last), spacing);
  }

  /// A value and the next one.
  void add_pair(uint128 value) {
    if (value < told_apart_.first || value + 1 >= told_apart_.end) return;
    if (map_(value) != map_(value + 1)) return;
    lost_.add(lost_by(mass_between(value, value + 1), mass_between(value + 1, value + 2)));
  }

  void add_regular(const collision_rule& rule, double spacing) {
    const auto mass_at = x_.kernel().cells(spacing);
    for (const collision_rule::node& node : rule.nodes()) {
      const double z = (node.at + 0.5) * spacing;
      const double lost =
          lost_by(mass_at(z - spacing / 2).probability, mass_at(z + spacing / 2).probability);
      lost_.add(node.weight * lost);
      error_ += node.share * rule.left_out(lost, z, spacing);
    }
  }

  /// All levels share one rule, but for those that are clipped.
  const collision_rule& rule_of(uint128 from, uint128 last) {
    const auto key = std::pair{from, last};
    const auto known = rules_.find(key);
    if (known != rules_.end()) return known->second;
    return rules_.emplace(key, collision_rule{map_, from, last}).first->second;
  }

  /// (a+b) h(a/(a+b)) bits
  static double lost_by(double a, double b) {
    const double both = a + b;
    return a > 0 && b > 0 ? a * std::log2(both / a) + b * std::log2(both / b) : 0;
  }

  float_format format_;
  partition cells_;
  normal x_;
  product_map map_;
  uint128 significands_;
  told_apart told_apart_;
  std::map<std::pair<uint128, uint128>, collision_rule> rules_;
  compensated_sum lost_;
  double error_ = 0;
};

/// The product of two finite numbers, rounded to odd.
double odd_product(double a, double b) {
  const double nearest = a * b;
  if (a == 0 || b == 0) return nearest;
  if (nearest == 0) return std::copysign(std::numeric_limits<double>::denorm_min(), nearest);
  if (std::isinf(nearest)) return std::copysign(std::numeric_limits<double>::max(), nearest);
  return rounded_to_odd(nearest, std::fma(a, b, -nearest));
}

/// H(Q(slope·x_fp)), code by code.
bounded<bits> counted_output(const storage::number_kept& where, double slope, double sigma_x) {
  const number_format& format = where.format;
  if (format.width() > 20) {
    throw std::domain_error(
        "inference: expected a format of at most 20 bits, or one of the "
        "paper's, such as p24e8, got " +
        format.name());
  }
  if (format.max().exponent() > 1000 || format.min_positive().exponent() < -1000) {
    throw std::domain_error("inference: " + format.name() + " has numbers beyond 2^±1000");
  }
  const stored_variable x{format, where.rule, normal{0, sigma_x}};
  return mapped_entropy(x, [&](std::uint64_t code) {
    const std::optional<wide> value = format.value(code);
    if (!value) return code;  // NaN stays NaN
    const double known = value->to_double();
    const double product = std::isinf(known) ? known * slope : odd_product(known, slope);
    return format.quantize(product, where.rule);
  });
}

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
  compensated_sum merged;        // mass of the inputs that share the current output
  compensated_sum merged_terms;  // Σ P log P over them
  const auto flush = [&] {
    loss.add(x_log_x(merged.value()) - merged_terms.value());
    merged = merged_terms = {};
  };
  const std::size_t half = format.run_count() / 2;
  for (std::size_t run = half; run < format.run_count(); ++run) {
    const lattice_run values = format.run(run);
    for (std::uint64_t i = 0; i < values.count; ++i, from.next()) {
      const wide value = values.start + wide::from_integer(i) * values.spacing;
      // With E = 0 all are multiples of √2, which is rounded to 2^-103; whatever is no tie differs
      // by 2^-81 at least, the product of a slope's 53 bits and a value's 28.
      const wide product = factor * value;
      const wide reach = product + product.scaled(-95);
      while (to.right() <= reach) {
        flush();
        to.next();
      }
      const double p = mass_of(x.kernel(), standard_stretch(x, from.cell(), 0, 1)).probability;
      merged.add(p);
      merged_terms.add(x_log_x(p));
    }
  }
  flush();
  // Slope 0 takes both signs to the one value that Q(0) is: the sign is lost as well.
  const double both = 2 * loss.value() + (slope == 0 ? 1 : 0);
  return {bits{both}, bits{256 * 0x1p-53 * (format.width() + 1)}, evidence::estimated};
}

bounded<bits> inference_output_entropy(const storage& where, double slope, double sigma_x) {
  check_arguments(slope, sigma_x);
  if (where.number() != nullptr) return counted_output(*where.number(), slope, sigma_x);
  if (slope == 0) return exactly(bits{0});
  return prediction{*where.ideal(), slope, sigma_x}.output_entropy();
}

inference_cost inference(const storage& where, double slope, double sigma_x) {
  check_arguments(slope, sigma_x);
  bits ideal{0};
  if (slope != 0) {
    const double deviation = std::fabs(slope) * sigma_x;
    require_positive("inference", "deviation of the product", deviation);
    ideal = exact_entropy(where, normal{0, deviation}).value;
  }
  const bounded<bits> input = exact_entropy(where, normal{0, sigma_x});
  const auto group = [&](const char* name, bounded<bits> entropy, int significand) {
    return register_group{name, 1, entropy, static_cast<double>(significand),
                          static_cast<double>(where.width())};
  };
  const bounded<bits> output = inference_output_entropy(where, slope, sigma_x);
  // What is 0 times whatever x is has no digits.
  return {cyclic_device{{group("x", input, where.p())},
                        {group("prediction", output, slope == 0 ? 0 : where.p())}},
          input.value - ideal};
}

}  // namespace ktln2
