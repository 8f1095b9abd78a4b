#pragma once

#include <functional>
#include <vector>

#include "figure.hpp"
#include "ktln2/mismatch/variational.hpp"

/// What the two landscapes of the variational mismatch cost share [app:mmc].
namespace ktln2::paper {

/// ΔS_tot for a given ΔS_env, by the paper's formulas (smooth) or exactly.
using production_of =
    std::function<mismatch::entropy_production(const mismatch::entropy_flow&, entropy_kind)>;

/// The parameters that both have, after those that are the figure's own.
parameters mismatch_settings(std::vector<parameter> own);

/// MMC_v over the box, and the optima for several α.
std::vector<table> mismatch_tables(const production_of& production, const parameters& given,
                                   const effort& work);

}  // namespace ktln2::paper
