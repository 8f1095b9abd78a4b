#include "paper/report/plot.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "embedded.hpp"
#include "paper/report/artist.hpp"
#include "paper/report/files.hpp"

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone afterwards.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "ktln2-plot-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
    }
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  scratch_folder(scratch_folder&&) = delete;
  scratch_folder& operator=(scratch_folder&&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The Python that draws.
std::string artist_for_plots(const stop_token& stop) {
  std::string interpreter = python_that_draws(stop);
  throw_if_stopped(stop);
  if (!interpreter.empty()) return interpreter;
  throw std::runtime_error(std::string("for --plot ") + how_to_draw);
}

}  // namespace

void require_plot_place(const std::string& where, const fs::path& file) {
  const std::string suffix = file.extension().string();
  if (suffix != ".svg" && suffix != ".pdf" && suffix != ".png") {
    throw std::domain_error(where + " must end with .svg, .pdf or .png, got '" + file.string() +
                            "'");
  }
  require_place(where, file);
}

void require_means_to_plot(const stop_token& stop) { (void)artist_for_plots(stop); }

std::string drawn(const plot_request& what, const std::string& suffix, const stop_token& stop) {
  const std::string interpreter = artist_for_plots(stop);
  const scratch_folder scratch;
  const fs::path rows = scratch.path() / "rows.csv";
  for (const embedded::file& one : embedded::files()) {
    if (one.name.ends_with(".py")) write_whole(scratch.path() / one.name, one.text);
  }
  write_whole(rows, what.rows);
  for (const plot_table& one : what.further) {
    write_whole(scratch.path() / ("rows." + one.name + ".csv"), one.csv);
  }
  const fs::path picture = scratch.path() / ("picture" + suffix);
  child artist({interpreter, "-B", (scratch.path() / "draw.py").string(), "--plot", what.kind,
                "--title=" + what.title, rows.string(), picture.string()});
  while (artist.line(stop)) {
  }
  if (stop.stop_requested()) artist.end();
  const bool is_good = artist.succeeds();
  throw_if_stopped(stop);
  if (!is_good) throw std::runtime_error("drawing failed; the reason stands above");
  return contents_of(picture);
}

}  // namespace ktln2::paper
