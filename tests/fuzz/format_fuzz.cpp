// Names of formats.
#include "fuzz.hpp"
#include "ktln2/format/catalogue.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::float_format made = ktln2::parse_format(input);
    fuzz::require(made.name() == input);
  });
  fuzz::allow_mistakes([&] { (void)ktln2::with_format_key("p24e8", "p", input); });
}
