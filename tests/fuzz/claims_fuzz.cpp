// Files of claims.
#include "fuzz.hpp"
#include "paper/claims/claims.hpp"

namespace {

using namespace ktln2::paper;

/// In place of the paper's, which take their time.
const check_table quick{{"some", [](const claim& what, const effort&) {
                           (void)what.integers("p");
                           (void)what.list("snr", 3)[2];
                           return finding{.found = "", .as_stated = what.number("x") > 0};
                         }}};

}  // namespace

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    for (const claim& one : parse_claims(input, "claims.toml", quick)) {
      fuzz::allow_mistakes([&] { (void)examine(one, {}, quick); });
    }
  });
}
