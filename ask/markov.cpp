#include "ask/markov.hpp"

#include <cmath>
#include <stdexcept>

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
  if (made.is_erase()) {
    for (const char* name : {"register", "sigma", "loaded"}) {
      if (given.has(name)) throw std::domain_error(given.where(name) + " is for reset, got erase");
    }
    return made;
  }
  if (made.protocol != "reset") {
    throw std::domain_error("mismatch: ctmc needs erase or reset, got '" + made.protocol + "'");
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

markov_answer solve(const markov_question& asked, const stop_token& stop) {
  std::vector<double> prepared{0.5, 0.5};
  std::vector<double> start = prepared;
  if (!asked.is_erase()) {
    prepared = stored_normal(asked.held, asked.sigma);
    start = stored_normal(asked.held, asked.loaded);
  }
  const auto process_of = [&](double lasting) {
    if (asked.is_erase()) return mismatch::bit_erasure(lasting, asked.bias, asked.rate);
    return mismatch::register_reset(prepared, prepared.size() / 2, lasting, asked.bias, asked.rate);
  };
  markov_answer made{asked, start.size(), {}, 0, {}, {}};
  for (const double factor : {0.1, 1.0, 10.0}) {
    const double lasting = factor * asked.duration;
    mismatch::markov_path path = mismatch::follow(process_of(lasting), start, stop);
    const nats landauer = mismatch::entropy_of(start) - mismatch::entropy_of(path.end);
    made.rows.push_back({lasting, std::move(path), landauer});
  }
  made.slope = std::log10(made.rows[2].path.total / made.main().path.total);

  // What the start costs that another one would not.
  const mismatch::relaxing_channel channel = mismatch::channel_of(process_of(asked.duration), stop);
  const std::vector<double> best = mismatch::optimal_start(channel);
  made.residual = mismatch::production(channel, best);
  made.mismatch_part = mismatch::divergence(start, best) -
                       mismatch::divergence(made.main().path.end, mismatch::after(channel, best));
  return made;
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
  made.headline("mismatch_nats", mismatch_part.value());
  made.headline("residual_nats", residual.value());
  made.add("slope", slope);
  json list = json::array();
  for (const row& one : rows) {
    list.push_back({{"duration", number(one.duration)},
                    {"environment_nats", number(one.path.environment.value())},
                    {"production_nats", number(one.path.total.value())}});
  }
  made.add("durations", std::move(list));
  return made;
}

}  // namespace ktln2::ask
