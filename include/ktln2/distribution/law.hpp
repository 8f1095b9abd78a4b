#pragma once

#include <string_view>
#include <variant>

#include "ktln2/distribution/laplace.hpp"
#include "ktln2/distribution/logistic.hpp"
#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/distribution/student_t.hpp"
#include "ktln2/distribution/uniform.hpp"

namespace ktln2 {

/// Any law of one real variable that the library knows. Use std::visit, or the functions of
/// entropy/, which take it as it is.
using law = std::variant<normal, student_t, uniform, laplace, logistic, sgd_exact>;

/// ŵ after some steps of stochastic gradient descent, in the asked approximation or exactly.
law sgd_law(const linear_model& model, const descent& how, double steps, sgd_model which);

/// From a description such as "normal:mu=0,sigma=1", "student:dof=5,loc=0,scale=1",
/// "slope:n=10,w=1,sigma_x=1,sigma_xi=1", "uniform:low=0,high=1", "laplace:loc=0,scale=1",
/// "logistic:loc=0,scale=1" or
/// "sgd:steps=100,batch=10,eta=0.01,w0=1,w=2,sigma_x=1,sigma_xi=1,law=ou"; a missing key takes the
/// value shown here. Throws std::domain_error that names the unknown law, the unknown or repeated
/// key, or the bad value.
law parse_law(std::string_view description);

}  // namespace ktln2
