#pragma once

#include "certificate/ball.hpp"
#include "ktln2/distribution/location_scale.hpp"

namespace ktln2::certificate {

/// Location and scale of a law. What it was given is exact; what it was made of is computed again,
/// in the working precision: the law's own parameters are rounded.
struct parameters {
  ball location;
  ball scale;
};

parameters parameters_from(const law_origin& origin);

template <class Kernel>
parameters parameters_of(const location_scale<Kernel>& x) {
  if (x.origin() != nullptr) return parameters_from(*x.origin());
  return {x.location(), x.scale()};
}

}  // namespace ktln2::certificate
