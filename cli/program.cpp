#include "program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>
#include <variant>

#include "ask/cmos.hpp"
#include "ask/compare.hpp"
#include "ask/cost.hpp"
#include "ask/entropy.hpp"
#include "ask/fit_columns.hpp"
#include "ask/format.hpp"
#include "ask/islands.hpp"
#include "ask/law.hpp"
#include "ask/many_cost.hpp"
#include "ask/many_scaling.hpp"
#include "ask/many_simulate.hpp"
#include "ask/markov.hpp"
#include "ask/mismatch.hpp"
#include "ask/scaling.hpp"
#include "ask/streaming.hpp"
#include "ask/tour.hpp"
#include "complete.hpp"
#include "core/nearest.hpp"
#include "core/printable.hpp"
#include "energy.hpp"
#include "help.hpp"
#include "ktln2/core/version.hpp"
#include "manual.hpp"
#include "pictures.hpp"
#include "plot.hpp"
#include "present.hpp"

namespace ktln2::cli {
namespace {

/// Behind "--" nothing is an option.
bool asks_for_help(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, [](const std::string& word) {
    return word == "-h" || in_small_letters(word) == "--help";
  });
}

/// `-` in the place of numbers: the lines of standard input, one number each.
void take_lines(ask::words& asked, const std::string& argument) {
  std::vector<std::string>& words = asked.given[argument];
  if (std::find(words.begin(), words.end(), "-") == words.end()) return;
  if (words.size() > 1) {
    throw std::domain_error(asked.command + ": '-' stands for all numbers, got others beside it");
  }
  words.clear();
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    const std::size_t end = line.find_last_not_of(" \t\r") + 1;  // 0 if there is none
    words.push_back(line.substr(begin, std::max(begin, end) - begin));
  }
  if (std::cin.bad()) throw std::runtime_error("cannot read standard input");
  while (!words.empty() && words.back().empty()) words.pop_back();
  if (words.empty()) {
    throw std::domain_error(asked.command +
                            ": '-' is standard input: expected one number a line, got none");
  }
  asked.from_lines = argument;
}

/// A question, its answer, how it looks, and its picture if there is to be one.
void answer(const ask::words& asked, style how) {
  const std::optional<plot_file> picture = plot_file::asked_by(asked);
  at_work work{asked.command};  // some laws take long to be read
  const auto show = [&](const auto& question) {
    if (picture) require_picture(question);
    const auto made = solve(question, at_work::stop());
    present(made, how, work.bar());
    if constexpr (requires { picture_of(made, at_work::stop()); }) {
      if (picture) picture->draw(picture_of(made, at_work::stop()), work);
    }
  };
  const std::string& command = asked.command;
  if (command == "format") return std::visit(show, ask::read_format(asked));
  if (command == "quantize") return std::visit(show, ask::read_quantize(asked));
  if (command == "law") return std::visit(show, ask::read_law(asked));
  if (command == "entropy") return std::visit(show, ask::read_entropy(asked));
  if (command == "compare") return show(ask::read_compare(asked));
  if (command == "cost" && asked.kind == "streaming") return show(ask::read_streaming(asked));
  if (ask::asks_for_many_cost(asked)) return show(ask::read_many_cost(asked));
  if (command == "cost") return show(ask::read_cost(asked));
  if (ask::asks_for_columns(asked)) return show(ask::read_fit_columns(asked));
  if (command == "fit") return show(ask::read_fit(asked));
  if (ask::asks_for_many_scaling(asked)) return show(ask::read_many_scaling(asked));
  if (command == "scaling") return show(ask::read_scaling(asked));
  if (command == "mismatch" && asked.kind == "islands") return show(ask::read_islands(asked));
  if (ask::asks_for_cmos(asked)) return show(ask::read_cmos(asked));
  if (command == "mismatch" && asked.kind == "ctmc") return show(ask::read_markov(asked));
  if (command == "mismatch") return show(ask::read_mismatch(asked));
  if (command == "simulate") return show(ask::read_many_simulate(asked));
  if (command == "tour") return show(ask::read_tour(asked));
  throw std::logic_error("no answer to " + command);
}

void run_command(const ask::command& of, const std::vector<std::string>& words, team& workers) {
  if (asks_for_help(words)) {
    const bool names_kind = of.has_kinds() && !words.empty() && !words[0].starts_with('-');
    return print(help_on(of, names_kind ? words[0] : ""));
  }
  if (of.name == "sweep") return run_sweep(words, workers);
  ask::words asked = parse_words(of, words, common_options());
  const style how = take_style(asked);
  take_energy_unit(asked);
  if (of.name == "quantize") take_lines(asked, "x");
  if (ask::asks_for_many_simulate(asked)) return answer(asked, how);
  if (of.name == "simulate") return run_simulate(asked, how, workers);
  if (of.name == "measure") return run_measure(asked, how, workers);
  if (!workers.has_threads()) {
    throw std::domain_error("ktln2-mpi runs sweep, simulate and measure; for " + of.name +
                            " there is ktln2");
  }
  if (of.name == "paper") return run_paper(asked, how);
  if (of.name == "explain") return run_explain(asked, how);
  answer(asked, how);
}

/// help [COMMAND [KIND]]
void run_help(const std::vector<std::string>& words) {
  if (words.empty()) return print(help());
  const ask::command& of = ask::command_called(words[0]);
  if (words.size() > (of.has_kinds() ? 2U : 1U)) {
    throw std::domain_error("help: not expected: '" + words.back() +
                            "': ktln2 help COMMAND [KIND] (see ktln2 --help)");
  }
  print(help_on(of, words.size() > 1 ? words[1] : ""));
}

void run(const std::vector<std::string>& typed, team& workers) {
  if (typed.empty()) return print(short_help());
  const std::string& first = typed[0];
  if (first == "-h" || first == "--help") return print(help());
  if (first == "--complete") return print(completions_text({typed.begin() + 1, typed.end()}));
  if (first == "--help-man") return print(manual());
  if (first == "help") return run_help({typed.begin() + 1, typed.end()});
  if (first == "-V" || first == "--version") return print(std::string("ktln2 ") + version + "\n");
  run_command(ask::command_called(first), {typed.begin() + 1, typed.end()}, workers);
}

/// What is no UTF-8 as U+FFFD, as in JSON.
std::string in_utf8(const std::string& text) {
  const std::string quoted = ask::text_of(ask::json(text));
  return ask::json::parse(quoted).get<std::string>();
}

/// One line, whatever the user typed: UTF-8, no control characters, and not endlessly long.
void complain(const char* message) {
  constexpr std::size_t longest = 400;
  std::string line = in_utf8(message);
  if (line.size() > longest) {
    std::size_t end = longest - 200;
    std::size_t next = line.size() - 150;
    const auto inside = [&line](std::size_t i) {
      return (static_cast<unsigned char>(line[i]) & 0xc0U) == 0x80U;  // of a UTF-8 character
    };
    while (inside(end)) --end;
    while (inside(next)) ++next;
    line = line.substr(0, end) + " ... " + line.substr(next);
  }
  std::fprintf(stderr, "ktln2: %s\n", printable(std::move(line)).c_str());
}

/// What nobody reads would be waited for at the end.
int status_of_interrupted() {
  if (!takes_more(STDOUT_FILENO)) std::_Exit(interrupted_work::status());
  return interrupted_work::status();
}

}  // namespace

style take_style(ask::words& asked) {
  const bool is_json = asked.take_flag("json");
  const bool is_csv = asked.take_flag("csv");
  if (is_json && is_csv) throw std::domain_error(asked.command + ": --json excludes --csv");
  if (is_json) return style::json;
  return is_csv ? style::csv : style::text;
}

int run_program(const std::vector<std::string>& typed, team& workers) {
  try {
    run(typed, workers);
    flush();
    return 0;
  } catch (const interrupted_work& ended) {
    if (workers.writes() && *ended.what() != '\0') complain(ended.what());
    return status_of_interrupted();
  } catch (const stopped&) {
    if (workers.writes()) complain((typed.front() + ": interrupted").c_str());
    return status_of_interrupted();
  } catch (const std::domain_error& mistake) {
    if (workers.writes()) complain(mistake.what());
    return 2;
  } catch (const std::bad_alloc&) {
    if (workers.writes()) complain("not enough memory");
    return 1;
  } catch (const std::exception& failure) {
    if (workers.writes()) complain(failure.what());
    return 1;
  }
}

}  // namespace ktln2::cli
