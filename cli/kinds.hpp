#pragma once

#include <vector>

namespace ktln2::cli {

/// An option --name VALUE of a command, or a flag, which has no type.
struct option_help {
  const char* name;
  const char* type;
  const char* help;
};

/// A command that does several kinds of things: ktln2 NAME KIND FORMAT --options. What its help
/// says; the options go by their names into the request.
struct kind_command {
  const char* name;
  const char* help;
  const char* example;
  const char* kinds;
  const char* notes;
  std::vector<option_help> options;
};

const kind_command& cost_kinds();
const kind_command& scaling_kinds();
const kind_command& mismatch_kinds();
const kind_command& simulate_kinds();

}  // namespace ktln2::cli
