#pragma once

#include "ask/json.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::cli {

ask::json to_json(const paper::checked_claim& c);

}  // namespace ktln2::cli
