#include "ask/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/block.hpp"
#include "ask/certify.hpp"
#include "ask/energy.hpp"
#include "ask/ladder.hpp"
#include "ask/problem.hpp"
#include "ask/row.hpp"
#include "core/attempt.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2::ask {
namespace {

constexpr int most_listed_bits = 20;

using zeros = float_description::zeros;

json optional_entropy(const std::optional<bounded<bits>>& known) {
  return known ? number(known->value.value()) : json();
}

json fields_as_json(const number_fields& all, bits bounded<bits>::*part) {
  const auto shown_part = [part](const bounded<bits>& h) { return number((h.*part).value()); };
  json made{{"sign", shown_part(all.fields.sign)},
            {"exponent", shown_part(all.fields.exponent)},
            {"mantissa", shown_part(all.fields.mantissa)}};
  if (all.regime) made["regime"] = shown_part(*all.regime);
  if (all.posit_exponent) made["posit_exponent"] = shown_part(*all.posit_exponent);
  return made;
}

/// The random bits of a rule that takes some.
std::uint64_t read_random(const reader& given, const storing& rule) {
  const std::string name = name_of_rounding(rule);
  if (!rule.by_chance) {
    if (!given.has("random")) return 0;
    throw std::domain_error(given.where("random") +
                            " is for --rounding stochastic-a:N and the like, got " + name);
  }
  if (rule.by_chance->kind == chance::variant::ideal) {
    throw std::domain_error(given.where("rounding") +
                            " stochastic would take infinitely many random bits: expected "
                            "stochastic-a:N, stochastic-b:N or stochastic-c:N, with --random");
  }
  const std::uint64_t last = rule.by_chance->outcomes() - 1;
  if (given.has("random")) return given.whole("random", 0, last);
  throw std::domain_error(
      fmt::format("{} {} needs --random, from 0 to {}", given.where("rounding"), name, last));
}

/// NaN is a word; what is beyond double's range has its digits.
json code_value(const std::optional<wide>& value) { return value ? number(*value) : json("nan"); }

/// The finite codes in ascending order of their values: -0 before +0.
number_code code_at(const number_format& format, std::uint64_t index) {
  const bool one_zero = format.fields().zero == zeros::one;
  const std::uint64_t first = format.is_signed() && one_zero ? 1 : 0;
  const std::uint64_t below = format.is_signed() ? format.largest(true) + 1 - first : 0;
  const bool negative = index < below;
  const std::uint64_t code = negative ? format.code(true, format.largest(true) - index)
                                      : format.code(false, index - below);
  return {code, format.value(code)};
}

}  // namespace

double parse_any_number(const std::string& where, const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  const bool is_whole = !text.empty() && end == text.c_str() + text.size() &&
                        text.find_first_of(" \t\n\v\f\r(") == std::string::npos;
  if (is_whole) return x;
  throw std::domain_error(where + ": expected a number, got '" + text + "'");
}

std::uint64_t count_of_numbers(const number_format& format) {
  const std::uint64_t above = format.largest() + 1;
  if (!format.is_signed()) return above;
  return above + format.largest(true) + (format.fields().zero == zeros::one ? 0 : 1);
}

std::string specials_of(const number_format& format) {
  const float_description& f = format.fields();
  std::string text = f.infinity ? "inf" : "";
  if (const auto nan = format.nan_code()) {
    if (!text.empty()) text += ", ";
    const int digits = (format.width() + 3) / 4;
    if (format.kind() == number_format::family::posit)
      return fmt::format("NaR {:0{}x}", *nan, digits);
    if (f.nan == float_description::nan_codes::ieee) return text + "NaN";
    text += fmt::format("NaN {:0{}x}", *nan, digits);
    if (const auto other = format.nan_code(true); other != nan) {
      text += fmt::format(" {:0{}x}", *other, digits);
    }
  }
  return text.empty() ? "none" : text;
}

std::optional<number_format> optional_number_format(const reader& given,
                                                    std::string_view argument) {
  return find_number_format(given.word(argument));
}

storing read_storing(const reader& given, const number_format& format) {
  storing rule = format.usual();
  const auto read = [&given](const char* name, const auto& take) {
    const auto word = given.optional_word(name);
    if (!word || *word == "nearest") return;
    naming(given.command() + ": --", [&] { take(*word); });
  };
  read("rounding", [&rule](const std::string& word) {
    rule.by_chance = parse_chance(word);
    if (!rule.by_chance) rule.how = parse_rounding(word);
  });
  read("overflow", [&rule](const std::string& word) { rule.beyond = parse_overflow(word); });
  format.require(rule);
  return rule;
}

number_answer::number_answer(number_question asked, const stop_token& stop)
    : asked_{std::move(asked)} {
  if (asked_.stored.rule.by_chance) by_chance_.emplace(asked_.stored, stop);
  total_ = total_by_asked_road();
}

bounded<bits> number_answer::total_by_asked_road() const {
  if (by_chance_) return by_chance_->entropy();
  if (!asked_.certify) return exact_entropy(asked_.stored);
  return certified_leading_entropy(asked_.stored)(asked_.stored.format.width());
}

bits number_answer::tolerance() const {
  return asked_.tolerance_is_given ? asked_.stored.tolerance
                                   : usual_tolerance(asked_.stored.format.width(), asked_.stored.x);
}

leading_entropy number_answer::leading() const {
  if (by_chance_) return [this](int kept) { return by_chance_->leading(kept); };
  const leading_entropy by_sum = asked_.certify ? certified_leading_entropy(asked_.stored)
                                                : exact_leading_entropy(asked_.stored);
  return [this, by_sum](int kept) {
    return kept == asked_.stored.format.width() ? total_ : by_sum(kept);
  };
}

const number_fields& number_answer::fields() const {
  return fields_.get([&] {
    if (!asked_.certify) return entropy_by_field(asked_.stored, leading());
    return entropy_by_field(asked_.stored, leading(), certified_cell_entropy(asked_.stored));
  });
}

const std::vector<bit_entropy>& number_answer::single_bits() const {
  return bits_.get([&] { return entropy_by_bit(asked_.stored.format, leading()); });
}

const stored_masses& number_answer::masses() const {
  return masses_.get([&] { return by_chance_ ? by_chance_->masses() : masses_of(asked_.stored); });
}

std::optional<bounded<bits>> number_answer::marginal(std::uint64_t mask) const {
  if (!by_chance_) return marginal_entropy(asked_.stored, mask);
  if (auto listed = by_chance_->marginal(mask)) return listed;
  const int kept = std::popcount(mask);
  const bool leads =
      mask >> (asked_.stored.format.width() - kept) == (std::uint64_t{1} << kept) - 1;
  if (!leads) return {};
  return by_chance_->leading(kept);
}

const marginal_entropies& number_answer::marginals() const {
  return marginals_.get([&] {
    const number_format& format = asked_.stored.format;
    const auto of_bits = [&](int from, int count) {
      return marginal(((std::uint64_t{1} << count) - 1) << from);
    };
    marginal_entropies made;
    if (format.kind() == number_format::family::floating) {
      const int mantissa_bits = format.fields().p - 1;
      made.exponent = of_bits(mantissa_bits, format.fields().exponent_bits);
      made.mantissa = of_bits(0, mantissa_bits);
    }
    if (format.width() >= 16) {
      made.high_byte = of_bits(format.width() - 8, 8);
      made.low_byte = of_bits(0, 8);
    }
    return made;
  });
}

const std::vector<approximation>& number_answer::approximations() const {
  return approximations_.get([&]() -> std::vector<approximation> {
    if (by_chance_) return {};  // it has no cells
    const stored_variable& stored = asked_.stored;
    return {cell_width_approximation(cells_of(stored.format, stored.rule).cells, stored.x)};
  });
}

bounded<bits> number_answer::of_value() const {
  return by_chance_ ? by_chance_->of_value() : entropy_of_value(asked_.stored, total_);
}

std::vector<std::string> number_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(tolerance(), total_);
  if (asked_.sgd) warn_of(gap_.get([&] { return gap_of(*asked_.sgd); }), list);
  warn_of_edges("the mass", asked_.stored.format, masses(), list);
  return list;
}

report number_answer::report() const {
  ask::report made{"entropy"};
  const stored_variable& stored = asked_.stored;
  made.add("format", json(stored.format.name()));
  made.add("rounding", json(name_of_rounding(stored.rule)));
  made.add("overflow", json(std::string(name_of(stored.rule.beyond))));
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", tolerance().value());
  add_value(made, total_,
            by_chance_       ? "quadrature over the gaps between neighboring numbers"
            : asked_.certify ? "ball arithmetic"
                             : "Gram quadrature over runs of equal cells");
  add_energy(made, total_.value, asked_.temperature);
  made.add("width", json(stored.format.width()));
  made.add_lazy("differential_entropy",
                [this] { return number(differential_entropy(asked_.stored.x).value()); });
  made.add_lazy("fields", [this] { return fields_as_json(fields(), &bounded<bits>::value); });
  made.add_lazy("field_errors", [this] { return fields_as_json(fields(), &bounded<bits>::error); });
  made.add_lazy("entropy_of_value", [this] { return number(of_value().value.value()); });
  made.add_lazy("masses", [this] {
    return json{{"zero", number(masses().zero.value)},
                {"subnormal", number(masses().subnormal.value)},
                {"beyond_max", number(masses().beyond_max.value)}};
  });
  if (by_chance_) {
    const bounded<bits> information = by_chance_->information();
    made.add("noise", number(by_chance_->noise().value.value()));
    made.add("noise_error", number(by_chance_->noise().error.value()));
    made.add("information", number(information.value.value()));
    made.add("information_error", number(information.error.value()));
  }
  made.add_lazy("marginals", [this] {
    const marginal_entropies& alone = marginals();
    return json{{"exponent", optional_entropy(alone.exponent)},
                {"mantissa", optional_entropy(alone.mantissa)},
                {"high_byte", optional_entropy(alone.high_byte)},
                {"low_byte", optional_entropy(alone.low_byte)}};
  });
  made.add_lazy("approximations", [this] { return ask::shown(approximations()); });
  made.add("bounds", json::array());
  if (asked_.by_bit) {
    made.add_lazy("bits", [this] {
      json list = json::array();
      for (const bit_entropy& bit : single_bits()) {
        list.push_back({{"name", bit.name},
                        {"entropy", number(bit.entropy.value.value())},
                        {"error", number(bit.entropy.error.value())}});
      }
      return list;
    });
  }
  made.set_warnings([this] { return warnings(); });
  return made;
}

number_question read_number_entropy(const reader& given, number_format format) {
  const std::string distribution = given.word("distribution");
  for (const char* name : {"terms", "y-format"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) +
                              " is for the paper's formats such as p24e8, got " + format.name());
    }
  }
  const storing rule = read_storing(given, format);
  if (given.flag("certify") && rule.by_chance) {
    throw std::domain_error(given.where("certify") + " is for rounding to cells, got --rounding " +
                            name_of_rounding(rule));
  }
  return {{std::move(format), rule, read_one_law(given), read_tolerance(given, default_tolerance)},
          distribution,
          sgd_task_of(distribution),
          given.has("tolerance"),
          given.flag("bits"),
          given.flag("certify"),
          read_temperature(given)};
}

number_format_question read_number_format(const reader& given, number_format format) {
  number_format_question made{std::move(format), given.flag("values")};
  if (made.values && made.format.width() > most_listed_bits) {
    throw std::domain_error(fmt::format(
        "format: {} has up to 2^{} values, --values lists at most 2^{}: use --index to pick some",
        made.format.name(), made.format.width(), most_listed_bits));
  }
  const std::uint64_t count = count_of_numbers(made.format);
  for (const std::string& text : given.list("index")) {
    const uint128 index = parse_count(given.where("index"), text);
    if (index < 1 || index > count) {
      throw std::domain_error(
          fmt::format("{} must be from 1 to {}, got {}", given.where("index"), count, text));
    }
    made.index.push_back(static_cast<std::uint64_t>(index));
  }
  return made;
}

number_format_answer solve(number_format_question asked, const stop_token& /*stop*/) {
  number_format_answer made{std::move(asked), {}};
  const number_format& format = made.asked.format;
  if (made.asked.values) {
    const std::uint64_t count = count_of_numbers(format);
    for (std::uint64_t i = 0; i < count; ++i) made.listed.push_back(code_at(format, i));
  }
  for (const std::uint64_t i : made.asked.index) made.listed.push_back(code_at(format, i - 1));
  return made;
}

report number_format_answer::report() const {
  ask::report made{"format"};
  const number_format& format = asked.format;
  const bool is_float = format.kind() == number_format::family::floating;
  made.add("format", json(format.name()));
  made.add("width", json(format.width()));
  made.add("p", is_float ? json(format.fields().p) : json());
  made.add("exponent_bits", is_float ? json(format.fields().exponent_bits) : json());
  made.add("bias", is_float ? json(format.fields().bias) : json());
  made.add("signed", json(format.is_signed()));
  made.add("size", static_cast<double>(count_of_numbers(format)));
  made.add("min_positive", number(format.min_positive()));
  made.add("max", number(format.max()));
  made.add("specials", json(specials_of(format)));
  made.add("overflow", json(std::string(name_of(format.usual().beyond))));
  if (asked.values) {
    json values = json::array();
    json codes = json::array();
    for (std::size_t i = 0; i < listed.size() - asked.index.size(); ++i) {
      values.push_back(code_value(listed[i].value));
      codes.push_back(listed[i].code);
    }
    made.add("values", std::move(values));
    made.add("codes", std::move(codes));
  }
  if (asked.index.empty()) return made;
  json indexed = json::array();
  for (std::size_t i = listed.size() - asked.index.size(); i < listed.size(); ++i) {
    indexed.push_back(code_value(listed[i].value));
  }
  made.add("index", json(asked.index));
  made.add("indexed", std::move(indexed));
  return made;
}

catalogue_answer solve(const catalogue_question& /*asked*/, const stop_token& /*stop*/) {
  catalogue_answer made;
  for (const number_entry& entry : number_catalogue()) {
    made.formats.push_back(find_number_format(entry.name).value());
  }
  return made;
}

report catalogue_answer::report() const {
  ask::report made{"format"};
  json list = json::array();
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const number_format& format = formats[i];
    const number_entry& entry = number_catalogue()[i];
    json names = json::array();
    for (const std::string_view name : entry.also_called) names.emplace_back(std::string(name));
    list.push_back({{"name", format.name()},
                    {"what", std::string(entry.what)},
                    {"also_called", std::move(names)},
                    {"bits", format.width()},
                    {"max", number(format.max())},
                    {"min_positive", number(format.min_positive())},
                    {"specials", specials_of(format)},
                    {"overflow", std::string(name_of(format.usual().beyond))}});
  }
  made.add("formats", std::move(list));
  made.add("blocks", blocks_as_json());
  return made;
}

number_quantize_question read_number_quantize(const reader& given, number_format format) {
  const storing rule = read_storing(given, format);
  number_quantize_question made{std::move(format), rule, {}};
  made.random = read_random(given, rule);
  for (const std::string& text : given.list("x")) {
    const std::string where = given.where("x", made.x.size());
    made.x.push_back(parse_any_number(where, text));
    if (std::isnan(made.x.back()) && !made.format.nan_code()) {
      throw std::domain_error(where + ": " + made.format.name() + " has no NaN");
    }
  }
  return made;
}

number_quantize_answer solve(number_quantize_question asked, const stop_token& /*stop*/) {
  number_quantize_answer made{std::move(asked), {}};
  const number_format& format = made.asked.format;
  for (const double x : made.asked.x) {
    const std::uint64_t code = format.quantize(x, made.asked.rule, made.asked.random);
    made.stored.push_back({code, format.value(code)});
  }
  return made;
}

report number_quantize_answer::report() const {
  ask::report made{"quantize"};
  json x = json::array();
  json values = json::array();
  json codes = json::array();
  for (std::size_t i = 0; i < stored.size(); ++i) {
    x.push_back(std::isnan(asked.x[i]) ? json("nan") : number(asked.x[i]));
    values.push_back(code_value(stored[i].value));
    codes.push_back(stored[i].code);
  }
  made.add("format", json(asked.format.name()));
  made.add("rounding", json(name_of_rounding(asked.rule)));
  if (asked.rule.by_chance) made.add("random", json(asked.random));
  made.add("overflow", json(std::string(name_of(asked.rule.beyond))));
  made.add("x", std::move(x));
  made.add("values", std::move(values));
  made.add("codes", std::move(codes));
  return made;
}

}  // namespace ktln2::ask
