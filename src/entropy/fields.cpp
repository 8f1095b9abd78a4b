#include "ktln2/entropy/fields.hpp"

#include <cmath>

namespace ktln2 {
namespace {

/// a - b, with the rounding of the difference and of its bar.
bounded<bits> what_is_left(const bounded<bits>& a, const bounded<bits>& b) {
  bounded<bits> result = a - b;
  result.error += 0x1p-52 * (result.error + bits{std::fabs(result.value.value())});
  return result;
}

std::string bit_name(const float_format& format, int position) {
  if (position == 0) return "sign";
  if (position <= format.exponent_bits()) {
    return "exponent " + std::to_string(format.exponent_bits() - position);
  }
  return "mantissa " + std::to_string(format.width() - 1 - position);
}

}  // namespace

leading_entropy exact_leading_entropy(const float_format& format, const law& x, bits tolerance,
                                      rounding how) {
  return [=](int kept) {
    return exact_entropy(partition{format, how, format.width() - kept}, x, tolerance);
  };
}

field_entropies entropy_by_field(const float_format& format, const leading_entropy& leading) {
  const bounded<bits> sign = leading(1);
  const bounded<bits> head = leading(1 + format.exponent_bits());
  const bounded<bits> total = leading(format.width());
  return {total, sign, what_is_left(head, sign), what_is_left(total, head)};
}

std::vector<bit_entropy> entropy_by_bit(const float_format& format,
                                        const leading_entropy& leading) {
  std::vector<bit_entropy> result;
  bounded<bits> above = exactly(bits{0});
  for (int position = 0; position < format.width(); ++position) {
    const bounded<bits> here = leading(position + 1);
    result.push_back({bit_name(format, position), what_is_left(here, above)});
    above = here;
  }
  return result;
}

}  // namespace ktln2
