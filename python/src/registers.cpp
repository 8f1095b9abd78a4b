#include "registers.hpp"

#include <stdexcept>
#include <utility>

#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2::python {
namespace {

number_register::ideal_kept ideal_register(const float_format& format, const std::string& how,
                                           const std::string& beyond) {
  if (!beyond.empty()) {
    throw std::domain_error(
        "overflow is for formats such as bfloat16: the paper's have no "
        "infinities, got '" +
        beyond + "'");
  }
  if (how.empty() || how == "nearest" || how == "nearest-away") {
    return {format, rounding::nearest, partition{format}};
  }
  if (how != "toward-zero") {
    throw std::domain_error(
        "rounding of the paper's formats must be 'nearest' or 'toward-zero', got '" + how + "'");
  }
  return {format, rounding::toward_zero, partition{format, rounding::toward_zero}};
}

number_register::number_kept number_kept_by(number_format format, const std::string& how,
                                            const std::string& beyond) {
  storing rule = format.usual();
  if (!how.empty() && how != "nearest") {
    rule.by_chance = parse_chance(how);
    if (!rule.by_chance) rule.how = parse_rounding(how);
  }
  if (!beyond.empty()) rule.beyond = parse_overflow(beyond);
  format.require(rule);
  return {std::move(format), rule};
}

std::variant<number_register::ideal_kept, number_register::number_kept> kept_by(
    const std::string& name, const std::string& how, const std::string& beyond) {
  const storage known = parse_storage(name);
  if (known.ideal() != nullptr) return ideal_register(*known.ideal(), how, beyond);
  return number_kept_by(known.number()->format, how, beyond);
}

}  // namespace

number_register::number_register(const std::string& name, const std::string& rounding,
                                 const std::string& overflow)
    : kept_{kept_by(name, rounding, overflow)} {}

std::string number_register::name() const {
  return ideal() != nullptr ? ideal()->format.name() : number().format.name();
}

int number_register::width() const {
  return ideal() != nullptr ? ideal()->format.width() : number().format.width();
}

std::string number_register::rounding_name() const {
  if (ideal() == nullptr) return name_of_rounding(number().rule);
  return ideal()->how == rounding::nearest ? "nearest" : "toward-zero";
}

bounded<bits> number_register::entropy(const law& x, bits tolerance) const {
  if (ideal() != nullptr) return exact_entropy(ideal()->cells, x, tolerance);
  return exact_entropy(stored(x, tolerance));
}

field_entropies number_register::by_field(const law& x, bits tolerance) const {
  if (ideal() != nullptr) {
    const float_format& format = ideal()->format;
    return entropy_by_field(format, exact_leading_entropy(format, x, tolerance, ideal()->how));
  }
  const stored_variable one = stored(x, tolerance);
  return entropy_by_field(one, exact_leading_entropy(one)).fields;
}

std::vector<bit_entropy> number_register::by_bit(const law& x, bits tolerance) const {
  if (ideal() != nullptr) {
    const float_format& format = ideal()->format;
    return entropy_by_bit(format, exact_leading_entropy(format, x, tolerance, ideal()->how));
  }
  return entropy_by_bit(number().format, exact_leading_entropy(stored(x, tolerance)));
}

std::vector<number_register::run> number_register::runs() const {
  std::vector<run> list;
  if (ideal() != nullptr) {
    const float_format& format = ideal()->format;
    for (std::size_t i = format.run_count() / 2; i < format.run_count(); ++i) {
      const lattice_run one = format.run(i);
      list.push_back(
          {one.start.to_double(), one.spacing.to_double(), static_cast<double>(one.count)});
    }
    return list;
  }
  for (const magnitude_run& one : number().format.runs()) {
    list.push_back(
        {one.start.to_double(), one.spacing.to_double(), static_cast<double>(one.count)});
  }
  return list;
}

}  // namespace ktln2::python
