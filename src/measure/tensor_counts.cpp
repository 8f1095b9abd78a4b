#include "ktln2/measure/tensor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "ktln2/core/bit_cast.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "measure/counting_desk.hpp"
#include "measure/digest.hpp"
#include "measure/element_kind.hpp"
#include "measure/magnitudes.hpp"
#include "measure/special_codes.hpp"

namespace ktln2::measure {
namespace {

/// Fewer numbers are looked up again one by one rather than by going through all tables.
constexpr std::uint64_t few = std::uint64_t{1} << 14;

/// A quarter of what the counters of a desk hold.
constexpr std::uint64_t most_waiting = std::uint64_t{1} << 30;

int counted_bits(const data::element& type) {
  constexpr std::array known{4, 6, 8, 16, 32, 64};
  if (std::find(known.begin(), known.end(), type.bits) == known.end()) {
    throw std::domain_error("tensor_counts: elements have 4, 6, 8, 16, 32 or 64 bits, got " +
                            std::to_string(type.bits));
  }
  return std::min(type.bits, 16);
}

std::vector<std::byte> swapped(std::span<const std::byte> block, std::size_t size) {
  std::vector<std::byte> result(block.begin(), block.end());
  for (auto at = result.begin(); at != result.end(); at += static_cast<std::ptrdiff_t>(size)) {
    std::reverse(at, at + static_cast<std::ptrdiff_t>(size));
  }
  return result;
}

void add_each(std::vector<code_table>& to, const std::vector<code_table>& from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += from[k];
}

template <class Float>
using word_of = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

}  // namespace

tensor_counts::tensor_counts(data::element type)
    : type_{std::move(type)}, codes_{counted_bits(type_)} {
  for (int bits = low_bits(); bits > 0; bits -= 8) low_rest_.emplace_back(8);
  low_sample_.fill(low_rest_);
  // Made once: a table may have many columns, and a format is a list of runs.
  static const std::array narrow_formats{*find_number_format("bfloat16"),
                                         *find_number_format("binary16"),
                                         *find_number_format("binary32")};
  if (type_.bits > 16 && (is_ieee<std::uint32_t>(type_) || is_ieee<std::uint64_t>(type_))) {
    for (const number_format& one : narrow_formats) {
      if (2 * one.width() <= type_.bits) narrower_.push_back({one});
    }
  }
}

void tensor_counts::require_fit(const data::piece& piece) const {
  const auto bits = static_cast<std::uint64_t>(type_.bits);
  const std::uint64_t size = piece.bytes.size();
  const bool fits = piece.count <= size * 8 / bits && (piece.count * bits + 7) / 8 == size;
  if (!fits) {
    throw std::domain_error("tensor_counts: " + std::to_string(piece.count) + " numbers of " +
                            std::to_string(bits) + " bits are not " + std::to_string(size) +
                            " bytes");
  }
}

void tensor_counts::add(const data::piece& piece) {
  require_fit(piece);
  add_to_desk(piece);
  if (type_.bits >= 16 && piece.count < few) {
    take_few(piece);
  } else {
    take_from_desk();
  }
}

void tensor_counts::in_a_row::add(const data::piece& piece) {
  to_.require_fit(piece);
  if (waiting_ + piece.count > most_waiting) {
    to_.take_from_desk();
    waiting_ = 0;
  }
  to_.add_to_desk(piece);
  waiting_ += piece.count;
}

void tensor_counts::add_to_desk(const data::piece& piece) {
  if (piece.count == 0) return;
  switch (type_.bits) {
    case 4:
    case 8:
      return add_bytes(piece);
    case 16:
      return add_words<std::uint16_t>(piece);
    case 32:
      return add_words<std::uint32_t>(piece);
    case 64:
      return add_words<std::uint64_t>(piece);
    default:
      return add_packed(piece);
  }
}

void tensor_counts::take_from_desk() {
  counting_desk& desk = counting_desk::of_this_thread();
  if (type_.bits >= 16) {
    desk.take_codes(codes_);
    desk.take_low_bytes(low_sample_, low_rest_);
  } else if (type_.bits != 6) {
    const bool are_pairs = type_.bits == 4;
    const auto counted = desk.take_bytes();
    for (std::uint32_t code = 0; code < 256; ++code) {
      if (are_pairs) codes_.add(code / 16, counted[code]);
      codes_.add(are_pairs ? code % 16 : code, counted[code]);
    }
  }
}

/// What a short piece left there, and nothing else did: without going through all tables.
void tensor_counts::take_few(const data::piece& piece) {
  counting_desk& desk = counting_desk::of_this_thread();
  const auto size = static_cast<std::size_t>(type_.bits / 8);
  const std::vector<std::byte> turned =
      type_.big_endian ? swapped(piece.bytes, size) : std::vector<std::byte>{};
  const std::span<const std::byte> block = type_.big_endian ? turned : piece.bytes;
  switch (size) {
    case 2:
      desk.take_codes<std::uint16_t>(block, codes_);
      break;
    case 4:
      desk.take_codes<std::uint32_t>(block, codes_);
      break;
    default:
      desk.take_codes<std::uint64_t>(block, codes_);
  }
  desk.take_low_bytes(low_sample_, low_rest_);
}

/// Codes of 6 bits, four of them in three bytes.
void tensor_counts::add_packed(const data::piece& piece) {
  constexpr std::uint64_t width = 6;
  digest_ += digest_of(piece.bytes, piece.first * width / 8);
  std::array<std::uint64_t, 1U << width> found{};
  for (std::uint64_t i = 0; i < piece.count; ++i) {
    const std::size_t at = i * width / 8;
    const std::size_t shift = i * width % 8;
    auto bits = std::to_integer<std::uint32_t>(piece.bytes[at]);
    if (shift + width > 8) bits |= std::to_integer<std::uint32_t>(piece.bytes[at + 1]) << 8;
    ++found[(bits >> shift) % found.size()];
  }
  for (std::uint32_t code = 0; code < found.size(); ++code) codes_.add(code, found[code]);
}

/// Codes of 8 bits, or pairs of 4.
void tensor_counts::add_bytes(const data::piece& piece) {
  counting_desk& desk = counting_desk::of_this_thread();
  const bool are_pairs = type_.bits == 4;
  // The last byte of pairs may hold one code.
  const std::size_t whole = are_pairs ? piece.count / 2 : piece.count;
  const std::uint64_t position = are_pairs ? piece.first / 2 : piece.first;
  for (std::size_t begin = 0; begin < whole; begin += counting_desk::most) {
    const auto block = piece.bytes.subspan(begin, std::min(counting_desk::most, whole - begin));
    digest_ += digest_of(block, position + begin);
    desk.count_bytes(block);
    if (begin / counting_desk::most % 65536 == 65535) take_from_desk();  // before counters are full
  }
  const auto rest = piece.bytes.subspan(whole);
  digest_ += digest_of(rest, position + whole);
  if (!rest.empty()) codes_.add(std::to_integer<std::uint32_t>(rest[0]) % 16, 1);
  if (!are_pairs) find_nan<std::uint8_t>(piece);
}

template <class Word>
void tensor_counts::add_words(const data::piece& piece) {
  counting_desk& desk = counting_desk::of_this_thread();
  std::vector<std::byte> turned;
  std::uint64_t waiting = 0;
  for (std::uint64_t begin = 0; begin < piece.count;) {
    const std::uint64_t first = piece.first + begin;
    // From the second one on, blocks begin with a stretch of the sample.
    const std::uint64_t most =
        first % low_stretch == 0 ? counting_desk::most : low_stretch - first % low_stretch;
    const std::uint64_t count = std::min(most, piece.count - begin);
    auto block = piece.bytes.subspan(begin * sizeof(Word), count * sizeof(Word));
    digest_ += digest_of(block, first * sizeof(Word));
    if (type_.big_endian) {
      turned = swapped(block, sizeof(Word));
      block = turned;
    }
    // Floats are counted where they are added up.
    if (sizeof(Word) != 4 || !is_ieee<Word>(type_)) desk.count_words<Word>(block, first);
    if constexpr (sizeof(Word) > 2) add_block<Word>(block, first);
    begin += count;
    waiting += count;
    if (waiting > most_waiting) {
      take_from_desk();
      waiting = 0;
    }
  }
  if constexpr (sizeof(Word) == 2) find_nan<Word>(piece);
}

template <class Word>
void tensor_counts::add_block(std::span<const std::byte> block, std::uint64_t first) {
  const auto found = magnitudes_in<Word>(block);
  seen_.any |= found.any;
  seen_.all &= found.all;
  if (is_ieee<Word>(type_)) {
    add_floats<std::conditional_t<sizeof(Word) == 4, float, double>>(block, first, found);
  } else if (is_integer(type_)) {
    add_integers<Word>(block);
  } else {
    add_others<Word>(block, first);
  }
}

template <class Float, class Range>
void tensor_counts::add_floats(std::span<const std::byte> block, std::uint64_t first,
                               const Range& found) {
  using word = word_of<Float>;
  counting_desk& desk = counting_desk::of_this_thread();
  if constexpr (sizeof(Float) == 4) {
    desk.count_floats(block, first, found.largest, sums_);
  } else {
    desk.add_up_doubles(block, sums_);
  }
  seen_.zeros += found.zeros;
  const auto infinite = bit_cast<word>(std::numeric_limits<Float>::infinity());
  if (found.largest >= infinite) {
    look_closer<Float>(block, first);
  } else {
    seen_.largest = std::max(seen_.largest, static_cast<double>(bit_cast<Float>(found.largest)));
    if (found.smallest < infinite) {
      seen_.smallest =
          std::min(seen_.smallest, static_cast<double>(bit_cast<Float>(found.smallest)));
    }
  }
  narrow<Float>(block);
}

/// At a block with infinities or NaN.
template <class Float>
void tensor_counts::look_closer(std::span<const std::byte> block, std::uint64_t first) {
  for (std::size_t i = 0; i < block.size() / sizeof(Float); ++i) {
    const auto x = std::fabs(bit_cast<Float>(word_at<word_of<Float>>(block.data(), i)));
    if (std::isnan(x)) {
      ++seen_.nans;
      seen_.first_nan = std::min(seen_.first_nan, first + i);
    } else if (std::isinf(x)) {
      ++seen_.infinities;
    } else {
      seen_.largest = std::max(seen_.largest, static_cast<double>(x));
      if (x > 0) seen_.smallest = std::min(seen_.smallest, static_cast<double>(x));
    }
  }
}

/// Most formats are ruled out by the first numbers.
template <class Float>
void tensor_counts::narrow(std::span<const std::byte> block) {
  if (std::none_of(narrower_.begin(), narrower_.end(), [](auto& c) { return c.holds_all; })) return;
  std::vector<Float> in(block.size() / sizeof(Float));
  std::memcpy(in.data(), block.data(), in.size() * sizeof(Float));
  std::vector<Float> out(in.size());
  const auto same = [](Float a, Float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (candidate& one : narrower_) {
    if (!one.holds_all) continue;
    const std::size_t some = std::min<std::size_t>(16, in.size());
    quantize_values(one.format, std::span<const Float>(in).first(some), std::span(out).first(some));
    one.holds_all =
        std::equal(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(some), out.begin(), same);
    if (!one.holds_all) continue;
    quantize_values(one.format, std::span<const Float>(in), std::span(out));
    one.holds_all = std::equal(in.begin(), in.end(), out.begin(), same);
  }
}

template <class Word>
void tensor_counts::add_integers(std::span<const std::byte> block) {
  const bool is_signed = type_.format.has_value();
  std::array<exact_sums::part, 2> sums;
  Word largest = 0;
  Word smallest = std::numeric_limits<Word>::max();
  for (std::size_t i = 0; i < block.size() / sizeof(Word); ++i) {
    const Word word = word_at<Word>(block.data(), i);
    const bool negative = is_signed && (word >> (8 * sizeof(Word) - 1)) != 0;
    const Word m = negative ? Word{0} - word : word;
    sums[negative ? 1 : 0].add(m);
    seen_.zeros += m == 0 ? 1 : 0;
    largest = std::max(largest, m);
    if (m != 0) smallest = std::min(smallest, m);
  }
  sums_.add(false, 0, sums[0]);
  sums_.add(true, 0, sums[1]);
  seen_.largest = std::max(seen_.largest, static_cast<double>(largest));
  if (largest > 0) seen_.smallest = std::min(seen_.smallest, static_cast<double>(smallest));
}

template <class Word>
void tensor_counts::add_others(std::span<const std::byte> block, std::uint64_t first) {
  for (std::size_t i = 0; i < block.size() / sizeof(Word); ++i) {
    const auto value = type_.format->value(word_at<Word>(block.data(), i));
    add_number(value ? value->to_double() : std::nan(""), first + i);
  }
}

void tensor_counts::add_number(double x, std::uint64_t index) {
  if (std::isnan(x)) {
    ++seen_.nans;
    seen_.first_nan = std::min(seen_.first_nan, index);
    return;
  }
  if (std::isinf(x)) {
    ++seen_.infinities;
    return;
  }
  const double a = std::fabs(x);
  seen_.largest = std::max(seen_.largest, a);
  if (a == 0) {
    ++seen_.zeros;
    return;
  }
  seen_.smallest = std::min(seen_.smallest, a);
  sums_.add(x, 1);
}

/// The first NaN of a piece that is counted, or is on the desk, if it is the first of all so far.
template <class Word>
void tensor_counts::find_nan(const data::piece& piece) {
  if (!type_.format || piece.first >= seen_.first_nan) return;
  const std::vector<code_range> ranges = nan_codes_of(*type_.format);
  const counting_desk& desk = counting_desk::of_this_thread();
  const bool has_some = std::any_of(ranges.begin(), ranges.end(), [&](const code_range& range) {
    const auto first = static_cast<std::uint32_t>(range.first);
    const auto last = static_cast<std::uint32_t>(range.last);
    return codes_.count(first, last) > 0 ||
           (sizeof(Word) == 1 ? desk.has_byte(first, last) : desk.has_code(first, last));
  });
  if (!has_some) return;
  for (std::uint64_t i = 0; i < piece.count; ++i) {
    std::uint64_t code = word_at<Word>(piece.bytes.data(), i);
    if (sizeof(Word) == 2 && type_.big_endian) code = (code & 0xff) << 8 | code >> 8;
    const bool is_nan = std::any_of(ranges.begin(), ranges.end(), [code](const code_range& range) {
      return range.first <= code && code <= range.last;
    });
    if (!is_nan) continue;
    seen_.first_nan = piece.first + i;
    return;
  }
}

tensor_counts& tensor_counts::operator+=(const tensor_counts& other) {
  if (other.type_.bits != type_.bits) {
    throw std::domain_error("tensor_counts: " + type_.name + " and " + other.type_.name +
                            " are not counted together");
  }
  codes_ += other.codes_;
  for (std::size_t part = 0; part < low_sample_.size(); ++part) {
    add_each(low_sample_[part], other.low_sample_[part]);
  }
  add_each(low_rest_, other.low_rest_);
  sums_ += other.sums_;
  seen_.zeros += other.seen_.zeros;
  seen_.infinities += other.seen_.infinities;
  seen_.nans += other.seen_.nans;
  seen_.first_nan = std::min(seen_.first_nan, other.seen_.first_nan);
  seen_.smallest = std::min(seen_.smallest, other.seen_.smallest);
  seen_.largest = std::max(seen_.largest, other.seen_.largest);
  seen_.any |= other.seen_.any;
  seen_.all &= other.seen_.all;
  digest_ += other.digest_;
  for (std::size_t k = 0; k < narrower_.size(); ++k) {
    narrower_[k].holds_all = narrower_[k].holds_all && other.narrower_[k].holds_all;
  }
  return *this;
}

std::vector<code_table> tensor_counts::low_bytes() const {
  std::vector<code_table> made = low_sample_.front();
  for (std::size_t part = 1; part < low_sample_.size(); ++part) add_each(made, low_sample_[part]);
  if (low_count() == count()) add_each(made, low_rest_);
  return made;
}

std::vector<std::vector<code_table>> tensor_counts::parts_of_low_bytes() const {
  if (low_count() == count()) return {};
  return {low_sample_.begin(), low_sample_.end()};
}

std::uint64_t tensor_counts::low_count() const {
  if (low_rest_.empty()) return count();
  std::uint64_t in_sample = 0;
  for (const auto& part : low_sample_) in_sample += part.front().total();
  const std::uint64_t all = in_sample + low_rest_.front().total();
  return all == count() ? all : in_sample;
}

bool tensor_counts::is_constant() const {
  return codes_.seen().size() <= 1 && (low_bits() == 0 || count() == 0 || seen_.any == seen_.all);
}

std::vector<std::string> tensor_counts::narrower() const {
  std::vector<std::string> names;
  for (const candidate& one : narrower_) {
    if (one.holds_all && count() > 0) names.push_back(one.format.name());
  }
  return names;
}

}  // namespace ktln2::measure
