#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// A format by name, and what else people call it.
struct number_entry {
  std::string_view name;
  std::string_view what;
  std::vector<std::string_view> also_called = {};
};

/// Those with a name of their own, in the order of a table. Families that are named by their
/// numbers, such as binary8p4se and q3.4, are formats too.
const std::vector<number_entry>& number_catalogue();

/// From a name such as "bfloat16", "binary8p4se", "q3.4", "int8", "posit16" or
/// "float:p=5,exponent_bits=4,bias=7"; capitals are small letters. Nothing for any other name.
/// Throws std::domain_error for a name of a family with numbers that it does not have.
std::optional<number_format> find_number_format(std::string_view name);

/// "nearest-even" … ; throws std::domain_error that lists what there is.
rounding parse_rounding(std::string_view name);
/// Also "stochastic", "stochastic-a:3" … , of which the others leave nothing.
std::optional<chance> parse_chance(std::string_view name);
overflow parse_overflow(std::string_view name);

}  // namespace ktln2
