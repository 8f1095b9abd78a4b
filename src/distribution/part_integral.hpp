#pragma once

#include <functional>

#include "ktln2/distribution/law_part.hpp"

namespace ktln2 {

/// ∫ f F over the whole of a part, for an F that is smooth but where the part breaks or elsewhere
/// at a few points, and grows slower than f falls. Panel by panel outward from the center, each
/// halved until two orders agree.
double integral_over(const law_part& part, const std::function<double(const wide&)>& factor);

}  // namespace ktln2
