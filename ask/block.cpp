#include "ask/block.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/energy.hpp"
#include "ask/number.hpp"
#include "ask/problem.hpp"
#include "core/attempt.hpp"
#include "core/nearest.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2::ask {
namespace {

constexpr std::string_view block_prefix = "block:";

/// Also where an element has the same name.
std::optional<block_format> any_block_called(const std::string& name) {
  if (name.starts_with(block_prefix)) {
    const std::string_view rest = std::string_view(name).substr(block_prefix.size());
    if (auto found = find_block_format(rest)) return found;
    std::vector<std::string> known;
    for (const block_entry& entry : block_catalogue()) known.emplace_back(entry.name);
    throw std::domain_error(unknown_name("block format", rest, known));
  }
  return find_block_format(name);
}

scale_policy read_policy(const reader& given) {
  scale_policy policy{};
  naming(given.command() + ": --",
         [&] { policy = parse_scale_policy(given.word("scale-policy")); });
  return policy;
}

block_format with_asked_policy(const reader& given, const block_format& format) {
  const scale_policy policy = read_policy(given);
  block_format made = format;
  naming(given.command() + ": ", [&] { made = format.with_policy(policy); });
  return made;
}

/// Elements are rounded to nearest and saturate, whatever else their format has.
void require_usual_storing(const reader& given, const block_format& format) {
  const auto require = [&](const char* name, std::string_view usual) {
    const std::string word = given.word(name);
    const bool is_short = word == "nearest" && usual == "nearest-even";
    if (!given.has(name) || word == usual || is_short) return;
    throw std::domain_error(
        fmt::format("{} of {} is {}, got '{}'", given.where(name), format.name(), usual, word));
  };
  require("rounding", "nearest-even");
  require("overflow", "saturate");
}

void add_block_format(report& made, const block_format& format) {
  made.add("format", json(format.name()));
  made.add("element", json(format.element().name()));
  made.add("scale_format", json(format.scale().name()));
  made.add("block", json(format.size()));
  made.add("scale_policy", json(std::string(name_of(format.policy()))));
  made.add("second_level_scale",
           format.has_second_level() ? number(format.second_level_scale()) : json());
}

/// How probable it is that none, of a block of independent numbers, is as large as m.
double all_below(const law& x, const wide& m, int size) {
  const double at = m.to_double();
  return std::exp(size * std::log1p(-(cdf(x, -at) + ccdf(x, at))));
}

}  // namespace

std::optional<block_format> block_format_called(const std::string& name) {
  auto found = any_block_called(name);
  const bool is_said = name.starts_with(block_prefix);
  const bool means_element = found && found->element().name() == found->name();
  if (means_element && !is_said) return {};
  return found;
}

std::optional<block_format> optional_block_format(const reader& given, std::string_view argument) {
  const std::string name = given.word(argument);
  auto found = given.has("scale-policy") ? any_block_called(name) : block_format_called(name);
  for (const char* option : {"scale-policy", "second-level-scale"}) {
    if (!found && given.has(option)) {
      throw std::domain_error(given.where(option) + " is for block formats such as mxfp4, got " +
                              name);
    }
  }
  if (!found) return {};
  if (given.has("scale-policy")) {
    found = with_asked_policy(given, *found);
  }
  if (!given.has("second-level-scale")) return found;
  if (!found->has_second_level()) {
    throw std::domain_error(given.where("second-level-scale") + " is for nvfp4, got " + name);
  }
  const double g = given.number("second-level-scale");
  if (!(std::isfinite(g) && g > 0)) {
    throw std::domain_error(fmt::format("{} must be finite and > 0, got {}",
                                        given.where("second-level-scale"),
                                        given.word("second-level-scale")));
  }
  return found->with_second_level_scale(g);
}

block_answer::block_answer(block_question asked, const stop_token& stop)
    : asked_{std::move(asked)}, entropies_{exact_entropies(asked_.format, asked_.x, stop)} {}

bits block_answer::tolerance() const {
  return asked_.tolerance_is_given ? asked_.tolerance
                                   : usual_tolerance(asked_.format.bits_per_element(), asked_.x);
}

std::vector<std::string> block_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(tolerance(), entropies_.joint_per_element);
  if (asked_.sgd) warn_of(gap_.get([&] { return gap_of(*asked_.sgd); }), list);
  const block_format& format = asked_.format;
  const auto scales = format.scales();
  const wide largest = format.element().max() * scales.back().value;
  const double beyond = 1 - all_below(asked_.x, largest, format.size());
  if (beyond > 0.01) {
    list.push_back(fmt::format("{:.3g} % of the blocks hold a number beyond the largest of {}",
                               100 * beyond, format.name()));
  }
  const double lowest = all_below(asked_.x, scales[1].from, format.size());
  if (lowest > 0.01) {
    list.push_back(
        fmt::format("{:.3g} % of the blocks have the smallest scale, or would need a smaller one",
                    100 * lowest));
  }
  return list;
}

report block_answer::report() const {
  ask::report made{"entropy"};
  add_block_format(made, asked_.format);
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", tolerance().value());
  add_value(made, entropies_.joint_per_element, "closed form over scales and codes");
  add_energy(made, entropies_.joint.value, asked_.temperature);
  made.add("bits_per_element", asked_.format.bits_per_element());
  made.add_lazy("differential_entropy",
                [this] { return number(differential_entropy(asked_.x).value()); });
  const auto add = [&made](const std::string& name, const bounded<bits>& entropy) {
    made.add(name, entropy.value.value());
    made.add(name + "_error", entropy.error.value());
  };
  add("scale", entropies_.scale);
  add("elements_given_scale", entropies_.elements_given_scale);
  add("joint", entropies_.joint);
  add("joint_per_element", entropies_.joint_per_element);
  add("element_given_scale", entropies_.element_given_scale);
  add("dependence", entropies_.dependence);
  made.add("approximations", json::array());
  made.add("bounds", json::array());
  made.set_warnings([this] { return warnings(); });
  return made;
}

block_question read_block_entropy(const reader& given, block_format format) {
  const std::string distribution = given.word("distribution");
  for (const char* name : {"bits", "certify", "terms", "y-format"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for one register, got blocks of " +
                              format.name());
    }
  }
  require_usual_storing(given, format);
  if (describes_pair(distribution) || describes_row(distribution) ||
      describes_estimate(distribution)) {
    throw std::domain_error("entropy: a block holds one variable, got " + distribution);
  }
  return {std::move(format),
          distribution,
          parse_law(distribution),
          sgd_task_of(distribution),
          read_tolerance(given, default_tolerance),
          given.has("tolerance"),
          read_temperature(given)};
}

block_format_question read_block_format(const reader& given, block_format format) {
  for (const char* name : {"values", "index"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for single numbers, such as the elements " +
                              format.element().name() + " of " + format.name());
    }
  }
  return {std::move(format)};
}

wide block_format_answer::max() const {
  return asked.format.element().max() * asked.format.scales().back().value;
}

wide block_format_answer::min_positive() const {
  const auto scales = asked.format.scales();
  const wide& smallest = scales.front().value.is_zero() ? scales[1].value : scales.front().value;
  return asked.format.element().min_positive() * smallest;
}

report block_format_answer::report() const {
  ask::report made{"format"};
  const block_format& format = asked.format;
  add_block_format(made, format);
  made.add("width", json(format.size() * format.element().width() + format.scale().width()));
  made.add("bits_per_element", format.bits_per_element());
  made.add("min_positive", number(min_positive()));
  made.add("max", number(max()));
  return made;
}

block_quantize_question read_block_quantize(const reader& given, block_format format) {
  require_usual_storing(given, format);
  block_quantize_question made{std::move(format), {}};
  for (const std::string& text : given.list("x")) {
    const std::string where = given.where("x", made.x.size());
    const double x = parse_any_number(where, text);
    if (std::isnan(x)) {
      throw std::domain_error(where + ": a block of " + made.format.name() + " holds no NaN");
    }
    made.x.push_back(x);
  }
  const auto size = static_cast<std::size_t>(made.format.size());
  if (made.x.empty() || made.x.size() % size != 0) {
    throw std::domain_error(fmt::format("quantize: {} takes whole blocks of {} numbers, got {}",
                                        made.format.name(), size, made.x.size()));
  }
  return made;
}

block_quantize_answer solve(block_quantize_question asked, const stop_token& stop) {
  block_quantize_answer made{std::move(asked), {}};
  const block_format& format = made.asked.format;
  const auto size = static_cast<std::size_t>(format.size());
  const std::span<const double> all{made.asked.x};
  for (std::size_t i = 0; i < all.size(); i += size) {
    throw_if_stopped(stop);
    made.stored.push_back(format.quantize(all.subspan(i, size)));
  }
  return made;
}

const stored_block& block_quantize_answer::block_of(std::size_t i) const {
  return stored[i / static_cast<std::size_t>(asked.format.size())];
}

std::uint64_t block_quantize_answer::code(std::size_t i) const {
  return block_of(i).codes[i % static_cast<std::size_t>(asked.format.size())];
}

std::optional<wide> block_quantize_answer::value(std::size_t i) const {
  return asked.format.value(block_of(i).scale_code, code(i));
}

report block_quantize_answer::report() const {
  ask::report made{"quantize"};
  json x = json::array();
  json values = json::array();
  json codes = json::array();
  for (std::size_t i = 0; i < asked.x.size(); ++i) {
    const auto is = value(i);
    x.push_back(number(asked.x[i]));
    values.push_back(is ? number(*is) : json("nan"));
    codes.push_back(code(i));
  }
  json scale_codes = json::array();
  json scales = json::array();
  for (const stored_block& one : stored) {
    scale_codes.push_back(one.scale_code);
    scales.push_back(number(asked.format.scale_value(one.scale_code)));
  }
  add_block_format(made, asked.format);
  made.add("x", std::move(x));
  made.add("values", std::move(values));
  made.add("codes", std::move(codes));
  made.add("scale_codes", std::move(scale_codes));
  made.add("scales", std::move(scales));
  return made;
}

json blocks_as_json() {
  json list = json::array();
  for (const block_entry& entry : block_catalogue()) {
    const block_format format = find_block_format(entry.name).value();
    json names = json::array();
    for (const std::string_view name : entry.also_called) names.emplace_back(std::string(name));
    list.push_back({{"name", format.name()},
                    {"what", std::string(entry.what)},
                    {"also_called", std::move(names)},
                    {"bits", number(format.bits_per_element())},
                    {"element", format.element().name()},
                    {"scale_format", format.scale().name()},
                    {"block", format.size()},
                    {"scale_policy", std::string(name_of(format.policy()))}});
  }
  return list;
}

}  // namespace ktln2::ask
