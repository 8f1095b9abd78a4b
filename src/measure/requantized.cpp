#include "ktln2/measure/requantized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ktln2/core/bit_cast.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "measure/decoder.hpp"

namespace ktln2::measure {
namespace {

/// Numbers at a time, at most. Sums of so many are rounded, and then kept exactly.
constexpr std::size_t at_a_time = 4096;

int checked_bits(const number_format& format) {
  if (format.width() > 16) {
    throw std::domain_error(format.name() + " has " + std::to_string(format.width()) +
                            " bits: codes of at most 16 can be counted");
  }
  return format.width();
}

/// Is a quotient that was rounded so near to an edge between elements of p bits, which has p + 1,
/// that the exact one may be on its other side?
bool may_be_beside_edge(double quotient, int p) {
  const std::uint64_t below = (std::uint64_t{1} << (52 - p)) - 1;
  const std::uint64_t rest = (bit_cast<std::uint64_t>(quotient) + 4) & below;
  return quotient != 0 && rest <= 8;
}

}  // namespace

requantizer::requantizer(const data::element& from, const number_format& to)
    : from_{std::make_shared<const decoder>(from)},
      type_{from},
      element_{to},
      codes_{checked_bits(to)} {}

requantizer::requantizer(const data::element& from, const block_format& to, double largest)
    : requantizer(from, to.element()) {
  blocks_ = to;
  if (to.has_second_level() && largest > 0 && std::isfinite(largest)) {
    const wide most = to.element().max() * to.scale().max();
    blocks_ = to.with_second_level_scale(ratio(largest, most));
  }
}

void requantizer::add(const data::piece& piece) {
  std::array<double, at_a_time> buffer{};
  const std::size_t whole = blocks_ ? static_cast<std::size_t>(blocks_->size()) : 1;
  const std::size_t most = at_a_time / whole * whole;
  for (std::uint64_t begin = 0; begin < piece.count; begin += most) {
    const std::span<double> x(buffer.data(), std::min<std::uint64_t>(most, piece.count - begin));
    from_->decode(piece, begin, x);
    if (blocks_) {
      store_blocks(x);
    } else {
      const auto end =
          std::remove_if(x.begin(), x.end(), [](double v) { return !std::isfinite(v); });
      store(std::span(x.begin(), end), {}, {});
    }
  }
}

void requantizer::add(const tensor_counts& counts) {
  if (blocks_ || counts.low_bits() > 0) {
    throw std::domain_error(
        "requantizer: blocks and numbers of more than 16 bits need the numbers "
        "in their order, not their counts");
  }
  std::vector<double> x;
  std::vector<std::uint64_t> times;
  for (const auto& [code, count] : counts.codes().seen()) {
    const double value = from_->value(code);
    if (!std::isfinite(value)) continue;
    x.push_back(value);
    times.push_back(count);
  }
  for (std::size_t begin = 0; begin < x.size(); begin += at_a_time) {
    const std::size_t size = std::min(at_a_time, x.size() - begin);
    store(std::span(x).subspan(begin, size), {}, std::span(times).subspan(begin, size));
  }
}

void requantizer::store(std::span<const double> x, const scaled_numbers& scaled,
                        std::span<const std::uint64_t> times) {
  const storing rule = block_format::element_rule();
  const bool has_scales = !scaled.x.empty();
  const std::span<const double> in = has_scales ? std::span<const double>(scaled.x) : x;
  std::vector<std::uint64_t> codes(x.size());
  std::vector<double> stored(x.size());
  quantize_codes(element_, in, codes, rule);
  quantize_values(element_, in, stored, rule);
  const double largest = element_.max().to_double();
  std::vector<double> errors(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t count = times.empty() ? 1 : times[i];
    const double error = errors[i] = std::fabs(stored[i] * (has_scales ? scaled.by[i] : 1) - x[i]);
    const bool is_clipped = error > 0 && std::fabs(in[i]) > largest;
    codes_.add(static_cast<std::uint32_t>(codes[i]), count);
    count_ += count;
    clipped_ += is_clipped ? count : 0;
    flushed_ += x[i] != 0 && stored[i] == 0 ? count : 0;
    if (!is_clipped && x[i] != 0) worst_ = std::max(worst_, error / std::fabs(x[i]));
  }
  add_squares(errors, times, errors_);
  add_squares(x, times, squares_);
}

void requantizer::add_squares(std::span<const double> x, std::span<const std::uint64_t> times,
                              exact_sums& to) {
  double largest = 0;
  for (const double one : x) largest = std::max(largest, std::fabs(one));
  if (largest == 0) return;
  const int unit = std::ilogb(largest);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double one = std::scalbn(x[i], -unit);
    sum += (times.empty() ? 1.0 : static_cast<double>(times[i])) * one * one;
  }
  to.add(wide(sum).scaled(2 * unit), 1);
}

/// Numbers that are not finite are zeros.
void requantizer::store_blocks(std::span<const double> x) {
  std::vector<double> finite(x.begin(), x.end());
  for (double& one : finite) one = std::isfinite(one) ? one : 0;
  scaled_numbers scaled;
  const auto size = static_cast<std::size_t>(blocks_->size());
  for (std::size_t begin = 0; begin < finite.size(); begin += size) {
    scale_block(std::span(finite).subspan(begin, std::min(size, finite.size() - begin)), scaled);
  }
  store(finite, scaled, {});
}

/// Quotients are exact where the scale is a power of two. Others are rounded to the element that
/// the exact quotient has: where that is in doubt, the format is asked.
void requantizer::scale_block(std::span<const double> block, scaled_numbers& to) {
  double largest = 0;
  for (const double x : block) largest = std::max(largest, std::fabs(x));
  const std::uint64_t code = blocks_->scale_code(largest);
  scales_.add(static_cast<std::uint32_t>(code), 1);
  const wide scale = blocks_->scale_value(code);
  const double by = scale.to_double();
  const bool is_power = std::fabs(scale.high()) == 1 && scale.low() == 0;
  const std::size_t begin = to.x.size();
  bool is_sure = by > std::numeric_limits<double>::min();
  for (const double x : block) {
    const double quotient = x / by;
    is_sure = is_sure && (is_power || !may_be_beside_edge(quotient, blocks_->element().fields().p));
    to.x.push_back(quotient);
    to.by.push_back(by);
  }
  if (is_sure) return;
  std::vector<double> whole(block.begin(), block.end());
  whole.resize(static_cast<std::size_t>(blocks_->size()));
  const stored_block made = blocks_->quantize(whole);
  const number_format& element = blocks_->element();
  for (std::size_t i = 0; i < block.size(); ++i) {
    double& x = to.x[begin + i];
    const bool agrees =
        std::isfinite(x) && element.quantize(x, block_format::element_rule()) == made.codes[i];
    if (!agrees) x = element.value(made.codes[i])->to_double();
  }
}

requantizer& requantizer::operator+=(const requantizer& other) {
  codes_ += other.codes_;
  scales_ += other.scales_;
  errors_ += other.errors_;
  squares_ += other.squares_;
  count_ += other.count_;
  clipped_ += other.clipped_;
  flushed_ += other.flushed_;
  worst_ = std::max(worst_, other.worst_);
  return *this;
}

requantized_facts requantizer::facts(estimator how) const {
  requantized_facts found{.count = count_,
                          .clipped = clipped_,
                          .flushed = flushed_,
                          .entropy = entropy_of_counts(codes_.counts(), codes_.bits(), how)};
  found.rms_error = errors_.root_of_mean(count_);
  found.rms = squares_.root_of_mean(count_);
  found.worst_relative_error = worst_;
  found.bits_per_number = blocks_ ? blocks_->bits_per_element() : element_.width();
  if (blocks_) {
    found.element_entropy = found.entropy;
    found.scale_entropy = entropy_of_counts(scales_.counts(), scales_.bits(), how);
    found.entropy += *found.scale_entropy / blocks_->size();
  }
  return found;
}

}  // namespace ktln2::measure
