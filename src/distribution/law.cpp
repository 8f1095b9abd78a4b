#include "ktln2/distribution/law.hpp"

#include <stdexcept>
#include <string>

#include "core/parse.hpp"

namespace ktln2 {
namespace {

law parse_sgd(const described& given) {
  linear_model model{.w = 2};
  descent how;
  double steps = 100;
  std::string which = "ou";
  fill_settings(given, {{"steps", &steps},
                        {"batch", &how.batch},
                        {"eta", &how.eta},
                        {"w0", &how.w0},
                        {"w", &model.w},
                        {"sigma_x", &model.sigma_x},
                        {"sigma_xi", &model.sigma_xi},
                        {"law", &which}});
  return sgd_law(model, how, steps, parse_sgd_model(which));
}

}  // namespace

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

law parse_law(std::string_view description) {
  const described given = parse_described(description);
  if (given.name == "normal") {
    double mu = 0;
    double sigma = 1;
    fill_settings(given, {{"mu", &mu}, {"sigma", &sigma}});
    return normal{mu, sigma};
  }
  if (given.name == "student") {
    double dof = 5;
    double loc = 0;
    double scale = 1;
    fill_settings(given, {{"dof", &dof}, {"loc", &loc}, {"scale", &scale}});
    return student_t{dof, loc, scale};
  }
  if (given.name == "slope") {
    linear_model model;
    double n = 10;
    fill_settings(
        given,
        {{"n", &n}, {"w", &model.w}, {"sigma_x", &model.sigma_x}, {"sigma_xi", &model.sigma_xi}});
    return slope_law(model, n);
  }
  if (given.name == "sgd") return parse_sgd(given);
  if (given.name == "uniform") {
    double low = 0;
    double high = 1;
    fill_settings(given, {{"low", &low}, {"high", &high}});
    return uniform{low, high};
  }
  if (given.name == "laplace" || given.name == "logistic") {
    double loc = 0;
    double scale = 1;
    fill_settings(given, {{"loc", &loc}, {"scale", &scale}});
    if (given.name == "laplace") return laplace{loc, scale};
    return logistic{loc, scale};
  }
  throw std::domain_error("unknown distribution '" + given.name +
                          "': expected normal, student, slope, sgd, uniform, laplace or logistic");
}

}  // namespace ktln2
