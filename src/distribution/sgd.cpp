#include "ktln2/distribution/sgd.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

void require_count(const char* name, double value) {
  if (!(value >= 1 && value <= 1e15 && value == std::floor(value))) {
    throw std::domain_error("sgd: " + std::string(name) +
                            " must be a whole number from 1 to 1e15, got " + shown(value));
  }
}

}  // namespace

void require_valid(const linear_model& model, const descent& how) {
  require_positive("sgd", "eta", how.eta);
  require_count("batch", how.batch);
  require_finite("sgd", "w0", how.w0);
  require_finite("sgd", "w", model.w);
  require_finite("sgd", "w0 - w", how.w0 - model.w);
  if (!(how.w0_sigma >= 0 && std::isfinite(how.w0_sigma))) {
    throw std::domain_error("sgd: w0_sigma must be finite and >= 0, got " + shown(how.w0_sigma));
  }
  require_positive("sgd", "sigma_x", model.sigma_x);
  require_positive("sgd", "sigma_xi", model.sigma_xi);
  require_positive("sgd", "eta sigma_x^2", how.eta * model.sigma_x * model.sigma_x);
  require_positive("sgd", "sigma_xi/sigma_x", model.sigma_xi / model.sigma_x);
}

void require_valid(const linear_model& model, const descent& how, double steps) {
  require_valid(model, how);
  require_count("steps", steps);
}

sgd_model parse_sgd_model(std::string_view name) {
  if (name == "ou") return sgd_model::ou;
  if (name == "stationary") return sgd_model::stationary;
  if (name == "moments") return sgd_model::moments;
  if (name == "exact") return sgd_model::exact;
  throw std::domain_error("sgd: unknown law '" + std::string(name) +
                          "': expected ou, stationary, moments or exact");
}

const char* name_of(sgd_model model) {
  switch (model) {
    case sgd_model::ou:
      return "ou";
    case sgd_model::stationary:
      return "stationary";
    case sgd_model::moments:
      return "moments";
    case sgd_model::exact:
      break;
  }
  return "exact";
}

}  // namespace ktln2
