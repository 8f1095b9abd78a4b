#include "ask/codebook.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/accuracy.hpp"
#include "ask/atoms.hpp"
#include "ask/energy.hpp"
#include "ask/ladder.hpp"
#include "ask/problem.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/entropy/quantizer.hpp"

namespace ktln2::ask {
namespace {

json list_of_values(const codebook& code) {
  json list = json::array();
  for (const double u : code.values()) list.push_back(number(u));
  return list;
}

json worth_as_json(const std::optional<codebook_worth>& other) {
  if (!other) return nullptr;
  constexpr std::size_t few = 256;
  return {{"entropy", number(other->entropy.value.value())},
          {"entropy_error", number(other->entropy.error.value())},
          {"mean_square_error", number(other->mean_square_error.value)},
          {"values", other->code.size() <= few ? list_of_values(other->code) : json(nullptr)}};
}

json edge_or_null(const std::optional<wide>& edge) { return edge ? number(*edge) : json(nullptr); }

}  // namespace

codebook_answer::codebook_answer(codebook_question asked)
    : asked_{std::move(asked)},
      cells_{asked_.format.code.cells()},
      total_{exact_entropy(cells_, asked_.x, asked_.tolerance)} {}

bits codebook_answer::tolerance() const {
  return asked_.tolerance_is_given ? asked_.tolerance
                                   : usual_tolerance(cells_.log2_size(), asked_.x);
}

const bounded<double>& codebook_answer::mean_square_error() const {
  return loss_.get([&] { return ktln2::mean_square_error(asked_.format.code, asked_.x); });
}

std::optional<codebook_worth> codebook_answer::worth(const std::optional<codebook>& other) const {
  if (!other) return {};
  return codebook_worth{*other, exact_entropy(*other, asked_.x, asked_.tolerance),
                        ktln2::mean_square_error(*other, asked_.x)};
}

const std::optional<codebook_worth>& codebook_answer::lloyd_max() const {
  return lloyd_max_.get([&]() -> std::optional<codebook_worth> {
    const std::size_t size = asked_.format.code.size();
    if (size > most_optimal_values) return {};
    return worth(lloyd_max_codebook(asked_.x, size));
  });
}

const std::optional<codebook_worth>& codebook_answer::equal_mass() const {
  return equal_mass_.get([&]() -> std::optional<codebook_worth> {
    const std::size_t size = asked_.format.code.size();
    if (size > most_optimal_values) return {};
    return worth(equal_mass_codebook(asked_.x, size));
  });
}

const approximation& codebook_answer::of_cells() const {
  return of_cells_.get([&] { return cell_width_approximation(cells_, asked_.x); });
}

const std::vector<entropy_term>& codebook_answer::terms() const {
  return terms_.get(
      [&] { return identity_terms_of(entropy_by_identity(cells_, asked_.x), cells_, asked_.x); });
}

void codebook_answer::warn_of_clipping(std::vector<std::string>& list) const {
  constexpr double much = 0.1;
  if (cells_.size() == 1) return;
  const double outside = mass_outside(cells_, asked_.x);
  if (outside < much) return;
  list.push_back(fmt::format(
      "{:.3g} % of the mass is clipped: the codebook reaches from {:.3g} to "
      "{:.3g}",
      100 * outside, cells_.granular().left.to_double(), cells_.granular().right.to_double()));
}

std::vector<std::string> codebook_answer::warnings() const {
  std::vector<std::string> list = tolerance_warnings(tolerance(), total_);
  if (asked_.sgd) warn_of(gap_.get([&] { return gap_of(*asked_.sgd); }), list);
  warn_of_clipping(list);
  return list;
}

report codebook_answer::report() const {
  ask::report made{"entropy"};
  made.add("format", json(asked_.format.name));
  made.add("distribution", json(asked_.distribution));
  made.add("tolerance", tolerance().value());
  add_value(made, total_, "Gram quadrature over runs of equal cells");
  add_energy(made, total_.value, asked_.temperature);
  made.add("size", static_cast<double>(asked_.format.code.size()));
  made.add("width", json(asked_.format.width()));
  made.add_lazy("differential_entropy",
                [this] { return number(differential_entropy(asked_.x).value()); });
  made.headline_lazy("mean_square_error", [this] { return number(mean_square_error().value); });
  made.add_lazy("mean_square_error_error", [this] { return number(mean_square_error().error); });
  made.add_lazy("lloyd_max", [this] { return worth_as_json(lloyd_max()); });
  made.add_lazy("equal_mass", [this] { return worth_as_json(equal_mass()); });
  made.add_lazy("approximations", [this] { return ask::shown(std::vector{of_cells()}); });
  made.add("bounds", json::array());
  if (has_atoms(asked_.x)) made.add_lazy("atoms", [this] { return atoms_of(asked_.x); });
  if (const auto sampled = sampling_of(cells_, asked_.x)) {
    made.add("sampling", ask::shown(sampled));
  }
  if (asked_.terms) made.add_lazy("terms", [this] { return ask::shown(terms()); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

codebook_question read_codebook_entropy(const reader& given, named_codebook format) {
  const std::string distribution = given.word("distribution");
  for (const char* name : {"bits", "certify", "rounding", "overflow", "y-format"}) {
    if (given.has(name)) {
      throw std::domain_error(given.where(name) + " is for formats such as p24e8, got " +
                              format.name);
    }
  }
  if (describes_pair(distribution) || describes_row(distribution) ||
      describes_estimate(distribution)) {
    throw std::domain_error("entropy: a codebook holds one variable, got " + distribution);
  }
  law x = parse_law(distribution);
  if (given.flag("terms")) require_usual_density(given.where("terms"), x);
  return {std::move(format),
          distribution,
          std::move(x),
          sgd_task_of(distribution),
          read_tolerance(given, default_tolerance),
          given.has("tolerance"),
          given.flag("terms"),
          read_temperature(given)};
}

codebook_format_question read_codebook_format(const reader& given, named_codebook format) {
  codebook_format_question made{std::move(format), given.flag("values")};
  const std::size_t size = made.format.code.size();
  for (const std::string& text : given.list("index")) {
    const uint128 index = parse_count(given.where("index"), text);
    if (index < 1 || index > size) {
      throw std::domain_error(
          fmt::format("{} must be from 1 to {}, got {}", given.where("index"), size, text));
    }
    made.index.push_back(static_cast<std::size_t>(index));
  }
  return made;
}

std::optional<wide> codebook_format_answer::left_edge(std::size_t i) const {
  if (i == 0) return {};
  return asked.format.code.edges()[i - 1];
}

std::optional<wide> codebook_format_answer::right_edge(std::size_t i) const {
  if (i + 1 == asked.format.code.size()) return {};
  return asked.format.code.edges()[i];
}

std::vector<std::size_t> codebook_format_answer::listed() const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; asked.values && i < asked.format.code.size(); ++i) list.push_back(i);
  for (const std::size_t i : asked.index) list.push_back(i - 1);
  return list;
}

report codebook_format_answer::report() const {
  ask::report made{"format"};
  const codebook& code = asked.format.code;
  made.add("format", json(asked.format.name));
  made.add("width", json(asked.format.width()));
  made.add("size", static_cast<double>(code.size()));
  made.add("min", code.values().front());
  made.add("max", code.values().back());
  if (asked.values) {
    json edges = json::array();
    for (const wide& edge : code.edges()) edges.push_back(number(edge));
    made.add("values", list_of_values(code));
    made.add("edges", std::move(edges));
  }
  if (asked.index.empty()) return made;
  json index = json::array();
  json indexed = json::array();
  json cells = json::array();
  for (const std::size_t i : asked.index) {
    index.push_back(i);
    indexed.push_back(number(code.values()[i - 1]));
    cells.push_back({edge_or_null(left_edge(i - 1)), edge_or_null(right_edge(i - 1))});
  }
  made.add("index", std::move(index));
  made.add("indexed", std::move(indexed));
  made.add("cells", std::move(cells));
  return made;
}

codebook_quantize_answer solve(codebook_quantize_question asked, const stop_token& /*stop*/) {
  codebook_quantize_answer made{std::move(asked), {}};
  for (const double x : made.asked.x) made.codes.push_back(made.asked.format.code.quantize(x));
  return made;
}

report codebook_quantize_answer::report() const {
  ask::report made{"quantize"};
  json x = json::array();
  json values = json::array();
  json all_codes = json::array();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    x.push_back(number(asked.x[i]));
    values.push_back(number(value(i)));
    all_codes.push_back(codes[i]);
  }
  made.add("format", json(asked.format.name));
  made.add("x", std::move(x));
  made.add("values", std::move(values));
  made.add("codes", std::move(all_codes));
  return made;
}

}  // namespace ktln2::ask
