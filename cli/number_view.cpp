#include <algorithm>
#include <cmath>

#include "ask/json.hpp"
#include "ask/number.hpp"
#include "energy.hpp"
#include "ktln2/format/block_format.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::decimal;
using ask::plain;
using family = number_format::family;

std::string value_text(const std::optional<wide>& value) {
  if (!value) return "nan";
  return value->is_infinite() ? (value->high() < 0 ? "-inf" : "inf") : decimal(*value);
}

/// The code's bits, a blank between its fields.
std::string bits_of(const number_format& format, std::uint64_t code) {
  const int signs = format.is_signed() ? 1 : 0;
  const int mantissa_bits = format.kind() == family::floating ? format.fields().p - 1 : 0;
  std::string text;
  for (int bit = format.width(); bit-- > 0;) {
    text += ((code >> bit) & 1U) != 0 ? '1' : '0';
    const bool ends_field = bit == format.width() - signs || bit == mantissa_bits;
    if (bit > 0 && ends_field) text += ' ';
  }
  return text;
}

std::string layout(const number_format& format) {
  const std::string sign = format.is_signed() ? "1 sign, " : "";
  switch (format.kind()) {
    case family::floating:
      return fmt::format("{}{} exponent (bias {}), {} mantissa", sign,
                         format.fields().exponent_bits, format.fields().bias,
                         format.fields().p - 1);
    case family::posit:
      return "1 sign, a regime, up to 2 exponent, the rest fraction";
    case family::twos_complement:
      break;
  }
  return "two's complement";
}

/// How many positive values lie between one power of two and the next.
std::string density(const number_format& format) {
  table rows({"from", "to", "values", ""});
  struct octave {
    int exponent;
    std::uint64_t count;
  };
  std::vector<octave> octaves;
  const auto add = [&octaves](int exponent, std::uint64_t count) {
    if (!octaves.empty() && octaves.back().exponent == exponent)
      octaves.back().count += count;
    else
      octaves.push_back({exponent, count});
  };
  for (const magnitude_run& run : format.runs()) {
    for (std::uint64_t m = std::max<std::uint64_t>(run.first, 1); m <= run.last();) {
      if (run.start.is_zero() || m > format.largest()) break;
      const int exponent = run.value(m).exponent();
      // To the end of the octave, or of the run.
      const wide end = wide(1.0).scaled(exponent + 1);
      const double steps = ((end - run.value(m)) / run.spacing).to_double();
      const std::uint64_t left = std::min(run.last(), format.largest()) - m + 1;
      const std::uint64_t here =
          std::min(left, static_cast<std::uint64_t>(std::max(1.0, std::ceil(steps))));
      add(exponent, here);
      m += here;
    }
  }
  double most = 1;
  for (const octave& one : octaves)
    most = std::max(most, std::log2(static_cast<double>(one.count)) + 1);
  constexpr std::size_t shown = 24;
  for (std::size_t i = 0; i < octaves.size(); ++i) {
    if (octaves.size() > shown && i == shown / 2) {
      i = octaves.size() - shown / 2;
      rows.add({"...", "", "", ""});
    }
    const octave& one = octaves[i];
    rows.add({fmt::format("2^{}", one.exponent), fmt::format("2^{}", one.exponent + 1),
              fmt::format("{}", one.count),
              blocks((std::log2(static_cast<double>(one.count)) + 1) / most, 20)});
  }
  return rows.text();
}

table codes_of(const ask::number_format_answer& made) {
  table rows({"code", "bits", "value"});
  for (const ask::number_code& one : made.listed) {
    rows.add(
        {fmt::format("{}", one.code), bits_of(made.asked.format, one.code), value_text(one.value)});
  }
  return rows;
}

std::string parts_of(const ask::number_answer& made) {
  const number_format& format = made.asked().stored.format;
  const number_fields& all = made.fields();
  table parts({"part", "bits", "entropy", "per bit"});
  const auto add = [&parts](const std::string& name, int size, bits entropy) {
    const double h = std::max(entropy.value(), 0.0);  // a rounding error may be below
    parts.add({name, size == 0 ? "" : fmt::format("{}", size), fmt::format("{:.6f}", h),
               size == 0 ? "" : fmt::format("{:.1f} %", 100 * h / size)});
  };
  if (format.is_signed()) add("sign", 1, all.fields.sign.value);
  if (all.regime) {
    add("regime", 0, all.regime->value);
    add("exponent", 0, all.posit_exponent->value);
    add("fraction", 0, all.fields.mantissa.value);
  } else {
    const bool is_float = format.kind() == family::floating;
    if (is_float) add("exponent", format.fields().exponent_bits, all.fields.exponent.value);
    const int rest = is_float ? format.fields().p - 1 : format.width() - 1;
    add(is_float ? "mantissa" : "other bits", rest, all.fields.mantissa.value);
  }
  add("register", format.width(), made.total().value);
  return parts.text();
}

std::string marginals_text(const ask::number_answer& made) {
  std::string text;
  const auto add = [&text](const char* name, const std::optional<bounded<bits>>& h) {
    if (!h) return;
    text +=
        fmt::format("{}{} {:.4f}", text.empty() ? "Each alone: " : ", ", name, h->value.value());
  };
  const ask::marginal_entropies& alone = made.marginals();
  add("exponent", alone.exponent);
  add("mantissa", alone.mantissa);
  add("high byte", alone.high_byte);
  add("low byte", alone.low_byte);
  return text.empty() ? "" : text + " bits.\n";
}

std::string masses_text(const stored_masses& masses) {
  std::string text;
  const auto add = [&text](const char* name, double mass) {
    if (mass <= 0) return;
    text += fmt::format("{}{} with probability {:.3g}", text.empty() ? "It is " : ", ", name, mass);
  };
  add("zero", masses.zero.value);
  add("subnormal", masses.subnormal.value);
  add("beyond the largest", masses.beyond_max.value);
  return text.empty() ? "" : text + ".\n";
}

/// What of it chance has put there.
std::string noise_text(const ask::number_answer& made) {
  if (!made.by_chance()) return "";
  return fmt::format("Of these {:.6f} bits are noise, which chance adds, and {:.6f} tell of X.\n",
                     made.by_chance()->noise().value.value(),
                     made.by_chance()->information().value.value());
}

std::string conclusion(const ask::number_answer& made) {
  const double h = made.total().value.value();
  const int width = made.asked().stored.format.width();
  return fmt::format(
      "The register has {} bits and holds {} of them: a lossless code needs {:.1f} % of the space. "
      "Erasing it\ncosts at least {}.\n",
      width, h < 0.1 ? fmt::format("{:.2g}", h) : fmt::format("{:.2f}", h), 100 * h / width,
      energy_at(landauer_cost(made.total().value, made.asked().temperature),
                made.asked().temperature, 3));
}

}  // namespace

std::string text_of(const ask::number_answer& made) {
  const stored_variable& stored = made.asked().stored;
  std::string text =
      fmt::format("H = {} bits   ({} stored in {}; {}, {}{})\n\n", with_error(made.total()),
                  made.asked().distribution, stored.format.name(), name_of_rounding(stored.rule),
                  stored.rule.beyond == overflow::saturate
                      ? "saturating"
                      : fmt::format("overflow to {}", name_of(stored.rule.beyond)),
                  made.asked().certify ? "; proved" : "");
  text += parts_of(made) + "\n";
  if (made.asked().by_bit) {
    table rows({"bit", "entropy", ""});
    for (const bit_entropy& bit : made.single_bits()) {
      const double h = bit.entropy.value.value();
      rows.add({bit.name, fmt::format("{:.6f}", std::max(h, 0.0)), blocks(h, 20, "·")});
    }
    text += rows.text() + "\n";
  }
  text += noise_text(made) + marginals_text(made) + masses_text(made.masses());
  if (stored.format.fields().zero == float_description::zeros::signed_zero) {
    text +=
        fmt::format("With +0 and -0 as one value: {:.6f} bits.\n", made.of_value().value.value());
  }
  return text + conclusion(made);
}

table rows_of(const ask::number_answer& made) {
  table rows({"part", "entropy", "error"});
  const auto add = [&rows](const std::string& name, const bounded<bits>& h) {
    rows.add({name, plain(h.value.value()), plain(h.error.value())});
  };
  if (made.asked().by_bit) {
    for (const bit_entropy& bit : made.single_bits()) add(bit.name, bit.entropy);
    return rows;
  }
  const number_fields& all = made.fields();
  add("total", made.total());
  add("sign", all.fields.sign);
  add("exponent", all.fields.exponent);
  add("mantissa", all.fields.mantissa);
  if (all.regime) add("regime", *all.regime);
  if (all.posit_exponent) add("posit_exponent", *all.posit_exponent);
  return rows;
}

namespace {

/// The other names of a format behind `before`; nothing if it has none.
std::string others_of(const number_entry& entry, const char* before) {
  std::string text;
  for (const std::string_view other : entry.also_called) {
    text += (text.empty() ? before : ", ") + std::string(other);
  }
  return text;
}

}  // namespace

std::string text_of(const ask::number_format_answer& made) {
  const number_format& format = made.asked.format;
  const auto entry =
      std::find_if(number_catalogue().begin(), number_catalogue().end(),
                   [&format](const number_entry& one) { return one.name == format.name(); });
  const std::string what = entry == number_catalogue().end()
                               ? ""
                               : fmt::format(" ({}{})", entry->what, others_of(*entry, "; also "));
  std::string text =
      fmt::format("{}{}: {} bits = {}\n\n", format.name(), what, format.width(), layout(format)) +
      fmt::format("  numbers            {}\n", ask::count_of_numbers(format)) +
      fmt::format("  smallest positive  {}\n", decimal(format.min_positive())) +
      fmt::format("  largest            {}\n", decimal(format.max())) +
      fmt::format("  specials           {}\n", ask::specials_of(format)) +
      fmt::format("  too large          {}\n", name_of(format.usual().beyond));
  if (made.listed.empty()) {
    return text + "\nPositive values in each octave:\n" + density(format);
  }
  return text + "\n" + codes_of(made).text();
}

table rows_of(const ask::number_format_answer& made) {
  if (!made.listed.empty()) return codes_of(made);
  const number_format& format = made.asked.format;
  table rows({"format", "bits", "numbers", "min_positive", "max", "specials", "overflow"});
  rows.add({format.name(), fmt::format("{}", format.width()),
            fmt::format("{}", ask::count_of_numbers(format)), decimal(format.min_positive()),
            decimal(format.max()), ask::specials_of(format),
            std::string(name_of(format.usual().beyond))});
  return rows;
}

table rows_of(const ask::catalogue_answer& made) {
  table rows(
      {"format", "bits", "largest", "smallest", "specials", "too large", "what", "also called"});
  for (std::size_t i = 0; i < made.formats.size(); ++i) {
    const number_format& format = made.formats[i];
    rows.add({format.name(), fmt::format("{}", format.width()),
              fmt::format("{:.6g}", format.max().to_double()),
              fmt::format("{:.3g}", format.min_positive().to_double()), ask::specials_of(format),
              std::string(name_of(format.usual().beyond)), std::string(number_catalogue()[i].what),
              others_of(number_catalogue()[i], "")});
  }
  return rows;
}

std::string text_of(const ask::catalogue_answer& made) {
  table block_rows({"block format", "bits an element", "element", "block", "scale", "what"});
  for (const block_entry& entry : block_catalogue()) {
    const block_format format = find_block_format(entry.name).value();
    const bool is_element = format.name() == format.element().name();
    block_rows.add({(is_element ? "block:" : "") + format.name(),
                    fmt::format("{:.6g}", format.bits_per_element()), format.element().name(),
                    fmt::format("{}", format.size()), format.scale().name(),
                    std::string(entry.what)});
  }
  return rows_of(made).text() + "\n" + block_rows.text() +
         "\nAlso: p24e8 and the like, the paper's idealized format with 24 bits of precision and 8 "
         "of"
         "\nexponent; binary8p4se and the like, IEEE P3109's; q3.4, fixed point; codebook:FILE; and"
         "\nfloat:p=5,exponent_bits=4,bias=7,subnormals=yes,infinity=no,nan=top,zero=signed,signed="
         "yes\n"
         "for one of your own.\n";
}

table rows_of(const ask::number_quantize_answer& made) {
  table rows({"x", "value", "code"});
  for (std::size_t i = 0; i < made.stored.size(); ++i) {
    const double x = made.asked.x[i];
    rows.add({std::isnan(x) ? "nan" : plain(x), value_text(made.stored[i].value),
              fmt::format("{}", made.stored[i].code)});
  }
  return rows;
}

std::string text_of(const ask::number_quantize_answer& made) {
  table rows({"x", "stored", "code", "bits"});
  for (std::size_t i = 0; i < made.stored.size(); ++i) {
    const double x = made.asked.x[i];
    rows.add({std::isnan(x) ? "nan" : plain(x), value_text(made.stored[i].value),
              fmt::format("{:#x}", made.stored[i].code),
              bits_of(made.asked.format, made.stored[i].code)});
  }
  return rows.text();
}

}  // namespace ktln2::cli
