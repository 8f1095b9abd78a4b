#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ktln2::ask {

/// What help says. A page asks without it, and is loaded without it.
#ifdef KTLN2_HAS_HELP
constexpr bool has_help = true;
using help_text = std::string;
#else
constexpr bool has_help = false;
struct help_text {
  help_text() = default;
  template <class Text>
  help_text(const Text& /*said*/) {}
  help_text operator+(const char* /*more*/) const { return *this; }
};
#endif

/// What an option takes, and so what can be checked before anything is computed.
enum class takes {
  nothing,
  word,
  number,
  whole,
  words,
  numbers,
  each,  ///< a word, and another one each time that it is given again
};

/// An option --name VALUE, or an argument without a name of its own.
struct option {
  std::string name;    ///< as it is typed behind "--"
  std::string symbol;  ///< what help calls the value: "N"
  takes what;
  help_text help;
  std::string otherwise = {};  ///< the default, as it would be typed; empty where there is none
  /// The parts of the answer that the option adds and that are all it does, with commas.
  std::string shows = {};
  /// Other names that people type, which stand for this one.
  std::vector<std::string> also = {};

  [[nodiscard]] bool is_list() const { return what == takes::words || what == takes::numbers; }
};

/// One of the things that a command does, with the options that belong to it.
struct kind {
  std::string name;  ///< empty for a command that does one thing only
  help_text help;
  std::vector<option> options;
  help_text example = {};  ///< without the name of the program; empty: that of the command
  /// Those of the command, as help has them where they mean something else here.
  std::vector<option> arguments = {};
};

/// A paragraph of help, in lines that fit.
struct note {
  std::string of;  ///< the option that it is about; empty: the whole command
  help_text text;
};

/// A command as parser, help, completion and `sweep` see it. What is not written here does not
/// exist.
struct command {
  std::string name;
  help_text help;
  help_text example;              ///< without the name of the program
  std::vector<option> arguments;  ///< in order; all needed but for those with a default
  std::vector<kind> kinds;        ///< at least one
  std::vector<note> notes = {};
  bool can_be_swept = false;
  bool takes_one_variable = false;  ///< only: no pair, row or estimate where a law is asked for

  [[nodiscard]] bool has_kinds() const { return !kinds.front().name.empty(); }
  /// The options of all kinds, each name once.
  [[nodiscard]] std::vector<option> all_options() const;
  /// The names of the kinds that have an option.
  [[nodiscard]] std::vector<std::string> kinds_with(std::string_view option_name) const;
};

/// The option with this name, or with this other name, or with one of the two where capitals are
/// typed, or "_" for "-"; null if there is none.
const option* find_option(const std::vector<option>& all, std::string_view name);

/// All of them, in the order of help.
const std::vector<command>& commands();
std::vector<std::string> command_names();
/// Throws std::domain_error, with the nearest name, if there is none.
const command& command_called(std::string_view name);
/// The same.
const kind& kind_called(const command& of, std::string_view name);

}  // namespace ktln2::ask
