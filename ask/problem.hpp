#pragma once

#include "ask/json.hpp"
#include "ask/words.hpp"
#include "ktln2/cost/computations.hpp"

/// What the questions about a computation have in common.
namespace ktln2::ask {

/// --w, --sigma-x and --sigma-xi
linear_model read_model(const reader& given);
/// --batch, --eta, --w0 and, where the command has it, --w0-sigma
descent read_descent(const reader& given);
/// --law
/// Of SGD: --steps, or those that --n points make in batches, --epochs times.
double read_steps(const reader& given);
/// What more than one epoch leaves out; empty for one.
std::string passes_warning(const reader& given);
sgd_model read_sgd_model(const reader& given);
/// --temperature or --kbt; 300 K without.
kelvin read_temperature(const reader& given);
/// --entropy
entropy_kind read_entropy_kind(const reader& given);
/// FORMAT, --y-format and --model-format
register_formats read_formats(const reader& given);

// The same as an answer repeats them.

json shown(const linear_model& model);
json shown(const descent& how);
json shown(const register_formats& formats);
const char* name_of(entropy_kind kind);
using ktln2::name_of;
using ktln2::shown;

/// One object after the other.
json joined(std::initializer_list<json> objects);

/// The warning of an answer whose smooth entropies do not hold.
extern const char* const smooth_warning;

}  // namespace ktln2::ask
