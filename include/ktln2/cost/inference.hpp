#pragma once

#include "ktln2/cost/device.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2 {

/// One prediction: x ~ N(0, σ_x²) is stored, multiplied by the slope, and the product is stored in
/// the same format; x is forgotten.
struct inference_cost {
  cyclic_device device;  ///< x_fp in, Q(slope·x_fp) out
  bits ideal;  ///< H(X_fp) - H(Q(slope·X)): the product of the number before it was stored
};

/// The paper's smooth entropies make a prediction free. On registers x ↦ Q(slope·x) merges inputs
/// wherever the mantissa of the product spills over: with slope = ±2^k m, 1 ≤ m < 2, the products
/// of x with mantissas above 2/m stand closer than the values that can hold them, and the share
/// 2 - m of these x lies in pairs that become one. That costs
///     (2 - m) P(mantissa of x > 2/m) bits
/// up to O(2^-p); exactly, it is a sum over the pairs, which are counted and not looked at one by
/// one: the error is below 1e-9 bits, and the time the same, for every format and slope.
/// Formats that people own are gone through code by code: they have at most 20 bits.
/// Throws std::domain_error for others, and unless the slope is finite and sigma_x finite and > 0.
inference_cost inference(const storage& where, double slope, double sigma_x);
inline inference_cost inference(const float_format& format, double slope, double sigma_x) {
  return inference(storage{format}, slope, sigma_x);
}

/// H(Q(slope·x_fp)) of that.
bounded<bits> inference_output_entropy(const storage& where, double slope, double sigma_x);

/// What is lost, H(x_fp) less that, by looking at every value: for formats of up to 28 bits.
bounded<bits> enumerated_inference_loss(const float_format& format, double slope, double sigma_x);

}  // namespace ktln2
