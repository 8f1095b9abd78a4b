#include "ask/command.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/nearest.hpp"

namespace ktln2::ask {
namespace {

template <class Named>
const Named* called(const std::vector<Named>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

}  // namespace

std::vector<option> command::all_options() const {
  std::vector<option> all;
  for (const kind& each : kinds) {
    for (const option& one : each.options) {
      if (called(all, one.name) == nullptr) all.push_back(one);
    }
  }
  return all;
}

std::vector<std::string> command_names() { return names_of(commands()); }

const command& command_called(std::string_view name) {
  if (const command* found = called(commands(), name)) return *found;
  throw std::domain_error(unknown_name("command", name, command_names()));
}

const kind& kind_called(const command& of, std::string_view name) {
  if (const kind* found = called(of.kinds, name)) return *found;
  throw std::domain_error(of.name + ": " + unknown_name("kind", name, names_of(of.kinds)));
}

}  // namespace ktln2::ask
