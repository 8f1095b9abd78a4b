#include "claims.hpp"

namespace ktln2::paper {

void add_scaling_checks(check_table& /*all*/) {}

}  // namespace ktln2::paper
