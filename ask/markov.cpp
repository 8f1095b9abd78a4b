#include "ask/markov.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "ktln2/core/check.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2::ask {
namespace {

using mismatch::nats;

/// What each state of a register holds, when normal numbers are stored.
std::vector<double> stored_normal(const float_format& format, double sigma) {
  const normal law{0, sigma};
  std::vector<double> p;
  const auto size = static_cast<std::size_t>(format.size());
  for (std::size_t i = 1; i <= size / 2; ++i) {
    const auto edge = [&](std::size_t after_value) {
      return (format.value_at(after_value).to_double() +
              format.value_at(after_value + 1).to_double()) /
             2;
    };
    const double below = i == 1 ? 0 : cdf(law, edge(i - 1));
    p.push_back(cdf(law, edge(i)) - below);
  }
  for (std::size_t i = p.size(); i-- > 0;) p.push_back(p[i]);
  return p;
}

json parameters_of(const markov_question& asked) {
  if (asked.given) {
    json start = json::array();
    for (const double p : asked.given->start) start.push_back(number(p));
    return {{"duration", number(asked.duration)}, {"start", std::move(start)}};
  }
  json parameters = {{"duration", number(asked.duration)},
                     {"bias", number(asked.bias)},
                     {"rate", number(asked.rate)}};
  if (asked.is_erase()) return parameters;
  parameters["register"] = asked.held.name();
  parameters["sigma"] = number(asked.sigma);
  parameters["loaded"] = number(asked.loaded);
  return parameters;
}

}  // namespace

markov_question read_markov(const words& asked) {
  const reader given{asked};
  markov_question made{.protocol = given.word("format"),
                       .duration = given.number("duration"),
                       .bias = given.number("bias"),
                       .rate = given.number("rate"),
                       .temperature = read_temperature(given)};
  require_positive("markov", "duration", made.duration);
  for (const char* name : {"vdd", "capacitance", "slope-factor", "input"}) {
    if (!given.has(name)) continue;
    throw std::domain_error(given.where(name) + " is for cmos, got " + made.protocol);
  }
  if (made.is_erase()) {
    for (const char* name : {"register", "sigma", "loaded"}) {
      if (given.has(name)) throw std::domain_error(given.where(name) + " is for reset, got erase");
    }
    return made;
  }
  if (made.protocol != "reset") {
    for (const char* name : {"duration", "bias", "rate", "register", "sigma", "loaded"}) {
      if (!given.has(name)) continue;
      throw std::domain_error(given.where(name) + " is for erase and reset; a file says it all");
    }
    made.given = read_protocol(made.protocol);
    made.duration = made.given->duration;
    return made;
  }
  made.held = given.format("register");
  made.sigma = given.number("sigma");
  made.loaded = given.optional_number("loaded").value_or(made.sigma);
  constexpr int most_bits = 7;
  if (made.held.width() > most_bits || made.held.exponent_bits() < 1) {
    throw std::domain_error("mismatch: --register must have an exponent and at most 7 bits, got " +
                            made.held.name());
  }
  return made;
}

namespace {

/// All that differs between the ways to give a chain.
struct chain {
  std::vector<double> start;
  std::function<mismatch::markov_path(double lasting)> follow;
  std::function<std::optional<markov_answer::parts>(const mismatch::markov_path& path)> parts;
};

/// A bit or a register whose energies are moved.
chain driven_chain(const markov_question& asked, const stop_token& stop) {
  std::vector<double> prepared{0.5, 0.5};
  std::vector<double> start = prepared;
  if (!asked.is_erase()) {
    prepared = stored_normal(asked.held, asked.sigma);
    start = stored_normal(asked.held, asked.loaded);
  }
  const auto process_of = [asked, prepared](double lasting) {
    if (asked.is_erase()) return mismatch::bit_erasure(lasting, asked.bias, asked.rate);
    return mismatch::register_reset(prepared, prepared.size() / 2, lasting, asked.bias, asked.rate);
  };
  const auto parts = [=](const mismatch::markov_path& path) -> std::optional<markov_answer::parts> {
    const mismatch::relaxing_channel channel =
        mismatch::channel_of(process_of(asked.duration), stop);
    const std::vector<double> best = mismatch::optimal_start(channel);
    return markov_answer::parts{mismatch::divergence(start, best) -
                                    mismatch::divergence(path.end, mismatch::after(channel, best)),
                                mismatch::production(channel, best)};
  };
  return {start, [=](double lasting) { return mismatch::follow(process_of(lasting), start, stop); },
          parts};
}

/// The rates of a file; a slower run goes through them more slowly.
chain given_chain(const rate_protocol& given, const stop_token& stop) {
  const auto process_of = [given, stop](double lasting) {
    const double slower = lasting / given.duration;
    return mismatch::markov_process{
        given.states, lasting, [given, slower, stop](double time) {
          throw_if_stopped(stop);
          return given.rates(std::clamp(time / slower, 0.0, given.duration));
        }};
  };
  const auto parts = [=](const mismatch::markov_path& path) -> std::optional<markov_answer::parts> {
    const mismatch::markov_channel channel = mismatch::channel_of(process_of(given.duration));
    for (const std::vector<double>& from : channel.transition) {
      constexpr double nowhere = 1e-12;
      if (*std::min_element(from.begin(), from.end()) < nowhere) return {};
    }
    const std::vector<double> best = mismatch::optimal_start(channel);
    return markov_answer::parts{mismatch::divergence(given.start, best) -
                                    mismatch::divergence(path.end, mismatch::after(channel, best)),
                                mismatch::production(channel, best)};
  };
  return {given.start,
          [=](double lasting) { return mismatch::follow(process_of(lasting), given.start); },
          parts};
}

}  // namespace

markov_answer solve(const markov_question& asked, const stop_token& stop) {
  const chain runs = asked.given ? given_chain(*asked.given, stop) : driven_chain(asked, stop);
  markov_answer made{asked, runs.start.size(), {}, 0, {}};
  for (const double factor : {0.1, 1.0, 10.0}) {
    const double lasting = factor * asked.duration;
    mismatch::markov_path path = runs.follow(lasting);
    const nats landauer = mismatch::entropy_of(runs.start) - mismatch::entropy_of(path.end);
    made.rows.push_back({lasting, std::move(path), landauer});
  }
  made.slope = std::log10(made.rows[2].path.total / made.main().path.total);
  // What the start costs that another one would not.
  made.production = runs.parts(made.main().path);
  return made;
}

std::vector<std::string> markov_answer::warnings() const {
  if (production) return {};
  return {
      "some states do not lead to some others: no one start is the best, and the mismatch is not "
      "taken apart"};
}

double markov_answer::joules_of(nats value) const {
  return asked.temperature.value() * mismatch::to_joules_per_kelvin(value).value();
}

report markov_answer::report() const {
  ask::report made{"mismatch"};
  const mismatch::markov_path& path = main().path;
  made.add("kind", json("ctmc"));
  made.add("protocol", json(asked.protocol));
  made.add_all(parameters_of(asked));
  made.add("temperature", asked.temperature.value());
  made.add("states", json(states));
  made.headline("system_nats", path.system.value());
  made.headline("environment_nats", path.environment.value());
  made.headline("production_nats", path.total.value());
  made.headline("erased_bits", main().landauer.value() / mismatch::nats_per_bit);
  made.headline("heat_joules", joules_of(path.environment));
  made.headline("landauer_joules", joules_of(main().landauer));
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  made.headline("mismatch_nats", production ? production->mismatch.value() : undefined);
  made.headline("residual_nats", production ? production->residual.value() : undefined);
  made.add("slope", slope);
  json list = json::array();
  for (const row& one : rows) {
    list.push_back({{"duration", number(one.duration)},
                    {"environment_nats", number(one.path.environment.value())},
                    {"production_nats", number(one.path.total.value())}});
  }
  made.add("durations", std::move(list));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
