#include "ask/cmos.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;
using mismatch::nats;

/// An entropy to the digit that its error bar reaches; the unit is not shown.
std::string shown_with_error(const bounded<nats>& value) {
  return with_error({bits{value.value.value()}, bits{value.error.value()}});
}

double over_ln2(nats heat) { return heat.value() / mismatch::nats_per_bit; }

}  // namespace

std::string text_of(const ask::cmos_answer& made) {
  const ask::cmos_answer::row& main = made.main();
  table amounts({"", "k_B"});
  amounts.add({"heat/T", shown_with_error(main.path.environment)});
  amounts.add({"Landauer's bound", shown_with_error(main.landauer())});
  amounts.add({"entropy production", shown_with_error(main.path.total)});
  table rows({"duration", "erased, bits", "heat/(k_B T ln 2)", "reads 1 in the end",
              "heat, " + energy_unit_name()});
  for (const auto& one : made.rows) {
    rows.add({fmt::format("{:.6g}", one.duration),
              fmt::format("{:.6f}", over_ln2(one.landauer().value)),
              fmt::format("{:.6g}", over_ln2(one.path.environment.value)),
              fmt::format("{:.3g} ± {:.1g}", one.path.error.value, one.path.error.error),
              energy_entry(joules{made.joules_of(one.path.environment.value)},
                           made.asked.temperature, 4)});
  }
  const double supplied = made.asked.erasure.bit.vdd * main.path.supplied.value;
  return fmt::format(
             "Erasing a bit of CMOS gives off {}, {:.6g} times k_B T ln 2",
             energy_at(joules{made.joules_of(main.path.environment.value)}, made.asked.temperature),
             over_ln2(main.path.environment.value)) +
         "\n\n" + amounts.text() + "\n" + rows.text() +
         fmt::format(
             "\nOf the heat, {:.6g} k_B T were stored in the node and {:.6g} k_B T came "
             "from the supply.\n",
             main.path.stored.value.value(), supplied) +
         fmt::format("Erased, the bit still gives off {:.6g} k_B T in a unit of time.\n",
                     made.idle.value()) +
         fmt::format(
             "The heat is least for what is erased at a duration of {:.3g}: {:.6g} k_B T ln "
             "2 for {:.4f} bits.\n",
             made.best.duration, over_ln2(made.best.path.environment.value),
             over_ln2(made.best.landauer().value));
}

table rows_of(const ask::cmos_answer& made) {
  table rows({"duration", "system_nats", "environment_nats", "environment_error", "production_nats",
              "error_probability"});
  for (const auto& one : made.rows) {
    rows.add({plain(one.duration), plain(one.path.system.value.value()),
              plain(one.path.environment.value.value()), plain(one.path.environment.error.value()),
              plain(one.path.total.value.value()), plain(one.path.error.value)});
  }
  return rows;
}

}  // namespace ktln2::cli
