#include "ktln2/distribution/law_part.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace ktln2 {

wide over_sqrt2(const wide& x) {
  static const wide inverse = wide(0x1.6a09e667f3bcdp-1) + wide(-0x1.bdd3413b26456p-55);
  return x * inverse;
}

double log_quotient(const wide& a, const wide& b) {
  const double share = ratio(a - b, b);
  if (std::fabs(share) < 0.5) return std::log1p(share);
  return std::log(a.high() / b.high()) + (a.exponent() - b.exponent()) * std::numbers::ln2;
}

wide law_part::length_at(const wide& x) const {
  return std::max(abs(x - facts().center), facts().core);
}

wide law_part::shortest_length(const wide& a, const wide& b) const {
  const wide length = length_at(std::clamp(facts().center, a, b));
  if (!is_of_ratios() || b <= wide(0.0)) return length;
  return a > wide(0.0) ? std::min(length, length_at(a)) : wide(0.0);
}

std::optional<wide> law_part::cut(const wide& a, const wide& b, const wide& width) const {
  const wide room = (b - a) - width.scaled(1);
  if (a < facts().center && facts().center < b) {
    return room > facts().core.scaled(1) ? std::optional(facts().center) : std::nullopt;
  }
  if (a >= facts().center) {
    const wide length = length_at(a).scaled(1);
    return room > length ? std::optional(a + length) : std::nullopt;
  }
  // Toward zero lengths get shorter.
  const wide length = length_at(b).scaled(is_of_ratios() ? -1 : 1);
  return room > length ? std::optional(b - length) : std::nullopt;
}

}  // namespace ktln2
