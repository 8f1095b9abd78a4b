#pragma once

#include "ask/problem.hpp"
#include "ktln2/cost/many.hpp"

/// What the questions with --features have in common.
namespace ktln2::ask {

/// --features, --w, --sigma-x with --corr or --ar, or --covariance, --mu, --intercept and
/// --sigma-xi
row_model read_row_model(const reader& given);
/// --eta, --batch and --w0, a number for all coefficients or one for each, the intercept's first
vector_descent read_vector_descent(const reader& given, const row_model& model);
/// Throws std::domain_error for an option that a question with --features has no use for.
void refuse_with_features(const reader& given, std::initializer_list<const char*> names);
/// And for those that need --features.
void require_features(const reader& given, std::initializer_list<const char*> names);

json shown(const row_model& model);
json list_of_numbers(const std::vector<double>& list);

}  // namespace ktln2::ask
