#include "ask/solve.hpp"

#include <stdexcept>
#include <utility>
#include <variant>

#include "ask/compare.hpp"
#include "ask/cost.hpp"
#include "ask/entropy.hpp"
#include "ask/format.hpp"
#include "ask/law.hpp"
#include "ask/many_cost.hpp"
#include "ask/many_scaling.hpp"
#include "ask/measure.hpp"
#include "ask/mismatch.hpp"
#include "ask/scaling.hpp"
#ifdef KTLN2_HAS_ALL_QUESTIONS
#include "ask/cmos.hpp"
#include "ask/fit.hpp"
#include "ask/fit_columns.hpp"
#include "ask/islands.hpp"
#include "ask/many_simulate.hpp"
#include "ask/markov.hpp"
#include "ask/simulate.hpp"
#include "ask/streaming.hpp"
#include "ask/tour.hpp"
#endif

namespace ktln2::ask {

namespace {

/// An answer where it stays, and the report that looks into it.
template <class Answer>
struct kept {
  explicit kept(Answer answer) : made{std::move(answer)}, shown{made.report()} {}
  Answer made;
  report shown;
};

}  // namespace

std::shared_ptr<const report> kept_answer(const words& asked, const stop_token& stop) {
  const auto report_on = [&](const auto& question) -> std::shared_ptr<const report> {
    using answer_type = decltype(solve(question, stop));
    const auto whole = std::make_shared<const kept<answer_type>>(solve(question, stop));
    return {whole, &whole->shown};
  };
  const std::string& command = asked.command;
  if (asked.has("plot")) {
    throw std::domain_error(command + ": --plot draws one answer, on the command line");
  }
  if (command == "entropy") return std::visit(report_on, read_entropy(asked));
  if (command == "law") return std::visit(report_on, read_law(asked));
#ifdef KTLN2_HAS_ALL_QUESTIONS
  if (command == "cost" && asked.kind == "streaming") return report_on(read_streaming(asked));
  if (command == "mismatch" && asked.kind == "islands") return report_on(read_islands(asked));
  if (asks_for_cmos(asked)) return report_on(read_cmos(asked));
  if (command == "mismatch" && asked.kind == "ctmc") return report_on(read_markov(asked));
  if (asks_for_many_simulate(asked)) return report_on(read_many_simulate(asked));
  if (command == "simulate") return report_on(read_simulate(asked));
#else
  for (const char* kind : {"streaming", "islands", "ctmc"}) {
    if (asked.kind == kind)
      throw std::domain_error(command + " " + kind + " is not in the browser");
  }
#endif
  if (asks_for_many_cost(asked)) return report_on(read_many_cost(asked));
  if (command == "cost") return report_on(read_cost(asked));
  if (asks_for_many_scaling(asked)) return report_on(read_many_scaling(asked));
  if (command == "scaling") return report_on(read_scaling(asked));
  if (command == "mismatch") return report_on(read_mismatch(asked));
  throw std::domain_error(command + " has no answer that a program could use");
}

json whole_answer(const words& asked, const stop_token& stop) {
  const auto all_of = [&stop](const auto& question) {
    return solve(question, stop).report().all();
  };
  const std::string& command = asked.command;
  if (command == "format") return std::visit(all_of, read_format(asked));
  if (command == "compare") return all_of(read_compare(asked));
  if (command == "measure") {
    const measure_answer made = solve(read_measure(asked), stop);
    throw_if_stopped(stop);
    if (!made.failures.empty()) throw std::domain_error(made.failures.front());
    return made.report().all();
  }
#ifdef KTLN2_HAS_ALL_QUESTIONS
  if (command == "quantize") return std::visit(all_of, read_quantize(asked));
  if (asks_for_columns(asked)) return all_of(read_fit_columns(asked));
  if (command == "fit") return all_of(read_fit(asked));
  if (command == "tour") return all_of(read_tour(asked));
#endif
  return kept_answer(asked, stop)->all();
}

void answer(const words& asked, const std::function<void(const report&)>& use,
            const stop_token& stop) {
  use(*kept_answer(asked, stop));
}

}  // namespace ktln2::ask
