#include "ask/compare.hpp"
#include "paper/report/plot.hpp"
#include "present.hpp"
#include "progress.hpp"

namespace ktln2::cli {

void run_compare(const ask::words& asked, style how) {
  const ask::reader given{asked};
  const auto file = given.optional_word("plot");
  if (file) paper::require_plot_name(given.where("plot"), *file);  // before anything is computed
  const ask::compare_answer made = solve(ask::read_compare(asked));
  present(made, how);
  if (file) paper::plot({"compare", made.asked.distribution, rows_of(made).csv()}, *file);
}

}  // namespace ktln2::cli
