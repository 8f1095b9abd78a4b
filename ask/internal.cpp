#include "ask/internal.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ask/json.hpp"
#include "core/file_text.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2::ask {
namespace {

constexpr std::string_view file_prefix = "file:";

/// What an expression is over, with values that some state has.
const std::map<std::string, double>& state_names() {
  static const std::map<std::string, double> names{{"x", 1},        {"index", 1},    {"sign", 0},
                                                   {"exponent", 0}, {"mantissa", 0}, {"ones", 1},
                                                   {"width", 1}};
  return names;
}

void require_listed(const std::string& where, const float_format& format, int dropped_bits) {
  const int listed = format.width() - dropped_bits;
  if (listed <= most_internal_bits) return;
  throw std::domain_error(fmt::format(
      "{}: {} has 2^{} states, at most 2^{} can be listed: expected a smaller format, or an "
      "expression of sign, exponent and width alone",
      where, format.name(), format.width(), most_internal_bits));
}

internal_table table_of_file(const std::string& where, const std::string& path,
                             const register_formats& formats, double reset) {
  const float_format& format = formats.data.x.ideal(where);
  if (formats.data.y.ideal(where) != format || formats.model.ideal(where) != format) {
    throw std::domain_error(where + ": a file lists the states of one format, expected " +
                            format.name() + " for all registers, or an expression");
  }
  require_listed(where, format, 0);
  const std::string expected = "a line for each state: its value and its internal entropy";
  if (path.empty()) throw std::domain_error(where + ": expected file:FILE, with " + expected);
  const std::string here = where + ": " + path;
  const std::string text = text_of_file(path, here, expected);
  return parse_internal_table(text, here, format, reset);
}

using known_states = std::variant<expression, internal_table>;

known_states known_of(const std::string& where, const std::string& text, double reset,
                      const register_formats& formats) {
  if (text.starts_with(file_prefix)) {
    return table_of_file(where, text.substr(file_prefix.size()), formats, reset);
  }
  return expression{where, text, state_names()};
}

}  // namespace

internal_states::internal_states(const std::string& where, std::string text, double reset,
                                 const register_formats& formats)
    : where_{where},
      text_{std::move(text)},
      reset_{reset},
      known_{known_of(where, text_, reset, formats)} {}

/// How many of the lowest bits of a code make no difference.
int internal_states::dropped_bits(const float_format& format) const {
  const auto& of = std::get<expression>(known_);
  for (const char* name : {"x", "index", "mantissa", "ones"}) {
    if (of.uses(name)) return 0;
  }
  return of.uses("sign") || of.uses("exponent") ? format.p() - 1 : format.width();
}

double internal_states::at(const float_format& format, register_code place) const {
  const register_fields state = state_at_place(format, place);
  const wide value = format.value(state);
  const double x = value.to_double();
  const auto& of = std::get<expression>(known_);
  if (of.uses("x") && (std::isinf(x) || x == 0)) {
    throw std::domain_error(fmt::format(
        "{}: x = {} in {} is beyond the range of doubles: expected exponent, mantissa and sign",
        where_, decimal(value), format.name()));
  }
  const auto code = static_cast<std::uint64_t>(format.encode(state));
  const double entropy =
      of({{"x", x},
          {"index", static_cast<double>(place + 1)},
          {"sign", state.negative ? 1 : 0},
          {"exponent", format.emin() + state.exponent},
          {"mantissa", std::ldexp(static_cast<double>(state.mantissa), 1 - format.p())},
          {"ones", std::popcount(code)},
          {"width", format.width()}});
  if (std::fabs(entropy) <= most_internal_entropy) return entropy;
  throw std::domain_error(fmt::format(
      "{}: '{}' must be from -1e100 to 1e100, got {} in the state {} of {}", where_, text_,
      std::isnan(entropy) ? "nan" : ktln2::shown(entropy), decimal(value), format.name()));
}

internal_table internal_states::of(const float_format& format, const stop_token& stop) const {
  if (const auto* table = std::get_if<internal_table>(&known_)) return *table;
  const int dropped = dropped_bits(format);
  require_listed(where_, format, dropped);
  std::vector<double> entropies;
  const register_code groups = format.size() >> dropped;
  for (register_code group = 0; group < groups; ++group) {
    throw_if_stopped(stop);
    entropies.push_back(at(format, group << dropped));
  }
  return {format, std::move(entropies), reset_, dropped};
}

internal_tables internal_states::of(const register_formats& formats, const stop_token& stop) const {
  const internal_table x = of(formats.data.x.ideal(where_), stop);
  const auto other = [&](const storage& where) {
    const float_format& format = where.ideal(where_);
    return format == x.format() ? x : of(format, stop);
  };
  return {x, other(formats.data.y), other(formats.model)};
}

std::optional<internal_states> read_internal(const reader& given, const register_formats& formats) {
  const auto text = given.optional_word("internal");
  const auto reset = given.optional_number("reset");
  if (text) return internal_states{given.where("internal"), *text, reset.value_or(0), formats};
  if (reset)
    throw std::domain_error(given.where("reset") + " is for --internal, which is not given");
  return {};
}

}  // namespace ktln2::ask
