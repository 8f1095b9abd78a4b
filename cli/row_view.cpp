#include <algorithm>

#include "ask/law.hpp"
#include "ask/row.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

std::string six(double value) { return fmt::format("{:.6f}", value); }

/// Of many registers the first few and the last.
constexpr std::size_t most_shown = 12;

std::string bracket_text(bits low, bits high) {
  return fmt::format("between {:.12g} and {:.12g} bits", low.value(), high.value());
}

std::string smooth_text(const std::optional<bits>& smooth, const bounded<bits>& value) {
  if (!smooth) return "";
  return fmt::format("The smooth formula [eq:first_two_approx] gives {:.6f}, {:+.1e} off.\n",
                     smooth->value(), (*smooth - value.value).value());
}

std::string energy_text(int width, const bounded<bits>& value, kelvin temperature) {
  return fmt::format(
      "The registers have {} bits and hold {:.2f} bits of information; erasing them costs at least "
      "{}.\n",
      width, value.value.value(),
      energy_at(landauer_cost(value.value, temperature), temperature, 3));
}

}  // namespace

std::string text_of(const ask::row_answer& made) {
  const ask::row_question& asked = made.asked();
  const row_entropies& h = made.entropies();
  const std::size_t size = asked.formats.size();
  table parts({"part", "bits", "entropy"});
  for (std::size_t j = 0; j < size; ++j) {
    if (size > most_shown && j + 1 < size && j >= most_shown - 2) continue;
    parts.add({ask::register_name(asked.row, j), fmt::format("{}", asked.formats[j].width()),
               six(h.single[j].value.value())});
  }
  parts.add({"all features", "", six(h.features.value.value())});
  parts.add({"y given the features", "", six(h.conditional.value.value())});
  parts.add({"shared by the registers", "", six(std::max(0.0, h.total_correlation.value.value()))});
  parts.add({"shared by the variables", "", six(total_correlation(asked.row.registers()).value())});
  return fmt::format("H = {} bits   ({} stored in {}; by {})\n\n", with_error(h.joint),
                     asked.distribution, asked.formats.front().name(), name_of(h.how)) +
         parts.text() + "\n" + "It is " + bracket_text(h.low, h.high) + ".\n" +
         smooth_text(made.smooth(), h.joint) +
         energy_text(made.width(), h.joint, asked.temperature);
}

table rows_of(const ask::row_answer& made) {
  const row_entropies& h = made.entropies();
  table rows({"part", "entropy", "error"});
  const auto add = [&](const std::string& name, const bounded<bits>& entropy) {
    rows.add({name, plain(entropy.value.value()), plain(entropy.error.value())});
  };
  add("joint", h.joint);
  for (std::size_t j = 0; j < h.single.size(); ++j) {
    add(ask::register_name(made.asked().row, j), h.single[j]);
  }
  add("features", h.features);
  add("conditional", h.conditional);
  add("total_correlation", h.total_correlation);
  return rows;
}

std::string text_of(const ask::estimate_answer& made) {
  const ask::estimate_question& asked = made.asked();
  const coefficient_entropies& h = made.entropies();
  table parts({"coefficient", "bits", "entropy"});
  for (std::size_t j = 0; j < h.single.size(); ++j) {
    if (h.single.size() > most_shown && j + 1 < h.single.size() && j >= most_shown - 2) continue;
    parts.add({asked.estimate.name(j), fmt::format("{}", asked.format.width()),
               six(h.single[j].value.value())});
  }
  const int width = static_cast<int>(asked.estimate.size()) * asked.format.width();
  return fmt::format("H = {} bits   ({} stored in {}; by {})\n\n", with_error(h.joint),
                     asked.distribution, asked.format.name(), name_of(h.how)) +
         (h.single.empty() ? "" : parts.text() + "\n") + "It is " + bracket_text(h.low, h.high) +
         ".\n" + smooth_text(made.smooth(), h.joint) +
         energy_text(width, h.joint, asked.temperature);
}

table rows_of(const ask::estimate_answer& made) {
  const coefficient_entropies& h = made.entropies();
  table rows({"part", "entropy", "error"});
  rows.add({"joint", plain(h.joint.value.value()), plain(h.joint.error.value())});
  for (std::size_t j = 0; j < h.single.size(); ++j) {
    rows.add({made.asked().estimate.name(j), plain(h.single[j].value.value()),
              plain(h.single[j].error.value())});
  }
  return rows;
}

table rows_of(const ask::row_law_answer& made) {
  const normal_vector& z = made.row.registers();
  table rows({"quantity", "value"});
  rows.add({"features", plain(static_cast<double>(made.row.features()))});
  rows.add({"deviation of y", plain(z.deviation(z.size() - 1))});
  rows.add({"mean of y", plain(z.mean(z.size() - 1))});
  rows.add({"signal-to-noise ratio", plain(made.row.snr())});
  rows.add({"differential entropy, bits", plain(differential_entropy(z).value())});
  rows.add({"total correlation, bits", plain(total_correlation(z).value())});
  rows.add({"of the features alone, bits", plain(total_correlation(made.row.x()).value())});
  return rows;
}

std::string text_of(const ask::row_law_answer& made) {
  return made.distribution + "\n\n" + rows_of(made).text();
}

table rows_of(const ask::estimate_law_answer& made) {
  table rows({"coefficient", "truth", "mean", "deviation"});
  for (const auto& one : ask::coefficients_json(made.estimate)) {
    const auto entry = [&](const char* key) {
      if (!one.contains(key) || one[key].is_null()) return std::string{};
      return one[key].is_string() ? one[key].get<std::string>() : plain(one[key].get<double>());
    };
    rows.add({one["name"].get<std::string>(), entry("truth"), entry("mean"), entry("deviation")});
  }
  return rows;
}

std::string text_of(const ask::estimate_law_answer& made) {
  const auto dof = made.estimate.dof();
  const std::string what =
      dof ? fmt::format("They are a multivariate t with {} degrees of freedom.\n", plain(*dof))
          : "";
  return made.distribution + "\n\n" + rows_of(made).text() + "\n" + what +
         fmt::format("Their differential entropy is {} bits.\n",
                     plain(differential_entropy(made.estimate).value()));
}

}  // namespace ktln2::cli
