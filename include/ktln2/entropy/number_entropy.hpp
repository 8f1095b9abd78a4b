#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ktln2/entropy/fields.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2 {

/// A variable, and the register that it is stored in. Where rounding is left to chance, each of the
/// functions below goes through all codes: for more than one of them see stochastic_code.
struct stored_variable {
  number_format format;
  storing rule;
  law x;
  bits tolerance = default_tolerance;
};

/// The entropy of the code, or of its leading bits: as that of any partition [thm:quantized_ent],
/// but for cells that share a code.
bounded<bits> exact_entropy(const register_cells& register_of, const law& x,
                            bits tolerance = default_tolerance);
bounded<bits> exact_entropy(const stored_variable& stored);
/// Of what is kept there.
bounded<bits> exact_entropy(const storage& where, const law& x, bits tolerance = default_tolerance);

/// Of the first k bits of the code.
leading_entropy exact_leading_entropy(const stored_variable& stored);

/// What the fields of the code are worth. Without a sign or an exponent, that of none is 0. A
/// posit's exponent is its binade, which its regime and its exponent bits tell together.
struct number_fields {
  field_entropies fields;
  std::optional<bounded<bits>> regime = {};          ///< given the sign
  std::optional<bounded<bits>> posit_exponent = {};  ///< given both
};
/// The entropy of a variable by the cells of a partition, by any road.
using cell_entropy = std::function<bounded<bits>(const partition& cells)>;
number_fields entropy_by_field(const stored_variable& stored, const leading_entropy& leading,
                               const cell_entropy& of_cells);
/// By the sum over cells, as it is estimated.
number_fields entropy_by_field(const stored_variable& stored, const leading_entropy& leading);
/// The same for what is kept anywhere.
field_entropies entropy_by_field(const storage& where, const law& x);
std::vector<bit_entropy> entropy_by_bit(const number_format& format,
                                        const leading_entropy& leading);

/// H of the value: +0 and -0 are one.
bounded<bits> entropy_of_value(const stored_variable& stored, const bounded<bits>& of_code);

/// How probable it is that the register holds a zero or a subnormal number, and that x is larger
/// than its largest number, or lower than its lowest.
struct stored_masses {
  bounded<double> zero;
  bounded<double> subnormal;
  bounded<double> beyond_max;
};
stored_masses masses_of(const stored_variable& stored);
bounded<double> mass_beyond_max(const stored_variable& stored);

/// H of any function of the code, by going through all codes. Throws std::domain_error for formats
/// of more than 20 bits and for rounding by chance.
bounded<bits> mapped_entropy(const stored_variable& stored,
                             const std::function<std::uint64_t(std::uint64_t)>& of);

/// H of any part of the code alone, bit by bit the ones in the mask: by going through all codes.
/// Formats of more than 20 bits have that of their leading bits, of the exponent and, where the law
/// is smooth enough for a good error bar, of the mantissa and of the last byte; nothing else.
std::optional<bounded<bits>> marginal_entropy(const stored_variable& stored, std::uint64_t mask);

}  // namespace ktln2
