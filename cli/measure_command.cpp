#include <chrono>
#include <stdexcept>

#include "ask/measure.hpp"
#include "present.hpp"
#include "progress.hpp"

namespace ktln2::cli {
namespace {

/// "1.2 of 3.4 GB, 850 MB/s"
std::string speed_of(const ask::measure_progress& now, double seconds) {
  const auto done = static_cast<double>(now.done);
  return fmt::format("{:.1f} of {:.1f} GB, {:.0f} MB/s", done / 1e9,
                     static_cast<double>(now.all) / 1e9, done / 1e6 / seconds);
}

ask::measure_answer count_files(const ask::measure_question& question) {
  using clock = std::chrono::steady_clock;
  progress_bar bar;
  const stop_token stop{interrupt_guard::flag()};
  const interrupt_guard guard{
      [] { fmt::print(stderr, "\nktln2: measure: interrupted; nothing is kept\n"); }};
  const auto start = clock::now();
  return solve(question, stop, [&](const ask::measure_progress& now) {
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    if (now.all == 0 || seconds <= 0) return;
    bar.show(static_cast<double>(now.done) / static_cast<double>(now.all), speed_of(now, seconds));
  });
}

}  // namespace

void run_measure(const ask::words& asked, style how) {
  const ask::measure_answer made = count_files(ask::read_measure(asked));
  if (!made.tensors.empty() || made.failures.empty()) present(made, how);
  if (!made.is_complete) throw interrupted_work("");  // a warning has said so
  for (std::size_t i = 0; i + 1 < made.failures.size(); ++i) warn(made.failures[i]);
  if (!made.failures.empty()) throw std::domain_error(made.failures.back());
}

}  // namespace ktln2::cli
