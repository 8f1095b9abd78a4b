#pragma once

#include <optional>

#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/measure/code_fields.hpp"

namespace ktln2::measure {

/// What theory says of numbers that are N(0, deviation²).
struct normal_prediction {
  number_fields of_code;  ///< of the whole code, with its fields
  bounded<bits> counted;  ///< of the code, or of its 16 leading bits, as code_fields::counted
  bounded<double> zeros;  ///< the share of zeros
};
/// Nothing for numbers without a format and for a deviation that is 0 or no finite number.
std::optional<normal_prediction> predict_normal(const data::element& type, double deviation);

/// Why the codes of some tensors together do not have the entropy that a normal law of their
/// deviation σ has. With entropies H as they are estimated, Ĥ by the best estimator, N of the
/// normal law, for all of n numbers and for the n_t of tensor t, and Ĥ', N' for numbers that are
/// not 0, all of codes or of their 16 leading bits:
///     gap         = H - N(σ), of the whole code, is the sum of all that follow, exactly
///     pooling     = H - Σ n_t/n H_t, what the code says of where it stands: by the plug-in
///                   exactly I(code; tensor) of what was counted
///     few_numbers = Σ n_t/n (H_t - Ĥ_t), the bias of another estimator than the best
///     zeros       = Σ n_t/n ((Ĥ_t - Ĥ'_t) - (N(σ_t) - N'(σ_t)))
///     tails       = Σ n_t/n (Ĥ'_t - N'(σ_t)), the shape of the law of each tensor
///     scales      = Σ n_t/n N(σ_t) - N(σ), which is small where a format is wide enough
///     low_bits    = what the bytes below carry, each by itself, less those of the normal law
/// Of tensors that are constant N is 0. The errors are those of the entropies H, added up, as if
/// each σ were known.
struct explained_gap {
  bounded<bits> estimated;  ///< H
  bits normal;              ///< N(σ)
  bounded<bits> pooling;
  bits pooling_bias;  ///< by which it is larger than by the best estimator
  bits few_numbers;
  bounded<bits> zeros;
  bounded<bits> tails;
  bits scales;
  bounded<bits> low_bits;
  double kurtosis = 0;  ///< of the tensors, their mean by size; 3 of a normal law

  [[nodiscard]] bounded<bits> gap() const { return estimated - exactly(normal); }
  /// Is the gap, or one of its parts, more than what few numbers leave open?
  [[nodiscard]] bool is_seen() const;
};

/// Some tensors of equal elements, taken together one after another.
class tensor_group {
 public:
  explicit tensor_group(data::element type, estimator how = best_estimator)
      : pooled_{std::move(type)}, how_{how} {}

  void add(const tensor_counts& tensor);
  [[nodiscard]] const tensor_counts& pooled() const { return pooled_; }
  /// Of all together; looked up once, for it takes as long as the rest. A group belongs to a
  /// thread.
  [[nodiscard]] const number_facts& facts() const;
  /// Nothing for numbers without a format, and for no numbers.
  [[nodiscard]] std::optional<explained_gap> explain() const;

 private:
  /// Sums over tensors, each times the count of its numbers.
  struct weighted {
    bounded<bits> entropy = exactly(bits{0});         ///< H
    bounded<bits> best = exactly(bits{0});            ///< Ĥ
    bounded<bits> best_but_zeros = exactly(bits{0});  ///< Ĥ'
    bounded<bits> of_zeros = exactly(bits{0});        ///< Ĥ - Ĥ'
    bits normal;
    bits normal_but_zeros;
    double kurtosis = 0;
  };

  tensor_counts pooled_;
  mutable std::optional<number_facts> facts_ = {};  ///< of these, once they were asked for
  estimator how_;
  weighted sums_;
  std::size_t tensors_ = 0;  ///< that are not empty
};

/// The fourth moment over the squared variance, of finite numbers; those of more than 16 bits as if
/// their leading bits were all. 0 for constants.
double kurtosis_of(const tensor_counts& counts, const number_facts& facts);

}  // namespace ktln2::measure
