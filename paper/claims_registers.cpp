#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2::paper {
namespace {

finding zero_mean_offset(const claim& what, const effort& /*work*/) {
  const int p = 24;
  const double closed = smooth_entropy_zero_mean(p).value() - p;
  double low = closed;
  double high = closed;
  for (int i = 0; i < 64; ++i) {
    const double offset =
        exact_entropy(float_format{p, 8}, normal{0, std::exp2(i / 64.0)}).value.value() - p;
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  const double worst = std::max(high - what.number("value"), what.number("value") - low);
  return {.found = fmt::format("p + {:.6f} bits; exactly, between p + {:.6f} and p + {:.6f}",
                               closed, low, high),
          .as_stated = worst <= what.number("tolerance")};
}

}  // namespace

void add_register_checks(check_table& all) { all["zero_mean_offset"] = zero_mean_offset; }

}  // namespace ktln2::paper
