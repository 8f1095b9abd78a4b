#include "ktln2/data/element.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ktln2/core/integer.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2::data {
namespace {

struct safetensors_name {
  std::string_view name;
  int bits;
  std::string_view format;  ///< as the catalogue has it; empty for none
  int parts = 1;
};

constexpr std::array safetensors_names{
    safetensors_name{"BOOL", 8, ""},
    safetensors_name{"U8", 8, ""},
    safetensors_name{"U16", 16, ""},
    safetensors_name{"U32", 32, ""},
    safetensors_name{"U64", 64, ""},
    safetensors_name{"I8", 8, "int8"},
    safetensors_name{"I16", 16, "int16"},
    safetensors_name{"I32", 32, "int32"},
    safetensors_name{"I64", 64, "int64"},
    safetensors_name{"F4", 4, "e2m1"},
    safetensors_name{"F4_E2M1", 4, "e2m1"},
    safetensors_name{"F6_E2M3", 6, "e2m3"},
    safetensors_name{"F6_E3M2", 6, "e3m2"},
    safetensors_name{"F8_E4M3", 8, "e4m3"},
    safetensors_name{"F8_E5M2", 8, "e5m2"},
    safetensors_name{"F8_E8M0", 8, "e8m0"},
    safetensors_name{"F8_E4M3FNUZ", 8, "e4m3fnuz"},
    safetensors_name{"F8_E5M2FNUZ", 8, "e5m2fnuz"},
    safetensors_name{"F16", 16, "binary16"},
    safetensors_name{"BF16", 16, "bfloat16"},
    safetensors_name{"F32", 32, "binary32"},
    safetensors_name{"F64", 64, "binary64"},
    safetensors_name{"C64", 32, "binary32", 2},
};

/// The catalogue's integers end with 32 bits.
number_format format_named(std::string_view name) {
  if (name == "int64") return number_format::fixed("int64", 64, 0);
  return find_number_format(name).value();
}

element made(std::string name, int bits, std::string_view format, int parts = 1) {
  element type{.name = std::move(name), .bits = bits, .parts = parts};
  if (!format.empty()) type.format = format_named(format);
  return type;
}

std::string capitals(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return all;
}

/// The kind and the bytes, without the order of the bytes.
std::optional<element> numpy_kind(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, safetensors_name>, 14> known{{
      {"b1", {"", 8, ""}},
      {"u1", {"", 8, ""}},
      {"u2", {"", 16, ""}},
      {"u4", {"", 32, ""}},
      {"u8", {"", 64, ""}},
      {"i1", {"", 8, "int8"}},
      {"i2", {"", 16, "int16"}},
      {"i4", {"", 32, "int32"}},
      {"i8", {"", 64, "int64"}},
      {"f2", {"", 16, "binary16"}},
      {"f4", {"", 32, "binary32"}},
      {"f8", {"", 64, "binary64"}},
      {"c8", {"", 32, "binary32", 2}},
      {"c16", {"", 64, "binary64", 2}},
  }};
  for (const auto& [name, facts] : known) {
    if (name == kind) return made("", facts.bits, facts.format, facts.parts);
  }
  return {};
}

}  // namespace

std::optional<element> find_safetensors_element(std::string_view name) {
  // Made once: a file may have a million tensors.
  static const std::vector<element> all = [] {
    std::vector<element> list;
    list.reserve(safetensors_names.size());
    for (const safetensors_name& one : safetensors_names) {
      list.push_back(made(std::string(one.name), one.bits, one.format, one.parts));
    }
    return list;
  }();
  for (const element& one : all) {
    if (one.name == name) return one;
  }
  return {};
}

std::optional<element> find_numpy_element(std::string_view name) {
  if (name.empty() || (name[0] != '<' && name[0] != '>' && name[0] != '|')) return {};
  auto type = numpy_kind(name.substr(1));
  // '|' says that order does not matter: with one byte.
  if (!type || (name[0] == '|' && type->bits > 8)) return {};
  type->name = name;
  type->big_endian = name[0] == '>' && type->bits > 8;
  return type;
}

element parse_element(std::string_view name) {
  if (auto type = find_safetensors_element(capitals(name))) return *type;
  if (auto type = find_numpy_element(name)) return *type;
  const auto format = find_number_format(name);
  if (!format) {
    throw std::domain_error(
        "dtype: expected a type such as BF16, F8_E4M3, U8, <f4 or a format such as bfloat16, got "
        "'" +
        std::string(name) + "'");
  }
  constexpr std::array widths{4, 6, 8, 16, 32, 64};
  if (std::find(widths.begin(), widths.end(), format->width()) == widths.end()) {
    throw std::domain_error("dtype: a number in a file takes 4, 6, 8, 16, 32 or 64 bits, but " +
                            format->name() + " takes " + std::to_string(format->width()));
  }
  return {.name = format->name(), .bits = format->width(), .format = format};
}

unit unit_of(const element& type) {
  const int bits = std::lcm(type.bits * type.parts, 8);
  return {static_cast<std::uint64_t>(bits / 8), static_cast<std::uint64_t>(bits / type.bits)};
}

std::optional<std::uint64_t> product_of(const std::vector<std::uint64_t>& shape) {
  // A zero makes any shape empty, whatever comes before it.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  uint128 product = 1;
  for (const std::uint64_t length : shape) {
    product *= length;
    if (product > ~std::uint64_t{0}) return {};
  }
  return static_cast<std::uint64_t>(product);
}

std::optional<std::uint64_t> bytes_of(const element& type, std::uint64_t elements) {
  const uint128 bits =
      static_cast<uint128>(elements) * static_cast<unsigned>(type.bits * type.parts);
  if (bits % 8 != 0 || bits / 8 >= std::uint64_t{1} << 63) return {};
  return static_cast<std::uint64_t>(bits / 8);
}

std::uint64_t tensor::count() const {
  return product_of(shape).value() * static_cast<std::uint64_t>(type.parts);
}

std::string tensor::known_as() const {
  return name.empty() ? file.substr(file.rfind('/') + 1) : name;
}

std::string tensor::in_file() const { return name.empty() ? file : file + ": " + name; }

}  // namespace ktln2::data
