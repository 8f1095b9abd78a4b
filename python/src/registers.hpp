#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::python {

/// A format and how numbers come into it.
class number_register {
 public:
  /// Without a rounding or an overflow, as the format usually has them. Throws std::domain_error
  /// that says what was expected, also for formats whose numbers share a scale.
  number_register(const std::string& name, const std::string& rounding,
                  const std::string& overflow);

  struct ideal_kept {
    float_format format;
    rounding how = rounding::nearest;
    partition cells;
  };
  struct number_kept {
    number_format format;
    storing rule;
  };
  /// The paper's format, or null.
  [[nodiscard]] const ideal_kept* ideal() const { return std::get_if<ideal_kept>(&kept_); }
  /// One that people own; there is one if there is no ideal one.
  [[nodiscard]] const number_kept& number() const { return std::get<number_kept>(kept_); }

  [[nodiscard]] std::string name() const;
  [[nodiscard]] int width() const;
  [[nodiscard]] std::string rounding_name() const;

  [[nodiscard]] bounded<bits> entropy(const law& x, bits tolerance) const;
  [[nodiscard]] field_entropies by_field(const law& x, bits tolerance) const;
  [[nodiscard]] std::vector<bit_entropy> by_bit(const law& x, bits tolerance) const;

  /// Equally spaced magnitudes above zero, ascending.
  struct run {
    double start;
    double spacing;
    double count;
  };
  [[nodiscard]] std::vector<run> runs() const;

 private:
  [[nodiscard]] stored_variable stored(const law& x, bits tolerance) const {
    return {number().format, number().rule, x, tolerance};
  }

  std::variant<ideal_kept, number_kept> kept_;
};

}  // namespace ktln2::python
