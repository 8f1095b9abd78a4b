#include <cmath>

#include "ktln2/mismatch/markov.hpp"
#include "mismatch_kinds.hpp"

namespace ktln2::cli {
namespace {

/// What each state of a register holds, when normal numbers are stored.
std::vector<double> stored_normal(const float_format& format, double sigma) {
  const normal law{0, sigma};
  constexpr int most_bits = 7;
  if (format.width() > most_bits || format.exponent_bits() < 1) {
    throw std::domain_error("mismatch: --register must have an exponent and at most 7 bits, got " +
                            format.name());
  }
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

}  // namespace

void run_ctmc(const mismatch_request& request, option_reader& options, style how) {
  const bool is_erase = request.format == "erase";
  if (!is_erase && request.format != "reset") {
    throw std::domain_error("mismatch: ctmc needs erase or reset, got '" + request.format + "'");
  }
  const kelvin temperature = read_temperature(options);
  const double duration = options.number("duration", 100);
  const double bias = options.number("bias", 20);
  const double rate = options.number("rate", 1);
  json_value parameters = {
      {"duration", number(duration)}, {"bias", number(bias)}, {"rate", number(rate)}};
  std::vector<double> prepared{0.5, 0.5};
  std::vector<double> start = prepared;
  if (!is_erase) {
    const float_format held = float_format::parse(options.take("register").value_or("p2e2"));
    const double sigma = options.number("sigma", 1.5);
    const double loaded = options.number("loaded", sigma);
    parameters["register"] = held.name();
    parameters["sigma"] = number(sigma);
    parameters["loaded"] = number(loaded);
    prepared = stored_normal(held, sigma);
    start = stored_normal(held, loaded);
  }
  options.expect_no_more();
  const auto process_of = [&](double lasting) {
    if (is_erase) return bit_erasure(lasting, bias, rate);
    return register_reset(prepared, prepared.size() / 2, lasting, bias, rate);
  };

  struct row {
    double duration;
    markov_path path;
    nats landauer;
  };
  const auto follow_for = [&](double lasting) {
    markov_path path = follow(process_of(lasting), start);
    const nats landauer = entropy_of(start) - entropy_of(path.end);
    return row{lasting, std::move(path), landauer};
  };
  std::vector<row> rows;
  for (const double factor : {0.1, 1.0, 10.0}) rows.push_back(follow_for(factor * duration));
  const row& asked = rows[1];
  const double slope = std::log10(rows[2].path.total / asked.path.total);

  // What the start costs that another one would not.
  const markov_process process = process_of(duration);
  const markov_channel channel = channel_of(process);
  const std::vector<double> best = optimal_start(channel);
  const nats least = production(channel, best);
  const nats lost = divergence(start, best) - divergence(asked.path.end, after(channel, best));

  const auto joule = [&](nats value) {
    return temperature.value() * to_joules_per_kelvin(value).value();
  };
  if (how == style::json) {
    json_value object = report("mismatch");
    object["kind"] = request.kind;
    object["protocol"] = request.format;
    object.update(parameters);
    object["temperature"] = number(temperature.value());
    object["states"] = start.size();
    object["system_nats"] = number(asked.path.system.value());
    object["environment_nats"] = number(asked.path.environment.value());
    object["production_nats"] = number(asked.path.total.value());
    object["erased_bits"] = number(asked.landauer.value() / nats_per_bit);
    object["heat_joules"] = number(joule(asked.path.environment));
    object["landauer_joules"] = number(joule(asked.landauer));
    object["mismatch_nats"] = number(lost.value());
    object["residual_nats"] = number(least.value());
    object["slope"] = number(slope);
    json_value list = json_value::array();
    for (const row& one : rows) {
      list.push_back({{"duration", number(one.duration)},
                      {"environment_nats", number(one.path.environment.value())},
                      {"production_nats", number(one.path.total.value())}});
    }
    object["durations"] = list;
    return print_json(object);
  }
  if (how == style::csv) {
    table out({"duration", "system_nats", "environment_nats", "production_nats"});
    for (const row& one : rows) {
      out.add({fmt::format("{}", one.duration), fmt::format("{}", one.path.system.value()),
               fmt::format("{}", one.path.environment.value()),
               fmt::format("{}", one.path.total.value())});
    }
    return print(out.csv());
  }
  print(fmt::format("{} gives off {:.6g} J at {:.6g} K, {:.6g} times Landauer's bound\n\n",
                    is_erase ? "Erasing a bit" : "Resetting the register",
                    joule(asked.path.environment), temperature.value(),
                    asked.path.environment / asked.landauer));
  table out({"duration", "erased, bits", "heat/T, k_B", "production, k_B", "heat, J"});
  for (const row& one : rows) {
    out.add({fmt::format("{:.6g}", one.duration),
             fmt::format("{:.6f}", one.landauer.value() / nats_per_bit),
             fmt::format("{:.9f}", one.path.environment.value()),
             fmt::format("{:.9f}", one.path.total.value()),
             fmt::format("{:.4e}", joule(one.path.environment))});
  }
  print(out.text() + "\n");
  print(fmt::format("Ten times slower, the production is multiplied by 10^{:.4f}.\n", slope));
  print(fmt::format(
      "Of the production, {} k_B are mismatch: what divergence from the best start is lost;\n"
      "{} k_B remain for the best start.\n",
      amount(lost), amount(least)));
}

}  // namespace ktln2::cli
