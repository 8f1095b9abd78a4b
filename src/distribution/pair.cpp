#include "ktln2/distribution/pair.hpp"

#include <cmath>
#include <stdexcept>

namespace ktln2 {

regression_pair::regression_pair(const linear_model& model, const pair_place& place)
    : model_{model},
      place_{place},
      sigma_y_{std::hypot(model.w * model.sigma_x, model.sigma_xi)},
      // In an order in which neither factor overflows before the product does.
      gain_{std::fabs(model.w) > 1 ? std::fabs(model.w) * (model.sigma_x / model.sigma_xi)
                                   : std::fabs(model.w) * model.sigma_x / model.sigma_xi} {
  require_finite("pair", "w", model.w);
  require_positive("pair", "sigma_x", model.sigma_x);
  require_positive("pair", "sigma_xi", model.sigma_xi);
  require_positive("pair", "deviation of y", sigma_y_);
  if (model.w != 0) require_positive("pair", "|w| sigma_x / sigma_xi", gain_);
  require_finite("pair", "mu_x", place.mu_x);
  require_finite("pair", "b", place.b);
  require_finite("pair", "mean of y", mean_of_y().to_double());
}

double regression_pair::correlation() const {
  return std::copysign(gain_ / std::hypot(1, gain_), model_.w);
}

regression_pair regression_pair::exchanged() const {
  const double share = model_.sigma_x / sigma_y_;
  const linear_model model{model_.w * model_.sigma_x / sigma_y_ * share, sigma_y_,
                           model_.sigma_xi * share};
  const double mu_y = mean_of_y().to_double();
  return {model, {mu_y, (wide(place_.mu_x) - wide(model.w) * mu_y).to_double()}};
}

differential_bits differential_entropy(const regression_pair& pair) {
  return differential_entropy(pair.x()) + differential_entropy(normal{0, pair.sigma_xi()});
}

bits mutual_information(const regression_pair& pair) {
  const double gain = pair.gain();
  const double nats = gain < 1 ? std::log1p(gain * gain) / 2 : std::log(std::hypot(1, gain));
  return bits{nats / std::numbers::ln2};
}

}  // namespace ktln2
