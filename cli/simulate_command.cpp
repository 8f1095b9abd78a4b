#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "ask/simulate.hpp"
#include "present.hpp"

namespace ktln2::cli {
namespace {

std::string bytes_of(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void append(std::vector<double>& values, std::string_view bytes) {
  const std::size_t before = values.size();
  values.resize(before + bytes.size() / sizeof(double));
  std::memcpy(values.data() + before, bytes.data(), bytes.size());
}

/// Blocks large enough to be quick, small enough to hear Ctrl-C.
constexpr std::uint64_t block = 4096;

/// The results of all trials, or after a Ctrl-C of the first ones.
std::vector<double> run_trials(const ask::simulate_question& question, team& workers,
                               progress_bar& bar) {
  std::vector<double> results;
  bool is_cut = false;
  const stop_token stop = at_work::stop();
  workers.run(
      {0, question.trials, block, question.threads},
      [&](std::uint64_t begin, std::uint64_t end) {
        simulation::settings set = question.settings(begin, end - begin);
        set.threads = 1;
        set.progress = [&](double) { return !stop.stop_requested(); };
        return bytes_of(simulation::simulate(question.what, set));
      },
      [&](std::string_view bytes) {
        if (is_cut) return;  // a block behind one that a stop has cut
        const std::uint64_t left = question.trials - results.size();
        is_cut = bytes.size() < std::min(block, left) * sizeof(double);
        append(results, bytes);
        bar.show(static_cast<double>(results.size()) / static_cast<double>(question.trials));
      },
      stop);
  return results;
}

}  // namespace

void run_simulate(const ask::words& asked, style how, team& workers) {
  at_work work{[] { fmt::print(stderr, "ktln2: simulate: interrupted; nothing is kept\n"); }};
  const ask::simulate_question question = ask::read_simulate(asked);
  if (asked.has("threads") && !workers.has_threads()) {
    throw std::domain_error("simulate: --threads is for ktln2; here mpirun says how many work");
  }
  simulation::check(question.settings(0, question.trials));
  std::vector<double> results = run_trials(question, workers, work.bar());
  if (results.size() < question.trials) work.let_go();
  if (!workers.writes()) return;
  if (results.empty()) {
    throw interrupted_work("simulate: interrupted before a trial was finished");
  }
  work.bar().show(0, "looking at the results");
  const ask::simulate_answer made = ask::examine(question, std::move(results));
  if (how == style::csv) {
    const auto quiet = work.bar().hidden();
    for (const std::string& warning : made.warnings(false)) warn(warning);
    print(rows_of(made).csv());
  } else {
    present(made, how, work.bar());
  }
  if (made.finished < question.trials) throw interrupted_work("");  // a warning has said so
}

}  // namespace ktln2::cli
