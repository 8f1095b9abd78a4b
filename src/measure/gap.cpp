#include "ktln2/measure/gap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ktln2::measure {
namespace {

double plug_in(const code_table& table) {
  return entropy_of_counts(table.counts(), table.bits(), estimator::plug_in).value.value();
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

}  // namespace

std::optional<normal_prediction> predict_normal(const data::element& type, double deviation) {
  if (!type.format || !std::isfinite(deviation) || deviation <= 0) return {};
  const stored_variable stored{*type.format, type.format->usual(), normal(0, deviation)};
  const leading_entropy leading = exact_leading_entropy(stored);
  return normal_prediction{entropy_by_field(stored, leading), leading(std::min(16, type.bits)),
                           masses_of(stored).zero};
}

double kurtosis_of(const tensor_counts& counts) {
  const number_facts facts = counts.facts();
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

void tensor_group::add(const tensor_counts& tensor) {
  pooled_ += tensor;
  if (tensor.count() == 0) return;
  const auto n = static_cast<double>(tensor.count());
  const double entropy = plug_in(tensor.codes());
  sums_.entropy += n * entropy;
  sums_.entropy_but_zeros += n * plug_in(but_zeros(tensor));
  sums_.kurtosis += n * kurtosis_of(tensor);
  codes_ += static_cast<double>(tensor.codes().seen().size()) - 1;
  if (const auto normal = predict_normal(tensor.type(), tensor.facts().deviation)) {
    sums_.normal += n * normal->counted.value.value();
    sums_.normal_but_zeros += n * normal_but_zeros(*tensor.type().format, *normal);
  }
}

std::optional<explained_gap> tensor_group::explain() const {
  if (!pooled_.type().format || pooled_.count() == 0) return {};
  const auto n = static_cast<double>(pooled_.count());
  const auto normal = predict_normal(pooled_.type(), pooled_.facts().deviation);
  explained_gap found;
  const double entropy = plug_in(pooled_.codes());
  found.counted = bits{entropy};
  found.normal = normal ? normal->counted.value : bits{0};
  found.pooling = bits{entropy - sums_.entropy / n};
  const double codes = static_cast<double>(pooled_.codes().seen().size()) - 1;
  found.pooling_bias = bits{(codes_ - codes) / (2 * n * std::numbers::ln2)};
  found.zeros = bits{
      ((sums_.entropy - sums_.entropy_but_zeros) - (sums_.normal - sums_.normal_but_zeros)) / n};
  found.tails = bits{(sums_.entropy_but_zeros - sums_.normal_but_zeros) / n};
  found.scales = bits{sums_.normal / n} - found.normal;
  found.kurtosis = sums_.kurtosis / n;
  return found;
}

}  // namespace ktln2::measure
