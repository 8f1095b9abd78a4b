#include "ask/cmos.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ktln2::ask {
namespace {

using mismatch::nats;

/// The chain for another duration.
cmos_answer::row lasting(mismatch::cmos_erasure erasure, double duration, const stop_token& stop) {
  erasure.duration = duration;
  return {duration, mismatch::follow(erasure, 1e-10, stop)};
}

json cmos_row_json(const cmos_answer::row& one) {
  return {{"duration", number(one.duration)},
          {"environment_nats", number(one.path.environment.value.value())},
          {"production_nats", number(one.path.total.value.value())},
          {"erased_bits", number(one.landauer().value.value() / mismatch::nats_per_bit)},
          {"error_probability", number(one.path.error.value)}};
}

}  // namespace

bool asks_for_cmos(const words& asked) {
  return asked.command == "mismatch" && asked.kind == "ctmc" && asked.get("format") == "cmos";
}

cmos_question read_cmos(const words& asked) {
  const reader given{asked};
  for (const char* name : {"bias", "register", "sigma", "loaded"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for erase and reset, got cmos");
    }
  }
  return {{{.vdd = given.number("vdd"),
            .capacitance = given.number("capacitance"),
            .slope = given.number("slope-factor"),
            .rate = given.number("rate")},
           given.number("duration"),
           given.optional_number("input")},
          read_temperature(given)};
}

cmos_answer solve(const cmos_question& asked, const stop_token& stop) {
  const mismatch::cmos_erasure& erasure = asked.erasure;
  const mismatch::cmos_node node{erasure.bit};
  cmos_answer made{asked, node.states(), node.idle(erasure.bit.vdd), {}, {}};
  for (const double factor : {1.0, 0.1, 10.0}) {
    made.rows.push_back(lasting(erasure, factor * erasure.duration, stop));
  }
  std::swap(made.rows[0], made.rows[1]);  // what is wrong is told about what was asked for
  made.best = lasting(erasure, mismatch::best_duration(erasure, stop), stop);
  return made;
}

std::vector<std::string> cmos_answer::warnings() const {
  constexpr double much = 0.01;
  if (!(main().path.error.value > much)) return {};
  return {fmt::format("the bit is not erased: in the end it reads 1 with probability {:.3g}",
                      main().path.error.value)};
}

double cmos_answer::joules_of(nats value) const {
  return asked.temperature.value() * mismatch::to_joules_per_kelvin(value).value();
}

report cmos_answer::report() const {
  ask::report made{"mismatch"};
  const mismatch::cmos_erasure& erasure = asked.erasure;
  const mismatch::cmos_path& path = main().path;
  made.add("kind", json("ctmc"));
  made.add("protocol", json("cmos"));
  made.add_all({{"duration", number(erasure.duration)},
                {"vdd", number(erasure.bit.vdd)},
                {"capacitance", number(erasure.bit.capacitance)},
                {"slope_factor", number(erasure.bit.slope)},
                {"rate", number(erasure.bit.rate)},
                {"input", number(erasure.first_input())}});
  made.add("temperature", asked.temperature.value());
  made.add("states", json(states));
  const auto add = [&made](const std::string& name, const bounded<nats>& value, double unit) {
    made.headline(name, value.value.value() * unit);
    made.add(name + "_error", value.error.value() * unit);
  };
  add("system_nats", path.system, 1);
  add("environment_nats", path.environment, 1);
  add("production_nats", path.total, 1);
  add("erased_bits", main().landauer(), 1 / mismatch::nats_per_bit);
  add("heat_joules", path.environment, joules_of(nats{1}));
  add("landauer_joules", main().landauer(), joules_of(nats{1}));
  made.headline("error_probability", path.error.value);
  made.add("error_probability_error", path.error.error);
  made.add("stored_nats", path.stored.value.value());
  made.add("supply_nats", erasure.bit.vdd * path.supplied.value);
  made.add("idle_nats", idle.value());
  made.add("best", cmos_row_json(best));
  json list = json::array();
  for (const row& one : rows) list.push_back(cmos_row_json(one));
  made.add("durations", std::move(list));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
