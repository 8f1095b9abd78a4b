#include "claims.hpp"

namespace ktln2::paper {

void add_sgd_checks(check_table& /*all*/) {}

}  // namespace ktln2::paper
