#include <cmath>

#include "ask/how_many.hpp"
#include "core/printable.hpp"
#include "energy.hpp"
#include "fit_text.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

std::string estimates_text(const ask::fit_answer& made) {
  const ask::line_fit& line = made.line;
  table rows({"measured", "estimate", "standard error"});
  const auto add = [&](const char* name, double value, double error) {
    rows.add({name, fmt::format("{:.6g}", value), fmt::format("{:.2g}", error)});
  };
  add("slope w", line.model.w, line.errors.w);
  if (line.robust_error) add("  with noise of any sizes", line.model.w, *line.robust_error);
  if (line.has_intercept) add("intercept", line.intercept, line.intercept_error);
  add("sigma_x", line.model.sigma_x, line.errors.sigma_x);
  add("sigma_xi", line.model.sigma_xi, line.errors.sigma_xi);
  add("signal to noise", line.snr, line.snr_error);
  return rows.text();
}

/// "mantissa, 7 of 23 bits"
std::string name_of(const measure::counted_field& field) {
  if (field.counted_bits == field.bits) return field.name;
  return fmt::format("{}, {} of {} bits", field.name, field.counted_bits, field.bits);
}

}  // namespace

std::string residuals_text(const std::optional<ask::residual_check>& seen, double n) {
  if (!seen) return "";
  return fmt::format(
      "\nResiduals: skewness {:.3f} (normal: 0 ± {:.2g}), kurtosis {:.3f} (3 ± {:.2g}), "
      "dependence\nof their size on x: chi-square {:.3g} (1 ± 1.4).\n",
      seen->skewness, std::sqrt(6 / n), seen->kurtosis, std::sqrt(24 / n), seen->unevenness);
}

void add_fields(table& rows, const std::string& column,
                const std::vector<measure::counted_field>& fields) {
  for (const measure::counted_field& one : fields) {
    rows.add({printable(column) + ", " + name_of(one),
              fmt::format("{:.3f}", one.measured.value.value()),
              fmt::format("{:.2g}", one.measured.error.value()),
              fmt::format("{:.3f}", one.modelled.value.value())});
  }
}

std::string formats_text(const register_formats& formats, const char* x, const char* model) {
  std::string of_x = formats.data.x.name();
  const std::string of_y = formats.data.y.name();
  const std::string of_model = formats.model.name();
  if (of_x == of_y && of_x == of_model) return of_x;
  return fmt::format("{} ({}), {} (y) and {} ({})", of_x, x, of_y, of_model, model);
}

std::string bill_note(const std::string& what, const std::string& formats, double eta) {
  const std::string text =
      fmt::format("Bits of {} in {}, learning rate {:.3g}.", what, formats, eta);
  return "\n" + wrapped(text, 0) + "\n";
}

std::string advice_sentence(double best, const std::optional<double>& spread, double n) {
  const double share = n / best;
  return fmt::format("\nAt these prices {:.6g}{} {} worth it; you have {}: {}.\n", best,
                     spread ? fmt::format(" ± {:.2g}", *spread) : "",
                     best == 1 && !spread ? "row is" : "rows are", n,
                     share > 1 ? fmt::format("{:.3g} times as many", share)
                               : fmt::format("{:.3g} of them", share));
}

namespace {

std::string stored_text(const ask::fit_answer& made) {
  table rows({"stored, bits a row", "measured", "±", "modelled"});
  add_fields(rows, made.x_name, made.stored.x);
  add_fields(rows, made.y_name, made.stored.y);
  if (const auto& most = made.stored.most) {
    rows.add({"both, all bits", fmt::format("at most {:.3f}", most->value.value()),
              fmt::format("{:.2g}", most->error.value()),
              fmt::format("{:.3f}", made.row().value.value())});
  }
  std::string notes = made.stored.most ? "\nAt most: for any law with this covariance." : "";
  const auto say_unit = [&](const std::string& column, const std::optional<double>& unit) {
    if (unit) notes += fmt::format("\n{} comes in steps of {:g}.", printable(column), *unit);
  };
  say_unit(made.x_name, made.stored.x_unit);
  say_unit(made.y_name, made.stored.y_unit);
  return rows.text() + notes +
         fmt::format("\nTo count whole rows shows no more than {:.3g} bits: there are {}.\n",
                     std::log2(made.line.n), made.line.n);
}

std::string bill_text(const ask::fit_answer& made) {
  table rows({"modelled", "bits in", "bits out", "erased", "±", energy_heading()});
  const auto add = [&](const std::string& name, const ask::fit_bill& bill) {
    const cyclic_device& device = bill.priced.device;
    rows.add({name, fmt::format("{:.6g}", device.input_entropy().value.value()),
              fmt::format("{:.6g}", device.output_entropy().value.value()),
              fmt::format("{:.6g}", bill.erased().value.value()),
              fmt::format("{:.2g}", bill.spread.value() + bill.erased().error.value()),
              energy_entry(device.cost(made.asked.temperature).value, made.asked.temperature)});
  };
  add("exact regression", made.exact);
  add(fmt::format("SGD, {} of {}", how_many(made.steps, "step"), made.how.batch), made.sgd);
  return rows.text() +
         bill_note("normal x and noise of these sizes",
                   formats_text(made.asked.formats, "x", "the slope"), made.how.eta) +
         (made.line.has_intercept ? "Bits out are the slope's: the intercept is in no bill.\n"
                                  : "") +
         "The ± is what the standard errors make of them.\n";
}

std::string advice_text(const ask::fit_answer& made) {
  if (!made.advice) return "";
  const best_size& size = made.advice->size;
  if (size.place == best_place::infinity) {
    return "\nAt these prices every further row brings more than it costs.\n";
  }
  if (!size.best) return "\nAt these prices more than 1e15 rows would be worth it.\n";
  const profit_point& best = *size.best;
  if (std::isnan(best.profit)) {
    return "\nAt these prices the profit is undefined: parts of it are beyond double's range.\n";
  }
  if (best.profit < 0) {
    const char* const which = size.place == best_place::corner
                                  ? "the smallest number of rows with a finite error"
                                  : "the best number of rows";
    const std::string text =
        fmt::format("At these prices do not train: even {}, {:.6g}, loses money (profit {:.6g}).",
                    which, best.n, best.profit);
    return "\n" + wrapped(text, 0) + "\n";
  }
  return advice_sentence(best.n, made.advice->spread, made.line.n);
}

}  // namespace

std::string text_of(const ask::fit_answer& made) {
  const ask::line_fit& line = made.line;
  const std::string intercept =
      line.has_intercept
          ? fmt::format(" {} {:.6g}", line.intercept < 0 ? '-' : '+', std::fabs(line.intercept))
          : "";
  return fmt::format("{} = {:.6g} {}{}, from {} rows\n\n", printable(made.y_name), line.model.w,
                     printable(made.x_name), intercept, line.n) +
         estimates_text(made) + residuals_text(line.residuals, line.n) + "\n" + stored_text(made) +
         "\n" + bill_text(made) + advice_text(made);
}

table rows_of(const ask::fit_answer& made) {
  table rows({"name", "value", "error"});
  const auto add = [&](const char* name, double value, double error) {
    rows.add({name, plain(value), plain(error)});
  };
  const ask::line_fit& line = made.line;
  add("w", line.model.w, line.errors.w);
  if (line.has_intercept) add("intercept", line.intercept, line.intercept_error);
  add("sigma_x", line.model.sigma_x, line.errors.sigma_x);
  add("sigma_xi", line.model.sigma_xi, line.errors.sigma_xi);
  add("snr", line.snr, line.snr_error);
  const auto add_bill = [&](const char* name, const ask::fit_bill& bill) {
    add(name, bill.erased().value.value(), bill.spread.value() + bill.erased().error.value());
  };
  add_bill("exact_bits", made.exact);
  add_bill("sgd_bits", made.sgd);
  return rows;
}

}  // namespace ktln2::cli
