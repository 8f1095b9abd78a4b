#pragma once

#include "commands.hpp"
#include "ktln2/mismatch/variational.hpp"
#include "options.hpp"

namespace ktln2::cli {

using namespace mismatch;  // NOLINT(google-build-using-namespace): all of these files are about it

/// The kinds of mismatch that have a file of their own.
void run_islands(const mismatch_request& request, option_reader& options, style how);
void run_ctmc(const mismatch_request& request, option_reader& options, style how);

// What they have in common.

/// --bounds
variational_bounds read_bounds(option_reader& options);
/// A whole number that fits an int.
int small_count(option_reader& options, const char* name, std::uint64_t otherwise);

bool is_inside(const variational_bounds& bounds, double sigma_x, double sigma_xi);
json_value shown(const variational_bounds& bounds);

/// In units of k_B, and in J/K.
std::string amount(nats value);
std::string in_units(nats value);
/// Where an optimum is, in words.
std::string place(const variational_optimum& one);

}  // namespace ktln2::cli
