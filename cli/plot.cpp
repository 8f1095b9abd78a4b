#include "plot.hpp"

#include <utility>

#include "paper/report/files.hpp"

namespace ktln2::cli {

std::optional<plot_file> plot_file::asked_by(const ask::words& asked) {
  if (!asked.has("plot")) return {};
  return plot_file{asked.command, asked.get("plot")};
}

plot_file::plot_file(const std::string& command, std::filesystem::path file)
    : file_{std::move(file)} {
  paper::require_plot_place(command + ": --plot", file_);
  const at_work work{command};
  paper::require_means_to_plot(at_work::stop());
}

void plot_file::draw(const paper::plot_request& what, at_work& work) const {
  work.bar().restart();
  work.bar().show(0, "drawing");
  const std::string picture = paper::drawn(what, file_.extension().string(), at_work::stop());
  const auto whole = work.undivided();
  paper::write_whole(file_, picture);
}

}  // namespace ktln2::cli
