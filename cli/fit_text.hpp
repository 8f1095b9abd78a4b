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

}  // namespace ktln2::cli
