#include "ask/entropy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/certify.hpp"
#include "ask/energy.hpp"
#include "ask/problem.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2::ask {
namespace {

rounding read_rounding(const reader& given) {
  const std::string word = given.word("rounding");
  if (word == "nearest" || word == "nearest-away") return rounding::nearest;
  if (word == "toward-zero") return rounding::toward_zero;
  throw std::domain_error(given.where("rounding") +
                          " of the paper's formats is nearest or toward-zero, got '" + word + "'");
}

json as_json(const std::vector<bit_entropy>& all) {
  json list = json::array();
  for (const bit_entropy& bit : all) {
    list.push_back({{"name", bit.name},
                    {"entropy", number(bit.entropy.value.value())},
                    {"error", number(bit.entropy.error.value())}});
  }
  return list;
}

/// A number of each field: its entropy, or the error of that.
json as_json(const field_entropies& fields, bits bounded<bits>::*part) {
  return {{"sign", number((fields.sign.*part).value())},
          {"exponent", number((fields.exponent.*part).value())},
          {"mantissa", number((fields.mantissa.*part).value())}};
}

}  // namespace

entropy_answer::entropy_answer(entropy_question asked)
    : asked_{std::move(asked)},
      leading_{by_asked_road()},
      total_{leading_(asked_.format.width())} {}

leading_entropy entropy_answer::by_asked_road() const {
  if (asked_.certify) {
    return certified_leading_entropy(asked_.format, asked_.x, asked_.tolerance);
  }
  return exact_leading_entropy(asked_.format, asked_.x, asked_.tolerance, asked_.how);
}

bits entropy_answer::tolerance() const {
  return asked_.tolerance_is_given ? asked_.tolerance
                                   : usual_tolerance(asked_.format.width(), asked_.x);
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
  return approximations_.get([&] {
    // The smooth widths of the paper are those of cells around their values.
    if (asked_.how == rounding::nearest) return entropy_approximations(asked_.format, asked_.x);
    return std::vector{cell_width_approximation(asked_.cells(), asked_.x)};
  });
}

const std::vector<entropy_term>& entropy_answer::terms() const {
  return terms_.get([&] {
    const partition cells = asked_.cells();
    std::vector<entropy_term> list =
        identity_terms_of(entropy_by_identity(cells, asked_.x), cells, asked_.x);
    if (asked_.how != rounding::nearest) return list;
    const std::vector<entropy_term> more = format_terms_of(asked_.format, asked_.x);
    list.insert(list.end(), more.begin(), more.end());
    return list;
  });
}

const bound_set& entropy_answer::bounds() const {
  return bounds_.get([&] { return bounds_of(asked_.format, asked_.x); });
}

const std::optional<sampled_entropy>& entropy_answer::sampling() const {
  return sampling_.get([&] { return sampling_of(asked_.cells(), asked_.x); });
}

const std::optional<law_gap>& entropy_answer::gap() const {
  return gap_.get([&] { return asked_.sgd ? gap_of(*asked_.sgd, asked_.format) : std::nullopt; });
}

std::vector<std::string> entropy_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(tolerance(), total_);
  warn_of(gap(), list);
  warn_of_edges("the mass", asked_.format, asked_.x, list);
  return list;
}

report entropy_answer::report() const {
  ask::report made{"entropy"};
  made.add("format", json(asked_.format.name()));
  made.add("rounding", json(asked_.how == rounding::nearest ? "nearest" : "toward-zero"));
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", tolerance().value());
  add_value(made, total_,
            asked_.certify ? "ball arithmetic" : "Gram quadrature over runs of equal cells");
  add_energy(made, total_.value, asked_.temperature);
  made.add_lazy("differential_entropy",
                [this] { return number(differential_entropy(asked_.x).value()); });
  made.add_lazy("fields", [this] { return as_json(fields(), &bounded<bits>::value); });
  made.add_lazy("field_errors", [this] { return as_json(fields(), &bounded<bits>::error); });
  made.add_lazy("approximations", [this] { return shown(approximations()); });
  made.add_lazy("bounds", [this] {
    return asked_.how == rounding::nearest ? shown(bounds()) : json::array();
  });
  if (asked_.terms) made.add_lazy("terms", [this] { return shown(terms()); });
  if (has_atoms(asked_.x)) {
    made.add_lazy("atoms", [this] { return stored_atoms_of(asked_.x, asked_.format); });
  }
  if (sampling()) made.add_lazy("sampling", [this] { return shown(sampling()); });
  if (asked_.sgd) made.add_lazy("law_gap", [this] { return shown(gap()); });
  if (asked_.by_bit) made.add_lazy("bits", [this] { return as_json(single_bits()); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

pair_answer::pair_answer(pair_question asked, const stop_token& stop)
    : asked_{std::move(asked)},
      entropies_{joint_entropy(asked_.formats, asked_.pair, asked_.tolerance, stop)} {}

const std::vector<approximation>& pair_answer::approximations() const {
  return approximations_.get([&] {
    // The paper's formulas are for means of 0.
    if (!asked_.formats.is_ideal() || !asked_.pair.is_centered()) {
      return std::vector<approximation>{};
    }
    return entropy_approximations(asked_.formats.ideal("entropy"), asked_.pair);
  });
}

const bound_set& pair_answer::bounds() const {
  return bounds_.get([&] { return bounds_of(asked_.formats.ideal("entropy"), asked_.pair); });
}

std::vector<std::string> pair_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(asked_.tolerance, entropies_.joint, 4);
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
  add_energy(made, entropies_.joint.value, asked_.temperature);
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
  made.add_lazy("bounds", [this] {
    const bool has_bounds = asked_.formats.is_ideal() && asked_.pair.is_centered();
    return has_bounds ? shown(bounds()) : json::array();
  });
  made.set_warnings([this] { return warnings(); });
  return made;
}

namespace {

void refuse_overflow_of_ideal(const reader& given) {
  if (!given.has("overflow")) return;
  throw std::domain_error(given.where("overflow") +
                          " is for formats such as bfloat16: the paper's have no infinities");
}

/// One register of a pair.
storage read_half(const reader& given, std::string_view argument) {
  if (auto known = optional_number_format(given, argument)) {
    const storing rule = read_storing(given, *known);
    return {*std::move(known), rule};
  }
  if (given.has("rounding")) {
    throw std::domain_error(given.where("rounding") + " is for one register, got a pair");
  }
  refuse_overflow_of_ideal(given);
  return given.format(argument);
}

pair_question read_pair(const reader& given) {
  for (const char* name : {"bits", "certify", "terms"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for one register, got a pair");
    }
  }
  const std::string distribution = given.word("distribution");
  const storage x = read_half(given, "format");
  return {{x, given.has("y-format") ? read_half(given, "y-format") : x},
          distribution,
          parse_pair(distribution),
          read_tolerance(given, default_joint_tolerance),
          read_temperature(given)};
}

entropy_question read_ideal(const reader& given) {
  refuse_overflow_of_ideal(given);
  const std::string distribution = given.word("distribution");
  const float_format format = given.format("format");
  const rounding how = read_rounding(given);
  if (given.flag("certify") && how != rounding::nearest) {
    throw std::domain_error(given.where("certify") + " is for --rounding nearest");
  }
  law x = read_one_law(given);
  if (given.flag("terms")) require_usual_density(given.where("terms"), x);
  return {format,
          distribution,
          std::move(x),
          sgd_task_of(distribution),
          read_tolerance(given, default_tolerance),
          given.has("tolerance"),
          given.flag("bits"),
          given.flag("certify"),
          given.flag("terms"),
          how,
          read_temperature(given)};
}

}  // namespace

any_entropy_question read_entropy(const words& asked) {
  const reader given{asked};
  refuse_options_of_many(given);
  if (auto blocks = optional_block_format(given, "format")) {
    return read_block_entropy(given, *std::move(blocks));
  }
  if (auto listed = optional_codebook(given, "format")) {
    return read_codebook_entropy(given, *std::move(listed));
  }
  const bool is_pair = describes_pair(given.word("distribution"));
  if (is_pair) return read_pair(given);
  if (asks_for_row(given)) return read_row(given);
  if (asks_for_estimate(given)) return read_estimate(given);
  if (given.has("y-format")) {
    throw std::domain_error(given.where("y-format") + " is for pairs and rows, got " +
                            given.word("distribution"));
  }
  if (auto known = optional_number_format(given, "format")) {
    return read_number_entropy(given, *std::move(known));
  }
  return read_ideal(given);
}

}  // namespace ktln2::ask
