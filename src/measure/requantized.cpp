#include "ktln2/measure/requantized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

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

std::uint64_t times_of(std::span<const std::uint64_t> times, std::size_t i) {
  return times.empty() ? 1 : times[i];
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
      store(std::span(x.begin(), end), {});
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
    store(std::span(x).subspan(begin, size), std::span(times).subspan(begin, size));
  }
}

void requantizer::store(std::span<const double> x, std::span<const std::uint64_t> times) {
  const storing rule{rounding::nearest_even, overflow::saturate};
  std::vector<std::uint64_t> codes(x.size());
  std::vector<double> stored(x.size());
  quantize_codes(element_, x, codes, rule);
  decode(element_, codes, stored);
  for (std::size_t i = 0; i < x.size(); ++i) {
    codes_.add(static_cast<std::uint32_t>(codes[i]), times_of(times, i));
  }
  compare({x, stored, times}, element_.max().to_double());
}

/// Each block as its format says; numbers that are not finite are zeros.
void requantizer::store_blocks(std::span<const double> x) {
  const auto size = static_cast<std::size_t>(blocks_->size());
  std::vector<double> block(size);
  std::vector<double> stored(size);
  for (std::size_t begin = 0; begin < x.size(); begin += size) {
    const std::size_t count = std::min(size, x.size() - begin);
    std::fill(block.begin(), block.end(), 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      block[i] = std::isfinite(x[begin + i]) ? x[begin + i] : 0;
    }
    const stored_block made = blocks_->quantize(block);
    scales_.add(static_cast<std::uint32_t>(made.scale_code), 1);
    for (std::size_t i = 0; i < count; ++i) {
      codes_.add(static_cast<std::uint32_t>(made.codes[i]), 1);
      stored[i] = blocks_->value(made.scale_code, made.codes[i])->to_double();
    }
    const wide most = blocks_->element().max() * blocks_->scale_value(made.scale_code);
    compare({std::span(block).first(count), std::span(stored).first(count)}, most.to_double());
  }
}

void requantizer::compare(const stored_numbers& some, double largest) {
  double errors = 0;
  double squares = 0;
  for (std::size_t i = 0; i < some.x.size(); ++i) {
    const std::uint64_t times = times_of(some.times, i);
    const double x = some.x[i];
    const double error = std::fabs(some.stored[i] - x);
    const auto weight = static_cast<double>(times);
    errors += weight * error * error;
    squares += weight * x * x;
    count_ += times;
    const bool is_clipped = error > 0 && std::fabs(x) > largest;
    if (is_clipped) clipped_ += times;
    if (x != 0 && some.stored[i] == 0) flushed_ += times;
    if (!is_clipped && x != 0) worst_ = std::max(worst_, error / std::fabs(x));
  }
  constexpr double most = std::numeric_limits<double>::max();  // instead of an infinity
  errors_.add(std::min(errors, most), 1);
  squares_.add(std::min(squares, most), 1);
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
  found.mean_squared_error = errors_.moments_of(count_).mean;
  found.mean_square = squares_.moments_of(count_).mean;
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
