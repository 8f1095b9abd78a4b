#include <cmath>
#include <utility>

#include "ask/compare.hpp"
#include "ask/how_many.hpp"
#include "ask/json.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

/// Nothing where it is not known.
std::string field(const ask::compare_row& row, bounded<bits> field_entropies::*part) {
  return row.fields ? fmt::format("{:.4f}", ((*row.fields).*part).value.value()) : "";
}
std::string rms_error(const ask::compare_row& row) {
  const auto square = row.mean_square_error();
  return square ? fmt::format("{:.1e}", std::sqrt(square->value)) : "";
}
std::string relative_error(const ask::compare_row& row) {
  return row.errors ? fmt::format("{:.1e}", row.errors->relative.value) : "";
}

/// Nothing where there is none.
std::string probability(const std::optional<stored_masses>& masses,
                        bounded<double> stored_masses::*part) {
  if (!masses || ((*masses).*part).value <= 0) return "";
  return fmt::format("{:.1e}", ((*masses).*part).value);
}

}  // namespace

std::string text_of(const ask::compare_answer& made) {
  table rows({"format", "bits", "carried", "wasted", "exponent", "mantissa", "floor", "rms error",
              "relative", "P(zero)", "P(too large)"});
  for (const ask::compare_row& row : made.rows) {
    rows.add({row.format, fmt::format("{}", row.width),
              fmt::format("{:.4f}", row.entropy.value.value()), fmt::format("{:.4f}", row.wasted()),
              field(row, &field_entropies::exponent), field(row, &field_entropies::mantissa),
              fmt::format("{:.1f} %", 100 * row.floor_share()), rms_error(row), relative_error(row),
              probability(row.masses, &stored_masses::zero),
              probability(row.masses, &stored_masses::beyond_max)});
  }
  return fmt::format("{} in {}, in bits:\n\n", made.asked.distribution,
                     ask::how_many(made.rows.size(), "format")) +
         rows.text() +
         "\nThe exponent is given the sign, the mantissa given both; `floor` is what a lossless "
         "code\nneeds. The errors are those of rounding: the root of E (Q(X) - X)², nothing where "
         "that is\ninfinite, and E |Q(X) - X|/|X|, at most 1 for each x.\n";
}

table rows_of(const ask::compare_answer& made) {
  table rows({"format", "bits", "entropy", "error", "wasted", "sign", "exponent", "mantissa",
              "zero", "beyond_max", "mean_square_error", "mean_square_error_error",
              "relative_error", "relative_error_error"});
  const auto bounded_pair = [](const std::optional<bounded<double>>& of) {
    return of ? std::pair{plain(of->value), plain(of->error)}
              : std::pair<std::string, std::string>{};
  };
  for (const ask::compare_row& row : made.rows) {
    const auto field = [&](bounded<bits> field_entropies::*part) {
      return row.fields ? plain(((*row.fields).*part).value.value()) : "";
    };
    const auto square = bounded_pair(row.mean_square_error());
    const auto relative =
        bounded_pair(row.errors ? std::optional{row.errors->relative} : std::nullopt);
    rows.add({row.format, plain(row.width), plain(row.entropy.value.value()),
              plain(row.entropy.error.value()), plain(row.wasted()), field(&field_entropies::sign),
              field(&field_entropies::exponent), field(&field_entropies::mantissa),
              row.masses ? plain(row.masses->zero.value) : "",
              row.masses ? plain(row.masses->beyond_max.value) : "", square.first, square.second,
              relative.first, relative.second});
  }
  return rows;
}

}  // namespace ktln2::cli
