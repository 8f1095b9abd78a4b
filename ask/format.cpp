#include "ask/format.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "core/parse.hpp"

namespace ktln2::ask {
namespace {

constexpr int listed_bits = 20;

register_code parse_index(const std::string& where, const float_format& format,
                          const std::string& text) {
  const register_code index = parse_count(where, text);
  if (index >= 1 && index <= format.size()) return index;
  throw std::domain_error(
      fmt::format("{} must be from 1 to {}, got {}", where, digits(format.size()), text));
}

template <class List, class Shown>
json list_of(const List& all, Shown shown) {
  json list = json::array();
  for (const auto& one : all) list.push_back(shown(one));
  return list;
}

}  // namespace

std::variant<format_question, codebook_format_question, number_format_question,
             block_format_question, catalogue_question>
read_format(const words& asked) {
  const reader given{asked};
  if (!given.has("name")) {
    for (const char* name : {"values", "index"}) {
      if (given.has(name))
        throw std::domain_error(given.where(name) + " needs the NAME of a format");
    }
    return catalogue_question{};
  }
  if (auto blocks = optional_block_format(given, "name")) {
    return read_block_format(given, *std::move(blocks));
  }
  if (auto listed = optional_codebook(given, "name")) {
    return read_codebook_format(given, *std::move(listed));
  }
  if (auto known = optional_number_format(given, "name")) {
    return read_number_format(given, *std::move(known));
  }
  const float_format format = given.format("name");
  format_question made{format, given.flag("values"), {}};
  if (made.values && format.width() > listed_bits) {
    throw std::domain_error(fmt::format(
        "format: {} has 2^{} values, --values lists at most 2^{}: use --index to pick some",
        format.name(), format.width(), listed_bits));
  }
  for (const std::string& text : given.list("index")) {
    made.index.push_back(parse_index(given.where("index"), format, text));
  }
  return made;
}

format_answer solve(const format_question& asked, const stop_token& /*stop*/) {
  format_answer made{asked, {}, {}};
  const float_format& format = asked.format;
  if (asked.values) {
    for (register_code i = 1; i <= format.size(); ++i) made.values.push_back(format.value_at(i));
  }
  for (const register_code i : asked.index) made.indexed.push_back(format.value_at(i));
  return made;
}

report format_answer::report() const {
  ask::report made{"format"};
  const float_format& format = asked.format;
  made.add("format", json(format.name()));
  made.add("p", json(format.p()));
  made.add("exponent_bits", json(format.exponent_bits()));
  made.add("width", json(format.width()));
  made.add("emin", format.emin());
  made.add("emax", format.emax());
  made.add("size", static_cast<double>(format.size()));
  made.add("min_positive", number(format.min_positive()));
  made.add("max", number(format.max()));
  const auto shown = [](const auto& one) { return number(one); };
  if (asked.values) made.add("values", list_of(values, shown));
  if (!asked.index.empty()) {
    made.add("index", list_of(asked.index, shown));
    made.add("indexed", list_of(indexed, shown));
  }
  return made;
}

std::variant<quantize_question, codebook_quantize_question, number_quantize_question,
             block_quantize_question>
read_quantize(const words& asked) {
  const reader given{asked};
  if (auto blocks = optional_block_format(given, "name")) {
    return read_block_quantize(given, *std::move(blocks));
  }
  const auto listed = optional_codebook(given, "name");
  if (auto known = listed ? std::nullopt : optional_number_format(given, "name")) {
    return read_number_quantize(given, *std::move(known));
  }
  for (const char* name : {"rounding", "overflow", "random"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for formats such as bfloat16, got " +
                              given.word("name"));
    }
  }
  if (listed) return codebook_quantize_question{*listed, given.numbers("x")};
  return quantize_question{given.format("name"), given.numbers("x")};
}

quantize_answer solve(const quantize_question& asked, const stop_token& /*stop*/) {
  quantize_answer made{asked.format, {}};
  for (const double x : asked.x) {
    const register_fields fields = asked.format.quantize(x);
    made.stored.push_back({x, fields, asked.format.value(fields), asked.format.encode(fields)});
  }
  return made;
}

report quantize_answer::report() const {
  ask::report made{"quantize"};
  made.add("format", json(format.name()));
  made.add("x", list_of(stored, [](const stored_number& one) { return number(one.x); }));
  made.add("values", list_of(stored, [](const stored_number& one) { return number(one.value); }));
  made.add("codes", list_of(stored, [](const stored_number& one) { return number(one.code); }));
  return made;
}

}  // namespace ktln2::ask
