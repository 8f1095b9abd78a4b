// All checks, from their rooms: apart from the reader of claims, which needs their names alone.
#include <stdexcept>

#include "paper/claims/claims.hpp"

namespace ktln2::paper {

const check_table& checks() {
  static const check_table all = [] {
    check_table result;
    for (const auto theme :
         {device_checks, register_checks, cell_checks, entropy_checks, bound_checks, offset_checks,
          joint_checks, slope_checks, regression_checks, general_checks, sgd_checks,
          prediction_checks, scaling_checks, optimum_checks, mismatch_checks, mismatch_start_checks,
          beyond_checks}) {
      check_table more = theme();
      result.merge(more);
      if (!more.empty()) throw std::logic_error("two checks '" + more.begin()->first + "'");
    }
    return result;
  }();
  return all;
}

}  // namespace ktln2::paper
