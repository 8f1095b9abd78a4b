#include "ktln2/distribution/law.hpp"

#include <stdexcept>
#include <string>

#include "ktln2/core/parse.hpp"

namespace ktln2 {
namespace {

law parse_sgd(const described& given) {
  sgd_problem problem;
  std::string model = "ou";
  fill_settings(given, {{"steps", &problem.steps},
                        {"batch", &problem.batch},
                        {"eta", &problem.eta},
                        {"w0", &problem.w0},
                        {"w", &problem.w},
                        {"sigma_x", &problem.sigma_x},
                        {"sigma_xi", &problem.sigma_xi},
                        {"law", &model}});
  return sgd_law(problem, parse_sgd_model(model));
}

}  // namespace

law sgd_law(const sgd_problem& problem, sgd_model model) {
  switch (model) {
    case sgd_model::ou:
      return sgd_ou_law(problem);
    case sgd_model::stationary:
      return sgd_stationary_law(problem);
    case sgd_model::moments:
      return sgd_moments_law(problem);
    case sgd_model::exact:
      break;
  }
  return sgd_exact{problem};
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
    regression problem;
    fill_settings(given, {{"n", &problem.n},
                          {"w", &problem.w},
                          {"sigma_x", &problem.sigma_x},
                          {"sigma_xi", &problem.sigma_xi}});
    return slope_law(problem);
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
