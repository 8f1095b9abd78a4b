#include "data/decimal.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ktln2::data {
namespace {

cell of_value(double value) {
  if (std::isnan(value)) return {cell::kind::missing};
  return {cell::kind::number, value};
}

/// Whether the number written is not zero, whatever became of it.
bool has_digits_but_zero(std::string_view text) {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") !=
         std::string_view::npos;
}

}  // namespace

cell decimal_by_strtod(std::string_view text) {
  // It takes besides: blanks, '+' and hexadecimal.
  const bool may_begin = text.find_first_of("-.0123456789iInN") == 0;
  const bool is_hexadecimal = text.find_first_of("xX") < 3;
  if (!may_begin || is_hexadecimal) return {cell::kind::text};
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return {cell::kind::text};
  const bool is_beyond = std::isinf(value) ? text.find_first_of("iI") == std::string_view::npos
                                           : value == 0 && has_digits_but_zero(text);
  return is_beyond ? cell{cell::kind::beyond} : of_value(value);
}

cell decimal(std::string_view text) {
#ifdef __cpp_lib_to_chars
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size())
    return {cell::kind::text};
  if (problem == std::errc::result_out_of_range) return {cell::kind::beyond};
  return of_value(value);
#else
  return decimal_by_strtod(text);
#endif
}

}  // namespace ktln2::data
