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
/// deviation σ has. With the entropies H of what was counted (plug-in) and N of the normal law, for
/// all of n numbers and for the n_t of tensor t, and H', N' for numbers that are not 0:
///     gap     = H - N(σ)        = pooling + zeros + tails + scales, exactly
///     pooling = H - Σ n_t/n H_t = I(code; tensor), what the code says of where it stands
///     zeros   = Σ n_t/n ((H_t - H'_t) - (N(σ_t) - N'(σ_t)))
///     tails   = Σ n_t/n (H'_t - N'(σ_t)), the shape of the law of each tensor
///     scales  = Σ n_t/n N(σ_t) - N(σ), which is small where a format is wide enough
/// Of tensors that are constant N is 0.
struct explained_gap {
  bits counted;  ///< H
  bits normal;   ///< N(σ)
  bits pooling;
  bits pooling_bias;  ///< by which I is too large, to leading order: (Σ(codes_t - 1) - (codes -
                      ///< 1))/2n
  bits zeros;
  bits tails;
  bits scales;
  double kurtosis = 0;  ///< of the tensors, their mean by size; 3 of a normal law

  [[nodiscard]] bits gap() const { return counted - normal; }
};

/// Some tensors of equal elements, taken together one after another.
class tensor_group {
 public:
  explicit tensor_group(data::element type) : pooled_{std::move(type)} {}

  void add(const tensor_counts& tensor);
  [[nodiscard]] const tensor_counts& pooled() const { return pooled_; }
  /// Nothing for numbers without a format, and for no numbers.
  [[nodiscard]] std::optional<explained_gap> explain() const;

 private:
  /// Sums over tensors, each times the count of its numbers.
  struct weighted {
    double entropy = 0;
    double entropy_but_zeros = 0;
    double normal = 0;
    double normal_but_zeros = 0;
    double kurtosis = 0;
  };

  tensor_counts pooled_;
  weighted sums_;
  double codes_ = 0;  ///< Σ(codes_t - 1)
};

/// The fourth moment over the squared variance, of finite numbers; those of more than 16 bits as if
/// their leading bits were all. 0 for constants.
double kurtosis_of(const tensor_counts& counts);

}  // namespace ktln2::measure
