#pragma once

#include <cstddef>
#include <vector>

#include "ktln2/mismatch/islands.hpp"

namespace ktln2::mismatch {

/// Where some of the logical states lead that no computation starts in: those in which the register
/// of the result is not in its first state. They hold any inputs, and give to the environment what
/// the inputs alone would.
struct other_start {
  stored_algorithm leads;
  double count = 1;  ///< so many states of that register do the same
};

/// All starts but the usual one. Regression writes over whatever stands there; SGD goes on from it.
/// Those of SGD are as many tables as the register has states: std::domain_error is thrown for more
/// than 2^22 states in all.
std::vector<other_start> other_starts_of_regression(const stored_algorithm& usual,
                                                    const float_format& model);
std::vector<other_start> other_starts_of_sgd(const register_formats& formats, const descent& how,
                                             double steps, const stop_token& stop = {});

/// The account where the best start q_1 is sought among all logical states, and not among the
/// inputs only [eq:mmc_exact_opt]. The islands are larger, Z_c is, and with it the mismatch; what
/// is produced remains. No member of a family starts there, so MMC_v remains, too.
struct logical_account {
  std::size_t states = 0;
  double least_constant = 0;
  island_account account;
};
logical_account over_logical_states(const island_machine& machine, const std::vector<double>& log_p,
                                    const std::vector<other_start>& others);

}  // namespace ktln2::mismatch
