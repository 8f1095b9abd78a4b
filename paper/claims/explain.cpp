#include "paper/claims/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/nearest.hpp"
#include "embedded.hpp"
#include "paper/claims/numbers.hpp"
#include "paper/toml.hpp"

namespace ktln2::paper {
namespace {

[[noreturn]] void refuse(std::string_view label, std::string_view problem) {
  throw std::logic_error(fmt::format("labels.toml: {}: {}", label, problem));
}

std::string text_of(const toml::table& entry, std::string_view label, std::string_view key) {
  const toml::node* node = entry.get(key);
  if (node == nullptr) return "";
  const auto text = node->value<std::string>();
  if (!text || text->empty()) refuse(label, fmt::format("{} must be a text", key));
  return *text;
}

std::vector<std::string> list_of(const toml::table& entry, std::string_view label,
                                 std::string_view key) {
  const toml::node* node = entry.get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(label, fmt::format("{} must be a list", key));
  std::vector<std::string> list;
  for (const toml::node& item : *array) {
    const auto text = item.value<std::string>();
    if (!text) refuse(label, fmt::format("{} must be a list of texts", key));
    list.push_back(*text);
  }
  return list;
}

void check_keys(const toml::table& entry, std::string_view label) {
  static const std::vector<std::string_view> known{
      "title", "tex", "says", "uses", "status", "regime", "figures", "command", "erratum", "for"};
  for (const auto& [key, value] : entry) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      refuse(label, fmt::format("unknown key '{}'", key.str()));
    }
  }
  for (const char* key : {"title", "says", "uses", "status"}) {
    if (!entry.contains(key)) refuse(label, fmt::format("{} is missing", key));
  }
}

explanation read_entry(const toml::table& entry, std::string_view label) {
  check_keys(entry, label);
  explanation result;
  result.label = label;
  result.title = text_of(entry, label, "title");
  result.tex = text_of(entry, label, "tex");
  result.says = text_of(entry, label, "says");
  result.uses = list_of(entry, label, "uses");
  result.status = text_of(entry, label, "status");
  result.regime = text_of(entry, label, "regime");
  result.figures = list_of(entry, label, "figures");
  result.command = text_of(entry, label, "command");
  result.erratum = text_of(entry, label, "erratum");
  const auto& known = statuses();
  if (std::find(known.begin(), known.end(), result.status) == known.end()) {
    refuse(label, fmt::format("unknown status '{}'", result.status));
  }
  return result;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  std::size_t at = text.find(what);
  while (at != std::string::npos) {
    text.replace(at, what.size(), with);
    at = text.find(what, at + with.size());
  }
}

/// A pattern with @p in it stands for one entry for each value from `first` to `last`.
std::vector<explanation> filled_in(const explanation& pattern, std::string_view name,
                                   std::int64_t first, std::int64_t last) {
  std::vector<explanation> list;
  for (std::int64_t value = first; value <= last; ++value) {
    explanation one = pattern;
    for (std::string* text :
         {&one.label, &one.title, &one.tex, &one.says, &one.regime, &one.command, &one.erratum}) {
      replace_all(*text, name, std::to_string(value));
    }
    for (std::string& figure : one.figures) replace_all(figure, name, std::to_string(value));
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<explanation> expanded(const toml::table& entry, std::string_view label) {
  std::vector<explanation> list{read_entry(entry, label)};
  const toml::table* values = entry["for"].as_table();
  if (values == nullptr) return list;
  for (const auto& [name, node] : *values) {
    const toml::array* range = node.as_array();
    const auto bound = [range](std::size_t i) {
      return range == nullptr ? std::nullopt : range->get(i)->value<std::int64_t>();
    };
    if (range == nullptr || range->size() != 2 || !bound(0) || !bound(1)) {
      refuse(label, "for needs names and ranges such as {p = [1, 8]}");
    }
    std::vector<explanation> next;
    for (const explanation& pattern : list) {
      auto filled = filled_in(pattern, fmt::format("@{}", name.str()), *bound(0), *bound(1));
      std::move(filled.begin(), filled.end(), std::back_inserter(next));
    }
    list = std::move(next);
  }
  return list;
}

std::string_view without_prefix(std::string_view label) {
  return label.substr(label.find(':') + 1);
}

}  // namespace

const std::vector<std::string_view>& statuses() {
  static const std::vector<std::string_view> list{"section",
                                                  "figure",
                                                  "table",
                                                  "definition",
                                                  "assumption",
                                                  "exact",
                                                  "exact given Approximations 1 and 2",
                                                  "theorem-backed",
                                                  "asymptotic",
                                                  "numerically validated"};
  return list;
}

std::vector<explanation> read_explanations(std::string_view toml) {
  toml::table root;
  try {
    root = parse_toml(toml);
  } catch (const toml::parse_error& error) {
    throw std::logic_error(
        fmt::format("labels.toml: line {}: {}", error.source().begin.line, error.description()));
  }
  // TOML's tables are sorted by name; the file is in the order of the paper.
  std::vector<std::pair<toml::source_index, std::vector<explanation>>> groups;
  for (const auto& [label, node] : root) {
    const toml::table* entry = node.as_table();
    if (entry == nullptr) refuse(label.str(), "no table");
    groups.emplace_back(node.source().begin.line, expanded(*entry, label.str()));
  }
  std::sort(groups.begin(), groups.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<explanation> list;
  for (auto& group : groups) {
    std::move(group.second.begin(), group.second.end(), std::back_inserter(list));
  }
  return list;
}

const std::vector<explanation>& all_explanations() {
  static const std::vector<explanation> list = [] {
    std::vector<explanation> made = read_explanations(embedded::labels_toml);
    for (explanation& one : made) one.number = printed_number(one.label);
    return made;
  }();
  return list;
}

const explanation* find_explanation(std::string_view label) {
  const std::vector<explanation>& all = all_explanations();
  const auto with = [&all](std::string_view whole) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [whole](const explanation& e) { return e.label == whole; });
    return found == all.end() ? nullptr : &*found;
  };
  if (const explanation* exact = with(label)) return exact;
  const auto ends_so = [label](const explanation& e) { return without_prefix(e.label) == label; };
  const auto only = std::find_if(all.begin(), all.end(), ends_so);
  if (only != all.end() && std::count_if(all.begin(), all.end(), ends_so) == 1) return &*only;
  if (const auto printed = read_printed_name(label)) return with(label_printed(*printed));
  return nullptr;
}

std::vector<explanation> explanations_with(std::string_view text) {
  const std::string wanted = in_small_letters(text);
  std::vector<explanation> list;
  for (const explanation& e : all_explanations()) {
    const bool is_there = in_small_letters(e.label).find(wanted) != std::string::npos ||
                          in_small_letters(e.title).find(wanted) != std::string::npos;
    if (is_there && !wanted.empty()) list.push_back(e);
  }
  return list;
}

const explanation& explain(std::string_view label) {
  const std::vector<explanation>& all = all_explanations();
  if (const explanation* found = find_explanation(label)) return *found;
  std::vector<std::string> labels;
  labels.reserve(all.size());
  for (const explanation& entry : all) labels.push_back(entry.label);
  throw std::domain_error(fmt::format("explain: the paper has no label '{}': the nearest are {}",
                                      label, listed(nearest(label, labels), "and")));
}

}  // namespace ktln2::paper
