#include "ktln2/format/number_quantize.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/constants.hpp"
#include "core/processor.hpp"
#include "format/array_run.hpp"
#include "format/number_kernel.hpp"
#include "format/number_levels.hpp"
#include "format/portable_lanes.hpp"

namespace ktln2 {
namespace {

using kernel::number_kernel;
using kernel::number_kernel_set;

template <class In>
using word_of = std::conditional_t<sizeof(In) == sizeof(double), std::uint64_t, std::uint32_t>;

template <class In, class Stored>
const number_kernel<word_of<In>>& kernel_in(const number_kernel_set& all) {
  if constexpr (std::is_same_v<In, float>) {
    if constexpr (std::is_same_v<Stored, float>) {
      return all.float_values;
    } else {
      return sizeof(Stored) == 1 ? all.float_codes8 : all.float_codes16;
    }
  } else if constexpr (std::is_same_v<Stored, double>) {
    return all.values;
  } else if constexpr (sizeof(Stored) == 8) {
    return all.codes64;
  } else {
    return sizeof(Stored) == 1 ? all.codes8 : all.codes16;
  }
}

/// One by one, so that a program has those alone that it calls.
template <class In, class Stored>
constexpr const auto& portable_kernel = kernel::number_kernel_of<
    std::conditional_t<std::is_same_v<In, double>, kernel::portable_lanes,
                       kernel::portable_float_lanes>,
    std::conditional_t<std::is_floating_point_v<Stored>, word_of<In>, Stored>,
    std::is_floating_point_v<Stored>>;

template <class In, class Stored>
const number_kernel<word_of<In>>& kernel_for(array_kernels use) {
  const number_kernel_set* avx2 = kernel::avx2_number_kernels();
  const bool takes_it = use == array_kernels::fastest && processor_has_avx2();
  return takes_it && avx2 != nullptr ? kernel_in<In, Stored>(*avx2) : portable_kernel<In, Stored>;
}

/// One element, by the definition.
class number_store {
 public:
  number_store(const char* where, const number_format& format, const std::optional<storing>& rule)
      : where_{where}, format_{format}, rule_{rule.value_or(format.usual())} {
    format.require(rule_);
    if (rule_.by_chance) (void)format.quantize(0, rule_);  // throws, and says why
  }

  [[nodiscard]] const char* where() const { return where_; }
  [[nodiscard]] const number_format& format() const { return format_; }
  [[nodiscard]] const storing& rule() const { return rule_; }

  [[nodiscard]] std::uint64_t code(double x, std::size_t index) const {
    try {
      return format_.quantize(x, rule_);
    } catch (const std::domain_error& error) {
      throw std::domain_error(array_run::element(where_, index) + ": " + error.what());
    }
  }

  template <class Stored>
  [[nodiscard]] Stored stored(double x, std::size_t index) const {
    if constexpr (std::is_floating_point_v<Stored>) {
      return static_cast<Stored>(value_of(code(x, index), index));
    } else {
      return static_cast<Stored>(code(x, index));
    }
  }

  /// The value of a code that the format has.
  [[nodiscard]] double value_of(std::uint64_t code, std::size_t index) const {
    const std::optional<wide> value = format_.value(code);
    if (!value) return undefined;
    const double stored = value->to_double();
    if (std::isinf(stored) != value->is_infinite() || (stored == 0) != value->is_zero()) {
      throw std::domain_error(array_run::element(where_, index) + ": code " + std::to_string(code) +
                              " of " + format_.name() + " is outside the range of double");
    }
    return stored;
  }

 private:
  const char* where_;
  const number_format& format_;
  storing rule_;
};

/// Values are multiples of their spacing, a power of two. If the larger of the last two, whose
/// multiple is odd, is a float, so are those below it.
void require_floats(const char* where, const number_format& format) {
  const auto is_float = [](const wide& value) {
    const double x = value.to_double();
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    return wide(x) == value && std::fabs(x) <= most &&
           static_cast<double>(static_cast<float>(x)) == x;
  };
  for (const magnitude_run& run : format.runs()) {
    const std::uint64_t before = run.count > 1 ? run.last() - 1 : run.last();
    if (is_float(run.value(run.last())) && is_float(run.value(before))) continue;
    throw std::domain_error(std::string(where) + ": not every value of " + format.name() +
                            " is a float: expected an array of doubles");
  }
}

void require_room(const char* where, const number_format& format, std::size_t bytes) {
  if (static_cast<std::size_t>(format.width()) <= 8 * bytes) return;
  throw std::domain_error(std::string(where) + ": the codes of " + format.name() + " need " +
                          std::to_string(format.width()) + " bits, more than " +
                          std::to_string(8 * bytes));
}

/// Two's complement, ties to even: multiples of a unit, from the lowest to the largest.
struct fixed_levels {
  double unit;
  double low;
  double high;

  [[nodiscard]] double operator()(double x) const {
    constexpr double magic = 0x1.8p52;  // what is added to it becomes whole
    return (std::clamp(x / unit, low, high) + magic - magic) * unit;
  }
};

/// Nothing where that arithmetic does not do.
std::optional<fixed_levels> fixed_levels_of(const number_format& format, const storing& rule) {
  constexpr int most_bits = 52;
  if (format.kind() != number_format::family::twos_complement || format.width() > most_bits ||
      rule.how != rounding::nearest_even || rule.beyond != overflow::saturate || rule.by_chance) {
    return {};
  }
  const double unit = format.min_positive().to_double();
  if (!(unit >= 0x1p-500 && unit <= 0x1p500)) return {};
  return fixed_levels{unit, -static_cast<double>(format.largest(true)),
                      static_cast<double>(format.largest())};
}

void quantize_fixed(const number_store& store, const fixed_levels& levels,
                    std::span<const double> in, std::span<double> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = std::isnan(in[i]) ? store.stored<double>(in[i], i) : levels(in[i]);
  }
}

/// Elements `first` and following of the whole array.
template <class In, class Stored>
void quantize_part(const number_store& store, std::span<const In> in, std::span<Stored> out,
                   std::size_t first, array_kernels use) {
  const auto one_element = [&](In x, std::size_t i) {
    return store.template stored<Stored>(static_cast<double>(x), first + i);
  };
  constexpr bool values = std::is_floating_point_v<Stored>;
  const auto levels = kernel::number_levels_of<word_of<In>>(store.format(), store.rule(), values);
  if (!levels) {
    const auto none = [](auto...) { return std::size_t{0}; };
    array_run::quantize(in, out, in.size(), none, one_element);
    return;
  }
  const auto& found = kernel_for<In, Stored>(use);
  const auto run = [&](auto... array) { return found.run(*levels, array...); };
  array_run::quantize(in, out, found.group, run, one_element);
}

/// Whether the kernels for floats do; else doubles must.
template <class Stored>
bool float_kernels_do(const number_store& store) {
  if constexpr (sizeof(Stored) > sizeof(float)) return false;
  return kernel::number_levels_of<std::uint32_t>(store.format(), store.rule(), false).has_value();
}

template <class Stored>
void quantize_through_doubles(const number_store& store, std::span<const float> in,
                              std::span<Stored> out, array_kernels use) {
  std::array<double, 1024> wider{};
  for (std::size_t done = 0; done < in.size(); done += wider.size()) {
    const std::size_t count = std::min(wider.size(), in.size() - done);
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(done), count, wider.begin());
    quantize_part(store, std::span<const double>(wider).first(count), out.subspan(done, count),
                  done, use);
  }
}

template <class In, class Stored>
void quantize_number_codes(const number_format& format, std::span<const In> in,
                           std::span<Stored> out, const std::optional<storing>& rule,
                           array_kernels use) {
  constexpr const char* where = "quantize_codes";
  array_run::require_same_extent(where, in, out);
  require_room(where, format, sizeof(Stored));
  const number_store store{where, format, rule};
  if constexpr (std::is_same_v<In, float>) {
    if (!float_kernels_do<Stored>(store)) return quantize_through_doubles(store, in, out, use);
  }
  if constexpr (sizeof(Stored) <= sizeof(In)) quantize_part(store, in, out, 0, use);
}

template <class Code>
void decode_numbers(const number_format& format, std::span<const Code> codes,
                    std::span<double> out) {
  constexpr const char* where = "decode";
  array_run::require_same_extent(where, codes, out);
  const number_store store{where, format, {}};
  const auto refuse = [&](std::size_t i) {
    throw std::domain_error(array_run::element(where, i) + ": a code of " + format.name() +
                            " has " + std::to_string(format.width()) + " bits, got " +
                            std::to_string(codes[i]));
  };
  const auto has_room = [&](std::size_t i) {
    return format.width() == 64 || static_cast<std::uint64_t>(codes[i]) >> format.width() == 0;
  };
  // A table of all values, where it is not longer than the array.
  std::vector<double> table;
  const std::size_t all = format.width() <= 16 ? std::size_t{1} << format.width() : 0;
  const bool are_doubles =
      std::isfinite(format.max().to_double()) && format.min_positive().to_double() != 0;
  if (all != 0 && all <= codes.size() && are_doubles) {
    for (std::size_t code = 0; code < all; ++code) table.push_back(store.value_of(code, 0));
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!has_room(i)) refuse(i);
    out[i] = table.empty() ? store.value_of(codes[i], i) : table[codes[i]];
  }
}

}  // namespace

void quantize_values(const number_format& format, std::span<const double> in, std::span<double> out,
                     const std::optional<storing>& rule, array_kernels use) {
  array_run::require_same_extent("quantize_values", in, out);
  const number_store store{"quantize_values", format, rule};
  if (const auto fixed = fixed_levels_of(format, store.rule())) {
    return quantize_fixed(store, *fixed, in, out);
  }
  quantize_part(store, in, out, 0, use);
}

void quantize_values(const number_format& format, std::span<const float> in, std::span<float> out,
                     const std::optional<storing>& rule, array_kernels use) {
  array_run::require_same_extent("quantize_values", in, out);
  require_floats("quantize_values", format);
  quantize_part(number_store{"quantize_values", format, rule}, in, out, 0, use);
}

void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint64_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint16_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint8_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint64_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint16_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint8_t> out, const std::optional<storing>& rule,
                    array_kernels use) {
  quantize_number_codes(format, in, out, rule, use);
}

bool has_array_kernel(const number_format& format, const storing& rule) {
  if (fixed_levels_of(format, rule)) return true;
  return format.is_signed() &&
         kernel::number_levels_of<std::uint64_t>(format, rule, true).has_value();
}

void decode(const number_format& format, std::span<const std::uint64_t> codes,
            std::span<double> out) {
  decode_numbers(format, codes, out);
}

void decode(const number_format& format, std::span<const std::uint16_t> codes,
            std::span<double> out) {
  decode_numbers(format, codes, out);
}

void decode(const number_format& format, std::span<const std::uint8_t> codes,
            std::span<double> out) {
  decode_numbers(format, codes, out);
}

}  // namespace ktln2
