#include "ask/compare.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ktln2/distribution/catalogue.hpp"
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

compare_row row_for(const std::string& name, const law& x) {
  if (const auto known = find_number_format(name)) {
    const stored_variable stored{*known, known->usual(), x};
    return {known->name(), known->width(),
            entropy_by_field(stored, exact_leading_entropy(stored)).fields, masses_of(stored)};
  }
  const float_format format = parse_format(name);
  return {format.name(), format.width(), entropy_by_field(format, x), std::nullopt};
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
    if (!find_number_format(name)) (void)parse_format(name);
  }
  return {distribution, parse_law(distribution), std::move(formats)};
}

compare_answer solve(compare_question asked, const stop_token& stop) {
  compare_answer made{std::move(asked), {}};
  for (const std::string& name : made.asked.formats) {
    throw_if_stopped(stop);
    made.rows.push_back(row_for(name, made.asked.x));
  }
  std::stable_sort(made.rows.begin(), made.rows.end(), [](const auto& a, const auto& b) {
    return a.entropies.total.value > b.entropies.total.value;
  });
  return made;
}

report compare_answer::report() const {
  ask::report made{"compare"};
  made.add("distribution", json(asked.distribution));
  json list = json::array();
  for (const compare_row& row : rows) {
    json one{{"format", row.format},
             {"bits", row.width},
             {"entropy", number(row.entropies.total.value.value())},
             {"error", number(row.entropies.total.error.value())},
             {"wasted", number(row.wasted())},
             {"sign", number(row.entropies.sign.value.value())},
             {"exponent", number(row.entropies.exponent.value.value())},
             {"mantissa", number(row.entropies.mantissa.value.value())},
             {"floor_share", number(row.floor_share())}};
    one["zero"] = row.masses ? number(row.masses->zero.value) : json();
    one["subnormal"] = row.masses ? number(row.masses->subnormal.value) : json();
    one["beyond_max"] = row.masses ? number(row.masses->beyond_max.value) : json();
    list.push_back(std::move(one));
  }
  made.add("rows", std::move(list));
  return made;
}

}  // namespace ktln2::ask
