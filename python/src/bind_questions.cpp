#include <cmath>
#include <memory>
#include <string>
#include <variant>

#include "ask/compare.hpp"
#include "ask/fit_columns.hpp"
#include "ask/format.hpp"
#include "ask/json.hpp"
#include "ask/measure.hpp"
#include "ask/solve.hpp"
#include "ask/tour.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"
#include "rows.hpp"

namespace ktln2::python {
namespace {

/// A whole answer as the command line's --json has it.
std::string answer_to(const ask::words& asked, const stop_token& stop) {
  const auto text_of = [](const ask::report& made) { return ask::text_of(made.all(), 2); };
  const auto answered = [&](const auto& question) {
    const auto made = solve(question, stop);
    return text_of(made.report());
  };
  const std::string& command = asked.command;
  if (command == "format") return std::visit(answered, ask::read_format(asked));
  if (command == "quantize") return std::visit(answered, ask::read_quantize(asked));
  if (command == "compare") return answered(ask::read_compare(asked));
  if (ask::asks_for_columns(asked)) return answered(ask::read_fit_columns(asked));
  if (command == "fit") return answered(ask::read_fit(asked));
  if (command == "tour") return answered(ask::read_tour(asked));
  if (command == "measure") {
    const ask::measure_answer made = solve(ask::read_measure(asked), stop);
    throw_if_stopped(stop);
    if (!made.failures.empty()) throw std::domain_error(made.failures.front());
    return text_of(made.report());
  }
  return text_of(*ask::kept_answer(asked, stop));
}

/// From the words behind the program's name.
ask::words read(const std::vector<std::string>& typed) {
  if (typed.empty()) throw std::domain_error("expected a command, got none");
  return parse_words(ask::command_called(typed.front()), {typed.begin() + 1, typed.end()});
}

/// The JSON of the answer.
std::string ask_json(const std::vector<std::string>& typed) {
  const ask::words asked = read(typed);
  const auto made = std::make_shared<std::string>();
  run_interruptibly([=](const stop_token& stop) { *made = answer_to(asked, stop); });
  return *made;
}

/// Those of many answers, computed in parallel.
std::vector<std::string> ask_all(const std::vector<std::vector<std::string>>& typed,
                                 unsigned threads) {
  const auto made = std::make_shared<std::vector<std::string>>(typed.size());
  run_interruptibly([=](const stop_token& stop) {
    for_rows(typed.size(), threads, stop,
             [&](std::size_t row) { (*made)[row] = answer_to(read(typed[row]), stop); });
  });
  return *made;
}

/// A number or a flag of an answer; those that JSON cannot have are words there.
double number_of(const ask::json& part) {
  if (part.is_boolean()) return part.get<bool>() ? 1 : 0;
  if (part.is_string()) return std::stod(part.get<std::string>());
  return part.is_null() ? std::nan("") : part.get<double>();
}

/// Some numbers of each answer, by their paths; nothing else of it is computed. A row for each
/// path.
py::array ask_columns(const std::vector<std::vector<std::string>>& typed,
                      const std::vector<std::string>& paths, unsigned threads) {
  const std::size_t rows = typed.size();
  const auto made = std::make_shared<std::vector<double>>(rows * paths.size());
  run_interruptibly([=](const stop_token& stop) {
    for_rows(rows, threads, stop, [&](std::size_t row) {
      const auto answer = ask::kept_answer(read(typed[row]), stop);
      for (std::size_t i = 0; i < paths.size(); ++i) {
        (*made)[i * rows + row] = number_of(answer->at(paths[i]));
      }
    });
  });
  return as_array(*made).reshape({paths.size(), rows});
}

/// For each command its kinds, and of each the options: (name, takes a value, help).
py::dict command_table() {
  py::dict table;
  for (const ask::command& of : ask::commands()) {
    py::dict kinds;
    for (const ask::kind& one : of.kinds) {
      py::list options;
      for (const ask::option& each : one.options) {
        options.append(py::make_tuple(each.name, each.what != ask::takes::nothing, each.help));
      }
      kinds[one.name.c_str()] = options;
    }
    table[of.name.c_str()] = kinds;
  }
  return table;
}

}  // namespace

void bind_questions(py::module_& module) {
  module.def("ask", &ask_json, py::arg("words"));
  module.def("ask_all", &ask_all, py::arg("questions"), py::arg("threads"));
  module.def("ask_columns", &ask_columns, py::arg("questions"), py::arg("paths"),
             py::arg("threads"));
  module.def("commands", &command_table);
}

}  // namespace ktln2::python
