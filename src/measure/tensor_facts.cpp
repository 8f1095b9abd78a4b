// What the counts of a tensor say of its numbers, and the counts as bytes.
#include <cmath>
#include <limits>
#include <utility>

#include "ktln2/measure/tensor_counts.hpp"
#include "measure/element_kind.hpp"

namespace ktln2::measure {

number_facts tensor_counts::facts() const {
  number_facts found;
  if (type_.bits <= 16) {
    found = facts_of_codes();
  } else {
    const bool are_floats = is_ieee<std::uint32_t>(type_) || is_ieee<std::uint64_t>(type_);
    found.zeros = seen_.zeros;
    found.infinities = seen_.infinities;
    found.nans = seen_.nans;
    if (seen_.largest >= 0) found.largest = seen_.largest;
    if (std::isfinite(seen_.smallest)) found.smallest = seen_.smallest;
    if (are_floats) {  // without an exponent, and not zero
      const std::uint32_t last = type_.bits == 32 ? 0x7f : 0xf;
      found.subnormals = codes_.count(0, last) + codes_.count(0x8000, 0x8000 | last) - found.zeros;
    }
    const moments of = sums_.moments_of(count() - seen_.infinities - seen_.nans);
    found.mean = of.mean;
    found.deviation = of.deviation;
  }
  found.count = count();
  constexpr auto none = std::numeric_limits<std::uint64_t>::max();
  if (seen_.first_nan != none) found.first_nan = seen_.first_nan;
  return found;
}

number_facts tensor_counts::facts_of_codes() const {
  number_facts found;
  exact_sums sums;
  wide smallest = 0.0;
  wide largest = -1.0;
  std::uint64_t finite = 0;
  wide normal = 0.0;  // the smallest one
  if (type_.format && type_.format->kind() == number_format::family::floating &&
      type_.format->fields().subnormals) {
    normal = wide(1.0).scaled(1 - type_.format->fields().bias);
  }
  for (const auto& [code, times] : codes_.seen()) {
    const std::optional<wide> value =
        type_.format ? type_.format->value(code) : wide::from_integer(code);
    if (!value || value->is_infinite()) {
      (value ? found.infinities : found.nans) += times;
      continue;
    }
    finite += times;
    const wide a = abs(*value);
    sums.add(*value, times);
    if (largest < a) largest = a;
    if (a.is_zero()) {
      found.zeros += times;
    } else {
      if (a < normal) found.subnormals += times;
      if (smallest.is_zero() || a < smallest) smallest = a;
    }
  }
  if (finite > 0) found.largest = largest.to_double();
  if (!smallest.is_zero()) found.smallest = smallest.to_double();
  const moments of = sums.moments_of(finite);
  found.mean = of.mean;
  found.deviation = of.deviation;
  return found;
}

void tensor_counts::put_into(byte_writer& bytes) const {
  bytes.put_all(codes_.seen());
  const auto put = [&bytes](const std::vector<code_table>& tables) {
    for (const code_table& one : tables) bytes.put_all(one.seen());
  };
  for (const auto& part : low_sample_) put(part);
  put(low_rest_);
  sums_.put_into(bytes);
  bytes.put(seen_);
  bytes.put(digest_);
  for (const candidate& one : narrower_) bytes.put(one.holds_all);
}

tensor_counts tensor_counts::from(data::element type, byte_reader& bytes) {
  tensor_counts made{std::move(type)};
  const auto fill = [&bytes](code_table& table) {
    for (const auto& [code, times] : bytes.get_all<code_table::entry>()) table.add(code, times);
  };
  fill(made.codes_);
  const auto fill_all = [&fill](std::vector<code_table>& tables) {
    for (code_table& one : tables) fill(one);
  };
  for (auto& part : made.low_sample_) fill_all(part);
  fill_all(made.low_rest_);
  made.sums_ = exact_sums::from(bytes);
  made.seen_ = bytes.get<census>();
  made.digest_ = bytes.get<std::uint64_t>();
  for (candidate& one : made.narrower_) one.holds_all = bytes.get<bool>();
  return made;
}

}  // namespace ktln2::measure
