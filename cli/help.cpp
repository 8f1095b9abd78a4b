#include "help.hpp"

#include <algorithm>

#include "core/nearest.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "output.hpp"

namespace ktln2::cli {
namespace {

/// Two columns, the second one wrapped.
class listing {
 public:
  void add(std::string name, std::string text) {
    rows_.push_back({std::move(name), std::move(text)});
  }
  [[nodiscard]] std::string text() const {
    constexpr std::size_t widest = 24;
    std::size_t width = 0;
    for (const row& one : rows_) {
      if (one.name.size() <= widest) width = std::max(width, one.name.size());
    }
    const std::size_t indent = width + 4;
    std::string result;
    for (const row& one : rows_) {
      const bool fits = one.name.size() <= width;
      result += "  " + one.name;
      result +=
          fits ? std::string(indent - 2 - one.name.size(), ' ') : "\n" + std::string(indent, ' ');
      result += wrapped(one.text, indent) + "\n";
    }
    return result;
  }

 private:
  struct row {
    std::string name;
    std::string text;
  };
  std::vector<row> rows_;
};

std::string with_symbol(const ask::option& one) {
  std::string text = "--" + one.name;
  if (!one.symbol.empty()) text += " " + one.symbol;
  return one.is_list() ? text + "..." : text;
}

std::string with_default(const ask::option& one) {
  return one.otherwise.empty() ? one.help : one.help + " (default " + one.otherwise + ")";
}

std::string usage(const ask::command& of, const std::string& kind) {
  std::string line = "ktln2 " + of.name;
  if (of.has_kinds()) line += " " + (kind.empty() ? "KIND" : kind);
  for (const ask::option& one : of.arguments) {
    const std::string symbol = one.symbol + (one.is_list() ? "..." : "");
    line += one.otherwise.empty() ? " " + symbol : " [" + symbol + "]";
  }
  return line + " [OPTIONS]\n";
}

/// The kinds, each with the names of its options.
std::string kinds_text(const ask::command& of) {
  listing kinds;
  for (const ask::kind& one : of.kinds) {
    std::string text = one.help + ":";
    for (const ask::option& own : one.options) text += " --" + own.name;
    kinds.add(one.name, text);
  }
  return "Kinds, with the options that each has:\n" + kinds.text() + "\n";
}

std::string options_text(const ask::command& of, const std::string& kind) {
  listing arguments;
  for (const ask::option& one : of.arguments) arguments.add(one.symbol, one.help);
  listing options;
  const std::vector<ask::option> own =
      kind.empty() ? of.all_options() : kind_called(of, kind).options;
  for (const ask::option& one : own) {
    // A default that depends on the kind is told with the kind.
    const bool differs = std::any_of(of.kinds.begin(), of.kinds.end(), [&](const auto& other) {
      return std::any_of(other.options.begin(), other.options.end(), [&](const auto& same) {
        return same.name == one.name && same.otherwise != one.otherwise;
      });
    });
    options.add(with_symbol(one), kind.empty() && differs ? one.help : with_default(one));
  }
  for (const ask::option& one : common_options()) options.add(with_symbol(one), one.help);
  return (of.arguments.empty() ? "" : "Arguments:\n" + arguments.text() + "\n") + "Options:\n" +
         options.text() + "\n";
}

/// A description that is too long for a line goes on, behind a comma, in the next.
std::string broken(std::string pattern) {
  constexpr std::size_t longest = 78;
  if (pattern.size() > longest) pattern.insert(pattern.rfind(',', longest - 1) + 1, "\n      ");
  return pattern;
}

/// Of the catalogue, for commands that take a distribution.
std::string laws_text(const ask::command& of) {
  const bool takes_law =
      std::any_of(of.arguments.begin(), of.arguments.end(),
                  [](const ask::option& one) { return one.name == "distribution"; });
  if (!takes_law) return "";
  std::string text = "Distributions, with the values that missing keys take:\n";
  for (const law_entry& one : law_catalogue()) {
    text += "  " + broken(one.pattern()) + "\n";
    if (!one.help.empty()) text += "      " + wrapped(one.help, 6) + "\n";
  }
  return text + "\n";
}

}  // namespace

const std::vector<ask::option>& common_options() {
  static const std::vector<ask::option> all{
      {"json", "", ask::takes::nothing, "Print one JSON object"},
      {"csv", "", ask::takes::nothing, "Print rows as CSV"},
      {"help", "", ask::takes::nothing, "Print this"}};
  return all;
}

std::string help() {
  listing commands;
  for (const ask::command& one : ask::commands()) commands.add(one.name, one.help);
  return wrapped(
             "What must a computation on floating-point registers cost, at the least, in bits and "
             "in joules?",
             0) +
         "\n\nktln2 COMMAND ...\n\nCommands:\n" + commands.text() +
         "\nOptions:\n"
         "  --help       Print this; after a command, its options and an example\n"
         "  --version    Print the version\n"
         "\nA command prints for a person; with --json one JSON object, with --csv rows.\n"
         "A first one:\n"
         "  ktln2 entropy p24e8 normal:mu=0,sigma=1\n";
}

std::string help_on(const ask::command& of, const std::string& kind) {
  const std::string& about = kind.empty() ? of.help : kind_called(of, kind).help;
  std::string text = usage(of, kind) + "\n" + wrapped(about, 0) + "\n\n";
  if (of.has_kinds() && kind.empty()) text += kinds_text(of);
  text += options_text(of, kind) + laws_text(of);
  if (!of.notes.empty()) text += of.notes + "\n";
  const std::string own = kind.empty() ? "" : kind_called(of, kind).example;
  return text + "Example:\n  ktln2 " + (own.empty() ? of.example : own) + "\n";
}

}  // namespace ktln2::cli
