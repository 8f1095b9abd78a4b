#pragma once

#include <optional>
#include <string>

#include "ask/json.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2::ask {

/// The numbers of a law that have a probability of their own, as JSON: at most the sixteen
/// likeliest of them. Null if there are none.
json atoms_of(const law& x);
/// The same with the value that each is stored as.
json stored_atoms_of(const law& x, const float_format& format);
/// In a sentence, how a law's atom is stored; empty unless it has exactly one.
std::string atom_sentence(const law& x, const float_format& format);

/// What the samples of an empirical law say of the law that they were drawn from.
struct sampled_entropy {
  double samples = 0;
  double cells = 0;   ///< different ones seen
  double unseen = 0;  ///< Good and Turing's estimate of the probability of all other cells
  bounded<bits> value;
};

/// Grassberger's estimate; nothing for other laws, or in a program without simulations.
std::optional<sampled_entropy> sampling_of(const partition& cells, const law& x);
json shown(const std::optional<sampled_entropy>& sampled);
std::string sampling_sentence(const std::optional<sampled_entropy>& sampled);

}  // namespace ktln2::ask
