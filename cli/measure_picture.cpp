// What --plot draws of measured files, of the type that takes most space: its exponents, what its
// tensors carry, and its bits.
#include <filesystem>

#include "ask/json.hpp"
#include "ask/measure.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {

using ask::plain;

paper::plot_request picture_of(const ask::measure_answer& made, const stop_token& /*stop*/) {
  table rows({"panel", "name", "x", "measured", "normal"});
  const ask::measured_group& largest = made.largest_dtype();
  for (const ask::exponent_share& one : largest.exponents) {
    rows.add({"exponent", "", std::to_string(one.exponent), plain(one.seen), plain(one.normal)});
  }
  for (const std::size_t place : largest.members) {
    const ask::measured_codes& codes = made.tensors[place].codes;
    rows.add({"tensor", made.tensors[place].known_as, std::to_string(codes.width),
              plain(codes.fields.total.value.value()),
              codes.normal ? plain(codes.normal->total.value.value()) : ""});
  }
  for (const bit_entropy& one : largest.codes.bits) {
    rows.add({"bit", one.name, "", plain(one.entropy.value.value()), ""});
  }
  const std::vector<std::string>& files = made.asked.files;
  std::string title = std::filesystem::path(files.front()).filename().string();
  if (files.size() > 1) title += fmt::format(" and {} more", files.size() - 1);
  return {"measure", std::move(title), rows.csv()};
}

}  // namespace ktln2::cli
