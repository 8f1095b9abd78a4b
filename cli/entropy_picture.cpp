// What --plot draws of an entropy: the bits of the register as boxes, and below them the law over
// the values that the register can hold.
#include <algorithm>
#include <functional>

#include "ask/entropy.hpp"
#include "ask/entropy_density.hpp"
#include "ask/row.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? plain(*value) : "";
}

/// "26.46 of 32 bits"
std::string share_text(const bounded<bits>& held, double width) {
  const double h = std::max(held.value.value(), 0.0);
  return (h > 0 && h < 1e-3 ? std::string("<0.001") : fmt::format("{:.4g}", h)) +
         fmt::format(" of {:.4g} bits", width);
}

/// Each bit by itself.
std::string boxes_of(const std::vector<bit_entropy>& all) {
  table rows({"part", "size", "entropy", "error"});
  for (const bit_entropy& one : all) {
    rows.add({one.name, "1", plain(one.entropy.value.value()), plain(one.entropy.error.value())});
  }
  return rows.csv();
}

/// Parts of more than a bit.
class part_table {
 public:
  void add(const std::string& name, double size, const bounded<bits>& held) {
    rows_.add({name, plain(size), plain(held.value.value()), plain(held.error.value())});
  }
  [[nodiscard]] std::string csv() const { return rows_.csv(); }

 private:
  table rows_{{"part", "size", "entropy", "error"}};
};

std::vector<paper::plot_table> tables_of(const ask::stored_density& seen) {
  table view({"left", "right", "is_log", "has_atoms"});
  view.add(
      {plain(seen.left), plain(seen.right), seen.is_log ? "1" : "0", seen.has_atoms ? "1" : "0"});
  table steps({"left", "right", "density"});
  for (const auto& one : seen.steps) {
    steps.add({plain(one.left), plain(one.right), plain(one.density)});
  }
  table cells({"left", "right", "value", "probability"});
  for (const auto& one : seen.cells) {
    cells.add({plain(one.left), plain(one.right), number_or_nothing(one.value),
               number_or_nothing(one.probability)});
  }
  table bands({"left", "right", "width"});
  for (const auto& one : seen.bands) {
    bands.add({plain(one.left), plain(one.right), plain(one.width)});
  }
  return {
      {"view", view.csv()}, {"steps", steps.csv()}, {"cells", cells.csv()}, {"bands", bands.csv()}};
}

std::string title_text(const std::string& distribution, const std::string& format,
                       const std::string& share) {
  return fmt::format("{} in {}: {}", distribution, format, share);
}

}  // namespace

paper::plot_request picture_of(const ask::entropy_answer& made, const stop_token& stop) {
  const ask::entropy_question& asked = made.asked();
  return {"entropy",
          title_text(asked.distribution, asked.format.name(),
                     share_text(made.total(), asked.format.width())),
          boxes_of(made.single_bits()), tables_of(density_of(asked, stop))};
}

paper::plot_request picture_of(const ask::number_answer& made, const stop_token& stop) {
  const stored_variable& stored = made.asked().stored;
  return {"entropy",
          title_text(made.asked().distribution, stored.format.name(),
                     share_text(made.total(), stored.format.width())),
          boxes_of(made.single_bits()), tables_of(density_of(made.asked(), stop))};
}

paper::plot_request picture_of(const ask::codebook_answer& made, const stop_token& stop) {
  const ask::codebook_question& asked = made.asked();
  part_table parts;
  parts.add("register", asked.format.width(), made.total());
  return {"entropy",
          title_text(asked.distribution, asked.format.name,
                     share_text(made.total(), asked.format.width())),
          parts.csv(), tables_of(density_of(asked, stop))};
}

paper::plot_request picture_of(const ask::block_answer& made, const stop_token& /*stop*/) {
  const block_format& format = made.asked().format;
  const block_entropies& all = made.entropies();
  const double elements = format.size();
  part_table parts;
  parts.add("scale", format.scale().width(), all.scale);
  parts.add(fmt::format("{} elements, given the scale", format.size()),
            elements * format.element().width(), all.elements_given_scale);
  return {"entropy",
          title_text(made.asked().distribution, "a block of " + format.name(),
                     share_text(all.joint, elements * format.bits_per_element())),
          parts.csv()};
}

paper::plot_request picture_of(const ask::pair_answer& made, const stop_token& /*stop*/) {
  const storage_pair& formats = made.asked().formats;
  const joint_entropies& all = made.entropies();
  part_table parts;
  parts.add("x", formats.x.width(), all.x);
  parts.add("y", formats.y.width(), all.y);
  parts.add("y, given x", formats.y.width(), all.conditional);
  return {"entropy",
          title_text(made.asked().distribution,
                     formats.x.name() == formats.y.name()
                         ? formats.x.name()
                         : formats.x.name() + " and " + formats.y.name(),
                     share_text(all.joint, formats.x.width() + formats.y.width())),
          parts.csv()};
}

namespace {

/// Registers of one kind, each alone: so many that they can be told apart, and the others together.
void add_registers(part_table& parts, const std::vector<bounded<bits>>& alone, double width,
                   const std::function<std::string(std::size_t)>& name) {
  constexpr std::size_t most = 8;
  const std::size_t shown = alone.size() <= most ? alone.size() : most - 1;
  for (std::size_t j = 0; j < shown; ++j) parts.add(name(j), width, alone[j]);
  if (shown == alone.size()) return;
  bounded<bits> rest = exactly(bits{0});
  for (std::size_t j = shown; j < alone.size(); ++j) rest = rest + alone[j];
  const auto others = static_cast<double>(alone.size() - shown);
  parts.add(fmt::format("{} to {}, each", name(shown), name(alone.size() - 1)), width,
            rest / others);
}

}  // namespace

paper::plot_request picture_of(const ask::row_answer& made, const stop_token& /*stop*/) {
  const ask::row_question& asked = made.asked();
  const row_entropies& all = made.entropies();
  const storage& x = asked.formats.front();
  const storage& y = asked.formats.back();
  part_table parts;
  add_registers(parts, {all.single.begin(), all.single.end() - 1}, x.width(),
                [&](std::size_t j) { return ask::register_name(asked.row, j); });
  parts.add("y", y.width(), all.single.back());
  parts.add("y, given the features", y.width(), all.conditional);
  return {"entropy",
          title_text(asked.distribution,
                     x.name() == y.name() ? x.name() : x.name() + " and " + y.name(),
                     share_text(all.joint, made.width())),
          parts.csv()};
}

paper::plot_request picture_of(const ask::estimate_answer& made, const stop_token& /*stop*/) {
  const ask::estimate_question& asked = made.asked();
  const coefficient_entropies& all = made.entropies();
  const double width = asked.format.width();
  const auto count = static_cast<double>(asked.estimate.size());
  part_table parts;
  if (all.single.empty()) {
    parts.add("all coefficients", count * width, all.joint);
  } else {
    add_registers(parts, all.single, width, [&](std::size_t j) { return asked.estimate.name(j); });
    parts.add("all, for each", width, all.joint / count);
  }
  return {"entropy",
          title_text(asked.distribution, asked.format.name(), share_text(all.joint, count * width)),
          parts.csv()};
}

}  // namespace ktln2::cli
