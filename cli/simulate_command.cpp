#include <cstring>
#include <stdexcept>

#include "ask/simulate.hpp"
#include "present.hpp"
#include "progress.hpp"

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

}  // namespace

void run_simulate(const ask::words& asked, style how, team& workers) {
  const ask::simulate_question question = ask::read_simulate(asked);
  if (asked.has("threads") && !workers.has_threads()) {
    throw std::domain_error("simulate: --threads is for ktln2; here mpirun says how many work");
  }
  simulation::check(question.settings(0, question.trials));
  std::vector<double> results;
  {
    const interrupt_guard guard;
    progress_bar bar;
    workers.run(
        {0, question.trials, block, question.threads},
        [&](std::uint64_t begin, std::uint64_t end) {
          simulation::settings set = question.settings(begin, end - begin);
          set.threads = 1;
          return bytes_of(simulation::simulate(question.what, set));
        },
        [&](std::string_view bytes) {
          append(results, bytes);
          bar.show(static_cast<double>(results.size()) / static_cast<double>(question.trials));
        },
        stop_token{interrupt_guard::flag()});
  }
  if (!workers.writes()) return;
  const ask::simulate_answer made = ask::examine(question, std::move(results));
  if (how != style::csv) return present(made, how);
  for (const std::string& warning : made.warnings(false)) warn(warning);
  print(rows_of(made).csv());
}

}  // namespace ktln2::cli
