#include "ask/atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/atoms.hpp"
#ifdef KTLN2_HAS_SIMULATION
#include "ktln2/simulation/code_entropy.hpp"
#endif

namespace ktln2::ask {
namespace {

const compound_law* law_with_atoms(const law& x) {
  return has_atoms(x) ? &std::get<compound_law>(x) : nullptr;
}

std::vector<law_atom> likeliest(std::vector<law_atom> atoms) {
  constexpr std::size_t most = 16;
  if (atoms.size() <= most) return atoms;
  std::stable_sort(atoms.begin(), atoms.end(),
                   [](const law_atom& a, const law_atom& b) { return a.mass > b.mass; });
  atoms.resize(most);
  return atoms;
}

wide value_kept_for(const float_format& format, double x) {
  return format.value(format.quantize(x));
}

}  // namespace

json atoms_of(const law& x) {
  const compound_law* const known = law_with_atoms(x);
  if (known == nullptr) return nullptr;
  json list = json::array();
  for (const law_atom& one : likeliest(known->atoms())) {
    list.push_back({{"at", number(one.at)}, {"mass", number(one.mass)}});
  }
  return list;
}

json stored_atoms_of(const law& x, const float_format& format) {
  json list = atoms_of(x);
  if (list.is_null()) return list;
  const std::vector<law_atom> atoms = likeliest(std::get<compound_law>(x).atoms());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    list[i]["stored"] = number(value_kept_for(format, atoms[i].at));
  }
  return list;
}

std::string atom_sentence(const law& x, const float_format& format) {
  const compound_law* const known = law_with_atoms(x);
  if (known == nullptr || known->atoms().size() != 1) return "";
  const law_atom one = known->atoms().front();
  return fmt::format("P(X = {}) = {:.6g}: it is stored as {}{}.\n", plain(one.at), one.mass,
                     decimal(value_kept_for(format, one.at)),
                     one.at == 0 ? ", for the format has no zero" : "");
}

#ifdef KTLN2_HAS_SIMULATION
std::optional<sampled_entropy> sampling_of(const partition& cells, const law& x) {
  const compound_law* const known = law_with_atoms(x);
  if (known == nullptr || !known->samples()) return {};
  const double samples = *known->samples();
  std::vector<std::uint64_t> counts;
  for (const atom_cell& one : cells_with_atoms(cells, known->atoms())) {
    counts.push_back(static_cast<std::uint64_t>(std::llround(one.mass * samples)));
  }
  const auto found =
      simulation::entropy_of(simulation::occupancy_of(std::move(counts)), cells.log2_size());
  return sampled_entropy{samples,
                         static_cast<double>(found.codes),
                         found.unseen,
                         {found.grassberger.value, found.grassberger.error, evidence::estimated}};
}
#else
std::optional<sampled_entropy> sampling_of(const partition&, const law&) { return {}; }
#endif

json shown(const std::optional<sampled_entropy>& sampled) {
  if (!sampled) return nullptr;
  return {{"samples", number(sampled->samples)},
          {"cells", number(sampled->cells)},
          {"unseen", number(sampled->unseen)},
          {"estimator", "grassberger"},
          {"value", number(sampled->value.value.value())},
          {"error", number(sampled->value.error.value())}};
}

std::string sampling_sentence(const std::optional<sampled_entropy>& sampled) {
  if (!sampled) return "";
  return fmt::format(
      "The law that these {} numbers were drawn from has {:.4g} ± {:.2g} bits (Grassberger's "
      "estimate and one standard error, with what unseen values can hide).\n",
      plain(sampled->samples), sampled->value.value.value(), sampled->value.error.value());
}

}  // namespace ktln2::ask
