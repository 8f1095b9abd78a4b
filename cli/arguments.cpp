#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "commands.hpp"
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
                      output_flags& flags, const char* notes = "") {
  CLI::App* command = app.add_subcommand(name, help);
  command->group("Commands");
  command->footer(std::string(notes) + "Example:\n  ktln2 " + example);
  CLI::Option* json = command->add_flag("--json", flags.json, "Print one JSON object");
  CLI::Option* csv = command->add_flag("--csv", flags.csv, "Print rows as CSV")->excludes(json);
  json->disable_flag_override();
  csv->disable_flag_override();
  return command;
}

/// The arguments of a command with several kinds: KIND FORMAT, and options that go into the request
/// by their names.
class kind_options {
 public:
  kind_options(CLI::App* command, kind_request& request, const char* kinds)
      : command_{command}, request_{request} {
    positional("KIND", request.kind, kinds);
    positional("FORMAT", request.format, format_help);
  }

  void add(const char* name, const char* type, const char* help) {
    command_
        ->add_option_function<std::string>(
            std::string("--") + name,
            [this_request = &request_, name](std::string text) {
              show(text), this_request->options[name] = text;
            },
            help)
        ->type_name(type);
  }
  void add_flag(const char* name, const char* help) {
    command_
        ->add_flag_function(
            std::string("--") + name,
            [this_request = &request_, name](std::int64_t) { this_request->options[name] = ""; },
            help)
        ->disable_flag_override();
  }

 private:
  void positional(const char* name, std::string& target, const char* help) {
    command_
        ->add_option_function<std::string>(
            name, [&target](std::string text) { show(text), target = text; }, help)
        ->required()
        ->type_name("");
  }

  CLI::App* command_;
  kind_request& request_;
};

CLI::App* add_cost(CLI::App& app, cost_request& request, output_flags& flags) {
  CLI::App* command =
      add_command(app, "cost", "The Landauer cost of a computation, as a bill",
                  "cost exact p24e8 --n 1000 --w 2 --sigma-x 1 --sigma-xi 1", flags,
                  "Kinds, with the options that each has:\n"
                  "  exact       regression on n points: --n --w --sigma-x --sigma-xi\n"
                  "  sgd         stochastic gradient descent: --steps --batch --eta --w0 --w "
                  "--sigma-x --sigma-xi\n"
                  "              --law\n"
                  "  average     the mean or the sum of n normal numbers: --n --mu --sigma --sum\n"
                  "  inference   one prediction, x times a slope: --slope --sigma-x\n"
                  "\n");
  kind_options options(command, request, "exact, sgd, average or inference");
  options.add("n", "N", "Data points, or numbers (default 10)");
  options.add("w", "W", "The true slope (default 1, for sgd 2)");
  options.add("sigma-x", "S", "Deviation of the inputs (default 1)");
  options.add("sigma-xi", "S", "Deviation of the noise (default 1)");
  options.add("steps", "N", "Steps of SGD (default 100)");
  options.add("batch", "N", "Points in each step (default 10)");
  options.add("eta", "E", "Learning rate (default 0.01)");
  options.add("w0", "W", "Where SGD starts (default 1)");
  options.add("law", "L", "Of SGD's slope: ou (default), stationary, moments or exact");
  options.add("mu", "M", "Mean of the numbers (default 0)");
  options.add("sigma", "S", "Their deviation (default 1)");
  options.add_flag("sum", "The sum instead of the mean");
  options.add("slope", "W", "The slope of a prediction, used as it is (default 1.5)");
  options.add("y-format", "F", "The format of y (default: FORMAT)");
  options.add("model-format", "F", "The format of the result (default: FORMAT)");
  options.add("entropy", "K", "exact (default), or smooth: the paper's closed forms");
  options.add("temperature", "K", "In kelvin (default 300)");
  options.add("kbt", "J", "The same, as k_B T in joules (the paper has 4e-21)");
  return command;
}

CLI::App* add_scaling(CLI::App& app, scaling_request& request, output_flags& flags) {
  CLI::App* command = add_command(
      app, "scaling", "The dataset size worth paying for",
      "scaling exact p24e8 --energy-price 5e16 --inference-price 10 --w 2 --kbt 4e-21", flags,
      "Kinds, with the options that each has:\n"
      "  exact     exact regression: --w --sigma-x --sigma-xi\n"
      "  sgd       stochastic gradient descent: --batch --eta --w0 --w --sigma-x --sigma-xi --law\n"
      "\n"
      "Demands, by the mean square error of predictions, with the values that missing keys take:\n"
      "  inverse                         1/MSE\n"
      "  power:a=2                       MSE^-a\n"
      "  threshold:at=1.1,a=20,most=1    most / (1 + (MSE/at)^a)\n"
      "\n");
  kind_options options(command, request, "exact or sgd");
  options.add("energy-price", "P", "Of a joule");
  options.add("inference-price", "P", "Of a prediction");
  options.add("price-rise", "P", "By which the latter rises with each unit of demand (default 0)");
  options.add("demand", "D", "How much is asked for, see above (default inverse)");
  options.add("w", "W", "The true slope (default 1, for sgd 2)");
  options.add("sigma-x", "S", "Deviation of the inputs (default 1)");
  options.add("sigma-xi", "S", "Deviation of the noise (default 1)");
  options.add("batch", "N", "Points in each step (default 10)");
  options.add("eta", "E", "Learning rate (default 0.01)");
  options.add("w0", "W", "Where SGD starts (default 1)");
  options.add("law", "L", "Of SGD's slope: ou (default), stationary, moments or exact");
  command->add_option("--at", request.at, "Profit and its derivative at these sizes, real ones too")
      ->type_name("N");
  options.add(
      "optimize", "WHAT",
      "Find also the best p (with the error of the stored slope), eta, batch, or eta,batch");
  options.add("y-format", "F", "The format of y (default: FORMAT)");
  options.add("model-format", "F", "The format of the slope (default: FORMAT)");
  options.add("entropy", "K", "exact (default), or smooth: the paper's closed forms");
  options.add("temperature", "K", "In kelvin (default 300)");
  options.add("kbt", "J", "The same, as k_B T in joules (the paper has 4e-21)");
  return command;
}

CLI::App* add_mismatch(CLI::App& app, mismatch_request& request, output_flags& flags) {
  CLI::App* command = add_command(
      app, "mismatch", "Entropy production beyond Landauer's bound",
      "mismatch exact p24e8 --sigma-x 1 --sigma-xi 1 --entropy smooth", flags,
      "Kinds, with the options that each has:\n"
      "  exact     variational mismatch cost of regression: --n --w --sigma-x --sigma-xi --alpha\n"
      "            --constant --environment --bounds --landscape\n"
      "  sgd       of stochastic gradient descent: the same, with --steps --batch --eta --w0 "
      "--law\n"
      "            instead of --n\n"
      "  islands   the true mismatch cost on a small format: --algorithm --n --w --sigma-x\n"
      "            --sigma-xi --alpha --constant --bounds (sgd: --steps --batch --eta --w0)\n"
      "  ctmc      a Markov chain in time, FORMAT is erase or reset: --duration --bias --rate\n"
      "            (reset: --register --sigma --loaded)\n"
      "\n");
  kind_options options(command, request, "exact, sgd, islands or ctmc");
  options.add("n", "N", "Data points (default 10, for islands 1)");
  options.add("w", "W", "The true slope (default 1, for sgd 2)");
  options.add("sigma-x", "S", "Deviation of the inputs (default 1)");
  options.add("sigma-xi", "S", "Deviation of the noise (default 1)");
  options.add("steps", "N", "Steps of SGD (default 100, for islands 1)");
  options.add("batch", "N", "Points in each step (default 10, for islands 1)");
  options.add("eta", "E", "Learning rate (default 0.01, for islands 0.5)");
  options.add("w0", "W", "Where SGD starts (default 1)");
  options.add("law", "L", "Of SGD's slope: ou (default), stationary, moments or exact");
  options.add("alpha", "A", "Entropy given to the environment: C + A(sigma_x^2 + sigma_xi^2)");
  options.add("constant", "C", "That constant, in units of k_B (default 0)");
  options.add("environment", "EXPR",
              "Any other expression in sigma_x, sigma_xi, the parameters, alpha and constant");
  options.add("bounds", "B", "Where the optimum is sought (default 0.75,5,0.5,5)");
  options.add("landscape", "N", "Production on a lattice of N x N points inside the bounds");
  options.add("algorithm", "A", "Of islands: exact (default) or sgd");
  options.add("duration", "T", "Of a Markov chain, in units of 1/rate (default 100)");
  options.add("bias", "E", "What the energies are lifted by, in k_B T (default 20)");
  options.add("rate", "R", "At which the bath makes states jump (default 1)");
  options.add("register", "F", "The register that is reset (default p2e2)");
  options.add("sigma", "S", "Deviation of what the reset is made for (default 1.5)");
  options.add("loaded", "S", "Deviation of what is loaded (default: the same)");
  options.add("y-format", "F", "The format of y (default: FORMAT)");
  options.add("model-format", "F", "The format of the result (default: FORMAT)");
  options.add("entropy", "K", "exact (default), or smooth: the paper's closed forms");
  options.add("temperature", "K", "In kelvin (default 300)");
  options.add("kbt", "J", "The same, as k_B T in joules (the paper has 4e-21)");
  return command;
}

CLI::App* add_simulate(CLI::App& app, simulate_request& request, output_flags& flags) {
  CLI::App* command = add_command(
      app, "simulate", "Draw data, run the computation many times, measure what comes out",
      "simulate slope p6e4 --n 10 --trials 1e5", flags,
      "Kinds, with the options that each has:\n"
      "  slope     exact regression on n points: --n --w --sigma-x --sigma-xi\n"
      "  sgd       stochastic gradient descent: --steps --batch --eta --w0 --w --sigma-x "
      "--sigma-xi --law\n"
      "  average   of n normal numbers: --n --mu --sigma --sum\n"
      "\n");
  kind_options options(command, request, "slope, sgd or average");
  options.add("trials", "N", "How many (default 1e5)");
  options.add("seed", "S", "Of the random numbers: the same seed, the same results (default 1)");
  options.add("threads", "N",
              "The results do not depend on it (default: all that the machine has)");
  options.add("arithmetic", "A",
              "ideal: doubles, the result is stored (default); format: all is rounded");
  options.add("n", "N", "Points of a slope, numbers of an average (default 10)");
  options.add("w", "W", "The true slope (default 1, for sgd 2)");
  options.add("sigma-x", "S", "Deviation of the inputs (default 1)");
  options.add("sigma-xi", "S", "Deviation of the noise (default 1)");
  options.add("steps", "N", "Steps of SGD (default 100)");
  options.add("batch", "N", "Points in each step (default 10)");
  options.add("eta", "E", "Learning rate (default 0.01)");
  options.add("w0", "W", "Where SGD starts (default 1)");
  options.add("law", "L", "To compare SGD with: ou (default), stationary, moments or exact");
  options.add("mu", "M", "Mean of the averaged numbers (default 0)");
  options.add("sigma", "S", "Their deviation (default 1)");
  options.add_flag("sum", "The sum instead of the mean");
  options.add("bins", "N", "Bins of the histogram (default 20)");
  options.add("low", "X", "Its lower end");
  options.add("high", "X", "Its upper end");
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
  CLI::App* cost_command = add_cost(app, cost, flags);

  scaling_request scaling;
  CLI::App* scaling_command = add_scaling(app, scaling, flags);

  mismatch_request mismatch;
  CLI::App* mismatch_command = add_mismatch(app, mismatch, flags);

  simulate_request simulate;
  CLI::App* simulate_command = add_simulate(app, simulate, flags);

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

  const style how = flags.how();
  if (format_command->parsed()) return [=] { run(format, how); };
  if (quantize_command->parsed()) return [=] { run(quantize, how); };
  if (law_command->parsed()) return [=] { run(law, how); };
  if (entropy_command->parsed()) return [=] { run(entropy, how); };
  if (cost_command->parsed()) return [=] { run(cost, how); };
  if (scaling_command->parsed()) return [=] { run(scaling, how); };
  if (mismatch_command->parsed()) return [=] { run(mismatch, how); };
  if (simulate_command->parsed()) return [=] { run(simulate, how); };
  if (tour_command->parsed()) return [=] { run(tour_request{}, how); };
  throw std::logic_error("a command without an answer");
}

}  // namespace ktln2::cli
