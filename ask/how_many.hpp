#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ktln2::ask {

/// "1 row", "2 rows"; where an s does not make it many, as "1 infinity", "2 infinities", with how
/// many of them are called.
template <class Number>
std::string how_many(const Number& count, std::string_view one, std::string_view many = {}) {
  if (count == Number{1}) return fmt::format("{} {}", count, one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

}  // namespace ktln2::ask
