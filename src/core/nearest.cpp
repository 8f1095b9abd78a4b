#include "core/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ktln2 {
namespace {

/// How many letters must change to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t shown = 3;
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  const bool has_prefix = word.find(':') != std::string_view::npos;
  for (const std::string_view one : known) {
    const std::string_view compared = has_prefix ? one : one.substr(one.find(':') + 1);
    const bool holds_it = !word.empty() && compared.find(word) != std::string_view::npos;
    ranked.emplace_back(holds_it ? 0 : edit_distance(word, compared), one);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, ranked.size()); ++i) {
    if (i > 0) list += ", ";
    list += ranked[i].second;
  }
  return list;
}

}  // namespace ktln2
