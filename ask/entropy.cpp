#include "ask/entropy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/certify.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2::ask {
namespace {

bits read_tolerance(const reader& given, bits otherwise) {
  const auto asked = given.optional_number("tolerance");
  return asked ? bits{*asked} : otherwise;
}

/// What to expect where no tolerance is given: of a law that is known by a table, not more than the
/// table allows. Mass ε in the wrong places of N moves the entropy by ε (log N + log(1/ε) + 1.5);
/// what is added up afterwards may be as much again.
bits usual_tolerance(const float_format& format, const law& x) {
  const double off = std::visit([](const auto& known) { return table_error(known.kernel()); }, x);
  if (off == 0) return default_tolerance;
  return std::max(default_tolerance, bits{2 * off * (format.width() - std::log2(off) + 1.5)});
}

std::vector<std::string> warnings_of(bits tolerance, bits error, double allowed) {
  if (error <= allowed * tolerance) return {};
  return {fmt::format("tolerance {} not reached: the error bar is {:.1e} bits", tolerance.value(),
                      error.value())};
}

json shown(const std::vector<bit_entropy>& all) {
  json list = json::array();
  for (const bit_entropy& bit : all) {
    list.push_back({{"name", bit.name},
                    {"entropy", number(bit.entropy.value.value())},
                    {"error", number(bit.entropy.error.value())}});
  }
  return list;
}

/// A number of each field: its entropy, or the error of that.
json shown(const field_entropies& fields, bits bounded<bits>::*part) {
  return {{"sign", number((fields.sign.*part).value())},
          {"exponent", number((fields.exponent.*part).value())},
          {"mantissa", number((fields.mantissa.*part).value())}};
}

/// The value that the command is about.
void add_value(report& made, const bounded<bits>& value, const char* method) {
  made.headline("value", value.value.value());
  made.headline("error", value.error.value());
  made.add("proved", json(value.how == evidence::proved));
  made.add("unit", json("bit"));
  made.add("method", json(method));
}

}  // namespace

entropy_answer::entropy_answer(entropy_question asked)
    : asked_{std::move(asked)},
      leading_{(asked_.certify ? certified_leading_entropy : exact_leading_entropy)(
          asked_.format, asked_.x, asked_.tolerance)},
      total_{leading_(asked_.format.width())} {}

bits entropy_answer::tolerance() const {
  return asked_.tolerance_is_given ? asked_.tolerance : usual_tolerance(asked_.format, asked_.x);
}

const field_entropies& entropy_answer::fields() const {
  return fields_.get([&] { return entropy_by_field(asked_.format, known_leading()); });
}

const std::vector<bit_entropy>& entropy_answer::single_bits() const {
  return bits_.get([&] { return entropy_by_bit(asked_.format, known_leading()); });
}

leading_entropy entropy_answer::known_leading() const {
  return [this](int kept) { return kept == asked_.format.width() ? total_ : leading_(kept); };
}

const std::vector<approximation>& entropy_answer::approximations() const {
  return approximations_.get([&] { return entropy_approximations(asked_.format, asked_.x); });
}

const bound_set& entropy_answer::bounds() const {
  return bounds_.get([&] { return bounds_of(asked_.format, asked_.x); });
}

const std::optional<law_gap>& entropy_answer::gap() const {
  return gap_.get([&] { return asked_.sgd ? gap_of(*asked_.sgd, asked_.format) : std::nullopt; });
}

std::vector<std::string> entropy_answer::warnings() const {
  std::vector<std::string> list = warnings_of(tolerance(), total_.error, 1);
  warn_of(gap(), list);
  warn_of_edges("the mass", asked_.format, asked_.x, list);
  return list;
}

report entropy_answer::report() const {
  ask::report made{"entropy"};
  made.add("format", json(asked_.format.name()));
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", tolerance().value());
  add_value(made, total_,
            asked_.certify ? "ball arithmetic" : "Gram quadrature over runs of equal cells");
  made.add_lazy("differential_entropy",
                [this] { return number(differential_entropy(asked_.x).value()); });
  made.add_lazy("fields", [this] { return shown(fields(), &bounded<bits>::value); });
  made.add_lazy("field_errors", [this] { return shown(fields(), &bounded<bits>::error); });
  made.add_lazy("approximations", [this] { return shown(approximations()); });
  made.add_lazy("bounds", [this] { return shown(bounds()); });
  if (asked_.sgd) made.add_lazy("law_gap", [this] { return shown(gap()); });
  if (asked_.by_bit) made.add_lazy("bits", [this] { return shown(single_bits()); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

pair_answer::pair_answer(pair_question asked, const stop_token& stop)
    : asked_{std::move(asked)},
      entropies_{joint_entropy(asked_.formats, asked_.pair, asked_.tolerance, stop)} {}

const std::vector<approximation>& pair_answer::approximations() const {
  return approximations_.get([&] { return entropy_approximations(asked_.formats, asked_.pair); });
}

const bound_set& pair_answer::bounds() const {
  return bounds_.get([&] { return bounds_of(asked_.formats, asked_.pair); });
}

std::vector<std::string> pair_answer::warnings() const {
  std::vector<std::string> list = warnings_of(asked_.tolerance, entropies_.joint.error, 4);
  warn_of_edges("X", asked_.formats.x, asked_.pair.x(), list);
  warn_of_edges("Y", asked_.formats.y, asked_.pair.y(), list);
  return list;
}

report pair_answer::report() const {
  ask::report made{"entropy"};
  made.add("format", json(asked_.formats.x.name()));
  made.add("y_format", json(asked_.formats.y.name()));
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", asked_.tolerance.value());
  add_value(made, entropies_.joint, "Gram quadrature over rows of cells");
  made.add("differential_entropy", differential_entropy(asked_.pair).value());
  const auto add = [&made](const std::string& name, const bounded<bits>& entropy) {
    made.headline(name, entropy.value.value());
    made.headline(name + "_error", entropy.error.value());
  };
  add("x", entropies_.x);
  add("y", entropies_.y);
  add("conditional", entropies_.conditional);
  add("mutual_information", entropies_.mutual_information);
  made.add("continuous_mutual_information", mutual_information(asked_.pair).value());
  made.add("snr", asked_.pair.snr());
  made.add_lazy("approximations", [this] { return shown(approximations()); });
  made.add_lazy("bounds", [this] { return shown(bounds()); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

std::variant<entropy_question, pair_question> read_entropy(const words& asked) {
  const reader given{asked};
  const std::string distribution = given.word("distribution");
  const bool is_pair = describes_pair(distribution);
  for (const char* name : {"bits", "certify"}) {
    if (is_pair && given.flag(name)) {
      throw std::domain_error(given.where(name) + " is for one register, got a pair");
    }
  }
  if (!is_pair && given.has("y-format")) {
    throw std::domain_error(given.where("y-format") + " is for pairs, got " + distribution);
  }
  const float_format format = given.format("format");
  if (is_pair) {
    return pair_question{{format, given.format("y-format", format)},
                         distribution,
                         parse_pair(distribution),
                         read_tolerance(given, default_joint_tolerance)};
  }
  return entropy_question{format,
                          distribution,
                          parse_law(distribution),
                          sgd_task_of(distribution),
                          read_tolerance(given, default_tolerance),
                          given.has("tolerance"),
                          given.flag("bits"),
                          given.flag("certify")};
}

}  // namespace ktln2::ask
