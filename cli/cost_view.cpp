#include <cmath>

#include "ask/cost.hpp"
#include "ask/how_many.hpp"
#include "ask/operations.hpp"
#include "core/nearest.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

/// "2000 products, 1998 sums and 1 division"
std::string listed_operations(const ask::operation_count& count) {
  std::vector<std::string> parts;
  const auto add = [&parts](double number, const char* name) {
    if (number > 0) parts.push_back(how_many(number, name));
  };
  add(count.products, "product");
  add(count.sums, "sum");
  add(count.divisions, "division");
  return parts.empty() ? "no operations" : listed(parts, "and");
}

/// How far above the bound a chip is.
std::string on_a_chip_text(const ask::cost_answer& made) {
  const joules cost = made.cost().value;
  if (cost <= joules{0}) return "It costs nothing.\n";
  const ask::chip_bill chip = on_a_chip(made.asked());
  return wrapped(
             fmt::format("The arithmetic alone, {}, takes {} on {} chip ({}): {:.2e} times as "
                         "much as the bound.",
                         listed_operations(chip.operations),
                         shown_energy(chip.energy, made.asked().temperature, 3),
                         made.asked().per_operation ? "your" : "a", chip.basis, chip.energy / cost),
             0) +
         "\n";
}

/// What a kind is called, and one of its inputs.
struct title {
  const char* computation;
  const char* input;
};

title title_of(const ask::any_task& what) {
  if (std::holds_alternative<ask::regression_task>(what)) return {"Exact regression", "data point"};
  if (std::holds_alternative<ask::sgd_task>(what)) {
    return {"Stochastic gradient descent", "data point"};
  }
  if (const auto* average = std::get_if<ask::averaging_task>(&what)) {
    return {average->numbers.sum ? "Summing" : "Averaging", "number"};
  }
  return {"One prediction", "prediction"};
}

std::string amount(double value) { return fmt::format("{:.6f}", value); }

/// The registers that go in and come out.
std::string registers_text(const ask::cost_answer& made) {
  const kelvin temperature = made.asked().temperature;
  table rows({"", "registers of", "times", "bits each", "bits", energy_heading()});
  const auto add = [&](const register_group& group, const char* sign) {
    rows.add({sign + group.name, how_many(group.width, "bit"), fmt::format("{}", group.count),
              amount(group.each.value.value()), amount(group.entropy().value.value()),
              energy_entry(landauer_cost(group.entropy().value, temperature), temperature)});
  };
  const auto add_sum = [&](const std::string& name, double of) {
    const bits sum = made.erased().value / of;
    rows.add({name, "", "", "", amount(sum.value()),
              energy_entry(landauer_cost(sum, temperature), temperature)});
  };
  for (const register_group& group : made.device().input()) add(group, "in: ");
  for (const register_group& group : made.device().output()) add(group, "out: ");
  add_sum("erased", 1);
  if (made.inputs() > 1) {
    add_sum(std::string("per ") + title_of(made.asked().what).input, made.inputs());
  }
  return rows.text();
}

/// What the states of the registers have beside what they hold [eq:phys_ent].
std::string internal_text(const ask::cost_answer& made) {
  if (!made.internal()) return "";
  const kelvin temperature = made.asked().temperature;
  table rows({"internal entropy", "times", "bits each", "bits", energy_heading()});
  const auto add = [&](const std::string& name, double count, bits each) {
    const bits sum = bits{0} + count * each;  // no -0
    rows.add({name, fmt::format("{}", std::fabs(count)), amount(each.value()), amount(sum.value()),
              energy_entry(landauer_cost(sum, temperature), temperature)});
  };
  const auto add_sum = [&](const char* name, bits sum) {
    rows.add({name, "", "", amount(sum.value()),
              energy_entry(landauer_cost(sum, temperature), temperature)});
  };
  const auto& [input, output] = *made.internal();
  for (const auto& in : input) add("in: " + in.name, in.count, in.each.mean().value);
  for (const auto& out : output) add("out: " + out.name + ", fixed", out.count, out.each.reset);
  for (const auto& in : input) add("less in: " + in.name + ", reset", -in.count, in.each.reset);
  for (const auto& out : output) add("less out: " + out.name, -out.count, out.each.mean().value);
  add_sum("lost", made.device().internal().value);
  add_sum("together with what is erased", made.lost().value);
  return "\n" + rows.text();
}

/// Why there is no row for the precision [eq:precision_contribution_Ex]: where p more bits in each
/// register are not what p adds. Empty where they are; of closed forms, which are linear in p, too.
std::string why_no_precision(const ask::cost_answer& made) {
  if (!made.is_exact() || !made.one_bit() || made.one_bit()->is_full()) return "";
  const auto rounded = [](bits of) { return std::round(1e6 * of.value()) / 1e6 + 0.0; };  // no -0
  const ask::precision_step& step = *made.one_bit();
  return wrapped(fmt::format("The precision p has no row: one bit of it adds {} to this, not {}.",
                             how_many(rounded(step.erased), "bit"), plain(rounded(step.registers))),
                 0) +
         "\n";
}

std::string fields_text(const ask::cost_answer& made) {
  table where({"where the joules go", "bits", energy_heading()});
  const auto add = [&](const char* name, bits value) {
    where.add(
        {name, amount(value.value()),
         energy_entry(landauer_cost(value, made.asked().temperature), made.asked().temperature)});
  };
  if (made.is_exact()) {  // the smooth entropies know no fields
    const ask::input_fields& fields = made.fields();
    add("sign of the inputs", fields.sign);
    add("exponent of the inputs", fields.exponent);
    add("mantissa of the inputs", fields.mantissa);
    if (fields.shared != bits{0}) add("less what x and y share", bits{-fields.shared.value()});
    add("less the output", bits{-made.device().output_entropy().value.value()});
  }
  if (made.internal()) add("internal entropy", made.device().internal().value);
  const std::string reason = why_no_precision(made);
  const bool is_part = made.device().precision() <= made.erased().value;
  if (reason.empty()) {
    add(is_part ? "of all that, the precision p" : "more than all that, the precision p",
        made.device().precision());
  }
  return where.text() + (reason.empty() ? "" : "\n" + reason);
}

/// How far the central limit theorem is from the truth.
std::string limit_text(const ask::cost_answer& made) {
  const auto& limit = made.central_limit();
  if (!limit) return "The numbers have no finite deviation: no central limit theorem holds.\n";
  const double gap = limit->gap.value.value();
  const double error = limit->gap.error.value();
  return fmt::format("A normal law in the place of the result would hold {:.6f} bits: {}.\n",
                     limit->output.value.value(),
                     std::fabs(gap) <= error ? fmt::format("the same to {:.0e} bits", error)
                                             : fmt::format("off by {:+.1e} bits", gap));
}

/// What only one kind has to say.
std::string note_of(const ask::cost_answer& made) {
  if (std::holds_alternative<ask::sgd_task>(made.asked().what)) {
    return fmt::format("The last step alone: {:.6f} bits.\n", made.last_step().value.value());
  }
  if (const auto* average = std::get_if<ask::averaging_task>(&made.asked().what)) {
    return average->one ? limit_text(made) : "";
  }
  const auto* task = std::get_if<ask::prediction_task>(&made.asked().what);
  if (task == nullptr) return "";
  return fmt::format(
      "The slope {} is {} in {}. The paper's smooth formula says 0 bits; storing Q(slope X) of "
      "the\n"
      "continuous X instead would cost {:.6f} bits.\n",
      task->slope, made.slope_is_representable() ? "a value" : "not a value",
      made.asked().format().name(), made.prediction().ideal.value());
}

/// Where the closed forms say what no register can hold, their value is no headline.
std::string range_text(const ask::cost_answer& made) {
  const ask::cost_answer::range known = made.possible();
  const kelvin temperature = made.asked().temperature;
  return fmt::format(
      "{} costs from {:.6g} to {:.6g} bits = {} to {}: no more is known, "
      "since the\nclosed forms do not hold here. (They say {} bits, which no registers can "
      "do.)\n\n",
      title_of(made.asked().what).computation, known.least.value(), known.most.value(),
      shown_energy(landauer_cost(known.least, temperature), temperature),
      energy_at(landauer_cost(known.most, temperature), temperature), with_error(made.lost()));
}

}  // namespace

std::string text_of(const ask::cost_answer& made) {
  if (!made.is_exact() && !made.possible().has(made.lost().value)) {
    return range_text(made) + registers_text(made) + internal_text(made);
  }
  return fmt::format("{} costs at least {} bits = {}\n\n", title_of(made.asked().what).computation,
                     with_error(made.lost()),
                     energy_at(made.cost().value, made.asked().temperature)) +
         registers_text(made) + internal_text(made) + "\n" + fields_text(made) + "\n" +
         note_of(made) + on_a_chip_text(made);
}

table rows_of(const ask::cost_answer& made) {
  table rows({"part", "bits", "joules"});
  const auto add = [&](const char* name, bits value) {
    rows.add({name, plain(value.value()),
              plain(landauer_cost(value, made.asked().temperature).value())});
  };
  add("input", made.device().input_entropy().value);
  add("output", made.device().output_entropy().value);
  add("erased", made.erased().value);
  if (made.internal()) {
    add("internal_loaded", made.internal()->loaded().value);
    add("internal_computed", made.internal()->computed().value);
    add("internal", made.device().internal().value);
    add("lost", made.lost().value);
  }
  add("precision", made.device().precision());
  return rows;
}

}  // namespace ktln2::cli
