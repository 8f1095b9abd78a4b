// Descriptions of laws: names, keys and values.
#include "fuzz.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/scaling/market.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] { (void)ktln2::parse_demand(input); });
  // SGD's own law is computed when it is made, which is no parser's matter.
  if (input.find("exact") != std::string_view::npos) return;
  fuzz::allow_mistakes([&] { (void)ktln2::parse_distribution(input); });
  fuzz::allow_mistakes([&] { (void)ktln2::with_key(input, "sigma", "1"); });
}
