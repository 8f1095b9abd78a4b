#include "ask/entropy_density.hpp"

namespace ktln2::ask {

stored_density density_of(const entropy_question& asked, const stop_token& stop) {
  const bool is_floored = asked.how == rounding::toward_zero;
  const storage kept{asked.format};
  const stored_value value = [&](double x) -> std::optional<wide> {
    if (!is_floored) return kept.rounded(x);
    const cell_run cell = asked.cells().cell_of(x);
    return x < 0 ? cell.right : cell.left;
  };
  return stored_density_of(asked.x, asked.cells(), value, stop);
}

stored_density density_of(const number_question& asked, const stop_token& stop) {
  const stored_variable& stored = asked.stored;
  const bool is_by_chance = stored.rule.by_chance.has_value();
  const storing rule = is_by_chance ? stored.format.usual() : stored.rule;
  const storage kept{stored.format, rule};
  stored_density seen = stored_density_of(
      stored.x, cells_of(stored.format, rule).cells, [&kept](double x) { return kept.rounded(x); },
      stop);
  if (is_by_chance) {
    for (stored_density::cell& one : seen.cells) one.probability.reset();
  }
  return seen;
}

stored_density density_of(const codebook_question& asked, const stop_token& stop) {
  const codebook& code = asked.format.code;
  const stored_value value = [&code](double x) -> std::optional<wide> {
    return wide(code.values()[code.quantize(x)]);
  };
  return stored_density_of(asked.x, code.cells(), value, stop);
}

std::optional<stored_density> density_of(const any_entropy_question& asked,
                                         const stop_token& stop) {
  return std::visit(
      [&stop](const auto& one) -> std::optional<stored_density> {
        if constexpr (requires { density_of(one, stop).steps; }) return density_of(one, stop);
        return {};
      },
      asked);
}

}  // namespace ktln2::ask
