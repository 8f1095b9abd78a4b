#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// How the scale of a block follows from its largest magnitude, max. The first four make powers of
/// two, of elements below 2^(emax + 1):
enum class scale_policy {
  floor,    ///< 2^floor(log2 max) / 2^emax: OCP's, the largest elements may saturate
  ceil,     ///< 2^ceil(log2 max) / 2^emax
  rceil,    ///< the least that max / scale needs to be at most the element's largest: NVIDIA's
  even,     ///< as floor, of max rounded to the element's mantissa; an integer's has all bits but
            ///< the sign
  nearest,  ///< max over the element's largest and over a scale of all blocks, rounded to E4M3
};

/// A scale and the blocks that have it.
struct block_scale {
  std::uint64_t code = 0;
  wide value;  ///< what its elements are multiplied with, that of all blocks included; perhaps 0
  wide from;   ///< their largest magnitudes lie from here
  wide to;     ///< to here
};

/// A block as it is stored.
struct stored_block {
  std::uint64_t scale_code = 0;
  std::vector<std::uint64_t> codes;

  friend bool operator==(const stored_block&, const stored_block&) = default;
};

/// Some numbers that share a scale: OCP's microscaling (MX) formats and NVFP4. The elements are
/// rounded to nearest, ties to even, and saturate.
class block_format {
 public:
  /// The scale is an E8M0, or an E4M3 for scale_policy::nearest. Throws std::domain_error unless
  /// 1 ≤ size ≤ 256.
  block_format(std::string name, number_format element, int size, scale_policy policy);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const number_format& element() const { return element_; }
  [[nodiscard]] const number_format& scale() const { return scale_; }
  [[nodiscard]] int size() const { return size_; }  ///< elements of a block
  [[nodiscard]] scale_policy policy() const { return policy_; }
  /// What all scales are multiplied with, where they are rounded to nearest.
  [[nodiscard]] double second_level_scale() const { return second_level_; }
  [[nodiscard]] bool has_second_level() const { return policy_ == scale_policy::nearest; }
  /// Of an element, with its share of the scale.
  [[nodiscard]] double bits_per_element() const {
    return element_.width() + static_cast<double>(scale_.width()) / size_;
  }

  /// The same with another policy; powers of two stay powers of two. Throws std::domain_error.
  [[nodiscard]] block_format with_policy(scale_policy policy) const;
  /// Throws std::domain_error unless it is finite and > 0, and if the format has none.
  [[nodiscard]] block_format with_second_level_scale(double g) const;
  [[nodiscard]] block_format with_size(int size) const;

  /// How its elements are stored.
  static storing element_rule() { return {rounding::nearest_even, overflow::saturate}; }
  /// All scales, ascending: their blocks make up all that there are.
  [[nodiscard]] std::vector<block_scale> scales() const;
  /// That of a scale's code, with that of all blocks.
  [[nodiscard]] wide scale_value(std::uint64_t code) const;
  [[nodiscard]] std::uint64_t scale_code(double largest) const;

  /// Exactly, as if it were divided without rounding. Infinities saturate. Throws std::domain_error
  /// unless there are size() numbers, and for NaN.
  [[nodiscard]] stored_block quantize(std::span<const double> x) const;
  /// What an element stands for; nothing for NaN.
  [[nodiscard]] std::optional<wide> value(std::uint64_t scale_code, std::uint64_t code) const;

 private:
  /// Scale 1 begins at this largest magnitude, for powers of two.
  [[nodiscard]] wide threshold() const;
  [[nodiscard]] std::uint64_t element_code(double x, const wide& by) const;

  std::string name_;
  number_format element_;
  number_format scale_;
  int size_;
  scale_policy policy_;
  double second_level_ = 1;
};

/// A block format by name, and what else people call it.
struct block_entry {
  std::string_view name;
  std::string_view what;
  std::vector<std::string_view> also_called = {};
};

/// All that have a name.
const std::vector<block_entry>& block_catalogue();

/// From a name such as "mxfp4" or "nvfp4"; capitals are small letters. Nothing for any other name.
/// "mxint8" and "mxint8s" are here the blocks, in number_catalogue.hpp their elements.
std::optional<block_format> find_block_format(std::string_view name);

/// "floor" … ; throws std::domain_error that lists what there is.
scale_policy parse_scale_policy(std::string_view name);
std::string_view name_of(scale_policy policy);

}  // namespace ktln2
