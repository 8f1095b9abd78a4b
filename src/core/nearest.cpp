#include "core/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace ktln2 {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), lower);
  return small;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& known,
                                 std::size_t most) {
  constexpr std::size_t longest = 100;  // whatever was typed, the answer comes at once
  name = name.substr(0, longest);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const bool has_prefix = name.find(':') != std::string_view::npos;
  for (const std::string& one : known) {
    const std::size_t colon = one.find(':');
    const std::string_view compared =
        has_prefix || colon == std::string::npos ? one : std::string_view(one).substr(colon + 1);
    const bool holds_it = !name.empty() && compared.find(name) != std::string_view::npos;
    ranked.emplace_back(holds_it ? 0 : edit_distance(name, compared), one);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> list;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) list.push_back(ranked[i].second);
  return list;
}

std::string meant(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> first = nearest(name, known, 1);
  if (first.empty() || name.size() > 100) return "";
  if (name.size() < 2 && edit_distance(name, first[0]) > 0) return "";  // any letter is near
  const bool begins_so = name.size() >= 3 && first[0].find(name) != std::string::npos;
  const std::size_t allowed = std::max<std::size_t>(1, std::min(name.size(), first[0].size()) / 3);
  return begins_so || edit_distance(name, first[0]) <= allowed ? first[0] : "";
}

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    list += names[i];
  }
  return list;
}

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
  constexpr std::size_t few = 24;
  std::string message = "unknown " + std::string(what) + " '" + std::string(name) + "': ";
  const std::string guess = meant(name, known);
  if (!guess.empty()) message += "did you mean " + guess + "? ";
  if (known.size() <= few) return message + "expected " + listed(known);
  if (guess.empty()) return message + "the nearest are " + listed(nearest(name, known), "and");
  message.pop_back();
  return message;
}

}  // namespace ktln2
