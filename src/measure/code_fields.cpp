#include "ktln2/measure/code_fields.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::measure {
namespace {

using family = number_format::family;

bounded<bits> entropy_of_table(const code_table& table, estimator how) {
  return entropy_of_counts(table.counts(), table.bits(), how);
}

/// The same by a sample. Neighbors may be alike, and then it says less than so many numbers would,
/// which only its parts can tell: the error is at least that of the jackknife, which leaves out one
/// of them at a time, and the bias that it shows.
bounded<bits> entropy_of_parts(const std::vector<code_table>& parts, estimator how) {
  constexpr double student = 2.365;  // 97.5 % for as many as eight parts
  const auto without = [&parts](std::size_t left_out) {
    code_table rest(parts.front().bits());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (p != left_out) rest += parts[p];
    }
    return rest;
  };
  bounded<bits> whole = entropy_of_table(without(parts.size()), how);
  const auto count = static_cast<double>(parts.size());
  double mean = 0;  // of how much more the others have
  double square = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double more = (entropy_of_table(without(p), how).value - whole.value).value();
    mean += more / count;
    square += more * more / count;
  }
  const double deviation = std::sqrt((count - 1) * std::max(0.0, square - mean * mean));
  const double off = student * deviation + (count - 1) * std::fabs(mean);
  whole.error = std::max(whole.error, bits{off});
  return whole;
}

/// What is left of a when b is known; estimates may leave less than nothing.
bounded<bits> beyond(const bounded<bits>& a, const bounded<bits>& b) {
  bounded<bits> left = a - b;
  left.value = std::max(bits{0}, left.value);
  return left;
}

/// The first bits of the counted ones.
code_table leading(const code_table& codes, int kept) {
  return codes.mapped(
      kept, [dropped = codes.bits() - kept](std::uint32_t code) { return code >> dropped; });
}

/// The last bits of the counted ones.
code_table trailing(const code_table& codes, int kept) {
  return codes.mapped(kept, [mask = (1U << kept) - 1](std::uint32_t code) { return code & mask; });
}

/// The sign and the binade of a posit, or with `per` = 4 its regime. Zero and NaR are cells of
/// their own. Of a posit32 the leading bits stand for it.
code_table posit_binades(const number_format& format, const code_table& codes, int per) {
  const int dropped = format.width() - codes.bits();
  return codes.mapped(16, [&](std::uint32_t code) -> std::uint32_t {
    const auto value = format.value(std::uint64_t{code} << dropped);
    if (!value) return 0x8000;
    if (value->is_zero()) return 0;
    const int scale = abs(*value).exponent();
    const int cell = per == 1 ? scale : scale >> 2;
    return (value->high() < 0 ? 0x8000U : 0U) | static_cast<std::uint32_t>(cell + 0x2000);
  });
}

void add_posit_fields(const number_format& format, const tensor_counts& counts, estimator how,
                      code_fields& to) {
  const bounded<bits> head = entropy_of_table(posit_binades(format, counts.codes(), 1), how);
  const bounded<bits> regime = entropy_of_table(posit_binades(format, counts.codes(), 4), how);
  to.exponent = beyond(head, to.sign);
  to.mantissa = beyond(to.total, head);
  to.regime = beyond(regime, to.sign);
  to.posit_exponent = beyond(head, regime);
}

void add_float_fields(const number_format& format, const tensor_counts& counts, estimator how,
                      code_fields& to) {
  const code_table& codes = counts.codes();
  const int signs = format.is_signed() ? 1 : 0;
  const int exponent_bits = format.fields().exponent_bits;
  const int mantissa_bits = codes.bits() - signs - exponent_bits;
  const code_table head = leading(codes, signs + exponent_bits);
  const bounded<bits> of_head = entropy_of_table(head, how);
  to.exponent = beyond(of_head, to.sign);
  to.mantissa = beyond(to.total, of_head);
  to.exponent_alone = entropy_of_table(trailing(head, exponent_bits), how);
  to.mantissa_alone = low_entropy(counts, how);
  if (mantissa_bits > 0) {
    *to.mantissa_alone += entropy_of_table(trailing(codes, mantissa_bits), how);
  }
}

/// The bytes below the leading ones.
class low_bytes {
 public:
  low_bytes(const tensor_counts& counts, estimator how)
      : parts_{counts.parts_of_low_bytes()}, how_{how} {
    if (parts_.empty()) parts_.push_back(counts.low_bytes());
  }
  [[nodiscard]] std::size_t size() const { return parts_.front().size(); }
  /// Of the first bits of one of them.
  [[nodiscard]] bounded<bits> entropy(std::size_t byte, int kept = 8) const {
    std::vector<code_table> tables;
    for (const auto& part : parts_) tables.push_back(leading(part[byte], kept));
    return tables.size() > 1 ? entropy_of_parts(tables, how_)
                             : entropy_of_table(tables.front(), how_);
  }

 private:
  std::vector<std::vector<code_table>> parts_;
  estimator how_;
};

std::vector<bounded<bits>> entropies_of_bytes(const tensor_counts& counts, estimator how) {
  const code_table& codes = counts.codes();
  std::vector<bounded<bits>> all;
  if (codes.bits() == 16) {
    all.push_back(entropy_of_table(leading(codes, 8), how));
    all.push_back(entropy_of_table(trailing(codes, 8), how));
  } else {
    all.push_back(entropy_of_table(codes, how));
  }
  const low_bytes low(counts, how);
  for (std::size_t k = 0; k < low.size(); ++k) all.push_back(low.entropy(k));
  return all;
}

/// The entropy of the first bits of a code, as many as are asked for; those below the leading ones
/// as if each byte were by itself.
bounded<bits> leading_entropy_of(const tensor_counts& counts, int kept, estimator how) {
  const code_table& codes = counts.codes();
  if (kept == 0) return exactly(bits{0});
  if (kept <= codes.bits()) return entropy_of_table(leading(codes, kept), how);
  bounded<bits> sum = entropy_of_table(codes, how);
  const low_bytes low(counts, how);
  int left = kept - codes.bits();
  for (std::size_t k = 0; left > 0; ++k, left -= 8) sum += low.entropy(k, std::min(left, 8));
  return sum;
}

}  // namespace

bounded<bits> low_entropy(const tensor_counts& counts, estimator how) {
  bounded<bits> sum = exactly(bits{0});
  const low_bytes low(counts, how);
  for (std::size_t k = 0; k < low.size(); ++k) sum += low.entropy(k);
  return sum;
}

code_fields fields_of(const tensor_counts& counts, estimator how) {
  const code_table& codes = counts.codes();
  const std::optional<number_format>& format = counts.type().format;
  const auto none = exactly(bits{0});
  code_fields found{.total = none,
                    .counted = entropy_of_table(codes, how),
                    .sign = none,
                    .exponent = none,
                    .mantissa = none,
                    .bytes = {}};
  found.is_counted = counts.low_bits() == 0;
  found.low_count = counts.low_count();
  found.total = found.counted + low_entropy(counts, how);
  found.bytes = entropies_of_bytes(counts, how);
  if (format && format->is_signed()) found.sign = entropy_of_table(leading(codes, 1), how);
  if (format && format->kind() == family::posit) {
    add_posit_fields(*format, counts, how, found);
  } else if (format && format->kind() == family::floating) {
    add_float_fields(*format, counts, how, found);
  } else {
    found.mantissa = beyond(found.total, found.sign);
  }
  return found;
}

std::vector<bit_entropy> bits_of(const tensor_counts& counts, estimator how) {
  const auto first = [&](int kept) { return leading_entropy_of(counts, kept, how); };
  std::vector<bit_entropy> all;
  if (counts.type().format) {
    all = entropy_by_bit(*counts.type().format, first);
  } else {
    for (int kept = 1; kept <= counts.type().bits; ++kept) {
      all.push_back(
          {"bit " + std::to_string(counts.type().bits - kept), first(kept) - first(kept - 1)});
    }
  }
  // Estimates of few numbers may leave what a bit cannot be worth; the truth is as near.
  for (bit_entropy& one : all) {
    one.entropy.value = std::clamp(one.entropy.value, bits{0}, bits{1});
  }
  return all;
}

}  // namespace ktln2::measure
