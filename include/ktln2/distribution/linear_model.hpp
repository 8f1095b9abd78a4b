#pragma once

namespace ktln2 {

/// Where the data of the paper come from: x ~ N(0, σ_x²) and y = w x + ξ with ξ ~ N(0, σ_ξ²)
/// [eq:initial_dist]. Whoever takes it checks it; how many points there are is said apart.
struct linear_model {
  double w = 1;
  double sigma_x = 1;
  double sigma_xi = 1;
};

}  // namespace ktln2
