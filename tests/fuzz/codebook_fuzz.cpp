// Files that list the values of a codebook.
#include <cmath>

#include "fuzz.hpp"
#include "ktln2/format/codebook_text.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::codebook code = ktln2::parse_codebook(input, "codebook file");
    fuzz::require(code.size() >= 1 && code.edges().size() + 1 == code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      fuzz::require(std::isfinite(code.values()[i]));
      fuzz::require(i == 0 || code.values()[i - 1] < code.values()[i]);
    }
    fuzz::require(code.cells().size() == code.size());
  });
}
