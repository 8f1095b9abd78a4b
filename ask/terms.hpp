#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ask/json.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2::ask {

/// One quantity of the derivation between a density and the entropy of a register.
struct entropy_term {
  std::string_view name;   ///< as columns have it
  std::string_view label;  ///< the formula of the paper
  std::string_view says;   ///< for a person
  double value = 0;
  std::string_view unit = "bit";
};

/// The terms of the identity, which add up to the entropy, and E log(|X|/√2).
std::vector<entropy_term> identity_terms_of(const identity_terms& sum, const partition& cells,
                                            const law& x);
/// What the approximations for a format are judged by: C₀, ε₀ and its bounds, the mass at the
/// edges, and for normal laws P(Aᶜ) with its bounds.
std::vector<entropy_term> format_terms_of(const float_format& format, const law& x);

/// [{name, value, unit, formula, says}]
json shown(const std::vector<entropy_term>& all);

}  // namespace ktln2::ask
