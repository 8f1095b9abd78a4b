#include "paper/figures/sgd/sgd_figures.hpp"

#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2::paper {

parameters sgd_cost_settings(const std::vector<parameter>& own) {
  std::vector<parameter> all{
      {"p", {24}},
      {"E", {8}, origin::chosen, "that of single precision"},
      {"w0", {1}},
      {"sigma_x", {1}},
      {"sigma_xi", {1}},
      {"eta", {0.01}},
      {"B", {10}},
      {"w", {0.25, 0.5, 1, 2, 5}, origin::chosen, "as for exact regression; 1 is the start"},
      {"k_max", {2000}, origin::chosen, "as in the figures about fits"},
      {"points", {120}, origin::chosen, "shows the steps at powers of two"}};
  all.insert(all.end(), own.begin(), own.end());
  return {all};
}

float_format sgd_format(const parameters& given) {
  return {given.integer("p"), given.integer("E")};
}

sgd_problem sgd_problem_of(const parameters& given, double w) {
  return {{w, given.number("sigma_x"), given.number("sigma_xi")},
          {.eta = given.number("eta"), .batch = given.number("B"), .w0 = given.number("w0")}};
}

std::vector<double> curve_steps(const parameters& given, double last, const effort& work) {
  return whole_log_grid(1, last, work.points(given.count("points")));
}

std::vector<double> some_of(const std::vector<double>& all, const effort& work, int least) {
  const int count = work.points(static_cast<int>(all.size()), least);
  return {all.begin(), all.begin() + count};
}

sgd_entropy entropy_of_sgd(const float_format& format, const sgd_problem& problem, double steps) {
  constexpr bits none{nothing};  // for a mean of 0
  const normal process = sgd_ou_law(problem.model, problem.how, steps);
  return {smooth_entropy_offset(format.p(), process).value_or(none), exact_entropy(format, process),
          exact_entropy(format, sgd_moments_law(problem.model, problem.how, steps))};
}

bounded<bits> exact_entropy_of_sgd(const float_format& format, const sgd_problem& problem,
                                   double steps) {
  return exact_entropy(format, sgd_law(problem.model, problem.how, steps, sgd_model::exact));
}

}  // namespace ktln2::paper
