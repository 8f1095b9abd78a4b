#pragma once

#include "output.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::cli {

json_value to_json(const paper::checked_claim& c);

}  // namespace ktln2::cli
