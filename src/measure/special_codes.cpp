#include "measure/special_codes.hpp"

namespace ktln2::measure {

std::vector<code_range> nan_codes_of(const number_format& format) {
  const std::uint64_t sign =
      format.is_signed() ? std::uint64_t{1} << (format.width() - 1) : std::uint64_t{0};
  if (format.fields().nan == float_description::nan_codes::negative_zero) return {{sign, sign}};
  if (format.kind() == number_format::family::twos_complement) {
    const bool has_lowest = format.largest(true) != format.largest(false);
    return has_lowest ? std::vector<code_range>{} : std::vector<code_range>{{sign, sign}};
  }
  if (format.fields().nan == float_description::nan_codes::none) return {};
  const int magnitude_bits = format.width() - (format.is_signed() ? 1 : 0);
  const std::uint64_t first = format.largest() + (format.fields().infinity ? 2 : 1);
  const std::uint64_t last = (std::uint64_t{1} << magnitude_bits) - 1;
  if (!format.is_signed()) return {{first, last}};
  return {{first, last}, {first | sign, last | sign}};
}

}  // namespace ktln2::measure
