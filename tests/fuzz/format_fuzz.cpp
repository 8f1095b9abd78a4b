// Names of formats.
#include <algorithm>
#include <cctype>
#include <string>

#include "fuzz.hpp"
#include "ktln2/format/catalogue.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    std::string small(input);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    fuzz::require(ktln2::parse_format(input).name() == small);
  });
  fuzz::allow_mistakes([&] { (void)ktln2::with_format_key("p24e8", "p", input); });
}
