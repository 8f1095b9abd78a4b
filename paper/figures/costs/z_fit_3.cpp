#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {

figure z_fit_3() { return z_fit("fig:z_fit_3", 3); }

}  // namespace ktln2::paper
