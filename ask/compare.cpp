#include "ask/compare.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/block.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/block_entropy.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2::ask {
namespace {

/// Those that hold numbers of any size; e8m0 is for scales, integers need a unit.
const std::vector<std::string>& common_formats() {
  static const std::vector<std::string> names{
      "binary64", "binary32", "tf32", "binary16", "bfloat16", "e4m3",   "e5m2",
      "e3m2",     "e2m3",     "e2m1", "posit8",   "posit16",  "posit32"};
  return names;
}

compare_row row_for(const std::string& name, const law& x, const stop_token& stop) {
  if (const auto blocks = block_format_called(name)) {
    return {blocks->name(), blocks->bits_per_element(),
            exact_entropies(*blocks, x, stop).joint_per_element};
  }
  if (const auto known = find_number_format(name)) {
    const stored_variable stored{*known, known->usual(), x};
    const field_entropies fields = entropy_by_field(stored, exact_leading_entropy(stored)).fields;
    return {known->name(),     static_cast<double>(known->width()),
            fields.total,      fields,
            masses_of(stored), rounding_errors_of(*known, stored.rule.beyond, x)};
  }
  const float_format format = parse_format(name);
  const field_entropies fields = entropy_by_field(format, x);
  return {format.name(), static_cast<double>(format.width()), fields.total, fields,
          std::nullopt,  rounding_errors_of(format, x)};
}

json value_or_null(const std::optional<bounded<double>>& of, double bounded<double>::*part) {
  return of ? number((*of).*part) : json();
}

json row_as_json(const compare_row& row) {
  const auto field = [&](bounded<bits> field_entropies::*part) {
    return row.fields ? number(((*row.fields).*part).value.value()) : json();
  };
  const auto mass = [&](bounded<double> stored_masses::*part) {
    return row.masses ? number(((*row.masses).*part).value) : json();
  };
  const bool is_whole = row.width == std::floor(row.width);
  std::optional<bounded<double>> relative;
  if (row.errors) relative = row.errors->relative;
  return {
      {"format", row.format},
      {"bits", is_whole ? json(static_cast<int>(row.width)) : json(row.width)},
      {"entropy", number(row.entropy.value.value())},
      {"error", number(row.entropy.error.value())},
      {"wasted", number(row.wasted())},
      {"sign", field(&field_entropies::sign)},
      {"exponent", field(&field_entropies::exponent)},
      {"mantissa", field(&field_entropies::mantissa)},
      {"floor_share", number(row.floor_share())},
      {"zero", mass(&stored_masses::zero)},
      {"subnormal", mass(&stored_masses::subnormal)},
      {"beyond_max", mass(&stored_masses::beyond_max)},
      {"mean_square_error", value_or_null(row.mean_square_error(), &bounded<double>::value)},
      {"mean_square_error_error", value_or_null(row.mean_square_error(), &bounded<double>::error)},
      {"relative_error", value_or_null(relative, &bounded<double>::value)},
      {"relative_error_error", value_or_null(relative, &bounded<double>::error)}};
}

}  // namespace

compare_question read_compare(const words& asked) {
  const reader given{asked};
  const std::string distribution = given.word("distribution");
  if (describes_pair(distribution)) {
    throw std::domain_error("compare: expected the law of one variable, got " + distribution);
  }
  std::vector<std::string> formats = given.list("formats");
  if (formats.empty()) formats = common_formats();
  for (const std::string& name : formats) {  // before anything is computed
    if (!block_format_called(name) && !find_number_format(name)) (void)parse_format(name);
  }
  return {distribution, parse_law(distribution), std::move(formats)};
}

compare_answer solve(compare_question asked, const stop_token& stop) {
  compare_answer made{std::move(asked), {}};
  for (const std::string& name : made.asked.formats) {
    throw_if_stopped(stop);
    made.rows.push_back(row_for(name, made.asked.x, stop));
  }
  std::stable_sort(made.rows.begin(), made.rows.end(),
                   [](const auto& a, const auto& b) { return a.entropy.value > b.entropy.value; });
  return made;
}

report compare_answer::report() const {
  ask::report made{"compare"};
  made.add("distribution", json(asked.distribution));
  json list = json::array();
  for (const compare_row& row : rows) list.push_back(row_as_json(row));
  made.add("rows", std::move(list));
  return made;
}

}  // namespace ktln2::ask
