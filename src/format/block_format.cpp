#include "ktln2/format/block_format.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "core/nearest.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2 {
namespace {

constexpr int most_elements = 256;
constexpr int scale_bias = 127;  ///< of E8M0

number_format catalogued(std::string_view name) { return find_number_format(name).value(); }

/// Does a largest magnitude on the threshold have the scale above it?
bool takes_threshold(scale_policy policy) {
  return policy == scale_policy::floor || policy == scale_policy::even;
}

/// A double on the same side as x / by of every number with up to 32 bits. The edges of elements
/// and of scales are such numbers.
double quotient_beside(double x, const wide& by) {
  const double q = (wide(x) / by).to_double();
  if (!std::isfinite(q)) return q;
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(q, &exponent), 32);
  if (digits != std::nearbyint(digits)) return q;
  const wide product = wide(q) * by;  // exact: 32 bits and at most 57
  if (product == wide(x)) return q;
  return std::nextafter(q, product < wide(x) ? infinity : -infinity);
}

struct named_blocks {
  block_entry entry;
  std::string_view element;
  int size;
  scale_policy policy;
};

const std::vector<named_blocks>& all_named_blocks() {
  using enum scale_policy;
  static const std::vector<named_blocks> all{
      {{"mxfp8e4m3", "OCP microscaling, 8-bit", {"mxfp8", "mxfp8_e4m3"}}, "e4m3", 32, floor},
      {{"mxfp8e5m2", "OCP microscaling, 8-bit", {"mxfp8_e5m2"}}, "e5m2", 32, floor},
      {{"mxfp6e3m2", "OCP microscaling, 6-bit", {"mxfp6_e3m2"}}, "e3m2", 32, floor},
      {{"mxfp6e2m3", "OCP microscaling, 6-bit", {"mxfp6_e2m3"}}, "e2m3", 32, floor},
      {{"mxfp4", "OCP microscaling, 4-bit", {"mxfp4e2m1", "mxfp4_e2m1"}}, "e2m1", 32, floor},
      {{"mxint8", "OCP microscaling, integers", {}}, "mxint8", 32, floor},
      {{"mxint8s", "the same without the lowest", {}}, "mxint8s", 32, floor},
      {{"nvfp4", "NVIDIA's, 4-bit", {"nvfp4e2m1", "nvfp4_e2m1"}}, "e2m1", 16, nearest},
  };
  return all;
}

const std::vector<std::string>& policy_names() {
  static const std::vector<std::string> all{"floor", "ceil", "rceil", "even", "nearest"};
  return all;
}

}  // namespace

block_format::block_format(std::string name, number_format element, int size, scale_policy policy)
    : name_{std::move(name)},
      element_{std::move(element)},
      scale_{catalogued(policy == scale_policy::nearest ? "e4m3" : "e8m0")},
      size_{size},
      policy_{policy} {
  require_in_range(name_, "the size of a block", size, 1, most_elements);
}

block_format block_format::with_policy(scale_policy policy) const {
  if ((policy == scale_policy::nearest) != has_second_level()) {
    throw std::domain_error(name_ + " has no scale policy '" + std::string(name_of(policy)) +
                            "': expected " +
                            (has_second_level() ? "nearest" : "floor, ceil, rceil or even"));
  }
  block_format made = *this;
  made.policy_ = policy;
  return made;
}

block_format block_format::with_second_level_scale(double g) const {
  if (!has_second_level()) throw std::domain_error(name_ + " has no second-level scale");
  require_positive(name_, "the second-level scale", g);
  block_format made = *this;
  made.second_level_ = g;
  return made;
}

block_format block_format::with_size(int size) const {
  require_in_range(name_, "the size of a block", size, 1, most_elements);
  block_format made = *this;
  made.size_ = size;
  return made;
}

wide block_format::threshold() const {
  const wide max = element_.max();
  const wide power = wide(1.0).scaled(max.exponent());
  switch (policy_) {
    case scale_policy::ceil:
      return power.scaled(-1);
    case scale_policy::rceil:
      return max.scaled(-1);
    case scale_policy::even: {  // what is rounded to the next power of two
      const bool is_float = element_.kind() == number_format::family::floating;
      const int mantissa_bits = element_.fields().p - (is_float ? 1 : 0);
      return power - power.scaled(-mantissa_bits - 2);
    }
    case scale_policy::floor:
    case scale_policy::nearest:
      break;
  }
  return power;
}

wide block_format::scale_value(std::uint64_t code) const {
  const auto value = scale_.value(code);
  if (!value) throw std::domain_error(name_ + ": a scale is no NaN, got " + std::to_string(code));
  return *value * wide(second_level_);
}

std::vector<block_scale> block_format::scales() const {
  std::vector<block_scale> all;
  const wide begin = threshold();
  const wide largest = element_.max() * wide(second_level_);
  for (std::uint64_t code = 0; code <= scale_.largest(); ++code) {
    const wide from = has_second_level()
                          ? cell_of(scale_, element_rule(), false, code, code).left * largest
                          : begin.scaled(static_cast<int>(code) - scale_bias);
    if (code > 0) all.back().to = from;
    all.push_back({code, scale_value(code), code == 0 ? wide(0.0) : from, infinity});
  }
  return all;
}

std::uint64_t block_format::scale_code(double largest) const {
  const double a = std::fabs(largest);
  if (has_second_level()) {
    const double wanted = quotient_beside(a, element_.max() * wide(second_level_));
    return scale_.quantize(wanted, element_rule());
  }
  if (a == 0) return 0;
  if (std::isinf(a)) return scale_.largest();
  const wide begin = threshold();
  int k = std::ilogb(a) - begin.exponent();
  const wide from = begin.scaled(k);
  if (wide(a) < from || (wide(a) == from && !takes_threshold(policy_))) --k;
  return static_cast<std::uint64_t>(
      std::clamp(k + scale_bias, 0, static_cast<int>(scale_.largest())));
}

std::uint64_t block_format::element_code(double x, const wide& by) const {
  // Whatever a scale of 0 is multiplied with, it is nothing but a sign.
  const double q = by.is_zero() ? std::copysign(0.0, x) : quotient_beside(x, by);
  return element_.quantize(x == 0 ? x : q, element_rule());
}

stored_block block_format::quantize(std::span<const double> x) const {
  if (x.size() != static_cast<std::size_t>(size_)) {
    throw std::domain_error(name_ + ": a block has " + std::to_string(size_) + " numbers, got " +
                            std::to_string(x.size()));
  }
  double largest = 0;
  for (const double one : x) {
    if (std::isnan(one)) throw std::domain_error(name_ + ": a block of numbers holds no NaN");
    largest = std::max(largest, std::fabs(one));
  }
  stored_block made{scale_code(largest), {}};
  const wide by = scale_value(made.scale_code);
  for (const double one : x) made.codes.push_back(element_code(one, by));
  return made;
}

std::optional<wide> block_format::value(std::uint64_t scale_code, std::uint64_t code) const {
  const auto element = element_.value(code);
  if (!element) return {};
  return *element * scale_value(scale_code);
}

const std::vector<block_entry>& block_catalogue() {
  static const std::vector<block_entry> all = [] {
    std::vector<block_entry> list;
    for (const named_blocks& one : all_named_blocks()) list.push_back(one.entry);
    return list;
  }();
  return all;
}

std::optional<block_format> find_block_format(std::string_view name) {
  std::string small(name);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const named_blocks& one : all_named_blocks()) {
    const auto& others = one.entry.also_called;
    if (small == one.entry.name || std::find(others.begin(), others.end(), small) != others.end()) {
      return block_format{std::string(one.entry.name), catalogued(one.element), one.size,
                          one.policy};
    }
  }
  return {};
}

scale_policy parse_scale_policy(std::string_view name) {
  const auto& all = policy_names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) {
    throw std::domain_error("scale-policy must be " + listed(all) + ", got '" + std::string(name) +
                            "'");
  }
  return static_cast<scale_policy>(found - all.begin());
}

std::string_view name_of(scale_policy policy) {
  return policy_names()[static_cast<std::size_t>(policy)];
}

}  // namespace ktln2
