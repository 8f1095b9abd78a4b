#include "ktln2/format/storage.hpp"

#include <stdexcept>
#include <utility>

#include "core/attempt.hpp"
#include "ktln2/format/block_format.hpp"
#include "ktln2/format/catalogue.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace ktln2 {

storage::storage(const number_format& format) : storage(format, format.usual()) {}

storage::storage(number_format format, const storing& rule)
    : kept_{number_kept{std::move(format), rule}} {
  (void)cells();  // the rule is one of the format's
}

std::string storage::name() const {
  return ideal() != nullptr ? ideal()->name() : number()->format.name();
}

int storage::width() const {
  return ideal() != nullptr ? ideal()->width() : number()->format.width();
}

int storage::p() const {
  if (ideal() != nullptr) return ideal()->p();
  const number_format& format = number()->format;
  switch (format.kind()) {
    case number_format::family::floating:
      return format.fields().p;
    case number_format::family::posit:  // a sign, the shortest regime and two exponent bits
      return format.width() > 5 ? format.width() - 4 : 1;
    case number_format::family::twos_complement:
      break;
  }
  return format.width();
}

const float_format& storage::ideal(const std::string& where) const {
  if (ideal() != nullptr) return *ideal();
  throw std::domain_error(where + ": expected one of the paper's formats, such as p8e8, got " +
                          name());
}

std::optional<wide> storage::rounded(double x) const {
  if (ideal() != nullptr) return ideal()->value(ideal()->quantize(x));
  const number_format& format = number()->format;
  return format.value(format.quantize(x, number()->rule));
}

register_cells storage::cells(int dropped_bits) const {
  if (ideal() != nullptr) return {partition{*ideal(), rounding::nearest, dropped_bits}, {}};
  return cells_of(number()->format, number()->rule, dropped_bits);
}

storage parse_storage(std::string_view name) {
  if (const auto known = find_number_format(name)) return *known;
  if (find_block_format(name)) {
    throw std::domain_error("'" + std::string(name) +
                            "' stores whole blocks: expected a format of single numbers, such as "
                            "p24e8 or bfloat16");
  }
  std::optional<storage> found;
  if (const auto mistake = mistake_in([&] { found = parse_format(name); })) {
    const bool is_unknown = mistake->starts_with("unknown format");
    throw std::domain_error(*mistake +
                            (is_unknown ? ", or a name such as bfloat16 (see ktln2 format)" : ""));
  }
  return *found;
}

}  // namespace ktln2
