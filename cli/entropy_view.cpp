#include <algorithm>
#include <cmath>

#include "ask/entropy.hpp"
#include "ask/how_many.hpp"
#include "ask/terms.hpp"
#include "ask/tour.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

/// The error of an approximation, as far as the exact value and the rounding of both can tell.
std::string error_against(const bounded<bits>& exact, bits value) {
  const double difference = (value - exact.value).value();
  const double bar = exact.error.value() + 0x1p-49 * std::fabs(value.value());
  return std::fabs(difference) > bar ? fmt::format("{:+.1e}", difference)
                                     : fmt::format("<{:.1e}", bar);
}

/// Each approximation with its error, its bound and whether its conditions hold.
std::string ladder(const bounded<bits>& exact, const std::vector<approximation>& all) {
  table rows({"approximation", "bits", "error", "at most", "do its conditions hold?"});
  for (const approximation& one : all) {
    if (!one.value) continue;
    rows.add({std::string(one.label), fmt::format("{:.6f}", one.value->value()),
              error_against(exact, *one.value),
              std::isfinite(one.at_most.value()) ? fmt::format("{:.1e}", one.at_most.value()) : "",
              one.applies() ? "yes" : "no: needs " + ask::condition_of(one, true)});
  }
  return rows.text();
}

std::string joules_to_erase(bits held, kelvin temperature) {
  return "at least " + energy_at(landauer_cost(held, temperature), temperature, 3);
}

/// What it means, in a sentence.
std::string reading(const float_format& format, const bounded<bits>& total, kelvin temperature) {
  const std::string size = how_many(format.width(), "bit");
  if (total.value <= total.error) {
    return fmt::format("The register has {} and holds no information that this accuracy can see.\n",
                       size);
  }
  const double h = total.value.value();
  return fmt::format("The register has {} and holds {} bits of information; erasing it costs {}.\n",
                     size, h < 0.1 ? fmt::format("{:.2g}", h) : fmt::format("{:.2f}", h),
                     joules_to_erase(total.value, temperature));
}

std::string parts_text(const ask::entropy_answer& made) {
  const float_format& format = made.asked().format;
  const field_entropies& fields = made.fields();
  table parts({"part", "bits", "entropy", "per bit"});
  const auto add = [&parts](const char* name, int size, bits entropy) {
    const double h = std::max(entropy.value(), 0.0);  // a rounding error may be below
    parts.add({name, fmt::format("{}", size), fmt::format("{:.6f}", h),
               size == 0 ? "" : fmt::format("{:.1f} %", 100 * h / size)});
  };
  add("sign", 1, fields.sign.value);
  add("exponent", format.exponent_bits(), fields.exponent.value);
  add("mantissa", format.p() - 1, fields.mantissa.value);
  add("register", format.width(), fields.total.value);
  return parts.text();
}

std::string bits_text(const ask::entropy_answer& made) {
  table rows({"bit", "entropy", ""});
  for (const bit_entropy& bit : made.single_bits()) {
    const double h = bit.entropy.value.value();
    rows.add({bit.name, fmt::format("{:.6f}", std::max(h, 0.0)), blocks(h, 20, "·")});
  }
  return rows.text();
}

/// Rows of parts with their error bars.
class part_rows {
 public:
  void add(const std::string& name, const bounded<bits>& entropy) {
    rows.add({name, plain(entropy.value.value()), plain(entropy.error.value())});
  }
  table rows{{"part", "entropy", "error"}};
};

}  // namespace

std::string text_of(const std::vector<ask::entropy_term>& terms) {
  table rows({"term", "value", "unit", "formula"});
  for (const ask::entropy_term& one : terms) {
    rows.add({std::string(one.says), fmt::format("{:.8g}", one.value), std::string(one.unit),
              std::string(one.label)});
  }
  return rows.text();
}

std::string text_of(const ask::entropy_answer& made) {
  const ask::entropy_question& asked = made.asked();
  std::string text = fmt::format("H = {} bits   ({} stored in {}{})\n\n", with_error(made.total()),
                                 asked.distribution, asked.format.name(),
                                 asked.certify                        ? "; proved"
                                 : asked.how == rounding::toward_zero ? "; rounded toward zero"
                                                                      : "");
  text += parts_text(made) + "\n";
  if (has_usual_density(asked.x)) text += ladder(made.total(), made.approximations()) + "\n";
  if (asked.by_bit) text += bits_text(made) + "\n";
  if (asked.terms) text += text_of(made.terms()) + "\n";
  text += ask::atom_sentence(asked.x, asked.format) + ask::sampling_sentence(made.sampling());
  return text + reading(asked.format, made.total(), asked.temperature);
}

table rows_of(const ask::entropy_answer& made) {
  part_rows parts;
  if (made.asked().by_bit) {
    for (const bit_entropy& bit : made.single_bits()) parts.add(bit.name, bit.entropy);
    return parts.rows;
  }
  parts.add("total", made.total());
  parts.add("sign", made.fields().sign);
  parts.add("exponent", made.fields().exponent);
  parts.add("mantissa", made.fields().mantissa);
  return parts.rows;
}

std::string text_of(const ask::pair_answer& made) {
  const storage_pair& formats = made.asked().formats;
  const joint_entropies& h = made.entropies();
  table parts({"part", "bits", "entropy"});
  const auto add = [&parts](const char* name, int size, bits entropy) {
    parts.add({name, size == 0 ? "" : fmt::format("{}", size),
               fmt::format("{:.6f}", std::max(entropy.value(), 0.0))});
  };
  add("X", formats.x.width(), h.x.value);
  add("Y", formats.y.width(), h.y.value);
  add("Y given X", 0, h.conditional.value);
  add("shared by the registers", 0, h.mutual_information.value);
  add("shared by X and Y, 1/2 log(1+SNR)", 0, mutual_information(made.asked().pair));
  return fmt::format("H = {} bits   ({} stored in {} and {})\n\n", with_error(h.joint),
                     made.asked().distribution, formats.x.name(), formats.y.name()) +
         parts.text() + "\n" +
         (made.approximations().empty() ? "" : ladder(h.joint, made.approximations()) + "\n") +
         fmt::format(
             "The two registers have {} bits and hold {:.2f} bits of information; erasing both "
             "costs {}.\n",
             formats.x.width() + formats.y.width(), h.joint.value.value(),
             joules_to_erase(h.joint.value, made.asked().temperature));
}

table rows_of(const ask::pair_answer& made) {
  const joint_entropies& h = made.entropies();
  part_rows parts;
  parts.add("joint", h.joint);
  parts.add("x", h.x);
  parts.add("y", h.y);
  parts.add("conditional", h.conditional);
  parts.add("mutual_information", h.mutual_information);
  return parts.rows;
}

std::string text_of(const ask::tour_answer& made) {
  table rows({"format", "size of", "bits", "entropy", "sign", "exponent", "mantissa", "error"});
  for (const ask::tour_stop& here : made.stops) {
    const field_entropies& h = here.entropies;
    rows.add({here.format.name(), here.size_of, fmt::format("{}", here.format.width()),
              fmt::format("{:.9f}", h.total.value.value()),
              fmt::format("{:.6f}", h.sign.value.value()),
              fmt::format("{:.6f}", h.exponent.value.value()),
              fmt::format("{:.6f}", h.mantissa.value.value()),
              fmt::format("{:.0e}", h.total.error.value())});
  }
  return "The entropy of a standard normal variable stored on a register, in bits: exact, not "
         "approximated.\n\n" +
         rows.text() +
         "\nA mantissa bit is worth nearly a bit, an exponent bit far less. Try:\n"
         "  ktln2 entropy p24e8 normal:mu=0,sigma=1 --bits\n"
         "  ktln2 entropy p24e8 normal:mu=1,sigma=1e-8\n"
         "  ktln2 --help\n";
}

table rows_of(const ask::tour_answer& made) {
  table rows({"format", "size_of", "bits", "entropy", "error", "sign", "exponent", "mantissa"});
  for (const ask::tour_stop& here : made.stops) {
    const field_entropies& h = here.entropies;
    rows.add({here.format.name(), here.size_of, plain(here.format.width()),
              plain(h.total.value.value()), plain(h.total.error.value()),
              plain(h.sign.value.value()), plain(h.exponent.value.value()),
              plain(h.mantissa.value.value())});
  }
  return rows;
}

}  // namespace ktln2::cli
