#include "ktln2/entropy/fields.hpp"

namespace ktln2 {
namespace {

/// The entropy of the first `kept` bits of the code.
bounded<bits> leading_bits(const float_format& format, const law& x, int kept, bits tolerance) {
  return exact_entropy(partition{format, rounding::nearest, format.width() - kept}, x, tolerance);
}

std::string bit_name(const float_format& format, int position) {
  if (position == 0) return "sign";
  if (position <= format.exponent_bits()) {
    return "exponent " + std::to_string(format.exponent_bits() - position);
  }
  return "mantissa " + std::to_string(format.width() - 1 - position);
}

}  // namespace

field_entropies entropy_by_field(const float_format& format, const law& x, bits tolerance) {
  const bounded<bits> sign = leading_bits(format, x, 1, tolerance);
  const bounded<bits> head = leading_bits(format, x, 1 + format.exponent_bits(), tolerance);
  const bounded<bits> total = leading_bits(format, x, format.width(), tolerance);
  return {total, sign, head - sign, total - head};
}

std::vector<bit_entropy> entropy_by_bit(const float_format& format, const law& x, bits tolerance) {
  std::vector<bit_entropy> result;
  bounded<bits> above{};
  for (int position = 0; position < format.width(); ++position) {
    const bounded<bits> here = leading_bits(format, x, position + 1, tolerance);
    result.push_back({bit_name(format, position), here - above});
    above = here;
  }
  return result;
}

}  // namespace ktln2
