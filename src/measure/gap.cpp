#include "ktln2/measure/gap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ktln2::measure {
namespace {

bounded<bits> estimate(const code_table& table, estimator how) {
  return entropy_of_counts(table.counts(), table.bits(), how);
}

/// What a counted code stands for: of a wide one, as if the bits below were 0.
std::optional<wide> value_of_code(const tensor_counts& counts, std::uint32_t code) {
  const std::uint64_t whole = std::uint64_t{code} << counts.low_bits();
  const auto& format = counts.type().format;
  return format ? format->value(whole) : wide::from_integer(whole);
}

/// The same numbers without zeros. A wide number whose leading bits are 0 is taken for one.
code_table but_zeros(const tensor_counts& counts) {
  code_table left(counts.codes().bits());
  for (const auto& [code, times] : counts.codes().seen()) {
    const auto value = value_of_code(counts, code);
    if (!value || !value->is_zero()) left.add(code, times);
  }
  return left;
}

double binary_entropy(double p) {
  if (p <= 0 || p >= 1) return 0;
  return -(p * std::log2(p) + (1 - p) * std::log1p(-p) / std::numbers::ln2);
}

/// Of H = h(z) + z H(code | zero) + (1 - z) H', the last. A normal law has both zeros alike.
double normal_but_zeros(const number_format& format, const normal_prediction& normal) {
  const double z = normal.zeros.value;
  if (z >= 1) return 0;
  const bool two = format.fields().zero == float_description::zeros::signed_zero;
  return (normal.counted.value.value() - binary_entropy(z) - (two ? z : 0)) / (1 - z);
}

/// Ĥ - Ĥ' = h(z) + z (H(code | zero) - H'), which is known as well as the share z of n numbers and
/// H' are. What the signs of zeros carry is less than a bit.
bounded<bits> of_zeros(const bounded<bits>& all, const bounded<bits>& but_zeros, double z,
                       double n) {
  bounded<bits> made{all.value - but_zeros.value, z * but_zeros.error};
  if (z <= 0 || z >= 1) return made;
  const double slope = std::fabs(std::log2((1 - z) / z) - but_zeros.value.value()) + 1;
  made.error += bits{1.96 * std::sqrt(z * (1 - z) / n) * slope};
  return made;
}

}  // namespace

std::optional<normal_prediction> predict_normal(const data::element& type, double deviation) {
  if (!type.format || !std::isfinite(deviation) || deviation <= 0) return {};
  const stored_variable stored{*type.format, type.format->usual(), normal(0, deviation)};
  const leading_entropy leading = exact_leading_entropy(stored);
  return normal_prediction{entropy_by_field(stored, leading), leading(std::min(16, type.bits)),
                           masses_of(stored).zero};
}

double kurtosis_of(const tensor_counts& counts, const number_facts& facts) {
  if (facts.deviation == 0 || facts.finite() == 0) return 0;
  double sum = 0;
  for (const auto& [code, times] : counts.codes().seen()) {
    const auto value = value_of_code(counts, code);
    if (!value || value->is_infinite()) continue;
    const double off = (value->to_double() - facts.mean) / facts.deviation;
    sum += static_cast<double>(times) * off * off * off * off;
  }
  return sum / static_cast<double>(facts.finite());
}

bool explained_gap::is_seen() const {
  const auto is_large = [this](const bounded<bits>& part) {
    const bits open = std::max(part.error, estimated.error);
    return part.value > open || -part.value > open;
  };
  return is_large(gap()) || is_large(pooling) || is_large(zeros) || is_large(tails) ||
         is_large(exactly(scales)) || is_large(low_bits);
}

void tensor_group::add(const tensor_counts& tensor) {
  pooled_ += tensor;
  facts_.reset();
  if (tensor.count() == 0) return;
  const number_facts facts = tensor.facts();
  ++tensors_;
  const auto n = static_cast<double>(tensor.count());
  const code_table left = but_zeros(tensor);
  const bounded<bits> best = estimate(tensor.codes(), best_estimator);
  const bool has_zeros = left.total() < tensor.count();
  const bounded<bits> best_but_zeros = has_zeros ? estimate(left, best_estimator) : best;
  const double z = 1 - static_cast<double>(left.total()) / n;
  sums_.entropy += n * (how_ == best_estimator ? best : estimate(tensor.codes(), how_));
  sums_.best += n * best;
  sums_.best_but_zeros += n * best_but_zeros;
  sums_.of_zeros += n * of_zeros(best, best_but_zeros, z, n);
  sums_.kurtosis += n * kurtosis_of(tensor, facts);
  if (const auto normal = predict_normal(tensor.type(), facts.deviation)) {
    sums_.normal += n * normal->counted.value;
    sums_.normal_but_zeros += n * bits{normal_but_zeros(*tensor.type().format, *normal)};
  }
}

const number_facts& tensor_group::facts() const {
  if (!facts_) facts_ = pooled_.facts();
  return *facts_;
}

std::optional<explained_gap> tensor_group::explain() const {
  if (!pooled_.type().format || pooled_.count() == 0) return {};
  const auto n = static_cast<double>(pooled_.count());
  const auto normal = predict_normal(pooled_.type(), facts().deviation);
  const bits of_normal = normal ? normal->counted.value : bits{0};
  const bits below_of_normal =
      normal && pooled_.low_bits() > 0 ? normal->of_code.fields.total.value - of_normal : bits{0};
  const bounded<bits> below = low_entropy(pooled_, how_);
  const bounded<bits> entropy = estimate(pooled_.codes(), how_);
  const bits bias = entropy.value - estimate(pooled_.codes(), best_estimator).value;

  explained_gap found;
  found.estimated = entropy + below;
  found.normal = of_normal + below_of_normal;
  found.few_numbers = (sums_.entropy.value - sums_.best.value) / n;
  // What one tensor carries is no other thing than what all do.
  found.pooling = tensors_ > 1 ? entropy - sums_.entropy / n : exactly(bits{0});
  found.pooling_bias = tensors_ > 1 ? bias - found.few_numbers : bits{0};
  found.zeros = (sums_.of_zeros - exactly(sums_.normal - sums_.normal_but_zeros)) / n;
  found.tails = (sums_.best_but_zeros - exactly(sums_.normal_but_zeros)) / n;
  found.scales = sums_.normal / n - of_normal;
  found.low_bits = below - exactly(below_of_normal);
  found.kurtosis = sums_.kurtosis / n;
  return found;
}

}  // namespace ktln2::measure
