// Files of rates.
#include <cmath>

#include "ask/protocol.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::ask::rate_protocol made = ktln2::ask::parse_protocol(input, "file");
    fuzz::require(made.states >= 2 && made.states <= 16 && made.start.size() == made.states);
    fuzz::require(made.duration > 0);
    for (const double share : {0.0, 0.3, 1.0}) {
      const ktln2::mismatch::rate_matrix rates = made.rates(share * made.duration);
      for (std::size_t from = 0; from < made.states; ++from) {
        for (std::size_t to = 0; to < made.states; ++to) {
          fuzz::require(std::isfinite(rates(to, from)) && (to == from || rates(to, from) >= 0));
        }
      }
    }
  });
}
