#include "ktln2/distribution/compound_law.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "distribution/compound_table.hpp"
#include "distribution/part_integral.hpp"

namespace ktln2 {
namespace {

/// What lies so much closer to 0, in powers of two, than the unit is long does not count.
constexpr int from_zero = 900;

/// The masses of several parts of the same stretch.
class mass_sum {
 public:
  void add(cell_mass mass) {
    sum_ += mass.probability;
    if (mass.log_probability == -infinity) return;
    const double larger = std::fmax(log_, mass.log_probability);
    const double smaller = std::fmin(log_, mass.log_probability);
    log_ = larger + std::log1p(std::exp(smaller - larger));
    ++count_;
  }
  [[nodiscard]] cell_mass value() const {
    // Near 1 the logarithm of one part keeps more digits than the sum.
    const bool may_round = sum_ > 1e-290 && sum_ < 0.9;
    return {sum_, may_round && count_ > 1 ? std::log(sum_) : log_};
  }

 private:
  double sum_ = 0;
  double log_ = -infinity;
  int count_ = 0;
};

/// ln of the density of all parts together.
double log_density(const std::vector<weighted_part>& parts, const wide& x) {
  double highest = -infinity;
  std::vector<double> logs;
  logs.reserve(parts.size());
  for (const weighted_part& one : parts) {
    logs.push_back(one.log_weight + one.part->log_pdf(x));
    highest = std::fmax(highest, logs.back());
  }
  if (std::isinf(highest)) return highest;
  double sum = 0;
  for (const double each : logs) sum += std::exp(each - highest);
  return highest + std::log(sum);
}

void add_up(std::vector<law_atom>& atoms) {
  std::sort(atoms.begin(), atoms.end(),
            [](const law_atom& a, const law_atom& b) { return a.at < b.at; });
  std::vector<law_atom> merged;
  for (const law_atom& one : atoms) {
    if (!(one.mass > 0)) continue;
    if (!merged.empty() && merged.back().at == one.at) {
      merged.back().mass += one.mass;
    } else {
      merged.push_back(one);
    }
  }
  atoms = std::move(merged);
}

double total_mass(const compound_pieces& pieces) {
  double total = mass_between(pieces.parts, -infinity, infinity).probability;
  for (const law_atom& one : pieces.atoms) total += one.mass;
  return total;
}

/// Where the units of the kernel are, and how long.
void set_units(standard_compound::table& made) {
  const auto& parts = made.pieces.parts;
  if (parts.empty()) {
    double largest = 0;
    for (const law_atom& one : made.pieces.atoms) largest = std::fmax(largest, std::fabs(one.at));
    made.exponent = largest > 0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
    return;
  }
  wide unit = 0.0;
  for (const weighted_part& one : parts) unit = std::max(unit, one.part->facts().core);
  made.exponent = std::clamp(unit.exponent(), -1000, 1000);
  const bool is_narrow = std::all_of(parts.begin(), parts.end(), [&](const weighted_part& one) {
    return abs(one.part->facts().center) > unit.scaled(5);
  });
  if (is_narrow) made.center = parts.front().part->facts().center.to_double();
}

double standard_place(const standard_compound::table& made, const wide& x) {
  return (x - made.center).scaled(-made.exponent).to_double();
}

std::shared_ptr<const standard_compound::table> table_of(const std::string& name,
                                                         compound_pieces pieces) {
  auto made = std::make_shared<standard_compound::table>();
  made->pieces = std::move(pieces);
  add_up(made->pieces.atoms);
  const double total = total_mass(made->pieces);
  if (!(std::fabs(total - 1) < 1e-9)) {
    throw std::domain_error(name + ": its mass must be 1, got " + shown(total));
  }
  set_units(*made);
  double highest = -infinity;
  for (const weighted_part& one : made->pieces.parts) {
    for (const wide& x : one.part->breaks()) made->breaks.push_back(standard_place(*made, x));
    const double here = log_density(made->pieces.parts, one.part->facts().mode);
    if (here > highest) made->mode = standard_place(*made, one.part->facts().mode);
    highest = std::fmax(highest, here);
  }
  std::sort(made->breaks.begin(), made->breaks.end());
  made->breaks.erase(std::unique(made->breaks.begin(), made->breaks.end()), made->breaks.end());
  return made;
}

/// The share of a part, and its first two moments about its center in units of its core.
struct part_moments {
  double mass;
  double mean;
  double square;
};

/// Of a part whose moments exist.
part_moments moments_of(const weighted_part& one) {
  const part_facts& facts = one.part->facts();
  const double mass = one(one.part->between(-infinity, infinity)).probability;
  const double unit = facts.core.to_double();
  const double center = facts.center.to_double();
  if (!std::isnan(facts.mean)) {
    const double off = (facts.mean - center) / unit;
    const double spread = facts.deviation / unit;
    return {mass, mass * off, mass * (spread * spread + off * off)};
  }
  const auto moment = [&](int power) {
    return std::exp(one.log_weight) * integral_over(*one.part, [&](const wide& x) {
             return std::pow(ratio(x - facts.center, facts.core), power);
           });
  };
  return {mass, moment(1), std::isinf(facts.deviation) ? infinity : moment(2)};
}

}  // namespace

cell_mass weighted_part::operator()(cell_mass of_part) const {
  const double log_p = of_part.log_probability + log_weight;
  // A tiny mass of a restricted part is made large again by its weight.
  const bool is_tiny = of_part.probability < 1e-290 || std::fabs(log_weight) > 600;
  return {is_tiny ? std::exp(log_p) : of_part.probability * std::exp(log_weight), log_p};
}

cell_mass mass_between(const std::vector<weighted_part>& parts, const wide& a, const wide& b) {
  mass_sum sum;
  for (const weighted_part& one : parts) sum.add(one(one.part->between(a, b)));
  return sum.value();
}

cell_mass mass_of_cell(const std::vector<weighted_part>& parts, const wide& center,
                       const wide& width) {
  mass_sum sum;
  for (const weighted_part& one : parts) sum.add(one(one.part->cell(center, width)));
  return sum.value();
}

// The law's own moments

const standard_compound::table::moments& standard_compound::table::found_moments() const {
  std::call_once(moments_once_, [this] {
    double mean = 0;
    for (const law_atom& one : pieces.atoms) mean += one.mass * one.at;
    std::vector<part_moments> all;
    for (const weighted_part& one : pieces.parts) {
      const part_facts& facts = one.part->facts();
      if (facts.lacks_mean || std::isinf(facts.mean)) {
        mean += facts.lacks_mean ? undefined : facts.mean;
        all.push_back({0, 0, infinity});
        continue;
      }
      all.push_back(moments_of(one));
      mean += all.back().mass * facts.center.to_double() + all.back().mean * facts.core.to_double();
    }
    double square = 0;
    for (const law_atom& one : pieces.atoms) square += one.mass * (one.at - mean) * (one.at - mean);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const part_facts& facts = pieces.parts[i].part->facts();
      const double unit = facts.core.to_double();
      const double off = facts.center.to_double() - mean;
      square +=
          unit * unit * all[i].square + 2 * off * unit * all[i].mean + all[i].mass * off * off;
      if (std::isinf(all[i].square)) square = infinity;
    }
    moments_ = {mean, std::isinf(square) ? infinity : std::sqrt(std::fmax(square, 0.0))};
  });
  return moments_;
}

double standard_compound::table::mean() const {
  return pieces.mean ? *pieces.mean : found_moments().mean;
}

double standard_compound::table::deviation() const {
  return pieces.deviation ? *pieces.deviation : found_moments().deviation;
}

double standard_compound::table::entropy() const {
  if (!pieces.atoms.empty()) return undefined;
  if (pieces.entropy) return *pieces.entropy;
  std::call_once(entropy_once_, [this] {
    for (const weighted_part& one : pieces.parts) {
      entropy_ -= std::exp(one.log_weight) * integral_over(*one.part, [this](const wide& x) {
                    return log_density(pieces.parts, x);
                  });
    }
  });
  return entropy_;
}

// The kernel

standard_compound::standard_compound(std::shared_ptr<const table> made) : table_{std::move(made)} {}

wide standard_compound::place(double z) const {
  return std::isinf(z) ? wide(z) : table_->center + wide(z).scaled(table_->exponent);
}

double standard_compound::log_pdf(double z) const {
  if (std::isinf(z)) return -infinity;
  const wide x = place(z);
  for (const law_atom& one : table_->pieces.atoms) {
    if (wide(one.at) == x) return infinity;
  }
  return log_density(table_->pieces.parts, x) + table_->exponent * std::numbers::ln2;
}

cell_mass standard_compound::between(double a, double b) const {
  if (!(a < b)) return {0, -infinity};
  const wide left = place(a);
  const wide right = place(b);
  mass_sum sum;
  sum.add(mass_between(table_->pieces.parts, left, right));
  const auto& atoms = table_->pieces.atoms;
  const auto after = [](const wide& x, const law_atom& one) { return x < wide(one.at); };
  const auto first = std::upper_bound(atoms.begin(), atoms.end(), left, after);
  const auto last = std::upper_bound(first, atoms.end(), right, after);
  double mass = 0;
  for (auto one = first; one != last; ++one) mass += one->mass;
  if (mass > 0) sum.add(with_log(mass));
  return sum.value();
}

cell_mass standard_compound::upper(double z) const { return between(z, infinity); }
cell_mass standard_compound::lower(double z) const { return between(-infinity, z); }

cell_mass standard_compound::cell(double z, double h) const {
  if (!table_->pieces.atoms.empty()) return between(z - h / 2, z + h / 2);
  return mass_of_cell(table_->pieces.parts, place(z), wide(h).scaled(table_->exponent));
}

double standard_compound::log_ratio(double z, double t) const {
  const wide x = place(z);
  const wide step = wide(t).scaled(table_->exponent);
  const double all = log_density(table_->pieces.parts, x);
  if (std::isinf(all)) return log_pdf(z + t) - log_pdf(z);
  double gain = 0;
  for (const weighted_part& one : table_->pieces.parts) {
    const double share = std::exp(one.log_weight + one.part->log_pdf(x) - all);
    if (share > 0) gain += share * std::expm1(one.part->log_ratio(x, step));
  }
  return std::log1p(gain);
}

double standard_compound::log_slope(double z) const {
  const wide x = place(z);
  const wide unit = wide(1.0).scaled(table_->exponent);
  const double all = log_density(table_->pieces.parts, x);
  if (std::isinf(all)) return 0;
  double slope = 0;
  for (const weighted_part& one : table_->pieces.parts) {
    const double share = std::exp(one.log_weight + one.part->log_pdf(x) - all);
    if (share > 0) slope += share * one.part->log_slope(x, unit);
  }
  return slope;
}

double standard_compound::condition(double z) const {
  return std::fmax(1.0, std::fabs(z * log_slope(z)));
}

std::span<const double> standard_compound::breaks() const { return table_->breaks; }

bool standard_compound::has_jumps() const {
  const auto& parts = table_->pieces.parts;
  return std::any_of(parts.begin(), parts.end(),
                     [](const weighted_part& one) { return one.part->facts().is_rough; });
}

double standard_compound::mode() const { return table_->mode; }

double standard_compound::entropy() const {
  return table_->entropy() - table_->exponent * std::numbers::ln2;
}

double standard_compound::mean() const {
  const double mean = table_->mean();
  return std::isfinite(mean) ? standard_place(*table_, mean) : mean;
}

double standard_compound::deviation() const {
  const double size = table_->deviation();
  return std::isfinite(size) ? std::scalbn(size, -table_->exponent) : size;
}

double standard_compound::table_error() const {
  double off = 0;
  for (const weighted_part& one : table_->pieces.parts) {
    if (one.part->facts().misplaced > 0) {
      off += one(with_log(one.part->facts().misplaced)).probability;
    }
  }
  return off;
}

double standard_compound::resolution(double a, double b) const {
  wide shortest = infinity;
  for (const weighted_part& one : table_->pieces.parts) {
    shortest = std::min(shortest, one.part->shortest_length(place(a), place(b)));
  }
  return shortest.is_infinite() ? infinity : shortest.scaled(-table_->exponent).to_double();
}

double standard_compound::panel_end(double z) const {
  const wide x = place(z);
  wide step = infinity;
  for (const weighted_part& one : table_->pieces.parts) {
    const bool is_start = one.part->is_of_ratios() && x.is_zero();
    step = std::min(step, is_start ? wide(1.0).scaled(table_->exponent - from_zero)
                                   : one.part->length_at(x).scaled(-2));
  }
  return step.is_infinite() ? infinity : standard_place(*table_, x + step);
}

double standard_compound::density_bound(double a, double b) const {
  double sum = 0;
  for (const weighted_part& one : table_->pieces.parts) {
    const wide nearest = std::clamp(one.part->facts().mode, place(a), place(b));
    sum += std::exp(one.log_weight + one.part->log_pdf(nearest) +
                    table_->exponent * std::numbers::ln2);
  }
  return sum;
}

// The law

compound_law::compound_law(const std::string& name, compound_pieces pieces)
    : compound_law(name, table_of(name, std::move(pieces))) {}

compound_law::compound_law(std::string name,
                           const std::shared_ptr<const standard_compound::table>& t)
    : location_scale{t->center, wide(1.0).scaled(t->exponent), standard_compound{t}},
      name_{std::move(name)},
      table_{t} {}

const std::vector<weighted_part>& compound_law::parts() const { return table_->pieces.parts; }
const std::vector<law_atom>& compound_law::atoms() const { return table_->pieces.atoms; }

compound_law compound_law::with_sides(const std::function<int(double)>& side) const {
  compound_pieces pieces = table_->pieces;
  for (law_atom& one : pieces.atoms) one.side = side(one.at);
  return {name_, std::move(pieces)};
}

const std::optional<gamma_form>& compound_law::as_gamma() const { return table_->pieces.gamma; }
const std::optional<lognormal_form>& compound_law::as_lognormal() const {
  return table_->pieces.lognormal;
}
const std::optional<triangular_form>& compound_law::as_triangular() const {
  return table_->pieces.triangular;
}
const std::optional<folded_law>& compound_law::as_folded() const { return table_->pieces.folded; }

const std::optional<double>& compound_law::samples() const { return table_->pieces.samples; }

bool compound_law::is_within_double() const {
  const auto& parts = table_->pieces.parts;
  const bool is_told_apart = std::all_of(parts.begin(), parts.end(), [&](const auto& one) {
    const wide off = abs(one.part->facts().center - table_->center);
    return off.scaled(-40) <= one.part->facts().core;
  });
  const wide tiny = wide(1.0).scaled(table_->exponent - from_zero);
  const wide huge = wide(1.0).scaled(table_->exponent + 900);
  const double outside =
      mass_between(parts, table_->center - tiny, table_->center + tiny).probability *
          (table_->center.is_zero() ? 1 : 0) +
      mass_between(parts, huge, infinity).probability +
      mass_between(parts, -infinity, -huge).probability;
  return is_told_apart && outside < 1e-20;
}

std::vector<weighted_part> compound_law::parts_over_sqrt2() const {
  std::vector<weighted_part> list;
  for (const weighted_part& one : parts()) {
    list.push_back({one.part->over_sqrt2(), one.log_weight});
  }
  return list;
}

}  // namespace ktln2
