#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/fit.hpp"
#include "output.hpp"

/// What the texts of a line and of a plane have in common.
namespace ktln2::cli {

/// Of n residuals; nothing where they were not looked at.
std::string residuals_text(const std::optional<ask::residual_check>& seen, double n);

/// Rows of what is measured of a column's fields, and what is modelled.
void add_fields(table& rows, const std::string& column,
                const std::vector<measure::counted_field>& fields);

/// "p24e8", or which is whose where they are not all one.
std::string formats_text(const register_formats& formats, const char* x, const char* model);

/// What the bits of a bill are of.
std::string bill_note(const std::string& what, const std::string& formats, double eta);

/// How many rows are worth it at these prices, and how many of n there are.
std::string advice_sentence(double best, const std::optional<double>& spread, double n);

}  // namespace ktln2::cli
