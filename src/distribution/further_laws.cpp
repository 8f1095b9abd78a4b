#include "ktln2/distribution/further_laws.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "distribution/gamma_part.hpp"
#include "distribution/lognormal_part.hpp"
#include "distribution/ramp_part.hpp"
#include "distribution/restricted_part.hpp"
#include "distribution/scaled_part.hpp"

namespace ktln2 {
namespace {

template <class Kernel>
part_pointer as_part(const location_scale<Kernel>& x) {
  return std::make_shared<const scaled_part<Kernel>>(x);
}

/// The parts and atoms of any law.
compound_pieces pieces_of(const law& x) {
  if (const auto* const compound = std::get_if<compound_law>(&x)) {
    return {compound->parts(), compound->atoms()};
  }
  return std::visit([](const auto& known) { return compound_pieces{{{as_part(known), 0}}}; }, x);
}

/// What lies between low and high of each part, its weight as before.
std::vector<weighted_part> restricted(const std::vector<weighted_part>& parts, const wide& low,
                                      const wide& high) {
  std::vector<weighted_part> list;
  for (const weighted_part& one : parts) {
    auto within = std::make_shared<const restricted_part>(one.part, low, high);
    const bool has_mass = within->between(-infinity, infinity).log_probability > -infinity;
    if (has_mass) list.push_back({std::move(within), one.log_weight});
  }
  return list;
}

double sum_of_masses(const std::vector<law_atom>& atoms) {
  double sum = 0;
  for (const law_atom& one : atoms) sum += one.mass;
  return sum;
}

template <class Law>
compound_pieces folded(const Law& whole, double mean, double deviation) {
  compound_pieces made{restricted({{as_part(whole), std::numbers::ln2}}, 0.0, infinity)};
  made.mean = mean;
  made.deviation = deviation;
  made.entropy = whole.kernel().entropy() + std::log(whole.scale()) - std::numbers::ln2;
  made.folded = whole;
  return made;
}

/// A part with all the mass, whose moments are known.
compound_pieces whole_part(part_pointer part) {
  const part_facts facts = part->facts();
  compound_pieces made{{{std::move(part), 0}}};
  made.mean = facts.mean;
  made.deviation = facts.deviation;
  made.entropy = facts.entropy;
  return made;
}

compound_law gamma_called(const std::string& name, double shape, double scale) {
  constexpr double largest = 1e30;
  if (shape > largest) {
    throw std::domain_error(name + ": the shape must be at most 1e30, got " + shown(shape));
  }
  compound_pieces made = whole_part(std::make_shared<const gamma_part>(shape, scale));
  made.gamma = gamma_form{shape, scale};
  return {name, std::move(made)};
}

}  // namespace

compound_law lognormal_law(double mu, double sigma) {
  if (!(std::fabs(mu) <= 1e8)) {
    throw std::domain_error("lognormal: mu must be from -1e8 to 1e8, got " + shown(mu));
  }
  require_positive("lognormal", "sigma", sigma);
  // ln x is known to 1e-32; below this a point is nearer to it than any table.
  constexpr double least_sigma = 1e-24;
  if (sigma < least_sigma) {
    throw std::domain_error("lognormal: sigma must be at least 1e-24, got " + shown(sigma));
  }
  compound_pieces made = whole_part(std::make_shared<const lognormal_part>(exp_of(mu), sigma));
  made.lognormal = lognormal_form{mu, sigma};
  return {"lognormal", std::move(made)};
}

compound_law exponential_law(double scale) {
  require_positive("exponential", "scale", scale);
  compound_pieces made = folded(laplace{0, scale}, scale, scale);
  made.gamma = gamma_form{1, scale};
  return {"exponential", std::move(made)};
}

compound_law gamma_law(double shape, double scale) {
  require_positive("gamma", "shape", shape);
  require_positive("gamma", "scale", scale);
  return gamma_called("gamma", shape, scale);
}

compound_law chi2_law(double dof) {
  require_positive("chi2", "dof", dof);
  // Half of the smallest numbers is none.
  require_positive("chi2", "dof/2", dof / 2);
  return gamma_called("chi2", dof / 2, 2);
}

compound_law halfnormal_law(double sigma) {
  require_positive("halfnormal", "sigma", sigma);
  const double share = std::sqrt(2 / std::numbers::pi);
  return {"halfnormal",
          folded(normal{0, sigma}, sigma * share, sigma * std::sqrt(1 - 2 / std::numbers::pi))};
}

compound_law triangular_law(double low, double mode, double high) {
  require_finite("triangular", "low", low);
  require_finite("triangular", "mode", mode);
  require_finite("triangular", "high", high);
  if (!(low < high)) {
    throw std::domain_error("triangular: high must be greater than low = " + shown(low) + ", got " +
                            shown(high));
  }
  if (!(low <= mode && mode <= high)) {
    throw std::domain_error("triangular: mode must be from low = " + shown(low) +
                            " to high = " + shown(high) + ", got " + shown(mode));
  }
  const wide length = wide(high) - wide(low);
  compound_pieces made;
  for (const double foot : {low, high}) {
    const wide rise = abs(wide(mode) - wide(foot));
    if (rise.is_zero()) continue;
    made.parts.push_back(
        {std::make_shared<const ramp_part>(foot, mode), log_quotient(rise, length)});
  }
  made.triangular = triangular_form{low, mode, high};
  made.mean = low / 3 + mode / 3 + high / 3;
  // (a² + b² + ab)/18 with the distances a, b of the ends from the mode
  const double a = mode / 2 - low / 2;
  const double b = high / 2 - mode / 2;
  made.deviation = 2 * std::hypot(std::hypot(a, b), std::sqrt(a) * std::sqrt(b)) / std::sqrt(18.0);
  made.entropy = 0.5 + log(length) - std::numbers::ln2;
  return {"triangular", std::move(made)};
}

law mixture_law(const std::vector<weighted_law>& all) {
  double largest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double weight = all[i].weight;
    if (!std::isfinite(weight) || weight < 0) {
      throw std::domain_error("mixture: weight " + std::to_string(i + 1) +
                              " must be finite and >= 0, got " + shown(weight));
    }
    largest = std::fmax(largest, weight);
  }
  if (largest == 0) throw std::domain_error("mixture: the sum of the weights must be > 0, got 0");
  const auto is_there = [](const weighted_law& one) { return one.weight > 0; };
  if (std::count_if(all.begin(), all.end(), is_there) == 1) {
    return std::find_if(all.begin(), all.end(), is_there)->x;
  }
  double sum = 0;
  for (const weighted_law& one : all) sum += one.weight / largest;
  compound_pieces made;
  for (const weighted_law& one : all) {
    if (one.weight == 0) continue;
    const double share = one.weight / largest / sum;
    const double log_share = std::log(one.weight / largest) - std::log(sum);
    const compound_pieces own = pieces_of(one.x);
    for (const weighted_part& part : own.parts) {
      made.parts.push_back({part.part, part.log_weight + log_share});
    }
    for (const law_atom& atom : own.atoms) made.atoms.push_back({atom.at, atom.mass * share});
  }
  return compound_law("mixture", std::move(made));
}

law relu_law(const law& x) {
  const compound_pieces all = pieces_of(x);
  compound_pieces made{restricted(all.parts, 0.0, infinity)};
  double at_zero = mass_between(all.parts, -infinity, 0.0).probability;
  for (const law_atom& one : all.atoms) {
    if (one.at > 0) made.atoms.push_back(one);
    if (one.at <= 0) at_zero += one.mass;
  }
  if (at_zero == 0) return x;
  made.atoms.push_back({0, at_zero});
  return compound_law("relu", std::move(made));
}

law truncated_law(const law& x, double low, double high) {
  if (std::isnan(low) || std::isnan(high) || !(low < high)) {
    throw std::domain_error("truncated: high must be greater than low = " + shown(low) + ", got " +
                            shown(high));
  }
  const compound_pieces all = pieces_of(x);
  compound_pieces made{restricted(all.parts, low, high)};
  for (const law_atom& one : all.atoms) {
    if (one.at > low && one.at <= high) made.atoms.push_back(one);
  }
  const double atoms = sum_of_masses(made.atoms);
  const cell_mass parts = mass_between(made.parts, -infinity, infinity);
  const double log_total = atoms > 0 ? std::log(atoms + parts.probability) : parts.log_probability;
  // So far out only the logarithm of a density is known, and not well enough to divide by it.
  if (!(log_total > -600)) {
    throw std::domain_error("truncated: there is no probability between low = " + shown(low) +
                            " and high = " + shown(high));
  }
  for (weighted_part& one : made.parts) one.log_weight -= log_total;
  for (law_atom& one : made.atoms) one.mass /= std::exp(log_total);
  return compound_law("truncated", std::move(made));
}

compound_law empirical_law(const std::vector<double>& samples) {
  if (samples.empty()) throw std::domain_error("empirical: there must be at least one number");
  std::vector<double> sorted = samples;
  for (const double x : sorted) require_finite("empirical", "a number", x);
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  compound_pieces made;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last < sorted.size() && sorted[last] == sorted[first]) ++last;
    made.atoms.push_back({sorted[first], static_cast<double>(last - first) / count});
    first = last;
  }
  made.samples = count;
  return {"empirical", std::move(made)};
}

}  // namespace ktln2
