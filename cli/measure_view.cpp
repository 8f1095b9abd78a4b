#include <algorithm>
#include <cmath>
#include <functional>

#include "ask/how_many.hpp"
#include "ask/json.hpp"
#include "ask/measure.hpp"
#include "core/printable.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

std::string size_shown(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string share_shown(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "";
}

std::string four(const bounded<bits>& entropy) {
  return fmt::format("{:.4f}", entropy.value.value());
}

std::string at_most(const std::string& shown, const measure::code_fields& fields) {
  return (shown.empty() || fields.is_counted ? "" : "≤ ") + shown;
}

std::vector<std::string> row_of(const std::string& name, const std::string& dtype,
                                const ask::measured_codes& codes) {
  const auto& fields = codes.fields;
  const bool has_format = codes.fields.exponent_alone.has_value();
  return {
      printable(name),
      dtype,
      fmt::format("{}", codes.facts.count),
      fmt::format("{:.3g}", codes.facts.deviation),
      share_shown(static_cast<double>(codes.facts.zeros), static_cast<double>(codes.facts.count)),
      at_most(four(fields.total), fields),
      fmt::format("{:.1e}", fields.total.error.value()),
      has_format ? four(fields.exponent) : "",
      has_format ? four(fields.mantissa) : "",
      codes.normal ? four(codes.normal->total) : "",
      at_most(share_shown(codes.floor_bytes(), codes.bytes()), fields)};
}

const std::vector<std::string>& headings() {
  static const std::vector<std::string> names{"tensor",   "dtype",  "numbers", "deviation",
                                              "zeros",    "bits",   "±",       "exponent",
                                              "mantissa", "normal", "floor"};
  return names;
}

/// The one that wastes most bytes first.
std::vector<const ask::measured_tensor*> worst_first(const ask::measure_answer& made) {
  std::vector<const ask::measured_tensor*> order;
  for (const ask::measured_tensor& one : made.tensors) order.push_back(&one);
  std::ranges::stable_sort(order, std::greater{}, [](const ask::measured_tensor* one) {
    return one->codes.wasted_bytes();
  });
  return order;
}

std::string tensors_shown(const ask::measure_answer& made) {
  table rows(headings());
  if (made.asked.wants_each) {
    for (const ask::measured_tensor* one : worst_first(made)) {
      rows.add(row_of(one->known_as, one->what.type.name, one->codes));
    }
  } else {
    for (const ask::measured_group& one : made.groups) {
      const std::string times =
          one.members.size() > 1 ? fmt::format(" × {}", one.members.size()) : "";
      const std::string& name =
          one.members.size() > 1 ? one.name : made.tensors[one.members.front()].known_as;
      rows.add(row_of(name + times, one.dtype, one.codes));
    }
  }
  for (const ask::measured_group& one : made.dtypes) {
    if (one.members.size() > 1) {
      rows.add(row_of(fmt::format("all {} × {}", one.dtype, one.members.size()), "", one.codes));
    }
  }
  return rows.text();
}

std::string other_formats_shown(const ask::measure_answer& made) {
  table rows({"stored as", "size", "floor", "rms error", "worst", "clipped", "flushed"});
  for (const ask::other_format& one : made.in_other_formats()) {
    rows.add({one.name, size_shown(one.bytes), size_shown(one.floor_bytes),
              fmt::format("{:.2e}", one.relative_error),
              fmt::format("{:.2e}", one.worst_relative_error), fmt::format("{:.2g}", one.clipped),
              fmt::format("{:.2g}", one.flushed)});
  }
  return "\n" + rows.text() +
         "\nThe errors are relative: the root of the mean square against that of the numbers, and "
         "the\nworst of a number that was not clipped. Flushed ones became 0.\n";
}

/// What each bit is worth, of all numbers that are stored alike.
std::string bits_shown(const ask::measured_group& group) {
  table rows({"bit", "entropy", ""});
  for (const bit_entropy& one : group.codes.bits) {
    const double worth = std::clamp(one.entropy.value.value(), 0.0, 1.0);
    rows.add({one.name, four(one.entropy), blocks(worth, 20, "·")});
  }
  return fmt::format("\n{}, bit by bit:\n\n", group.name) + rows.text();
}

/// "+0.0371 ± 0.0078"
std::string signed_shown(const bounded<bits>& part) {
  const double value = part.value.value();
  const std::string shown = fmt::format("{:+.4f}", std::fabs(value) < 5e-5 ? 0 : value);
  return part.error > bits{0} ? fmt::format("{} ± {:.2g}", shown, part.error.value()) : shown;
}

/// The parts of a gap, those that there can be.
std::string parts_shown(const ask::measured_group& group) {
  const measure::explained_gap& gap = *group.gap;
  std::vector<std::string> parts;
  const auto add = [&](const bounded<bits>& part, const std::string& why) {
    parts.push_back(signed_shown(part) + " " + why);
  };
  if (group.members.size() > 1) add(gap.pooling, "because tensors differ, I(code; tensor)");
  add(gap.zeros, "by their zeros");
  add(gap.tails,
      fmt::format("by the shapes of their laws (kurtosis {:.1f}, normal 3)", gap.kurtosis));
  add(exactly(gap.scales), "by their sizes");
  if (!group.codes.fields.is_counted) add(gap.low_bits, "by the bits below the leading 16");
  if (gap.few_numbers != bits{0}) add(exactly(gap.few_numbers), "by there being few numbers");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Where the codes are not as a normal law of their deviation would have them.
std::string gap_shown(const ask::measured_group& group) {
  if (!group.gap || group.gap->normal.value() == 0) return "";
  const std::string head = fmt::format("{} carry {} bits against a normal law of their deviation",
                                       group.dtype, signed_shown(group.gap->gap()));
  if (!group.gap->is_seen()) {
    return wrapped(head + ", which is no more than there being few numbers can make.", 0) + "\n";
  }
  return wrapped(head + ": " + parts_shown(group) + ".", 0) + "\n";
}

/// What a lossless code needs, and what there is to erase.
std::string floor_shown(const ask::measure_answer& made) {
  if (made.bytes() == 0) return "There are no numbers in it.\n";
  const std::string size = size_shown(made.floor_bytes());
  const std::string share = share_shown(made.floor_bytes(), made.bytes());
  const std::string energy = energy_at(made.landauer(), made.asked.temperature, 3);
  if (!made.is_counted()) {
    return wrapped(fmt::format("Of numbers with more than 16 bits the bytes below the 16 leading "
                               "ones are counted each by itself, as if they said nothing of each "
                               "other. So {} ({}) is the most that a lossless code, number by "
                               "number, needs: `floor`; and {} the most that erasing it all once "
                               "must cost.",
                               size, share, energy),
                   0) +
           "\n";
  }
  return wrapped(fmt::format("A lossless code, number by number, needs at least {} ({}): `floor`. "
                             "Erasing it all once costs at least {}.",
                             size, share, energy),
                 0) +
         "\n";
}

}  // namespace

std::string text_of(const ask::measure_answer& made) {
  std::string text = fmt::format("{} in {}:\n\n", size_shown(made.bytes()),
                                 how_many(made.tensors.size(), "tensor")) +
                     tensors_shown(made) + "\n";
  for (const ask::measured_group& one : made.dtypes) text += gap_shown(one);
  text += floor_shown(made);
  const auto whole = made.zstd_bytes(&measure::compressed_sizes::plain);
  if (whole && made.bytes() > 0) {
    const double split = *made.zstd_bytes(&measure::compressed_sizes::split);
    text += fmt::format("zstd makes {} of it as it is, and {} byte by byte (of samples).\n",
                        share_shown(*whole, made.bytes()), share_shown(split, made.bytes()));
  }
  if (!made.asked.as.empty()) text += other_formats_shown(made);
  for (const ask::measured_group& one : made.dtypes) {
    if (made.asked.wants_bits) text += bits_shown(one);
  }
  return text;
}

table rows_of(const ask::measure_answer& made) {
  table rows({"file", "name", "dtype", "count", "mean", "deviation", "zeros", "subnormals",
              "infinities", "nans", "bits", "total", "error", "sign", "exponent", "mantissa",
              "normal", "bytes", "floor_bytes"});
  for (const ask::measured_tensor& one : made.tensors) {
    const measure::number_facts& facts = one.codes.facts;
    const measure::code_fields& fields = one.codes.fields;
    const auto entropy = [](const bounded<bits>& of) { return plain(of.value.value()); };
    rows.add({one.what.file, one.what.name, one.what.type.name, std::to_string(facts.count),
              plain(facts.mean), plain(facts.deviation), std::to_string(facts.zeros),
              std::to_string(facts.subnormals), std::to_string(facts.infinities),
              std::to_string(facts.nans), std::to_string(one.codes.width), entropy(fields.total),
              plain(fields.total.error.value()), entropy(fields.sign), entropy(fields.exponent),
              entropy(fields.mantissa), one.codes.normal ? entropy(one.codes.normal->total) : "",
              plain(one.codes.bytes()), plain(std::ceil(one.codes.floor_bytes()))});
  }
  return rows;
}

}  // namespace ktln2::cli
