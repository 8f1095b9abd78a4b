#include "ask/report.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/named.hpp"
#include "core/nearest.hpp"
#include "ktln2/core/version.hpp"

namespace ktln2::ask {
namespace {

bool is_leaf(const json& value) { return !value.is_object() && !value.is_array(); }

/// What an entry of a list goes by, if it does not go by its place: {label, value, …} and
/// {name, entropy}.
std::string name_in_list(const json& entry) {
  for (const char* key : {"label", "name"}) {
    if (entry.is_object() && entry.contains(key)) return entry.at(key).get<std::string>();
  }
  return "";
}

/// The number that such an entry is about.
const json* main_value(const json& entry) {
  for (const char* key : {"value", "entropy"}) {
    if (entry.is_object() && entry.contains(key)) return &entry.at(key);
  }
  return nullptr;
}

/// What stands below a value under a name, or nothing.
const json* child(const json& value, std::string_view name) {
  if (value.is_object()) {
    const auto found = value.find(std::string(name));
    return found == value.end() ? nullptr : &*found;
  }
  if (!value.is_array()) return nullptr;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string own = name_in_list(value[i]);
    if (name == (own.empty() ? std::to_string(i) : own)) return &value[i];
  }
  return nullptr;
}

void list_paths(const json& value, const std::string& path, std::vector<std::string>& all) {
  if (is_leaf(value)) {
    all.push_back(path);
  } else if (value.is_object()) {
    for (const auto& [key, inside] : value.items()) {
      std::string here = path;
      list_paths(inside, here.append(".").append(key), all);
    }
  } else {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string own = name_in_list(value[i]);
      std::string here = path;
      here.append(".").append(own.empty() ? std::to_string(i) : own);
      if (!own.empty() && main_value(value[i]) != nullptr) {
        all.push_back(here);
      } else {
        list_paths(value[i], here, all);
      }
    }
  }
}

}  // namespace

report::report(std::string_view command) {
  add("program", "ktln2");
  add("version", version);
  add("command", std::string(command));
}

void report::add(std::string name, json value) {
  put({std::move(name), [value = std::move(value)] { return value; }, false, true});
}

void report::add_lazy(std::string name, maker make) {
  put({std::move(name), std::move(make), false, false});
}

void report::add_all(const json& object) {
  for (const auto& [name, value] : object.items()) add(name, value);
}

void report::headline(std::string name, double value) {
  put({std::move(name), [value] { return number(value); }, true, true});
}

void report::headline_lazy(std::string name, maker make) {
  put({std::move(name), std::move(make), true, false});
}

void report::set_warnings(std::function<std::vector<std::string>()> make) {
  warnings_ = std::move(make);
}

std::vector<std::string> report::headlines() const {
  std::vector<std::string> names;
  for (const part& one : parts_) {
    if (one.is_headline) names.push_back(one.name);
  }
  names.insert(names.end(), more_headlines_.begin(), more_headlines_.end());
  return names;
}

std::vector<std::string> report::warnings() const {
  return warnings_ ? warnings_() : std::vector<std::string>{};
}

json report::all() const {
  json object = json::object();
  for (const part& one : parts_) object[one.name] = one.value();
  object["warnings"] = warnings();
  return object;
}

const report::part* report::part_called(std::string_view name) const {
  return find_named(parts_, name);
}

std::optional<json> report::find(std::string_view path) const {
  std::size_t dot = path.find('.');
  const part* first = part_called(path.substr(0, dot));
  if (first == nullptr) return {};
  const json* value = &first->value();
  while (dot != std::string_view::npos) {
    const std::size_t begin = dot + 1;
    dot = path.find('.', begin);
    value = child(*value, path.substr(begin, dot - begin));
    if (value == nullptr) return {};
  }
  if (const json* about = main_value(*value)) value = about;
  if (!is_leaf(*value)) return {};
  return *value;
}

json report::at(std::string_view path) const {
  if (auto found = find(path)) return *std::move(found);
  throw std::domain_error(unknown_name("column", path, paths()));
}

void report::require_part(std::string_view path) const {
  const std::string_view first = path.substr(0, path.find('.'));
  if (part_called(first) != nullptr) return;
  std::vector<std::string> known;
  for (const part& one : parts_) {
    if (one.is_free) {
      list_paths(one.value(), one.name, known);
    } else {
      known.push_back(one.name);
    }
  }
  const bool is_near = !meant(path, known).empty();
  throw std::domain_error(unknown_name("column", is_near ? path : first, known));
}

std::vector<std::string> report::paths() const {
  std::vector<std::string> all;
  for (const part& one : parts_) list_paths(one.value(), one.name, all);
  return all;
}

}  // namespace ktln2::ask
