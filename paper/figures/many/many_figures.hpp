#pragma once

#include "ktln2/scaling/many_choices.hpp"

/// What the figures beyond the paper have in common.
namespace ktln2::paper {

/// The paper's market [fig:scaling_laws], and p24e8 with smooth entropies.
many_profit many_curve(double energy_price, const many_problem& what, const many_terms& terms = {});
many_problem many_features_of(double features, double snr,
                              many_method method = many_method::least_squares);

}  // namespace ktln2::paper
