#include "ask/solve.hpp"

#include <stdexcept>
#include <type_traits>
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

#ifdef KTLN2_HAS_ALL_QUESTIONS
template <class Question>
constexpr bool is_answered = true;
#else
/// A page has to be loaded before it answers, so it goes without what it does not show.
template <class Question, class... Shown>
constexpr bool is_one_of = (std::is_same_v<Question, Shown> || ...);
template <class Question>
constexpr bool is_answered =
    is_one_of<Question, entropy_question, number_question, block_question, law_question,
              format_question, number_format_question, block_format_question, catalogue_question,
              compare_question, cost_question, many_cost_question, scaling_question,
              many_scaling_question, mismatch_question>;
#endif

[[noreturn, maybe_unused]] void refuse(const std::string& what) {
  throw std::domain_error(what + " is not in the browser");
}

/// An answer where it stays, and the report that looks into it.
template <class Answer>
struct kept {
  explicit kept(Answer answer) : made{std::move(answer)}, shown{made.report()} {}
  Answer made;
  report shown;
};

}  // namespace

std::shared_ptr<const report> kept_answer(const words& asked, const stop_token& stop) {
  const std::string& command = asked.command;
  const auto report_on = [&](const auto& question) -> std::shared_ptr<const report> {
    if constexpr (is_answered<std::decay_t<decltype(question)>>) {
      using answer_type = decltype(solve(question, stop));
      const auto whole = std::make_shared<const kept<answer_type>>(solve(question, stop));
      return {whole, &whole->shown};
    } else {
      refuse(command + " of what was asked");
    }
  };
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
  for (const char* kind : {"average", "inference", "streaming", "islands", "ctmc"}) {
    if (asked.kind == kind) refuse(command + " " + kind);
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
  const std::string& command = asked.command;
  const auto all_of = [&](const auto& question) -> json {
    if constexpr (is_answered<std::decay_t<decltype(question)>>) {
      return solve(question, stop).report().all();
    } else {
      refuse(command + " of what was asked");
    }
  };
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
