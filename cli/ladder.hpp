#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ktln2/entropy/approximations.hpp"
#include "output.hpp"

namespace ktln2::cli {

/// The theorems on how far an approximation can be off, as numbers.
struct bound_set {
  bits smoothing;                  ///< [thm:steps]
  bits zero_cells;                 ///< [eq:special_error]
  bits zero_cells_bound;           ///< [cor:eps_sp_bound]
  std::optional<bits> divergence;  ///< on D(f‖g); nothing where there is none
  bits clipping;  ///< c, where the mass Q outside of 𝕌 adds at most Q (c - log Q)
};

json_value approximation_list(const std::vector<approximation>& all);
json_value bound_list(const bound_set& bounds);

/// Each approximation with its error, its bound and whether it may be trusted here.
std::string ladder(bounded<bits> exact, const std::vector<approximation>& all,
                   const bound_set& bounds);

}  // namespace ktln2::cli
