#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ask/line_fit.hpp"
#include "ask/problem.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/data/table.hpp"
#include "ktln2/measure/stored_column.hpp"
#include "ktln2/scaling/market.hpp"

/// What a line and a plane through a user's table have in common.
namespace ktln2::ask {

/// Calls f with the numbers of every row that has them all, and returns how many lack one. Throws
/// std::domain_error that names the column of an infinite number.
std::uint64_t each_complete_row(const data::table& from, const std::vector<std::size_t>& columns,
                                const stop_token& stop,
                                const std::function<void(const std::vector<double>&)>& f);

/// Calls f with the table that is asked for. What is wrong with it, or with its numbers, becomes a
/// std::domain_error that begins with "fit:" and its name.
void with_table(const std::string& file, const data::table_options& how_to_read,
                const std::function<void(const data::table&)>& f);

/// --energy-price, --inference-price and the demand: both prices or none.
std::optional<market> read_fit_market(const reader& given, const std::string& demand);

json fields_json(const std::vector<measure::counted_field>& fields,
                 const std::optional<double>& unit);
json residuals_json(const std::optional<residual_check>& check);

/// What does not look as the model has it, of n residuals with the deviation σ_ξ. `robust` is the
/// error of w for noise of any sizes.
void warn_of_residuals(const std::optional<residual_check>& check, double n, double sigma_xi,
                       bool has_intercept, const std::string& robust,
                       std::vector<std::string>& list);

/// Where a row can hold less than the model says.
void warn_of_bound(const std::optional<bounded<bits>>& most, const bounded<bits>& modelled,
                   std::vector<std::string>& list);

/// SGD takes whole batches: the rows of n that do not fill one are in the bill of regression only.
void warn_of_unused_rows(double unused, double n, double batch, std::vector<std::string>& list);

/// What n rows do not show.
std::string uncounted_rows(double n);

}  // namespace ktln2::ask
