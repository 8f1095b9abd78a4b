#include "ask/compare.hpp"
#include "ask/json.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

/// Nothing where there is none.
std::string probability(const std::optional<stored_masses>& masses,
                        bounded<double> stored_masses::*part) {
  if (!masses || ((*masses).*part).value <= 0) return "";
  return fmt::format("{:.1e}", ((*masses).*part).value);
}

}  // namespace

std::string text_of(const ask::compare_answer& made) {
  table rows({"format", "bits", "carried", "wasted", "exponent", "mantissa", "floor", "P(zero)",
              "P(too large)"});
  for (const ask::compare_row& row : made.rows) {
    rows.add({row.format, fmt::format("{}", row.width),
              fmt::format("{:.4f}", row.entropies.total.value.value()),
              fmt::format("{:.4f}", row.wasted()),
              fmt::format("{:.4f}", row.entropies.exponent.value.value()),
              fmt::format("{:.4f}", row.entropies.mantissa.value.value()),
              fmt::format("{:.1f} %", 100 * row.floor_share()),
              probability(row.masses, &stored_masses::zero),
              probability(row.masses, &stored_masses::beyond_max)});
  }
  return fmt::format("{} in {} formats, in bits:\n\n", made.asked.distribution, made.rows.size()) +
         rows.text() +
         "\nThe exponent is given the sign, the mantissa given both; `floor` is what a lossless "
         "code "
         "needs.\n";
}

table rows_of(const ask::compare_answer& made) {
  table rows({"format", "bits", "entropy", "error", "wasted", "sign", "exponent", "mantissa",
              "zero", "beyond_max"});
  for (const ask::compare_row& row : made.rows) {
    const field_entropies& h = row.entropies;
    rows.add({row.format, fmt::format("{}", row.width), plain(h.total.value.value()),
              plain(h.total.error.value()), plain(row.wasted()), plain(h.sign.value.value()),
              plain(h.exponent.value.value()), plain(h.mantissa.value.value()),
              row.masses ? plain(row.masses->zero.value) : "",
              row.masses ? plain(row.masses->beyond_max.value) : ""});
  }
  return rows;
}

}  // namespace ktln2::cli
