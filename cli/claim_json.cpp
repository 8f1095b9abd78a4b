#include "claim_json.hpp"

#include "paper/typeset/formula.hpp"

namespace ktln2::cli {

ask::json to_json(const paper::checked_claim& c) {
  using paper::prose_to_text;
  ask::json result = {{"id", c.what.id},
                      {"label", c.what.label},
                      {"claim", prose_to_text(c.what.says)},
                      {"paper", prose_to_text(c.what.paper)},
                      {"found", prose_to_text(c.found.found)},
                      {"verdict", name_of(c.result)}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) result[key] = prose_to_text(text);
  };
  add("qualification", c.found.qualification);
  add("counterexample", c.found.counterexample);
  result["expected"] = c.is_expected();
  result["seconds"] = ask::number(c.seconds);
  return result;
}

}  // namespace ktln2::cli
