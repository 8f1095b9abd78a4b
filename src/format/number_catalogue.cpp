#include "ktln2/format/number_catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "core/nearest.hpp"
#include "core/parse.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using nan_codes = float_description::nan_codes;
using zeros = float_description::zeros;

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Infinities and NaNs as IEEE 754 has them.
number_format ieee(std::string_view name, int exponent_bits, int mantissa_bits) {
  return number_format::floating(std::string(name), {.p = mantissa_bits + 1,
                                                     .exponent_bits = exponent_bits,
                                                     .bias = (1 << (exponent_bits - 1)) - 1});
}

/// Finite numbers, and NaN where there is one.
number_format finite(std::string_view name, int exponent_bits, int mantissa_bits, int bias,
                     nan_codes nan) {
  return number_format::floating(
      std::string(name),
      {.p = mantissa_bits + 1,
       .exponent_bits = exponent_bits,
       .bias = bias,
       .infinity = false,
       .nan = nan,
       .zero = nan == nan_codes::negative_zero ? zeros::one : zeros::signed_zero},
      overflow::saturate);
}

number_format scales(std::string_view name) {
  return number_format::floating(std::string(name),
                                 {.p = 1,
                                  .exponent_bits = 8,
                                  .bias = 127,
                                  .subnormals = false,
                                  .infinity = false,
                                  .nan = nan_codes::top,
                                  .zero = zeros::none,
                                  .is_signed = false},
                                 overflow::saturate);
}

/// That of IEEE 754: half of the exponents below 1.
constexpr double undefined_bias = 0.5;

struct named_format {
  number_entry entry;
  number_format (*make)(std::string_view name);
};

const std::vector<named_format>& named_formats() {
  using view = std::string_view;
  static const std::vector<named_format> all{
      {{"binary16", "IEEE 754 half precision", {"float16", "fp16", "half"}},
       [](view n) { return ieee(n, 5, 10); }},
      {{"binary32", "IEEE 754 single precision", {"float32", "fp32", "single", "float"}},
       [](view n) { return ieee(n, 8, 23); }},
      {{"binary64", "IEEE 754 double precision", {"float64", "fp64", "double"}},
       [](view n) { return ieee(n, 11, 52); }},
      {{"bfloat16", "the upper half of binary32", {"bf16"}}, [](view n) { return ieee(n, 8, 7); }},
      {{"tf32", "19 bits in NVIDIA's tensor cores", {"tensorfloat32"}},
       [](view n) { return ieee(n, 8, 10); }},
      {{"e4m3",
        "OCP 8-bit, no infinities",
        {"fp8e4m3", "fp8_e4m3", "e4m3fn", "fp8", "float8", "float8_e4m3fn"}},
       [](view n) { return finite(n, 4, 3, 7, nan_codes::top); }},
      {{"e5m2", "OCP 8-bit", {"fp8e5m2", "fp8_e5m2", "float8_e5m2"}},
       [](view n) { return ieee(n, 5, 2); }},
      {{"e3m2", "OCP 6-bit", {"fp6e3m2"}},
       [](view n) { return finite(n, 3, 2, 3, nan_codes::none); }},
      {{"e2m3", "OCP 6-bit", {"fp6e2m3"}},
       [](view n) { return finite(n, 2, 3, 1, nan_codes::none); }},
      {{"e2m1", "OCP 4-bit", {"fp4", "fp4e2m1", "float4"}},
       [](view n) { return finite(n, 2, 1, 1, nan_codes::none); }},
      {{"e8m0", "OCP scales: powers of two", {}}, [](view n) { return scales(n); }},
      {{"e4m3fnuz", "8-bit, one zero, one NaN", {"float8_e4m3fnuz"}},
       [](view n) { return finite(n, 4, 3, 8, nan_codes::negative_zero); }},
      {{"e5m2fnuz", "8-bit, one zero, one NaN", {"float8_e5m2fnuz"}},
       [](view n) { return finite(n, 5, 2, 16, nan_codes::negative_zero); }},
      {{"e4m3b11fnuz", "8-bit, one zero, one NaN, bias 11", {"float8_e4m3b11fnuz"}},
       [](view n) { return finite(n, 4, 3, 11, nan_codes::negative_zero); }},
      {{"e4m3ieee", "8-bit with infinities", {"float8_e4m3"}},
       [](view n) { return ieee(n, 4, 3); }},
      {{"e3m4", "8-bit with infinities", {"float8_e3m4"}}, [](view n) { return ieee(n, 3, 4); }},
      {{"posit8", "posit of 2022", {}},
       [](view n) { return number_format::posit(std::string(n), 8); }},
      {{"posit16", "posit of 2022", {}},
       [](view n) { return number_format::posit(std::string(n), 16); }},
      {{"posit32", "posit of 2022", {}},
       [](view n) { return number_format::posit(std::string(n), 32); }},
      {{"int8", "two's complement", {}},
       [](view n) { return number_format::fixed(std::string(n), 8, 0); }},
      {{"int16", "two's complement", {}},
       [](view n) { return number_format::fixed(std::string(n), 16, 0); }},
      {{"int32", "two's complement", {}},
       [](view n) { return number_format::fixed(std::string(n), 32, 0); }},
      {{"mxint8", "two's complement in units of 2^-6", {}},
       [](view n) { return number_format::fixed(std::string(n), 8, -6); }},
      {{"mxint8s", "the same without its lowest value", {}},
       [](view n) { return number_format::fixed(std::string(n), 8, -6, false); }},
  };
  return all;
}

/// A number at the beginning of the text, which is taken off; nothing if there is none.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc{} || value < 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// IEEE P3109's binary{K}p{P}{s|u}{e|f}.
std::optional<number_format> find_p3109(const std::string& name) {
  std::string_view rest = name;
  if (!take(rest, "binary")) return {};
  const auto k = take_number(rest);
  if (!k || !take(rest, "p")) return {};
  const auto p = take_number(rest);
  if (!p || rest.size() != 2 || (rest[0] != 's' && rest[0] != 'u') ||
      (rest[1] != 'e' && rest[1] != 'f')) {
    throw std::domain_error("'" + name + "': expected binary{K}p{P}{s|u}{e|f}, as binary8p4se");
  }
  const bool is_signed = rest[0] == 's';
  const bool extended = rest[1] == 'e';
  require_in_range(name, "K", *k, 3, 16);
  require_in_range(name, "P", *p, 1, is_signed ? *k - 1 : *k);
  const int exponent_bits = *k - *p + (is_signed ? 0 : 1);
  return number_format::floating(name,
                                 {.p = *p,
                                  .exponent_bits = exponent_bits,
                                  .bias = 1 << (exponent_bits - 1),
                                  .infinity = extended,
                                  .nan = is_signed ? nan_codes::negative_zero : nan_codes::top,
                                  .zero = zeros::one,
                                  .is_signed = is_signed},
                                 extended ? overflow::to_infinity : overflow::saturate);
}

/// q{m}.{n}: a sign, m bits before the point and n after it.
std::optional<number_format> find_fixed_point(const std::string& name) {
  std::string_view rest = name;
  if (!take(rest, "q")) return {};
  const auto before = take_number(rest);
  if (!before || !take(rest, ".")) return {};
  const auto after = take_number(rest);
  if (!after || !rest.empty()) return {};
  require_in_range(name, "m + n", static_cast<long long>(*before) + *after, 1, 63);
  return number_format::fixed(name, 1 + *before + *after, -*after);
}

bool yes_or_no(std::string_view key, std::string_view word) {
  if (word == "yes" || word == "no") return word == "yes";
  throw std::domain_error("float: " + std::string(key) + " must be yes or no, got '" +
                          std::string(word) + "'");
}

int whole(std::string_view key, double value) {
  if (value == static_cast<int>(value)) return static_cast<int>(value);
  throw std::domain_error("float: " + std::string(key) + " must be a whole number, got " +
                          shown(value));
}

template <class T>
T one_of(std::string_view key, std::string_view word,
         std::initializer_list<std::pair<std::string_view, T>> known, const char* besides = "") {
  std::string list;
  for (const auto& [name, value] : known) {
    if (word == name) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  throw std::domain_error(std::string(key) + " must be one of " + list + besides + ", got '" +
                          std::string(word) + "'");
}

number_format own_format(const std::string& name) {
  double p = 24;
  double exponent_bits = 8;
  double bias = undefined_bias;
  std::string subnormals = "yes";
  std::string infinities = "yes";
  std::string nan = "ieee";
  std::string zero = "signed";
  std::string is_signed = "yes";
  fill_settings(parse_described(name), {{"p", &p},
                                        {"exponent_bits", &exponent_bits},
                                        {"bias", &bias},
                                        {"subnormals", &subnormals},
                                        {"infinity", &infinities},
                                        {"nan", &nan},
                                        {"zero", &zero},
                                        {"signed", &is_signed}});
  require_in_range("float", "p", static_cast<long long>(std::clamp(p, -1.0, 1e9)), 1, 63);
  require_in_range("float", "exponent_bits",
                   static_cast<long long>(std::clamp(exponent_bits, -1.0, 1e9)), 1, 15);
  if (bias == undefined_bias) bias = (1 << (whole("exponent_bits", exponent_bits) - 1)) - 1;
  const float_description fields{
      .p = whole("p", p),
      .exponent_bits = whole("exponent_bits", exponent_bits),
      .bias = whole("bias", std::clamp(bias, -1e9, 1e9)),
      .subnormals = yes_or_no("subnormals", subnormals),
      .infinity = yes_or_no("infinity", infinities),
      .nan = one_of<nan_codes>("float: nan", nan,
                               {{"ieee", nan_codes::ieee},
                                {"top", nan_codes::top},
                                {"negzero", nan_codes::negative_zero},
                                {"none", nan_codes::none}}),
      .zero = one_of<zeros>(
          "float: zero", zero,
          {{"signed", zeros::signed_zero}, {"one", zeros::one}, {"none", zeros::none}}),
      .is_signed = yes_or_no("signed", is_signed)};
  return number_format::floating(name, fields,
                                 fields.infinity ? overflow::to_infinity : overflow::saturate);
}

}  // namespace

const std::vector<number_entry>& number_catalogue() {
  static const std::vector<number_entry> all = [] {
    std::vector<number_entry> list;
    for (const named_format& one : named_formats()) list.push_back(one.entry);
    return list;
  }();
  return all;
}

std::optional<number_format> find_number_format(std::string_view name) {
  const std::string known = small_letters(name);
  for (const named_format& one : named_formats()) {
    const auto& others = one.entry.also_called;
    if (known == one.entry.name || std::find(others.begin(), others.end(), known) != others.end()) {
      return one.make(one.entry.name);
    }
  }
  if (known.starts_with("float:")) return own_format(known);
  if (auto found = find_p3109(known)) return found;
  return find_fixed_point(known);
}

rounding parse_rounding(std::string_view name) {
  return one_of<rounding>("rounding", name,
                          {{"nearest-even", rounding::nearest_even},
                           {"nearest-away", rounding::nearest_away},
                           {"toward-zero", rounding::toward_zero},
                           {"down", rounding::down},
                           {"up", rounding::up},
                           {"to-odd", rounding::to_odd}},
                          ", stochastic, stochastic-a:N, stochastic-b:N, stochastic-c:N");
}

std::optional<chance> parse_chance(std::string_view name) {
  using variant = chance::variant;
  if (name == "stochastic") return chance{};
  for (const auto& [start, kind] : {std::pair{"stochastic-a", variant::a},
                                    {"stochastic-b", variant::b},
                                    {"stochastic-c", variant::c}}) {
    if (!name.starts_with(start)) continue;
    std::string_view rest = name.substr(std::string_view(start).size());
    const bool has_colon = rest.starts_with(':');
    if (has_colon) rest.remove_prefix(1);
    int bits = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), bits);
    const bool is_number = problem == std::errc{} && end == rest.data() + rest.size();
    if (has_colon && is_number && bits >= 1 && bits <= chance::most_bits) return chance{kind, bits};
    throw std::domain_error("rounding " + std::string(start) +
                            " needs its number of random bits, " + "such as " + start +
                            ":8, from 1 to " + std::to_string(chance::most_bits) + ", got '" +
                            std::string(name) + "'");
  }
  return {};
}

overflow parse_overflow(std::string_view name) {
  return one_of<overflow>("overflow", name,
                          {{"saturate", overflow::saturate},
                           {"infinity", overflow::to_infinity},
                           {"nan", overflow::to_nan}});
}

}  // namespace ktln2
