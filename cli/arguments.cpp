#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "commands.hpp"
#include "kinds.hpp"
#include "ktln2/core/version.hpp"

namespace ktln2::cli {
namespace {

/// CLI11 takes "-1.5" for an option and "[1]" for a list. A blank in front hides that from it;
/// every argument that begins with a blank gets another one, so that show() undoes exactly this.
std::string hidden(const std::string& argument) {
  const bool misread =
      argument.starts_with(' ') || argument.starts_with('[') ||
      (argument.starts_with('-') && !argument.starts_with("--") && argument != "-h");
  return misread ? " " + argument : argument;
}

void show(std::string& argument) {
  if (argument.starts_with(' ')) argument.erase(0, 1);
}

void show(std::vector<std::string>& arguments) {
  for (std::string& argument : arguments) show(argument);
}

/// In reverse order, as CLI11 wants them. What follows "--" is no option, whatever it looks like.
std::vector<std::string> prepared(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool only_positionals = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (only_positionals) {
      arguments.push_back(" " + argument);
    } else if (i > 1 && argument == "--") {
      only_positionals = true;
    } else {
      arguments.push_back(hidden(argument));
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

struct output_flags {
  bool json = false;
  bool csv = false;

  [[nodiscard]] style how() const {
    if (json) return style::json;
    return csv ? style::csv : style::text;
  }
};

constexpr const char* format_help = "A format such as p24e8: precision 24, 8 exponent bits";
constexpr const char* law_help = "A distribution, see below";
constexpr const char* laws =
    "Distributions, with the values that missing keys take:\n"
    "  normal:mu=0,sigma=1\n"
    "  student:dof=5,loc=0,scale=1\n"
    "  uniform:low=0,high=1\n"
    "  laplace:loc=0,scale=1\n"
    "  logistic:loc=0,scale=1\n"
    "  slope:n=10,w=1,sigma_x=1,sigma_xi=1    the slope found by exact regression on n points\n"
    "  sgd:steps=100,batch=10,eta=0.01,w0=1,w=2,sigma_x=1,sigma_xi=1,law=ou\n"
    "      the slope after some steps of stochastic gradient descent; law=ou, stationary, moments\n"
    "      (normal, with the exact mean and variance) or exact\n"
    "  pair:w=1,sigma_x=1,sigma_xi=0.5        two variables, Y = wX + noise\n"
    "\n";

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* example,
                      output_flags& flags, const std::string& notes = "") {
  CLI::App* command = app.add_subcommand(name, help);
  command->group("Commands");
  command->footer(notes + "Example:\n  ktln2 " + example);
  CLI::Option* json = command->add_flag("--json", flags.json, "Print one JSON object");
  CLI::Option* csv = command->add_flag("--csv", flags.csv, "Print rows as CSV")->excludes(json);
  json->disable_flag_override();
  csv->disable_flag_override();
  return command;
}

/// The arguments of a command with several kinds: KIND FORMAT, and options that go into the request
/// by their names.
CLI::App* add_kinds(CLI::App& app, const kind_command& kinds, kind_request& request,
                    output_flags& flags) {
  CLI::App* command =
      add_command(app, kinds.name, kinds.help, kinds.example, flags,
                  std::string("Kinds, with the options that each has:\n") + kinds.notes + "\n");
  const auto add_positional = [&](const char* name, std::string& target, const char* help) {
    command
        ->add_option_function<std::string>(
            name, [&target](std::string text) { show(text), target = text; }, help)
        ->required()
        ->type_name("");
  };
  add_positional("KIND", request.kind, kinds.kinds);
  add_positional("FORMAT", request.format, format_help);
  for (const option_help& option : kinds.options) {
    const std::string name = option.name;
    if (option.type == nullptr) {
      command
          ->add_flag_function(
              "--" + name, [&request, name](std::int64_t) { request.options[name] = ""; },
              option.help)
          ->disable_flag_override();
      continue;
    }
    command
        ->add_option_function<std::string>(
            "--" + name,
            [&request, name](std::string text) { show(text), request.options[name] = text; },
            option.help)
        ->type_name(option.type);
  }
  return command;
}

CLI::App* add_paper(CLI::App& app, paper_request& request, output_flags& flags) {
  CLI::App* command = add_command(
      app, "paper", "Every figure, table and claim of the paper, as a report",
      "paper --only fig:profit_ex --out out/profit --quick", flags,
      "What is finished is kept: the same command again computes only what its settings "
      "or the program\n"
      "changed. Exit status 1 if a claim does not come out as it should.\n"
      "\n");
  command->add_option("--out", request.out, "Directory for the report (default out/paper)")
      ->type_name("DIR");
  command->add_option("--only", request.only, "These figures, groups of figures or panels only")
      ->type_name("LABEL");
  command->add_option("--set", request.set, "Change a parameter: LABEL.NAME=VALUE[,VALUE...]")
      ->type_name("SETTING");
  command->add_flag("--quick", request.quick, "Coarse grids")->disable_flag_override();
  command->add_option("--seed", request.seed, "Seed of the simulations (default 1)")
      ->type_name("S");
  command->add_option("--claims", request.claims, "Check the claims of this file instead")
      ->type_name("FILE");
  command->add_option("--threads", request.threads, "How many (default: as many as processors)")
      ->type_name("N");
  return command;
}

/// Only for its help: read_sweep reads the arguments, most of which belong to another command.
void add_sweep(CLI::App& app, output_flags& flags) {
  CLI::App* command =
      add_command(app, "sweep", "Any of these commands along one or two parameters, in parallel",
                  "sweep entropy p24e8 normal --over sigma=0.1:10:5:log", flags,
                  "COMMAND is entropy, law, cost, scaling, mismatch or simulate, with its "
                  "arguments. KEY is p or\n"
                  "E of the format, a key of the distribution, or an option of the command without "
                  "the dashes.\n"
                  "The rows are CSV, in order; Ctrl-C leaves complete ones.\n"
                  "\n");
  command->add_option("COMMAND", "The command and its arguments")->type_name("")->required();
  command->add_option("--over", "KEY=FROM:TO:COUNT or KEY=FROM:TO:COUNT:log, once or twice")
      ->type_name("RANGE")
      ->required();
  command->add_option("--threads", "How many rows at once (default: as many as processors)")
      ->type_name("N");
}

sweep_request read_sweep(int argc, char** argv, output_flags& flags) {
  sweep_request request;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 == argc) throw std::domain_error("sweep: " + word + " needs a value");
      return std::string(argv[++i]);
    };
    if (word == "--over") {
      request.over.push_back(value());
    } else if (word == "--threads") {
      request.threads = value();
    } else if (word == "--json") {
      flags.json = true;
    } else if (word == "--csv") {
      flags.csv = true;
    } else {
      request.words.push_back(word);
    }
  }
  if (flags.json && flags.csv) throw std::domain_error("sweep: --json excludes --csv");
  return request;
}

/// Some of CLI11's messages in plainer words.
std::string plain(const std::string& message) {
  const std::string option = message.substr(0, message.find_first_of(": "));
  if (message.ends_with("disallowed flag override")) return "--" + option + " takes no value";
  if (message.ends_with("missing")) return option + " needs a value";
  if (message.find("At Most 1") != std::string::npos) return option + " is given twice";
  return message;
}

[[noreturn]] void refuse(const CLI::App& app, const std::string& problem) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen[0]->get_name();
  throw std::domain_error((command.empty() ? "" : command + ": ") + problem + " (see ktln2 " +
                          (command.empty() ? "" : command + " ") + "--help)");
}

/// What is wrong with the first word, if it is not a command.
void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc > 1 && (first == "-h" || first == "--help" || first == "--version")) return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == first) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  if (argc < 2) refuse(app, "expected a command: " + known);
  refuse(app, "unknown command '" + first + "': expected " + known);
}

}  // namespace

std::optional<std::function<void()>> parse_arguments(int argc, char** argv) {
  CLI::App app{
      "What must a computation on floating-point registers cost, at the least, in bits and in "
      "joules?",
      "ktln2"};
  app.set_version_flag("--version", std::string("ktln2 ") + version);
  app.require_subcommand(1);
  app.footer(
      "Each command has --help with an example. A first one:\n"
      "  ktln2 entropy p24e8 normal:mu=0,sigma=1");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Excludes", "not with");
  output_flags flags;

  format_request format;
  CLI::App* format_command =
      add_command(app, "format", "What a register can hold", "format p4e4 --index 1 256", flags);
  format_command->add_option("NAME", format.format, format_help)->required()->type_name("");
  format_command->add_flag("--values", format.values, "List all values (up to 2^20)")
      ->disable_flag_override();
  format_command->add_option("--index", format.index, "Show the values with these numbers, 1 ... K")
      ->type_name("I");

  quantize_request quantize;
  CLI::App* quantize_command =
      add_command(app, "quantize", "The stored value of each X", "quantize p24e8 0.1 -2.5", flags);
  quantize_command->add_option("NAME", quantize.format, format_help)->required()->type_name("");
  quantize_command->add_option("X", quantize.numbers, "Numbers to store")
      ->required()
      ->type_name("");

  law_request law;
  CLI::App* law_command = add_command(app, "law", "A continuous law itself",
                                      "law student:dof=3 --at -1 0 1", flags, laws);
  law_command->add_option("DIST", law.distribution, law_help)->required()->type_name("");
  law_command->add_option("--at", law.at, "Density and distribution function at these points")
      ->type_name("X");

  entropy_request entropy;
  CLI::App* entropy_command =
      add_command(app, "entropy", "The exact entropy of a stored random variable, or of a pair",
                  "entropy p24e8 normal:mu=0,sigma=1 --bits", flags, laws);
  entropy_command->add_option("FORMAT", entropy.format, format_help)->required()->type_name("");
  entropy_command->add_option("DIST", entropy.distribution, law_help)->required()->type_name("");
  std::string tolerance_text;
  CLI::Option* tolerance =
      entropy_command
          ->add_option("--tolerance", tolerance_text,
                       "Accuracy to aim for, in bits (default 1e-12, 1e-11 for a pair)")
          ->type_name("T");
  std::string y_format_text;
  CLI::Option* y_format =
      entropy_command
          ->add_option("--y-format", y_format_text,
                       "The format of the second register of a pair (default: that of the first)")
          ->type_name("F");
  entropy_command->add_flag("--bits", entropy.bits, "What every single bit is worth")
      ->disable_flag_override();
  entropy_command
      ->add_flag("--certify", entropy.certify, "Prove the value (normal, student and slope only)")
      ->disable_flag_override();

  cost_request cost;
  CLI::App* cost_command = add_kinds(app, cost_kinds(), cost, flags);

  scaling_request scaling;
  CLI::App* scaling_command = add_kinds(app, scaling_kinds(), scaling, flags);
  scaling_command
      ->add_option("--at", scaling.at, "Profit and its derivative at these sizes, real ones too")
      ->type_name("N");

  mismatch_request mismatch;
  CLI::App* mismatch_command = add_kinds(app, mismatch_kinds(), mismatch, flags);

  simulate_request simulate;
  CLI::App* simulate_command = add_kinds(app, simulate_kinds(), simulate, flags);

  paper_request paper;
  CLI::App* paper_command = add_paper(app, paper, flags);
  explain_request explained;
  CLI::App* explain_command = add_command(
      app, "explain", "What a formula or a figure of the paper says, and where it is used",
      "explain eq:single_mean_0", flags);
  std::string label_text;
  CLI::Option* label = explain_command
                           ->add_option("LABEL", label_text,
                                        "A LaTeX label of the paper; without one, all are listed")
                           ->type_name("");

  CLI::App* tour_command = add_command(
      app, "tour", "The entropy of a normal variable in the common formats", "tour", flags);

  add_sweep(app, flags);

  check_command(app, argc, argv);
  const bool asks_for_help = std::any_of(argv + 1, argv + argc, [](const char* word) {
    return std::string_view(word) == "--help" || std::string_view(word) == "-h";
  });
  if (std::string_view(argv[1]) == "sweep" && !asks_for_help) {
    const sweep_request sweep = read_sweep(argc, argv, flags);
    return [sweep, how = flags.how()] { run(sweep, how); };
  }
  try {
    app.parse(prepared(argc, argv));
  } catch (const CLI::Success& answer) {
    app.exit(answer);
    return {};
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> extra = app.remaining(true);
    show(extra);
    std::string list;
    for (const std::string& word : extra) list += (list.empty() ? "'" : " ") + word;
    refuse(app, "not expected: " + list + "'");
  } catch (const CLI::ParseError& error) {
    refuse(app, plain(error.what()));
  }
  show(format.format);
  show(format.index);
  show(quantize.format);
  show(quantize.numbers);
  show(law.distribution);
  show(law.at);
  show(scaling.at);
  show(paper.only);
  show(paper.set);
  show(entropy.format);
  show(entropy.distribution);
  if (tolerance->count() > 0) {
    show(tolerance_text);
    entropy.tolerance = tolerance_text;
  }
  if (y_format->count() > 0) {
    show(y_format_text);
    entropy.y_format = y_format_text;
  }

  if (label->count() > 0) {
    show(label_text);
    explained.label = label_text;
  }

  const style how = flags.how();
  if (format_command->parsed()) return [=] { run(format, how); };
  if (quantize_command->parsed()) return [=] { run(quantize, how); };
  if (law_command->parsed()) return [=] { run(law, how); };
  if (entropy_command->parsed()) return [=] { run(entropy, how); };
  if (cost_command->parsed()) return [=] { run(cost, how); };
  if (scaling_command->parsed()) return [=] { run(scaling, how); };
  if (mismatch_command->parsed()) return [=] { run(mismatch, how); };
  if (simulate_command->parsed()) return [=] { run(simulate, how); };
  if (paper_command->parsed()) return [=] { run(paper, how); };
  if (explain_command->parsed()) return [=] { run(explained, how); };
  if (tour_command->parsed()) return [=] { run(tour_request{}, how); };
  throw std::logic_error("a command without an answer");
}

}  // namespace ktln2::cli
