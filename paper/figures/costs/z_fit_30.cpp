#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {

figure z_fit_30() { return z_fit("fig:z_fit_30", 30); }

}  // namespace ktln2::paper
