// Files of claims.
#include "fuzz.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {

/// In place of the checks themselves, which need the whole library.
const check_table& checks() {
  static const check_table all{{"some", [](const claim& what, const effort&) {
                                  (void)what.integers("p");
                                  (void)what.list("snr", 3)[2];
                                  return finding{.found = "", .as_stated = what.number("x") > 0};
                                }}};
  return all;
}

}  // namespace ktln2::paper

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    for (const ktln2::paper::claim& one : ktln2::paper::parse_claims(input, "claims.toml")) {
      fuzz::allow_mistakes([&] { (void)ktln2::paper::examine(one, {}); });
    }
  });
}
