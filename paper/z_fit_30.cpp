#include "figures.hpp"
#include "fits.hpp"

namespace ktln2::paper {

figure z_fit_30() { return z_fit(30); }

}  // namespace ktln2::paper
