#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ktln2 {

/// The entry of a table that has this name, or null.
template <class Named>
const Named* find_named(const std::vector<Named>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all) names.emplace_back(one.name);
  return names;
}

}  // namespace ktln2
