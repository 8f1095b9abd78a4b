#include "ask/command.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/named.hpp"
#include "core/nearest.hpp"

namespace ktln2::ask {

std::vector<option> command::all_options() const {
  std::vector<option> all;
  for (const kind& each : kinds) {
    for (const option& one : each.options) {
      if (find_named(all, one.name) == nullptr) all.push_back(one);
    }
  }
  return all;
}

std::vector<std::string> command::kinds_with(std::string_view option_name) const {
  std::vector<std::string> names;
  for (const kind& each : kinds) {
    if (find_named(each.options, option_name) != nullptr) names.push_back(each.name);
  }
  return names;
}

const option* find_option(const std::vector<option>& all, std::string_view name) {
  if (const option* exact = find_named(all, name)) return exact;
  std::string typed = in_small_letters(name);
  std::replace(typed.begin(), typed.end(), '_', '-');
  const auto found = std::find_if(all.begin(), all.end(), [&](const option& one) {
    return one.name == typed ||
           std::find(one.also.begin(), one.also.end(), typed) != one.also.end();
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> command_names() { return names_of(commands()); }

const command& command_called(std::string_view name) {
  if (const command* found = find_named(commands(), name)) return *found;
  throw std::domain_error(unknown_name("command", name, command_names()));
}

const kind& kind_called(const command& of, std::string_view name) {
  if (const kind* found = find_named(of.kinds, name)) return *found;
  throw std::domain_error(of.name + ": " + unknown_name("kind", name, names_of(of.kinds)));
}

}  // namespace ktln2::ask
