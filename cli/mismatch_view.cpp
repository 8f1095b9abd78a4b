#include <cmath>

#include "ask/how_many.hpp"
#include "ask/islands.hpp"
#include "ask/markov.hpp"
#include "ask/mismatch.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;
using mismatch::nats;
using mismatch::to_joules_per_kelvin;
using mismatch::variational_optimum;

/// In units of k_B, and in J/K.
std::string amount(nats value) { return fmt::format("{:.7f}", value.value()); }
std::string in_units(nats value) {
  return fmt::format("{:.4e}", to_joules_per_kelvin(value).value());
}

/// Where an optimum is, in words.
std::string place(const variational_optimum& one) {
  const auto mark = [](bool at_bound) { return at_bound ? " (at its bound)" : ""; };
  return fmt::format("sigma_x = {:.9g}{}, sigma_xi = {:.9g}{}", one.sigma_x,
                     mark(one.sigma_x_at_bound), one.sigma_xi, mark(one.sigma_xi_at_bound));
}

/// What the best start of all would make of the mismatch.
std::string logical_text(const ask::islands_answer& made) {
  if (!made.logical) return "";
  return fmt::format(
      "Against the best start among all {} logical states, whatever the register of the slope "
      "holds "
      "first:\nmismatch {}, excess {} k_B, and the second law needs {:.10g}.\n",
      made.logical->states, amount(made.logical->account.mismatch),
      amount(made.logical->account.excess), made.logical->least_constant);
}

/// The steps of SGD one by one, the first ones if they are many, and all of them.
std::string steps_text(const ask::islands_answer::stepwise& each) {
  table rows({"in k_B", "production", "mismatch", "residual", "MMC_v", "corrected"});
  const auto add = [&](const std::string& name, const mismatch::step_account& one) {
    rows.add({name, amount(one.production), amount(one.mismatch), amount(one.residual),
              amount(one.paper), amount(one.corrected)});
  };
  constexpr std::size_t most_rows = 10;
  for (std::size_t k = 0; k < each.steps.size() && k < most_rows; ++k) {
    add(fmt::format("step {}", k + 1), each.steps[k]);
  }
  if (each.steps.size() > most_rows) rows.add({"...", "", "", "", "", ""});
  add("all steps", each.sum);
  return fmt::format("\nStep by step, {} of (slope, batch) on {}:\n\n",
                     ask::how_many(each.states, "state"), ask::how_many(each.islands, "island")) +
         rows.text() +
         fmt::format("\nThe second law needs a constant of at least {:.10g} for every step.\n",
                     each.least_constant);
}

std::string productions_text(const ask::mismatch_answer& made) {
  table rows({"total entropy production", "sigma_x", "sigma_xi", "k_B", "J/K"});
  const auto add = [&](const char* name, double sigma_x, double sigma_xi, nats value) {
    rows.add({name, fmt::format("{:.9g}", sigma_x), fmt::format("{:.9g}", sigma_xi), amount(value),
              in_units(value)});
  };
  add("here", made.asked.model.sigma_x, made.asked.model.sigma_xi, made.here.value);
  constexpr std::size_t most_rows = 8;
  for (std::size_t i = 0; i < made.optima.size() && i < most_rows; ++i) {
    const variational_optimum& one = made.optima[i];
    add(i < made.best_count ? "optimum" : "local minimum", one.sigma_x, one.sigma_xi,
        one.production.value);
  }
  return rows.text();
}

}  // namespace

std::string text_of(const ask::mismatch_answer& made) {
  const nats mmc = made.mmc().value;
  std::string text = fmt::format("Variational mismatch cost: {} k_B = {:.6g} J/K, {}\n\n",
                                 amount(mmc), to_joules_per_kelvin(mmc).value(),
                                 energy_at(joules{made.joules_of(mmc)}, made.asked.temperature));
  text += productions_text(made) + "\n";
  text += fmt::format("The optimum is {}: {}.\n", made.best_count == 1 ? "unique" : "not unique",
                      place(made.star()));
  if (made.sum_of_steps) {
    text += fmt::format("Step by step, the production here adds up to {} k_B.\n",
                        amount(*made.sum_of_steps));
  }
  return text +
         "It bounds the excess over the best start of all, not the mismatch cost itself (see "
         "mismatch islands).\n";
}

table rows_of(const ask::mismatch_answer& made) {
  table rows({"sigma_x", "sigma_xi", "production_nats", "mmc_nats"});
  const auto add = [&](double sigma_x, double sigma_xi, nats production) {
    rows.add({plain(sigma_x), plain(sigma_xi), plain(production.value()),
              plain((production - made.star().production.value).value())});
  };
  for (const mismatch::landscape_point& point : made.landscape) {
    add(point.sigma_x, point.sigma_xi, point.production);
  }
  if (!made.landscape.empty()) return rows;
  add(made.asked.model.sigma_x, made.asked.model.sigma_xi, made.here.value);
  for (const variational_optimum& one : made.optima) {
    add(one.sigma_x, one.sigma_xi, one.production.value);
  }
  return rows;
}

std::string text_of(const ask::islands_answer& made) {
  const nats mismatch = made.found.account.mismatch;
  table rows({"", "k_B", "J/K"});
  for (const auto& one : made.entries()) {
    rows.add({one.name, amount(one.value), in_units(one.value)});
  }
  return fmt::format("Mismatch cost: {} k_B = {:.6g} J/K   ({} on {})\n\n", amount(mismatch),
                     to_joules_per_kelvin(mismatch).value(),
                     ask::how_many(made.states, "input state"),
                     ask::how_many(made.islands, "island")) +
         rows.text() + "\n" +
         fmt::format("MMC_v {} the mismatch and bounds the excess; the corrected bound holds.\n",
                     made.paper_bound_holds() ? "is below" : "exceeds") +
         fmt::format("The best stored normal data: {}.\n", place(made.star)) +
         fmt::format("The second law needs a constant of at least {:.10g}.\n",
                     made.least_constant) +
         logical_text(made) + (made.each ? steps_text(*made.each) : "");
}

table rows_of(const ask::islands_answer& made) {
  table rows({"part", "nats"});
  for (const auto& one : made.entries()) rows.add({one.key, plain(one.value.value())});
  return rows;
}

std::string text_of(const ask::markov_answer& made) {
  const nats heat = made.main().path.environment;
  table rows({"duration", "erased, bits", "heat/T, k_B", "production, k_B",
              "heat, " + energy_unit_name()});
  for (const auto& one : made.rows) {
    rows.add(
        {fmt::format("{:.6g}", one.duration),
         fmt::format("{:.6f}", one.landauer.value() / mismatch::nats_per_bit),
         fmt::format("{:.9f}", one.path.environment.value()),
         fmt::format("{:.9f}", one.path.total.value()),
         energy_entry(joules{made.joules_of(one.path.environment)}, made.asked.temperature, 4)});
  }
  const std::string name = made.asked.given        ? "The chain of " + made.asked.protocol
                           : made.asked.is_erase() ? "Erasing a bit"
                                                   : "Resetting the register";
  std::string text = fmt::format("{} gives off {}", name,
                                 energy_at(joules{made.joules_of(heat)}, made.asked.temperature));
  if (made.main().landauer > nats{0}) {
    text += fmt::format(", {:.6g} times Landauer's bound", heat / made.main().landauer);
  }
  text += "\n\n" + rows.text() + "\n";
  if (std::isfinite(made.slope)) {
    text +=
        fmt::format("Ten times slower, the production is multiplied by 10^{:.4f}.\n", made.slope);
  }
  if (!made.production) return text;
  return text + fmt::format(
                    "Of the production, {} k_B are mismatch: what divergence from the best start "
                    "is lost;\n{} k_B remain for the best start.\n",
                    amount(made.production->mismatch), amount(made.production->residual));
}

table rows_of(const ask::markov_answer& made) {
  table rows({"duration", "system_nats", "environment_nats", "production_nats"});
  for (const auto& one : made.rows) {
    rows.add({plain(one.duration), plain(one.path.system.value()),
              plain(one.path.environment.value()), plain(one.path.total.value())});
  }
  return rows;
}

}  // namespace ktln2::cli
