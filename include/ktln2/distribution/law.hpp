#pragma once

#include <string_view>
#include <variant>

#include "ktln2/distribution/custom_law.hpp"
#include "ktln2/distribution/laplace.hpp"
#include "ktln2/distribution/logistic.hpp"
#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/distribution/student_t.hpp"
#include "ktln2/distribution/uniform.hpp"

namespace ktln2 {

/// Any law of one real variable: those that the library knows, and one's own. The functions below
/// and those of entropy/ take it as it is.
using law = std::variant<normal, student_t, uniform, laplace, logistic, sgd_exact, custom_law>;

// What those of location_scale.hpp say of each law.
double log_pdf(const law& x, double at);
double pdf(const law& x, double at);
double cdf(const law& x, double at);
double ccdf(const law& x, double at);
double quantile(const law& x, double q);
double cell_probability(const law& x, double center, double width);
double log_cell_probability(const law& x, double center, double width);
double mean(const law& x);
double deviation(const law& x);
differential_bits differential_entropy(const law& x);

/// ŵ after some steps of stochastic gradient descent, in the asked approximation or exactly.
law sgd_law(const sgd_problem& problem, sgd_model model);

/// From a description such as "normal:mu=0,sigma=1", "student:dof=5,loc=0,scale=1",
/// "slope:n=10,w=1,sigma_x=1,sigma_xi=1", "uniform:low=0,high=1", "laplace:loc=0,scale=1",
/// "logistic:loc=0,scale=1" or
/// "sgd:steps=100,batch=10,eta=0.01,w0=1,w=2,sigma_x=1,sigma_xi=1,law=ou"; a missing key takes the
/// value shown here. Throws std::domain_error that names the unknown law, the unknown or repeated
/// key, or the bad value.
law parse_law(std::string_view description);

}  // namespace ktln2
