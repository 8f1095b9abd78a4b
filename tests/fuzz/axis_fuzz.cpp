// What a sweep runs through.
#include <cmath>

#include "ask/axis.hpp"
#include "core/parse.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] {
    const ktln2::ask::axis made{std::string(input)};
    fuzz::require(made.size() > 0);
    for (const std::uint64_t i : {std::uint64_t{0}, made.size() / 2, made.size() - 1}) {
      (void)ktln2::ask::text_of(made.value(i));
      if (input.find(',') == std::string_view::npos && input.find(':') != std::string_view::npos) {
        fuzz::require(made.word(i).find("inf") == std::string::npos || made.size() == 1);
      }
    }
  });
}
