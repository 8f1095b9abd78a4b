#include "data/npy_literal.hpp"
#include "data/refuse.hpp"
#include "ktln2/data/npy.hpp"

namespace ktln2::data {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

unsigned npy_byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// What stands before the literal: the magic, two bytes of version, and the literal's length in two
/// or, from version 2 on, four bytes.
std::uint64_t preamble_bytes(std::string_view front) { return npy_byte(front, 6) == 1 ? 10 : 12; }

/// The size and sign of what is stored, or what is told of that.
element npy_element(const std::string& file, const std::string& descr,
                    const std::optional<element>& dtype) {
  const auto stored = find_numpy_element(descr);
  if (!dtype) {
    if (stored) return *stored;
    if (descr.find('O') != std::string::npos) {
      refuse_file(file, "holds Python objects (" + in_quotes(descr) + "), expected numbers");
    }
    const bool is_bytes = descr.find('V') != std::string::npos;
    refuse_file(file, "the type " + in_quotes(descr) + " is not known, expected one such as '<f4'" +
                          (is_bytes ? "; --dtype BF16, or another, says what the bytes are" : ""));
  }
  const bool is_void = descr.size() == 3 && descr[1] == 'V' && descr[2] >= '1' && descr[2] <= '8';
  const int bits = stored ? stored->bits * stored->parts : is_void ? 8 * (descr[2] - '0') : 0;
  if (bits != dtype->bits * dtype->parts) {
    refuse_file(file, "its numbers are of the type " + in_quotes(descr) +
                          " and cannot be taken for " + dtype->name + ", which has " +
                          std::to_string(dtype->bits * dtype->parts) + " bits");
  }
  element type = *dtype;
  const bool is_big_endian = descr[0] == '>' && type.bits > 8;
  const bool says_which = type.name[0] == '<' || type.name[0] == '>';
  if (says_which && type.big_endian != is_big_endian && type.bits > 8) {
    refuse_file(file, "its numbers are of the type " + in_quotes(descr) +
                          " and cannot be taken for " + type.name +
                          ", which has its bytes the other way round");
  }
  type.big_endian = is_big_endian;
  return type;
}

}  // namespace

std::uint64_t npy_header_bytes(const std::string& file, std::string_view front) {
  if (!front.starts_with(npy_magic)) refuse_file(file, "does not begin as a .npy file does");
  if (front.size() < 12) refuse_file(file, "is too short to be a .npy file");
  const unsigned version = npy_byte(front, 6);
  if (version < 1 || version > 3) {
    refuse_file(file, "has version " + std::to_string(version) + " of .npy, expected 1, 2 or 3");
  }
  std::uint64_t length = 0;
  for (std::size_t at = preamble_bytes(front); at-- > 8;)
    length = length << 8U | npy_byte(front, at);
  if (length > most_npy_header_bytes) {
    refuse_file(file, "header: it claims to have " + std::to_string(length) +
                          " bytes, expected at most " + std::to_string(most_npy_header_bytes));
  }
  return preamble_bytes(front) + length;
}

npy_header parse_npy_header(const std::string& file, std::string_view header,
                            const std::optional<element>& dtype) {
  const std::uint64_t length = npy_header_bytes(file, header);
  if (header.size() < length) refuse_file(file, "ends within its header");
  const std::uint64_t begin = preamble_bytes(header);
  const npy_literal told = parse_npy_literal(
      file,
      header.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length - begin)));
  npy_header made{
      .type = npy_element(file, told.descr, dtype), .shape = told.shape, .header_bytes = length};
  const auto elements = product_of(made.shape);
  const auto bytes = elements ? bytes_of(made.type, *elements) : std::nullopt;
  if (!bytes) refuse_file(file, "header: its shape makes 2^63 bytes or more");
  made.data_bytes = bytes.value_or(0);
  return made;
}

}  // namespace ktln2::data
