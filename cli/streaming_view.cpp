#include "ask/streaming.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

void add_row(table& rows, const std::string& name, const ask::streaming_answer& made,
             const bounded<bits>& what) {
  rows.add({name, fmt::format("{:.6f}", what.value.value()),
            fmt::format("{:.1e}", what.error.value()),
            energy_entry(made.joules_of(what).value, made.asked.temperature)});
}

}  // namespace

std::string text_of(const ask::streaming_answer& made) {
  const streaming_cost& found = made.found;
  table rows({"", "bits", "±", energy_heading()});
  add_row(rows, "all at once, or step by step with what the registers share", made, found.least());
  for (const auto& one : made.entries()) {
    add_row(rows, std::string("+ shared by ") + one.name, made, one.amount);
  }
  add_row(rows, "= every part erased by itself", made, found.separately());
  const double share = found.modularity().value.value() / found.least().value.value();
  return fmt::format("Regression as a stream of {} on {} registers erases {:.6g} bits\n\n",
                     counted(found.n, "point"), made.asked.format.name(),
                     found.least().value.value()) +
         rows.text() + "\n" +
         fmt::format("Parts that do not use what they share cost {:.3g} % more.\n", 100 * share) +
         (made.is_enumerated
              ? fmt::format("Every state of the sums was looked at. The slope holds {:.6f} bits; "
                            "computed without\nrounding it would hold {:.6f}.\n",
                            found.slope.value.value(), made.ideal_slope.value.value())
              : std::string("Data and slope are exact, the sums by a formula for fine registers "
                            "(docs/costs.md).\n"));
}

table rows_of(const ask::streaming_answer& made) {
  table rows({"part", "bits", "error"});
  const auto add = [&rows](const std::string& name, const bounded<bits>& what) {
    rows.add({name, plain(what.value.value()), plain(what.error.value())});
  };
  add("least", made.found.least());
  for (const auto& one : made.entries()) add(one.key, one.amount);
  add("separately", made.found.separately());
  return rows;
}

}  // namespace ktln2::cli
