#include "ask/solve.hpp"

#include <stdexcept>
#include <variant>

#include "ask/cmos.hpp"
#include "ask/cost.hpp"
#include "ask/entropy.hpp"
#include "ask/islands.hpp"
#include "ask/law.hpp"
#include "ask/markov.hpp"
#include "ask/mismatch.hpp"
#include "ask/scaling.hpp"
#include "ask/streaming.hpp"
#ifdef KTLN2_HAS_SIMULATION
#include "ask/simulate.hpp"
#endif

namespace ktln2::ask {

void answer(const words& asked, const std::function<void(const report&)>& use,
            const stop_token& stop) {
  const auto report_on = [&](const auto& question) {
    const auto made = solve(question, stop);
    use(made.report());
  };
  const std::string& command = asked.command;
  if (command == "entropy") return std::visit(report_on, read_entropy(asked));
  if (command == "law") return std::visit(report_on, read_law(asked));
  if (command == "cost" && asked.kind == "streaming") return report_on(read_streaming(asked));
  if (command == "cost") return report_on(read_cost(asked));
  if (command == "scaling") return report_on(read_scaling(asked));
  if (command == "mismatch" && asked.kind == "islands") return report_on(read_islands(asked));
  if (asks_for_cmos(asked)) return report_on(read_cmos(asked));
  if (command == "mismatch" && asked.kind == "ctmc") return report_on(read_markov(asked));
  if (command == "mismatch") return report_on(read_mismatch(asked));
#ifdef KTLN2_HAS_SIMULATION
  if (command == "simulate") return report_on(read_simulate(asked));
#endif
  throw std::domain_error(command + " has no answer that a program could use");
}

}  // namespace ktln2::ask
