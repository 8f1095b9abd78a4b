#include "ask/row.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/energy.hpp"
#include "ask/ladder.hpp"
#include "ask/problem.hpp"
#include "ktln2/entropy/approximations.hpp"

namespace ktln2::ask {
namespace {

bits smooth_row_entropy(const std::vector<storage>& formats, const normal_row& row) {
  const normal_vector& z = row.registers();
  double value = differential_entropy(z).value();
  for (std::size_t j = 0; j < z.size(); ++j) {
    value += formats[j].p() - 1 - mean_log_magnitude(z.marginal(j));
  }
  return bits{value};
}

bool are_ideal(const std::vector<storage>& formats) {
  return std::all_of(formats.begin(), formats.end(),
                     [](const storage& one) { return one.ideal() != nullptr; });
}

/// In the same form as those of one register: its error is known from the value.
json smooth_json(const std::optional<bits>& smooth, const bounded<bits>& value) {
  if (!smooth) return json::array();
  return json::array({{{"label", "eq:first_two_approx"},
                       {"value", number(smooth->value())},
                       {"error", number((*smooth - value.value).value())},
                       {"status", "theorem-backed"}}});
}

json step_json(const row_answer& made, const chain_step& step) {
  return {{"name", register_name(made.asked().row, step.variable)},
          {"given_before", number(step.given_numbers.value.value())},
          {"error", number(step.given_numbers.error.value())},
          {"smear", number(step.smear.value())},
          {"smear_bound", number(step.smear_bound.value())}};
}

json registers_json(const row_answer& made) {
  const row_question& asked = made.asked();
  json list = json::array();
  for (std::size_t j = 0; j < asked.formats.size(); ++j) {
    const bounded<bits>& alone = made.entropies().single[j];
    list.push_back({{"name", register_name(asked.row, j)},
                    {"format", asked.formats[j].name()},
                    {"entropy", number(alone.value.value())},
                    {"error", number(alone.error.value())},
                    {"mean", number(asked.row.registers().mean(j))},
                    {"deviation", number(asked.row.registers().deviation(j))}});
  }
  return list;
}

void add_pair_of(report& made, const std::string& name, const bounded<bits>& entropy) {
  made.headline(name, entropy.value.value());
  made.headline(name + "_error", entropy.error.value());
}

/// What several registers hold, of rows and of estimates.
template <class Question, class Entropies>
void add_joint(report& made, const Question& asked, const Entropies& found) {
  made.add("distribution", json(asked.distribution));
  made.add("tolerance", asked.tolerance.value());
  add_value(made, found.joint, name_of(found.how).data());
  made.headline("low", found.low.value());
  made.headline("high", found.high.value());
  add_energy(made, found.joint.value, asked.temperature);
}

}  // namespace

std::string register_name(const normal_row& row, std::size_t j) {
  return j < row.features() ? "x" + std::to_string(j + 1) : "y";
}

row_answer::row_answer(row_question asked, const stop_token& stop)
    : asked_{std::move(asked)},
      entropies_{row_entropy(asked_.formats, asked_.row, asked_.order, asked_.tolerance, stop)} {}

std::optional<bits> row_answer::smooth() const {
  if (!are_ideal(asked_.formats)) return {};
  return smooth_row_entropy(asked_.formats, asked_.row);
}

int row_answer::width() const {
  return std::accumulate(asked_.formats.begin(), asked_.formats.end(), 0,
                         [](int sum, const storage& one) { return sum + one.width(); });
}

std::vector<std::string> row_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(asked_.tolerance, entropies_.joint, 8);
  const normal_vector& z = asked_.row.registers();
  constexpr std::size_t most = 3;  // of many registers that are all alike
  for (std::size_t j = 0; j < z.size() && list.size() < most; ++j) {
    warn_of_edges(register_name(asked_.row, j), asked_.formats[j], z.marginal(j), list);
  }
  return list;
}

report row_answer::report() const {
  ask::report made{"entropy"};
  const row_entropies& found = entropies_;
  made.add("format", json(asked_.formats.front().name()));
  made.add("y_format", json(asked_.formats.back().name()));
  add_joint(made, asked_, found);
  made.add("d", json(asked_.row.features()));
  made.add("differential_entropy", differential_entropy(asked_.row.registers()).value());
  add_pair_of(made, "features", found.features);
  add_pair_of(made, "conditional", found.conditional);
  add_pair_of(made, "total_correlation", found.total_correlation);
  made.add("continuous_total_correlation", total_correlation(asked_.row.registers()).value());
  made.add("divergence", found.divergence);
  made.add("snr", asked_.row.snr());
  made.add_lazy("registers", [this] { return registers_json(*this); });
  made.add_lazy("chain", [this] {
    json list = json::array();
    for (const chain_step& step : entropies_.steps) list.push_back(step_json(*this, step));
    return list;
  });
  made.add_lazy("approximations", [this] { return smooth_json(smooth(), entropies_.joint); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

estimate_answer::estimate_answer(estimate_question asked, const stop_token& stop)
    : asked_{std::move(asked)},
      entropies_{coefficient_entropy(asked_.format, asked_.estimate, asked_.tolerance, stop)} {}

std::optional<bits> estimate_answer::smooth() const {
  if (asked_.format.ideal() == nullptr) return {};
  return smooth_entropy(asked_.format.p(), asked_.estimate);
}

std::vector<std::string> estimate_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(asked_.tolerance, entropies_.joint, 8);
  if (entropies_.how == coefficient_method::smooth) {
    list.emplace_back("for fewer rows than features only the smooth formula is known");
  }
  return list;
}

report estimate_answer::report() const {
  ask::report made{"entropy"};
  const coefficient_entropies& found = entropies_;
  made.add("format", json(asked_.format.name()));
  add_joint(made, asked_, found);
  made.add("d", json(asked_.estimate.features()));
  made.add("differential_entropy", differential_entropy(asked_.estimate).value());
  made.add("dof", asked_.estimate.dof() ? number(*asked_.estimate.dof()) : json(nullptr));
  made.add_lazy("registers", [this] {
    json list = json::array();
    for (std::size_t j = 0; j < entropies_.single.size(); ++j) {
      const bounded<bits>& alone = entropies_.single[j];
      list.push_back({{"name", asked_.estimate.name(j)},
                      {"entropy", number(alone.value.value())},
                      {"error", number(alone.error.value())}});
    }
    return list;
  });
  made.add_lazy("approximations", [this] { return smooth_json(smooth(), entropies_.joint); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

json coefficients_json(const coefficients& estimate) {
  json list = json::array();
  const bool is_known =
      estimate.kind() == estimate_kind::student || estimate.kind() == estimate_kind::ridge;
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    json one{{"name", estimate.name(j)}, {"truth", number(estimate.truth(j))}};
    if (is_known) {
      const law marginal = estimate.marginal(j);
      one["mean"] = number(mean(marginal));
      one["deviation"] = number(deviation(marginal));
      if (const auto* t = std::get_if<student_t>(&marginal)) one["scale"] = number(t->scale());
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace ktln2::ask
