#include "ktln2/distribution/pair.hpp"

#include <cmath>
#include <stdexcept>

#include "ktln2/core/parse.hpp"

namespace ktln2 {

regression_pair::regression_pair(double w, double sigma_x, double sigma_xi)
    : w_{w},
      sigma_x_{sigma_x},
      sigma_xi_{sigma_xi},
      sigma_y_{std::hypot(w * sigma_x, sigma_xi)},
      // In an order in which neither factor overflows before the product does.
      gain_{std::fabs(w) > 1 ? std::fabs(w) * (sigma_x / sigma_xi)
                             : std::fabs(w) * sigma_x / sigma_xi} {
  require_finite("pair", "w", w);
  require_positive("pair", "sigma_x", sigma_x);
  require_positive("pair", "sigma_xi", sigma_xi);
  require_positive("pair", "deviation of y", sigma_y_);
  if (w != 0) require_positive("pair", "|w| sigma_x / sigma_xi", gain_);
}

double regression_pair::correlation() const {
  return std::copysign(gain_ / std::hypot(1, gain_), w_);
}

regression_pair regression_pair::exchanged() const {
  const double share = sigma_x_ / sigma_y_;
  return {w_ * sigma_x_ / sigma_y_ * share, sigma_y_, sigma_xi_ * share};
}

differential_bits differential_entropy(const regression_pair& pair) {
  return differential_entropy(pair.x()) + differential_entropy(normal{0, pair.sigma_xi()});
}

bits mutual_information(const regression_pair& pair) {
  const double gain = pair.gain();
  const double nats = gain < 1 ? std::log1p(gain * gain) / 2 : std::log(std::hypot(1, gain));
  return bits{nats / std::numbers::ln2};
}

bool describes_pair(std::string_view description) {
  return description.substr(0, description.find(':')) == "pair";
}

regression_pair parse_pair(std::string_view description) {
  const described given = parse_described(description);
  if (given.name != "pair") {
    throw std::domain_error("unknown pair '" + given.name + "': expected pair");
  }
  double w = 1;
  double sigma_x = 1;
  double sigma_xi = 0.5;
  fill_settings(given, {{"w", &w}, {"sigma_x", &sigma_x}, {"sigma_xi", &sigma_xi}});
  return {w, sigma_x, sigma_xi};
}

}  // namespace ktln2
