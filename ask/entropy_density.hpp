#pragma once

#include <optional>

#include "ask/entropy.hpp"
#include "ask/stored_density.hpp"

namespace ktln2::ask {

/// The law of a question over what is stored of it.
stored_density density_of(const entropy_question& asked, const stop_token& stop = {});
/// Rounding by chance has no cells: those of the usual one show where the values are, without
/// probabilities.
stored_density density_of(const number_question& asked, const stop_token& stop = {});
stored_density density_of(const codebook_question& asked, const stop_token& stop = {});

/// The same for any question about one register; nothing for the others.
std::optional<stored_density> density_of(const any_entropy_question& asked,
                                         const stop_token& stop = {});

}  // namespace ktln2::ask
