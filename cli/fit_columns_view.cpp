#include <cmath>

#include "ask/fit_columns.hpp"
#include "ask/how_many.hpp"
#include "core/printable.hpp"
#include "energy.hpp"
#include "fit_text.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::fit_columns_answer;
using ask::how_many;
using ask::plain;

std::string error_text(const std::optional<double>& error) {
  return error ? fmt::format("{:.2g}", *error) : "";
}

std::string coefficients_text(const fit_columns_answer& made) {
  const ask::plane_fit& plane = made.plane;
  table rows({"measured", "estimate", "standard error", "for noise of any sizes"});
  for (std::size_t j = 0; j < plane.errors.size(); ++j) {
    rows.add({printable(made.name(j)), fmt::format("{:.6g}", made.estimate(j)),
              fmt::format("{:.2g}", plane.errors[j]),
              plane.robust_errors.empty() ? "" : fmt::format("{:.2g}", plane.robust_errors[j])});
  }
  rows.add({"sigma_xi", fmt::format("{:.6g}", plane.model.sigma_xi),
            fmt::format("{:.2g}", plane.sigma_xi_error), ""});
  rows.add({"signal to noise", fmt::format("{:.6g}", plane.snr), error_text(plane.snr_error), ""});
  return rows.text();
}

std::string columns_text(const fit_columns_answer& made) {
  table rows({"stored, bits a row", "measured", "±", "modelled"});
  std::string notes;
  for (const ask::stored_fields& one : made.columns) {
    add_fields(rows, one.name, one.fields);
    if (one.unit)
      notes += fmt::format("\n{} comes in steps of {:g}.", printable(one.name), *one.unit);
  }
  const joint_bits& row = made.row();
  rows.add({"all, all bits",
            made.most ? fmt::format("at most {:.3f}", made.most->value.value()) : "",
            made.most ? fmt::format("{:.2g}", made.most->error.value()) : "",
            fmt::format("{:.3f}", row.value.value.value())});
  if (made.most) notes = "\nAt most: for any law with this covariance." + notes;
  return rows.text() + notes +
         fmt::format("\nTo count whole rows shows no more than {:.3g} bits: there are {}.\n",
                     std::log2(made.plane.n), made.plane.n);
}

std::string columns_bill_text(const fit_columns_answer& made) {
  const kelvin temperature = made.asked.given.temperature;
  table rows({"modelled", "bits in", "bits out", "erased", "±", energy_heading()});
  const auto add = [&](const std::string& name, const std::optional<ask::fit_columns_bill>& bill) {
    if (!bill) return;
    const cyclic_device& device = bill->priced.priced.device;
    const bounded<bits> erased = bill->erased();
    rows.add({name, fmt::format("{:.6g}", device.input_entropy().value.value()),
              fmt::format("{:.6g}", device.output_entropy().value.value()),
              fmt::format("{:.6g}", erased.value.value()),
              bill->spread ? fmt::format("{:.2g}", (*bill->spread + erased.error).value()) : "",
              energy_entry(device.cost(temperature).value, temperature)});
  };
  add("exact regression", made.exact);
  add(fmt::format("SGD, {} of {}", how_many(made.steps, "step"), made.how.batch), made.sgd);
  return rows.text() +
         bill_note("normal rows with these means, sizes and correlations",
                   formats_text(made.asked.given.formats, "features", "coefficients"),
                   made.how.eta) +
         "The ± is what the errors of the estimates make of the rows.\n";
}

std::string columns_advice_text(const fit_columns_answer& made) {
  if (!made.advice) return "";
  const many_best& size = made.advice->size;
  if (size.phase == many_phase::none) {
    return fmt::format(
        "\nAt these prices no number of rows is worth it: above {:.4g} a joule, do not "
        "train.\n",
        size.critical_price);
  }
  return advice_sentence(size.best.n, made.advice->spread, made.plane.n);
}

}  // namespace

std::string text_of(const ask::fit_columns_answer& made) {
  return fmt::format("{} by {} columns, from {} rows\n\n", printable(made.columns.back().name),
                     made.features(), made.plane.n) +
         coefficients_text(made) + residuals_text(made.plane.residuals, made.plane.n) + "\n" +
         columns_text(made) + "\n" + columns_bill_text(made) + columns_advice_text(made);
}

table rows_of(const ask::fit_columns_answer& made) {
  table rows({"name", "value", "error"});
  const ask::plane_fit& plane = made.plane;
  const auto add = [&](const std::string& name, double value, const std::optional<double>& error) {
    rows.add({name, plain(value), error ? plain(*error) : ""});
  };
  for (std::size_t j = 0; j < plane.errors.size(); ++j) {
    add(made.name(j), made.estimate(j), plane.errors[j]);
  }
  add("sigma_xi", plane.model.sigma_xi, plane.sigma_xi_error);
  add("snr", plane.snr, plane.snr_error);
  const auto add_bill = [&](const char* name, const std::optional<ask::fit_columns_bill>& bill) {
    if (!bill) return;
    const bounded<bits> erased = bill->erased();
    add(name, erased.value.value(),
        bill->spread ? std::optional<double>{(*bill->spread + erased.error).value()}
                     : std::nullopt);
  };
  add_bill("exact_bits", made.exact);
  add_bill("sgd_bits", made.sgd);
  return rows;
}

}  // namespace ktln2::cli
