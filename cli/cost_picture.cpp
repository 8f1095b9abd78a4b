// What --plot draws of a cost: the bill, from what the registers hold at first to what is lost.
#include "ask/cost.hpp"
#include "ask/how_many.hpp"
#include "ask/many_cost.hpp"
#include "ask/streaming.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

/// Amounts that are added one after the other, and the sums of those so far.
class waterfall {
 public:
  explicit waterfall(kelvin temperature) : temperature_{temperature} {}

  void add(const std::string& name, bits amount) { put(name, "part", amount, bits{0}); }
  void add_sum(const std::string& name, const bounded<bits>& sum) {
    put(name, "sum", sum.value, sum.error);
  }
  [[nodiscard]] std::string csv() const { return rows_.csv(); }

 private:
  void put(const std::string& name, const char* role, bits amount, bits error) {
    rows_.add({name, role, plain(amount.value()), plain(error.value()),
               plain(landauer_cost(amount, temperature_).value())});
  }

  kelvin temperature_;
  table rows_{{"part", "role", "bits", "error", "joules"}};
};

bits less(bits amount) { return bits{-amount.value()}; }

/// Fields where they are known, registers otherwise.
void add_inputs(waterfall& bill, const ask::cost_answer& made) {
  if (!made.is_exact()) {
    for (const register_group& group : made.device().input()) {
      bill.add("in: " + group.name, group.entropy().value);
    }
    return;
  }
  const ask::input_fields& fields = made.fields();
  bill.add("sign of the inputs", fields.sign);
  bill.add("exponent of the inputs", fields.exponent);
  bill.add("mantissa of the inputs", fields.mantissa);
  if (fields.shared != bits{0}) bill.add("less what x and y share", less(fields.shared));
}

}  // namespace

paper::plot_request picture_of(const ask::cost_answer& made, const stop_token& /*stop*/) {
  waterfall bill{made.asked().temperature};
  add_inputs(bill, made);
  for (const register_group& group : made.device().output()) {
    bill.add("less out: " + group.name, less(group.entropy().value));
  }
  if (made.internal()) {
    bill.add_sum("erased", made.erased());
    bill.add("internal entropy", made.device().internal().value);
  }
  bill.add_sum(made.internal() ? "lost" : "erased", made.lost());
  return {"cost",
          fmt::format("cost {} {}: {:.6g} bits = {:.4g} J at {:.6g} K", made.asked().kind,
                      made.asked().format().name(), made.lost().value.value(),
                      made.cost().value.value(), made.asked().temperature.value()),
          bill.csv()};
}

paper::plot_request picture_of(const ask::many_cost_answer& made, const stop_token& /*stop*/) {
  const ask::many_cost_question& asked = made.asked;
  waterfall bill{asked.temperature};
  if (made.bill) {
    for (const register_group& group : made.bill->priced.device.input()) {
      bill.add("in: " + group.name, group.entropy().value);
    }
    for (const register_group& group : made.bill->priced.device.output()) {
      bill.add("less out: " + group.name, less(group.entropy().value));
    }
  } else {
    bill.add("in: features", made.prediction->features.value);
    bill.add("less out: prediction", made.erased().value - made.prediction->features.value);
  }
  bill.add_sum("erased", made.erased());
  return {"cost",
          fmt::format("cost {} {}, {}: {:.6g} bits = {:.4g} J at {:.6g} K", asked.kind,
                      asked.formats.data.x.name(), how_many(asked.model.w.size(), "feature"),
                      made.erased().value.value(),
                      landauer_cost(made.erased().value, asked.temperature).value(),
                      asked.temperature.value()),
          bill.csv()};
}

paper::plot_request picture_of(const ask::streaming_answer& made, const stop_token& /*stop*/) {
  waterfall bill{made.asked.temperature};
  bill.add_sum("all at once", made.found.least());
  for (const auto& one : made.entries()) {
    bill.add(std::string("shared by ") + one.name, one.amount.value);
  }
  bill.add_sum("every part by itself", made.found.separately());
  return {"cost",
          fmt::format("cost streaming {}, n = {}: {:.6g} bits, by parts {:.6g}",
                      made.asked.format.name(), made.asked.n, made.found.least().value.value(),
                      made.found.separately().value.value()),
          bill.csv()};
}

}  // namespace ktln2::cli
