#include <algorithm>
#include <cmath>

#include "ask/block.hpp"
#include "ask/json.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::decimal;
using ask::plain;

std::string block_layout(const block_format& format) {
  return fmt::format("blocks of {} {} and an {} scale", format.size(), format.element().name(),
                     format.scale().name());
}

std::string scale_rule(const block_format& format) {
  return format.has_second_level()
             ? fmt::format("scale to nearest, second level {:.6g}", format.second_level_scale())
             : fmt::format("scale policy {}", name_of(format.policy()));
}

std::string stored_value(const ask::block_quantize_answer& made, std::size_t i) {
  const auto value = made.value(i);
  return value ? decimal(*value) : "nan";
}

}  // namespace

std::string text_of(const ask::block_answer& made) {
  const block_format& format = made.asked().format;
  const block_entropies& all = made.entropies();
  table parts({"part", "bits", "entropy", "per bit"});
  const auto add = [&parts](const char* name, int size, bits entropy) {
    const double h = std::max(entropy.value(), 0.0);  // a rounding error may be below
    parts.add({name, fmt::format("{}", size), fmt::format("{:.6f}", h),
               fmt::format("{:.1f} %", 100 * h / size)});
  };
  const int elements = format.size() * format.element().width();
  add("scale", format.scale().width(), all.scale.value);
  add("elements given the scale", elements, all.elements_given_scale.value);
  add("block", format.scale().width() + elements, all.joint.value);
  add("an element given the scale", format.element().width(), all.element_given_scale.value);
  const double h = all.joint_per_element.value.value();
  return fmt::format("H = {} bits an element   ({} stored in {}: {}; {})\n\n",
                     with_error(all.joint_per_element), made.asked().distribution, format.name(),
                     block_layout(format), scale_rule(format)) +
         parts.text() +
         fmt::format(
             "\nGiven the scale, its elements know {:.6f} bits of each other: one of them "
             "is the largest.\n",
             std::max(all.dependence.value.value(), 0.0)) +
         fmt::format(
             "An element takes {:.6g} bits with its share of the scale: a lossless code "
             "needs {:.1f} % of the space.\nErasing a block costs at least {}.\n",
             format.bits_per_element(), 100 * h / format.bits_per_element(),
             energy_at(landauer_cost(all.joint.value, made.asked().temperature),
                       made.asked().temperature, 3));
}

table rows_of(const ask::block_answer& made) {
  table rows({"part", "entropy", "error"});
  const auto add = [&rows](const char* name, const bounded<bits>& h) {
    rows.add({name, plain(h.value.value()), plain(h.error.value())});
  };
  const block_entropies& all = made.entropies();
  add("joint_per_element", all.joint_per_element);
  add("scale", all.scale);
  add("elements_given_scale", all.elements_given_scale);
  add("joint", all.joint);
  add("element_given_scale", all.element_given_scale);
  add("dependence", all.dependence);
  return rows;
}

std::string text_of(const ask::block_format_answer& made) {
  const block_format& format = made.asked.format;
  return fmt::format("{}: {}, {:.6g} bits an element\n\n", format.name(), block_layout(format),
                     format.bits_per_element()) +
         fmt::format("  smallest positive  {}\n", decimal(made.min_positive())) +
         fmt::format("  largest            {}\n", decimal(made.max())) +
         fmt::format("  scale policy       {}\n", name_of(format.policy())) +
         fmt::format(
             "\nIts elements are rounded to nearest, ties to even, and saturate; `ktln2 "
             "format {}` shows them.\n",
             format.element().name());
}

table rows_of(const ask::block_format_answer& made) {
  const block_format& format = made.asked.format;
  table rows({"format", "element", "scale", "block", "bits_per_element", "min_positive", "max",
              "scale_policy"});
  rows.add({format.name(), format.element().name(), format.scale().name(),
            fmt::format("{}", format.size()), plain(format.bits_per_element()),
            decimal(made.min_positive()), decimal(made.max()),
            std::string(name_of(format.policy()))});
  return rows;
}

table rows_of(const ask::block_quantize_answer& made) {
  table rows({"x", "value", "code", "scale_code"});
  for (std::size_t i = 0; i < made.asked.x.size(); ++i) {
    rows.add({plain(made.asked.x[i]), stored_value(made, i), fmt::format("{}", made.code(i)),
              fmt::format("{}", made.block_of(i).scale_code)});
  }
  return rows;
}

std::string text_of(const ask::block_quantize_answer& made) {
  const block_format& format = made.asked.format;
  const auto size = static_cast<std::size_t>(format.size());
  std::string text;
  for (std::size_t b = 0; b < made.stored.size(); ++b) {
    const std::uint64_t scale_code = made.stored[b].scale_code;
    table rows({"x", "stored", "code"});
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) {
      rows.add({plain(made.asked.x[i]), stored_value(made, i), fmt::format("{:#x}", made.code(i))});
    }
    text += fmt::format("{}block {}: scale {}, code {:#x}\n\n{}", b == 0 ? "" : "\n", b + 1,
                        decimal(format.scale_value(scale_code)), scale_code, rows.text());
  }
  return text;
}

}  // namespace ktln2::cli
