#include "claim_json.hpp"

namespace ktln2::cli {

json_value to_json(const paper::checked_claim& c) {
  json_value result = {{"id", c.what.id},        {"label", c.what.label},
                       {"claim", c.what.says},   {"paper", c.what.paper},
                       {"found", c.found.found}, {"verdict", name_of(c.result)}};
  if (!c.found.qualification.empty()) result["qualification"] = c.found.qualification;
  if (!c.found.counterexample.empty()) result["counterexample"] = c.found.counterexample;
  result["expected"] = c.is_expected();
  result["seconds"] = number(c.seconds);
  return result;
}

}  // namespace ktln2::cli
