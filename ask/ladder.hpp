#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/json.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {

/// The theorems on how far an approximation can be off, as numbers.
struct bound_set {
  bits smoothing;                  ///< [thm:steps]
  bits zero_cells;                 ///< [eq:special_error]
  bits zero_cells_bound;           ///< [cor:eps_sp_bound]
  std::optional<bits> divergence;  ///< on D(f‖g); nothing where there is none
};

bound_set bounds_of(const float_format& format, const law& x);
bound_set bounds_of(const format_pair& formats, const regression_pair& pair);

/// "D(f||g) <= 0.01 (here 1.4e-15), …": what an approximation needs, or only what it lacks.
std::string condition_of(const approximation& one, bool only_failing);

/// Warns of a number of which the register keeps little: a tenth of its mass is clipped, or half of
/// it next to zero.
void warn_of_edges(const std::string& name, const storage& where, const law& x,
                   std::vector<std::string>& warnings);
/// The same, where it is known what the register keeps.
void warn_of_edges(const std::string& name, const number_format& format,
                   const stored_masses& masses, std::vector<std::string>& warnings);

json shown(const std::vector<approximation>& all);
json shown(const bound_set& bounds);

}  // namespace ktln2::ask
