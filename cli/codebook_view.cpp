#include <cmath>

#include "ask/codebook.hpp"
#include "ask/how_many.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::decimal;
using ask::how_many;
using ask::plain;

std::string values_and_bits(const ask::named_codebook& format) {
  const std::size_t size = format.code.size();
  return how_many(size, "value") + ", " + how_many(format.width(), "bit");
}

std::string loss_text(double loss) {
  return std::isinf(loss) ? "infinite" : fmt::format("{:.7g}", loss);
}

table beside_the_best(const ask::codebook_answer& made) {
  table rows({"codebook", "entropy", "mean square error"});
  const auto add = [&rows](const std::string& name, const bounded<bits>& entropy, double loss) {
    rows.add({name, fmt::format("{:.6f}", entropy.value.value()), loss_text(loss)});
  };
  add("this one", made.total(), made.mean_square_error().value);
  if (const auto& best = made.lloyd_max()) {
    add("Lloyd-Max: loses least", best->entropy, best->mean_square_error.value);
  }
  if (const auto& most = made.equal_mass()) {
    add("equal masses: holds most", most->entropy, most->mean_square_error.value);
  }
  return rows;
}

/// The outermost cells have no ends.
std::string edge_text(const std::optional<wide>& edge) { return edge ? decimal(*edge) : ""; }

table cells_of(const ask::codebook_format_answer& made) {
  table rows({"i", "u_i", "from", "to"});
  for (const std::size_t i : made.listed()) {
    rows.add({fmt::format("{}", i + 1), plain(made.asked.format.code.values()[i]),
              edge_text(made.left_edge(i)), edge_text(made.right_edge(i))});
  }
  return rows;
}

}  // namespace

std::string text_of(const ask::codebook_answer& made) {
  const ask::codebook_question& asked = made.asked();
  std::string text =
      fmt::format("H = {} bits   ({} stored in {}: {})\n\n", with_error(made.total()),
                  asked.distribution, asked.format.name, values_and_bits(asked.format));
  text += beside_the_best(made).text() + "\n";
  if (asked.terms) text += text_of(made.terms()) + "\n";
  const approximation& flat = made.of_cells();
  if (flat.value) {
    text += fmt::format(
        "With a density that is flat in each cell [eq:diff_approx]: {:.6f}, off by "
        "at most {:.1e}.\n",
        flat.value->value(), flat.at_most.value());
  }
  return text + fmt::format("Erasing it costs at least {}.\n",
                            energy_at(landauer_cost(made.total().value, asked.temperature),
                                      asked.temperature, 3));
}

table rows_of(const ask::codebook_answer& made) {
  table rows({"codebook", "entropy", "error", "mean_square_error"});
  const auto add = [&rows](const char* name, const bounded<bits>& entropy, double loss) {
    rows.add({name, plain(entropy.value.value()), plain(entropy.error.value()), plain(loss)});
  };
  add("this", made.total(), made.mean_square_error().value);
  if (const auto& best = made.lloyd_max()) {
    add("lloyd_max", best->entropy, best->mean_square_error.value);
  }
  if (const auto& most = made.equal_mass()) {
    add("equal_mass", most->entropy, most->mean_square_error.value);
  }
  return rows;
}

std::string text_of(const ask::codebook_format_answer& made) {
  const ask::named_codebook& format = made.asked.format;
  std::string text =
      fmt::format("{}: {}\n\n", format.name, values_and_bits(format)) +
      fmt::format("  smallest  {}\n", plain(format.code.values().front())) +
      fmt::format("  largest   {}\n", plain(format.code.values().back())) +
      "\nEvery x is stored as the value of its cell; an edge belongs to the cell away from zero.\n";
  if (!made.listed().empty()) text += "\n" + cells_of(made).text();
  return text;
}

table rows_of(const ask::codebook_format_answer& made) {
  if (!made.listed().empty()) return cells_of(made);
  const ask::named_codebook& format = made.asked.format;
  table rows({"format", "size", "width", "min", "max"});
  rows.add({format.name, fmt::format("{}", format.code.size()), fmt::format("{}", format.width()),
            plain(format.code.values().front()), plain(format.code.values().back())});
  return rows;
}

table rows_of(const ask::codebook_quantize_answer& made) {
  table rows({"x", "value", "code"});
  for (std::size_t i = 0; i < made.codes.size(); ++i) {
    rows.add({plain(made.asked.x[i]), plain(made.value(i)), fmt::format("{}", made.codes[i])});
  }
  return rows;
}

std::string text_of(const ask::codebook_quantize_answer& made) { return rows_of(made).text(); }

}  // namespace ktln2::cli
