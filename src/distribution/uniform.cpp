#include "ktln2/distribution/uniform.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/constants.hpp"

namespace ktln2 {

uniform::uniform(double low, double high) : location_scale{low, wide(high) - low}, high_{high} {
  require_finite("uniform", "low", low);
  require_finite("uniform", "high", high);
  if (!(low < high)) {
    throw std::domain_error("uniform: high must be greater than low = " + shown(low) + ", got " +
                            shown(high));
  }
  require_finite("uniform", "high - low", high - low);
}

double standard_uniform::log_pdf(double z) const { return z >= 0 && z <= 1 ? 0 : -infinity; }

cell_mass standard_uniform::lower(double z) const { return with_log(std::clamp(z, 0.0, 1.0)); }

cell_mass standard_uniform::upper(double z) const { return with_log(std::clamp(1 - z, 0.0, 1.0)); }

cell_mass standard_uniform::cell(double z, double h) const {
  const double from_low = z + h / 2;         // how far the cell reaches above 0
  const double from_high = (1 - z) + h / 2;  // and below 1
  return with_log(std::max(0.0, std::min({h, from_low, from_high, 1.0})));
}

cell_mass standard_uniform::between(double a, double b) const {
  return with_log(std::max(0.0, std::min({b - a, b, 1 - a, 1.0})));
}

}  // namespace ktln2
