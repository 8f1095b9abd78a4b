// Expressions that the user gives.
#include "ask/expression.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::ask::expression made{"expression", std::string(input), {{"alpha", 1}, {"w", 2}}};
    (void)made({{"alpha", 3}});
  });
}
