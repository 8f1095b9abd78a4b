#include "help.hpp"

#include <algorithm>

#include "core/named.hpp"
#include "core/nearest.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "output.hpp"

namespace ktln2::cli {
namespace {

constexpr const char* purpose =
    "What must a computation on floating-point registers cost, at the least, in bits and in "
    "joules?";

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

/// Its other names, such as --lr.
std::string with_others(const ask::option& one, std::string text) {
  for (const std::string& other : one.also) {
    text += (&other == &one.also.front() ? "; also --" : ", --") + other;
  }
  return text;
}

/// As a kind has them, where it has them otherwise.
const std::vector<ask::option>& arguments_of(const ask::command& of, const std::string& kind) {
  const std::vector<ask::option>& own = kind_called(of, kind).arguments;
  return own.empty() ? of.arguments : own;
}

std::string usage(const ask::command& of, const std::string& kind) {
  std::string line = "ktln2 " + of.name;
  if (of.has_kinds()) line += " " + (kind.empty() ? "KIND" : kind);
  for (const ask::option& one : kind.empty() ? of.arguments : arguments_of(of, kind)) {
    const std::string symbol = one.symbol + (one.is_list() ? "..." : "");
    line += one.otherwise.empty() ? " " + symbol : " [" + symbol + "]";
  }
  return line + " [OPTIONS]\n";
}

std::string kinds_text(const ask::command& of) {
  listing kinds;
  for (const ask::kind& one : of.kinds) kinds.add(one.name, one.help);
  return "Kinds (ktln2 " + of.name + " KIND --help shows the options of one, and an example):\n" +
         kinds.text() + "\n";
}

std::string arguments_text(const std::vector<ask::option>& all) {
  if (all.empty()) return "";
  listing arguments;
  for (const ask::option& one : all) arguments.add(one.symbol, one.help);
  return "Arguments:\n" + arguments.text() + "\n";
}

void add_common_options(listing& options) {
  for (const ask::option& one : common_options()) options.add(with_symbol(one), one.help);
}

/// The options of one kind.
std::string options_text(const ask::kind& of) {
  listing options;
  for (const ask::option& one : of.options) {
    options.add(with_symbol(one), with_others(one, with_default(one)));
  }
  add_common_options(options);
  return "Options:\n" + options.text() + "\n";
}

/// Those of all kinds, each with the kinds that have it.
std::string all_options_text(const ask::command& of) {
  listing options;
  for (const ask::option& one : of.all_options()) {
    options.add(with_symbol(one), describe(one, of));
  }
  add_common_options(options);
  return "Options [of these kinds only]:\n" + options.text() + "\n";
}

/// The paragraphs about the command, and about options that there are.
std::string notes_text(const ask::command& of, const std::string& kind) {
  std::string text;
  for (const ask::note& one : of.notes) {
    const std::vector<std::string> having = of.kinds_with(one.of);
    const bool concerns = one.of.empty() || (kind.empty() && of.has_kinds()) ||
                          std::find(having.begin(), having.end(), kind) != having.end();
    if (concerns) text += one.text + "\n";
  }
  return text;
}

std::string examples_text(const ask::command& of, const std::string& kind) {
  const auto line = [&of](const ask::kind& one) {
    return "  ktln2 " + (one.example.empty() ? of.example : one.example) + "\n";
  };
  if (!kind.empty() || !of.has_kinds()) return "Example:\n" + line(kind_called(of, kind));
  std::string text = "Examples:\n";
  for (const ask::kind& one : of.kinds) text += line(one);
  return text;
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
    if (of.takes_one_variable && !one.is_of_one_variable()) continue;
    text += "  " + broken(one.pattern()) + "\n";
    const std::string about = describe(one);
    if (!about.empty()) text += "      " + wrapped(about, 6) + "\n";
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

std::string about_the_program() { return purpose; }

std::string describe(const ask::option& one, const ask::command& of) {
  // A default that depends on the kind is told with the kind.
  const bool differs = std::any_of(of.kinds.begin(), of.kinds.end(), [&](const auto& other) {
    const ask::option* same = find_named(other.options, one.name);
    return same != nullptr && same->otherwise != one.otherwise;
  });
  const std::vector<std::string> having = of.kinds_with(one.name);
  const std::string text = with_others(one, differs ? one.help : with_default(one));
  return having.size() < of.kinds.size() ? text + " [" + listed(having, "and") + "]" : text;
}

std::string describe(const law_entry& one) {
  std::string about(one.help);
  for (const std::string_view& other : one.also_called) {
    about += &other != &one.also_called.front() ? ", " : about.empty() ? "also " : "; also ";
    about += other;
  }
  return about;
}

std::string short_help() {
  return wrapped(purpose, 0) +
         "\n\n"
         "  ktln2 entropy bfloat16 normal:sigma=0.02\n"
         "      the bits that a number carries in its register\n"
         "  ktln2 cost exact p24e8 --n 1000\n"
         "      the least energy that regression on 1000 points takes\n"
         "  ktln2 compare normal:sigma=0.02\n"
         "      one variable in all the common formats\n"
         "\n"
         "ktln2 --help lists the commands, ktln2 help COMMAND tells about one.\n";
}

std::string help() {
  listing commands;
  std::vector<std::string> drawn;
  for (const ask::command& one : ask::commands()) {
    commands.add(one.name, one.help);
    if (find_named(one.all_options(), "plot") != nullptr) drawn.push_back(one.name);
  }
  listing options;
  options.add("-h, --help", "Print this; after a command, its options and an example");
  options.add("-V, --version", "Print the version");
  listing forms;
  forms.add("--json", "one JSON object, with all digits and the warnings");
  forms.add("--csv", "rows for a spreadsheet");
  forms.add("--plot FILE", "a picture, too: .svg, .pdf or .png (" + listed(drawn, "and") + ")");
  return wrapped(purpose, 0) + "\n\nktln2 COMMAND ...\nktln2 help COMMAND [KIND]\n\nCommands:\n" +
         commands.text() + "\nOptions:\n" + options.text() +
         "\nA command prints for a person; behind it one may ask for\n" + forms.text() +
         "\nA first one:\n"
         "  ktln2 entropy p24e8 normal:mu=0,sigma=1\n";
}

std::string help_on(const ask::command& of, const std::string& kind) {
  const bool is_general = of.has_kinds() && kind.empty();
  const std::string about =
      is_general || !of.has_kinds() ? of.help : of.help + ": " + kind_called(of, kind).help;
  return usage(of, kind) + "\n" + wrapped(about, 0) + "\n\n" +
         (is_general
              ? kinds_text(of) + arguments_text(of.arguments) + all_options_text(of)
              : arguments_text(arguments_of(of, kind)) + options_text(kind_called(of, kind))) +
         laws_text(of) + notes_text(of, kind) + examples_text(of, kind);
}

}  // namespace ktln2::cli
