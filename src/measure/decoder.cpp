#include "measure/decoder.hpp"

#include <cmath>
#include <utility>

#include "ktln2/core/bit_cast.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

/// The bits of the i-th number of a piece.
std::uint64_t code_at(const data::element& type, std::span<const std::byte> bytes,
                      std::uint64_t i) {
  const auto width = static_cast<std::uint64_t>(type.bits);
  const auto byte = [&](std::uint64_t at) { return std::to_integer<std::uint64_t>(bytes[at]); };
  if (width < 8) {
    const std::uint64_t at = i * width / 8;
    const std::uint64_t shift = i * width % 8;
    const std::uint64_t both = byte(at) | (shift + width > 8 ? byte(at + 1) << 8 : 0);
    return (both >> shift) & ((std::uint64_t{1} << width) - 1);
  }
  const std::uint64_t size = width / 8;
  std::uint64_t code = 0;
  for (std::uint64_t k = 0; k < size; ++k) {
    const std::uint64_t from = type.big_endian ? k : size - 1 - k;
    code = code << 8 | byte(i * size + from);
  }
  return code;
}

}  // namespace

decoder::decoder(data::element type)
    : type_{std::move(type)},
      is_float_{type_.format && type_.format->name() == "binary32"},
      is_double_{type_.format && type_.format->name() == "binary64"} {
  if (type_.bits > 16) return;
  std::vector<double> table;
  for (std::uint64_t code = 0; code >> type_.bits == 0; ++code) table.push_back(value(code));
  table_ = std::move(table);
}

double decoder::value(std::uint64_t code) const {
  if (!table_.empty()) return table_[code];
  if (is_float_) return static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(code)));
  if (is_double_) return bit_cast<double>(code);
  if (!type_.format) return static_cast<double>(code);
  const auto found = type_.format->value(code);
  return found ? found->to_double() : std::nan("");
}

template <class Word>
void decoder::decode_words(const std::byte* from, std::span<double> to) const {
  if (sizeof(Word) == 4 && is_float_) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = static_cast<double>(bit_cast<float>(word_at<std::uint32_t>(from, i)));
    }
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = value(word_at<Word>(from, i));
  }
}

void decoder::decode(const data::piece& piece, std::uint64_t first, std::span<double> to) const {
  const std::byte* const from =
      piece.bytes.data() + first * static_cast<std::uint64_t>(type_.bits) / 8;
  const bool has_words = type_.bits >= 8 && !type_.big_endian;
  if (has_words && type_.bits == 8) return decode_words<std::uint8_t>(from, to);
  if (has_words && type_.bits == 16) return decode_words<std::uint16_t>(from, to);
  if (has_words && type_.bits == 32) return decode_words<std::uint32_t>(from, to);
  if (has_words) return decode_words<std::uint64_t>(from, to);
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = value(code_at(type_, piece.bytes, first + i));
  }
}

}  // namespace ktln2::measure
