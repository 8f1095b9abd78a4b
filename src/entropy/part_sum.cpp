#include "entropy/part_sum.hpp"

namespace ktln2 {
namespace {

constexpr double part_roundoff = 0x1p-53;

}  // namespace

/// Neighboring cells of one run.
struct part_sum::piece {
  const cell_run& run;
  std::uint64_t first;
  std::uint64_t count;
  wide left;
  wide right;

  piece(const cell_run& of, std::uint64_t begin, std::uint64_t size)
      : run{of}, first{begin}, count{size}, left{of.edge(begin)}, right{of.edge(begin + size)} {}

  [[nodiscard]] bool holds(const wide& x) const { return left < x && x < right; }
  /// How many cells to leave on the left so that x is the first point of the right part, or in its
  /// first cell.
  [[nodiscard]] std::uint64_t cells_before(const wide& x) const {
    const auto most = static_cast<double>(count - 1);  // may be rounded up
    const double before = std::floor(ratio(x - left, run.width));
    const auto index = static_cast<std::uint64_t>(std::clamp(before, 1.0, most));
    return std::min(index, count - 1);
  }
};

std::vector<atom_cell> cells_with_atoms(const partition& cells, const std::vector<law_atom>& atoms,
                                        bool is_over_sqrt2) {
  std::vector<atom_cell> list;
  for (const law_atom& one : atoms) {
    const bool is_next = !list.empty() && !is_over_sqrt2 && list.back().left < wide(one.at) &&
                         wide(one.at) < list.back().right;
    if (is_next) {
      list.back().mass += one.mass;
      continue;
    }
    const cell_run cell =
        cells.cell_of(is_over_sqrt2 ? over_sqrt2(one.at) : wide(one.at), one.side);
    if (!list.empty() && list.back().left == cell.left) {
      list.back().mass += one.mass;
    } else {
      list.push_back({cell.left, cell.right, one.mass});
    }
  }
  return list;
}

double atom_mass(const std::vector<law_atom>& atoms, const wide& left, const wide& right) {
  double mass = 0;
  if (!(left < right)) return mass;
  for (const law_atom& one : atoms) {
    const wide x = one.at;
    const bool is_inside = one.counts_above() ? left <= x && x < right : left < x && x <= right;
    if (is_inside) mass += one.mass;
  }
  return mass;
}

part_sum::part_sum(const partition& cells, std::vector<weighted_part> parts,
                   std::vector<atom_cell> atoms, double misplaced, double tolerance)
    : cells_{cells},
      parts_{std::move(parts)},
      atoms_{std::move(atoms)},
      misplaced_{misplaced},
      tolerance_{std::max(tolerance, misplaced)} {
  for (const weighted_part& one : parts_) {
    for (const wide& x : one.part->breaks()) breaks_.push_back(x);
  }
  std::sort(breaks_.begin(), breaks_.end());
}

bounded<bits> part_sum::compute() {
  sum_blocks(0, cells_.block_count());
  const double nats = nats_.value();
  // As in cell_sum: mass that was lost, counted twice, or is not where the law says.
  const double lost = std::fabs(mass_.value() - 1) + misplaced_;
  const double lost_error = lost == 0 ? 0 : lost * (1 + log_size() - std::log(lost));
  const double error =
      chosen_error() + rounding_error_ + 4 * part_roundoff * nats + std::fmax(0.0, lost_error);
  if (!std::isfinite(nats) || !std::isfinite(error)) {
    throw std::runtime_error("entropy: the parameters are beyond what double precision can do");
  }
  return {bits{nats / std::numbers::ln2}, bits{error / std::numbers::ln2}, evidence::estimated};
}

void part_sum::sum_blocks(std::size_t first, std::size_t last) {
  if (last - first == 1) {
    for (const cell_run& run : cells_.block(first)) {
      if (run.count > 0) sum_piece(run, 0, run.count);
    }
    return;
  }
  const wide left = cells_.block_left(first);
  const wide right = cells_.block_left(last);
  if (!has_atom(left, right) && neglect(mass_between(parts_, left, right), log_size())) return;
  const std::size_t half = first + (last - first) / 2;
  sum_blocks(first, half);
  sum_blocks(half, last);
}

void part_sum::sum_piece(const cell_run& run, std::uint64_t first, std::uint64_t count) {
  const piece here{run, first, count};
  const cell_mass mass = mass_between(parts_, here.left, here.right);
  if (count == 1) return add_cell(here.left, here.right, mass);
  const bool is_atomic = has_atom(here.left, here.right);
  if (!is_atomic && neglect(mass, std::log(static_cast<double>(count)))) return;
  if (const std::optional<wide> at = place_to_cut(here)) {
    const std::uint64_t index = here.cells_before(*at);
    sum_piece(run, first, index);
    return sum_piece(run, first + index, count - index);
  }
  sum_bounded(here, mass);
}

std::optional<wide> part_sum::place_to_cut(const piece& here) const {
  const auto atom = atom_from(here.left);
  if (atom != atoms_.end() && atom->left < here.right) {
    // Before the cell, or, if it comes first, behind it.
    return here.holds(atom->left) ? atom->left : atom->right;
  }
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), here.left);
  if (next != breaks_.end() && *next < here.right) return *next;
  for (const weighted_part& one : parts_) {
    const auto at = one.part->cut(here.left, here.right, here.run.width);
    if (at && counts(one, here.left, here.right)) return at;
  }
  return {};
}

void part_sum::sum_bounded(const piece& here, cell_mass mass) {
  if (here.count < 128) return sum_directly(here);
  const bool done = sum_by_quadrature<8, 16>(here, mass);
  if (done) return;
  const std::uint64_t half = here.count / 2;
  sum_piece(here.run, here.first, half);
  sum_piece(here.run, here.first + half, here.count - half);
}

part_sum::tally part_sum::of_cell(const wide& center, const wide& width) const {
  const wide half = width.scaled(-1);
  double rounding = 0;
  cell_mass all{0, -infinity};
  for (const weighted_part& one : parts_) {
    const cell_mass mass = one(one.part->cell(center, width));
    if (mass.probability == 0) continue;
    // A cell has its mass where it is nearest to the part.
    const wide place = std::clamp(one.part->facts().center, center - half, center + half);
    rounding += mass.probability * (one.part->roundings(place) - mass.log_probability);
    all = all.probability == 0 ? mass
                               : cell_mass{all.probability + mass.probability,
                                           std::log(all.probability + mass.probability)};
  }
  if (all.probability == 0) return {};
  return {-all.probability * all.log_probability, all.probability,
          part_roundoff * rounding * (1 - all.log_probability)};
}

void part_sum::sum_directly(const piece& here) {
  tally sum;
  for (std::uint64_t i = 0; i < here.count; ++i) {
    const wide left = here.run.edge(here.first + i);
    const tally one = of_cell(left + here.run.width.scaled(-1), here.run.width);
    sum.nats += one.nats;
    sum.mass += one.mass;
    sum.rounding += one.rounding;
  }
  add(sum);
}

template <std::size_t Order>
part_sum::tally part_sum::by_rule(const piece& here) const {
  const auto count = static_cast<double>(here.count);
  const mean_rule<Order> rule = gram_rule<Order>(count);
  tally sum;
  for (std::size_t k = 0; k < Order; ++k) {
    const wide before = wide(count * ((1 + rule.node[k]) / 2)) * here.run.width;
    const tally one = of_cell(here.left + before, here.run.width);
    sum.nats += rule.weight[k] * one.nats;
    sum.mass += rule.weight[k] * one.mass;
    sum.rounding += rule.weight[k] * one.rounding;
  }
  return {count * sum.nats, count * sum.mass, count * sum.rounding};
}

template <std::size_t Low, std::size_t High>
bool part_sum::sum_by_quadrature(const piece& here, cell_mass mass) {
  const tally low = by_rule<Low>(here);
  tally high = by_rule<High>(here);
  const double difference = std::fabs(high.nats - low.nats);
  // As in cell_sum.
  const double relative = high.nats > 0 ? 10 * difference / high.nats : 1;
  const double estimate = std::fmin(difference, high.nats * relative * std::sqrt(relative));
  const double surprise = high.mass > 0 ? high.nats / high.mass + 1 : 1 - mass.log_probability;
  const double mismatch =
      std::fmax(0.0, std::fabs(high.mass - mass.probability) * surprise - 2 * high.rounding);
  const double error = estimate + mismatch;
  const double allowed = tolerance_ * (mass.probability + 0x1p-8) / 8;
  // Halving a piece that is already short against all that the law does helps no more.
  const bool may_halve = here.right - here.left > shortest_length(here).scaled(-8);
  if (may_halve && !(error <= std::fmax(allowed, high.rounding))) return false;
  quadrature_error_ += error;
  high.mass = mass.probability;
  add(high);
  return true;
}

void part_sum::add_cell(const wide& left, const wide& right, cell_mass mass) {
  double rounding = 0;
  for (const weighted_part& one : parts_) {
    const cell_mass own = one(one.part->between(left, right));
    if (own.probability == 0) continue;
    // What lies about the center is what the tails leave, and has their rounding.
    const part_facts& facts = one.part->facts();
    const bool is_rest = left < facts.center && facts.center < right;
    const double size = is_rest ? std::fmin(1.0, std::exp(one.log_weight)) : own.probability;
    const wide place = is_rest ? facts.center + facts.core : left >= facts.center ? left : right;
    rounding += size * (one.part->roundings(place) - own.log_probability);
  }
  const auto atom = atom_from(left);
  if (atom != atoms_.end() && atom->left < right) {
    rounding += 16 * atom->mass;
    const bool is_alone = mass.probability == 0;
    const double sum = mass.probability + atom->mass;
    mass = {sum, is_alone ? std::log(atom->mass) : std::log(sum)};
  }
  if (mass.probability == 0) return;
  add({-mass.probability * mass.log_probability, mass.probability,
       part_roundoff * rounding * (1 - mass.log_probability)});
}

bool part_sum::neglect(cell_mass mass, double log_count) {
  if (mass.probability * log_count > tolerance_ / 64) return false;
  if (mass.probability == 0) return true;
  nats_.add(mass.probability * (log_count / 2 - mass.log_probability));
  neglect_error_ += mass.probability * log_count / 2;
  mass_.add(mass.probability);
  return true;
}

void part_sum::add(const tally& sum) {
  nats_.add(sum.nats);
  mass_.add(sum.mass);
  rounding_error_ += sum.rounding;
}

bool part_sum::counts(const weighted_part& one, const wide& a, const wide& b) const {
  return one(one.part->between(a, b)).probability * log_size() > tolerance_ / 4096;
}

wide part_sum::shortest_length(const piece& here) const {
  wide shortest = infinity;
  for (const weighted_part& one : parts_) {
    if (!counts(one, here.left, here.right)) continue;
    shortest = std::min(shortest, one.part->shortest_length(here.left, here.right));
  }
  return shortest;
}

std::vector<atom_cell>::const_iterator part_sum::atom_from(const wide& x) const {
  return std::lower_bound(atoms_.begin(), atoms_.end(), x,
                          [](const atom_cell& one, const wide& at) { return one.right <= at; });
}

bool part_sum::has_atom(const wide& left, const wide& right) const {
  const auto atom = atom_from(left);
  return atom != atoms_.end() && atom->left < right;
}

}  // namespace ktln2
