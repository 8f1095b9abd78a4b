#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "commands.hpp"
#include "ktln2/core/version.hpp"

namespace ktln2::cli {
namespace {

/// CLI11 takes "-1.5" for an option. A leading blank hides the sign from it; no number that a user
/// types begins with one.
std::string hide_sign(std::string argument) {
  const bool negative_number = argument.size() > 1 && argument[0] == '-' &&
                               (argument[1] == '.' || (argument[1] >= '0' && argument[1] <= '9'));
  return negative_number ? " " + argument : argument;
}

void show_signs(std::vector<std::string>& arguments) {
  for (std::string& argument : arguments) {
    if (argument.starts_with(" -")) argument.erase(0, 1);
  }
}

std::string one_line(std::string message) {
  for (char& c : message) {
    if (c == '\n') c = ' ';
  }
  message.erase(message.find_last_not_of(' ') + 1);
  return message;
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
constexpr const char* law_help =
    "normal:mu=0,sigma=1 | student:dof=5,loc=0,scale=1 | slope:n=10,w=1,sigma_x=1,sigma_xi=1 | "
    "uniform:low=0,high=1 | laplace:loc=0,scale=1 | logistic:loc=0,scale=1";

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* example,
                      output_flags& flags) {
  CLI::App* command = app.add_subcommand(name, help);
  command->footer(std::string("Example:\n  ktln2 ") + example);
  CLI::Option* json = command->add_flag("--json", flags.json, "Print one JSON object");
  command->add_flag("--csv", flags.csv, "Print rows as CSV")->excludes(json);
  return command;
}

}  // namespace

std::optional<std::function<void()>> parse_arguments(int argc, char** argv) {
  CLI::App app{
      "What must a computation on floating-point registers cost, at the least, in bits and in "
      "joules?",
      "ktln2"};
  app.set_version_flag("--version", std::string("ktln2 ") + version);
  app.require_subcommand(1);
  app.footer("Each command has --help with an example.");
  output_flags flags;

  format_request format;
  CLI::App* format_command =
      add_command(app, "format", "What a register can hold", "format p4e4 --index 1 256", flags);
  format_command->add_option("NAME", format.format, format_help)->required();
  format_command->add_flag("--values", format.values, "List all values (up to 2^20)");
  format_command->add_option("--index", format.index, "Show u_i for these i = 1 ... K");

  quantize_request quantize;
  CLI::App* quantize_command =
      add_command(app, "quantize", "The stored value of each X", "quantize p24e8 0.1 -2.5", flags);
  quantize_command->add_option("NAME", quantize.format, format_help)->required();
  quantize_command->add_option("X", quantize.numbers, "Numbers to store")->required();

  law_request law;
  CLI::App* law_command =
      add_command(app, "law", "A continuous law itself", "law student:dof=3 --at -1 0 1", flags);
  law_command->add_option("DIST", law.distribution, law_help)->required();
  law_command->add_option("--at", law.at, "Density and distribution function at these points");

  entropy_request entropy;
  CLI::App* entropy_command =
      add_command(app, "entropy", "The exact entropy of a stored random variable",
                  "entropy p24e8 normal:mu=0,sigma=1 --bits", flags);
  entropy_command->add_option("FORMAT", entropy.format, format_help)->required();
  entropy_command->add_option("DIST", entropy.distribution, law_help)->required();
  entropy_command->add_option("--tolerance", entropy.tolerance,
                              "Accuracy to aim for, in bits (default 1e-12)");
  entropy_command->add_flag("--bits", entropy.bits, "What every single bit is worth");

  CLI::App* tour_command = add_command(
      app, "tour", "The entropy of a normal variable in the common formats", "tour", flags);

  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i)
    arguments.push_back(hide_sign(argv[i]));  // CLI11 wants them so
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& answer) {
    app.exit(answer);
    return {};
  } catch (const CLI::ParseError& error) {
    throw std::domain_error(one_line(error.what()) + " (see ktln2 --help)");
  }
  show_signs(format.index);
  show_signs(quantize.numbers);
  show_signs(law.at);
  std::vector<std::string> tolerance{entropy.tolerance};
  show_signs(tolerance);
  entropy.tolerance = tolerance[0];

  const style how = flags.how();
  if (format_command->parsed()) return [=] { run(format, how); };
  if (quantize_command->parsed()) return [=] { run(quantize, how); };
  if (law_command->parsed()) return [=] { run(law, how); };
  if (entropy_command->parsed()) return [=] { run(entropy, how); };
  if (tour_command->parsed()) return [=] { run(tour_request{}, how); };
  throw std::logic_error("a command without an answer");
}

}  // namespace ktln2::cli
