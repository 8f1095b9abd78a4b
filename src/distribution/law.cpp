#include "ktln2/distribution/law.hpp"

#include <stdexcept>
#include <string>

namespace ktln2 {

law sgd_law(const linear_model& model, const descent& how, double steps, sgd_model which) {
  require_valid(model, how, steps);
  switch (which) {
    case sgd_model::ou:
      return sgd_ou_law(model, how, steps);
    case sgd_model::stationary:
      return sgd_stationary_law(model, how);
    case sgd_model::moments:
      return sgd_moments_law(model, how, steps);
    case sgd_model::exact:
      break;
  }
  return sgd_exact{model, how, steps};
}

bool has_atoms(const law& x) {
  const auto* const compound = std::get_if<compound_law>(&x);
  return compound != nullptr && compound->has_atoms();
}

bool has_usual_density(const law& x) {
  const auto* const compound = std::get_if<compound_law>(&x);
  return compound == nullptr || (!compound->has_atoms() && compound->is_within_double());
}

void require_usual_density(std::string_view where, const law& x) {
  if (has_usual_density(x)) return;
  throw std::domain_error(std::string(where) + ": expected a law with a density, got one " +
                          (has_atoms(x) ? "with atoms (" : "beyond double's range (") +
                          std::get<compound_law>(x).name() + ")");
}

double log_pdf(const law& x, double at) {
  return std::visit([=](const auto& known) { return log_pdf(known, at); }, x);
}

double pdf(const law& x, double at) {
  return std::visit([=](const auto& known) { return pdf(known, at); }, x);
}

double cdf(const law& x, double at) {
  return std::visit([=](const auto& known) { return cdf(known, at); }, x);
}

double ccdf(const law& x, double at) {
  return std::visit([=](const auto& known) { return ccdf(known, at); }, x);
}

double quantile(const law& x, double q) {
  return std::visit([=](const auto& known) { return quantile(known, q); }, x);
}

double cell_probability(const law& x, double center, double width) {
  return std::visit([=](const auto& known) { return cell_probability(known, center, width); }, x);
}

double log_cell_probability(const law& x, double center, double width) {
  return std::visit([=](const auto& known) { return log_cell_probability(known, center, width); },
                    x);
}

double mean(const law& x) {
  return std::visit([](const auto& known) { return mean(known); }, x);
}

double deviation(const law& x) {
  return std::visit([](const auto& known) { return deviation(known); }, x);
}

differential_bits differential_entropy(const law& x) {
  return std::visit([](const auto& known) { return differential_entropy(known); }, x);
}

}  // namespace ktln2
