#include "ktln2/entropy/fields.hpp"

#include "entropy/chain_rule.hpp"

namespace ktln2 {
namespace {

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
  return worth_of_bits(format.width(), leading,
                       [&format](int position) { return bit_name(format, position); });
}

}  // namespace ktln2
