#include "paper/figures/contents.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "embedded.hpp"
#include "paper/toml.hpp"

namespace ktln2::paper {
namespace {

[[noreturn]] void refuse(const toml::node& where, std::string_view why) {
  throw std::logic_error(fmt::format("figures.toml, line {}: {}", where.source().begin.line, why));
}

/// "@p" and what it stands for.
struct replacement {
  std::string name;
  std::string value;
};

/// The texts of one table, with the names of patterns filled in.
class reader {
 public:
  reader(const toml::table& table, std::vector<replacement> known)
      : table_{table}, known_{std::move(known)} {}

  [[nodiscard]] std::string text(std::string_view key, bool is_needed = true) const {
    const auto value = table_[key].value<std::string>();
    if (!value && is_needed) refuse(table_, fmt::format("{} is missing", key));
    std::string result = value.value_or("");
    for (const auto& [name, with] : known_) {
      for (std::size_t at = 0; (at = result.find(name, at)) != std::string::npos;
           at += with.size()) {
        result.replace(at, name.size(), with);
      }
    }
    return result;
  }

  [[nodiscard]] entry words(bool is_panel) const {
    return {text("label"), text("title"), text("caption", is_panel), text("adds", false),
            text("explore", false)};
  }

 private:
  const toml::table& table_;
  std::vector<replacement> known_;
};

/// One list of replacements for each entry that a table stands for.
std::vector<std::vector<replacement>> cases_of(const toml::table& table,
                                               const std::vector<replacement>& known) {
  const toml::table* pattern = table["for"].as_table();
  if (pattern == nullptr) return {known};
  if (pattern->size() != 1 || !pattern->begin()->second.is_array()) {
    refuse(table, "for needs one name and its values");
  }
  std::vector<std::vector<replacement>> result;
  for (const auto& [name, values] : *pattern) {
    for (const toml::node& value : *values.as_array()) {
      result.push_back(known);
      result.back().push_back(
          {fmt::format("@{}", name.str()), std::to_string(value.value_or(std::int64_t{0}))});
    }
  }
  return result;
}

const toml::array& tables_in(const toml::table& table, std::string_view key) {
  static const toml::array none;
  if (!table.contains(key)) return none;
  const toml::array* list = table[key].as_array();
  if (list == nullptr || !list->is_array_of_tables())
    refuse(table, fmt::format("expected [[{}]]", key));
  return *list;
}

content read_figure(const toml::table& table, const std::vector<replacement>& known) {
  const reader whole(table, known);
  const toml::array& panels = tables_in(table, "panel");
  content result{whole.words(false), whole.text("chapter"), {}};
  for (const toml::node& node : panels) {
    const toml::table& panel = *node.as_table();
    for (const std::vector<replacement>& one : cases_of(panel, known)) {
      result.panels.push_back(reader(panel, one).words(true));
    }
  }
  return result;
}

}  // namespace

std::vector<content> read_contents(std::string_view toml) {
  toml::table root;
  try {
    root = parse_toml(toml);
  } catch (const toml::parse_error& error) {
    throw std::logic_error(
        fmt::format("figures.toml, line {}: {}", error.source().begin.line, error.description()));
  }
  std::vector<content> result;
  for (const toml::node& node : tables_in(root, "figure")) {
    const toml::table& figure = *node.as_table();
    for (const std::vector<replacement>& one : cases_of(figure, {})) {
      result.push_back(read_figure(figure, one));
    }
  }
  return result;
}

const std::vector<content>& contents() {
  static const std::vector<content> all = read_contents(embedded::figures_toml);
  return all;
}

}  // namespace ktln2::paper
