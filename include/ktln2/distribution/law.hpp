#pragma once

#include <string_view>
#include <variant>

#include "ktln2/distribution/compound_law.hpp"
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
using law = std::variant<normal, student_t, uniform, laplace, logistic, sgd_exact,
#ifndef KTLN2_WITHOUT_CUSTOM_LAWS  // as a page is, which makes none
                         custom_law,
#endif
                         compound_law>;

/// Are there numbers that have a probability of their own?
bool has_atoms(const law& x);
/// Is there a density, all of which a double can reach? Approximations and bounds need one.
bool has_usual_density(const law& x);
/// Throws std::domain_error that begins with `where` if not.
void require_usual_density(std::string_view where, const law& x);

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
law sgd_law(const linear_model& model, const descent& how, double steps, sgd_model which);

}  // namespace ktln2
