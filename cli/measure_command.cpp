#include <chrono>
#include <stdexcept>

#include "ask/json.hpp"
#include "ask/measure.hpp"
#include "ask/survey.hpp"
#include "core/printable.hpp"
#include "pictures.hpp"
#include "plot.hpp"
#include "present.hpp"

namespace ktln2::cli {
namespace {

/// "1.2 of 3.4 GB, 850 MB/s"
std::string speed_of(const ask::measure_progress& now, double seconds) {
  const auto done = static_cast<double>(now.done);
  return fmt::format("{:.1f} of {:.1f} GB, {:.0f} MB/s", done / 1e9,
                     static_cast<double>(now.all) / 1e9, done / 1e6 / seconds);
}

/// By the processes of a job, each on one thread.
ask::measure_answer count_by(team& workers, const ask::measure_question& question,
                             progress_bar& bar) {
  ask::survey all{question};
  const stop_token stop = at_work::stop();
  std::size_t next = 0;
  workers.run(
      {0, all.jobs().size(), 1, 1},
      [&](std::uint64_t i, std::uint64_t) {
        return all.as_bytes(all.count(all.jobs()[i], 1, stop));
      },
      [&](std::string_view bytes) {
        const ask::survey::job& one = all.jobs()[next++];
        all.keep(one, all.from_bytes(one, bytes));
        bar.show(static_cast<double>(next) / static_cast<double>(all.jobs().size()));
      },
      stop);
  return all.finish(next == all.jobs().size());
}

ask::measure_answer count_files(const ask::measure_question& question, progress_bar& bar) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  return solve(question, at_work::stop(), [&](const ask::measure_progress& now) {
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    if (now.all == 0 || seconds <= 0) return;
    bar.show(static_cast<double>(now.done) / static_cast<double>(now.all), speed_of(now, seconds));
  });
}

}  // namespace

void run_measure(const ask::words& asked, style how, team& workers) {
  const auto picture = workers.writes() ? plot_file::asked_by(asked) : std::nullopt;
  ask::measure_question question = ask::read_measure(asked);
  const bool shows_bits = question.wants_bits;
  question.wants_bits = shows_bits || picture;
  if (asked.has("threads") && !workers.has_threads()) {
    throw std::domain_error("measure: --threads is for ktln2; here mpirun says how many work");
  }
  for (const char* more : {"as", "bits"}) {
    if (how == style::csv && asked.has(more)) {
      throw std::domain_error(fmt::format(
          "measure: --csv has a row for each tensor, and no room for --{}: --json has it", more));
    }
  }
  at_work work{[] { fmt::print(stderr, "ktln2: measure: interrupted; nothing is kept\n"); },
               std::chrono::seconds(1)};
  ask::measure_answer made = workers.has_threads() ? count_files(question, work.bar())
                                                   : count_by(workers, question, work.bar());
  if (!made.is_complete) work.let_go();
  if (!workers.writes()) return;
  made.asked.wants_bits = shows_bits;
  const bool has_some = !made.tensors.empty() || (made.is_complete && made.failures.empty());
  if (has_some) present(made, how, work.bar());
  if (picture && made.is_complete && !made.tensors.empty()) picture->draw(picture_of(made), work);
  if (!made.is_complete) {
    throw interrupted_work(has_some ? ""  // a warning has said so
                                    : "measure: interrupted before a tensor was complete");
  }
  for (std::size_t i = 0; i + 1 < made.failures.size(); ++i) {
    fmt::print(stderr, "ktln2: {}\n", printable(made.failures[i]));
  }
  if (!made.failures.empty()) throw std::domain_error(made.failures.back());
}

}  // namespace ktln2::cli
