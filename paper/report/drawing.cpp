#include "paper/report/drawing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <map>
#include <stdexcept>

#include "embedded.hpp"
#include "paper/report/artist.hpp"
#include "paper/report/files.hpp"
#include "paper/report/overviews.hpp"

namespace ktln2::paper {
namespace {

namespace fs = std::filesystem;

}  // namespace

void draw(run_summary& summary, unsigned threads,
          const std::function<void(const progress&)>& tell) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (const embedded::file& file : embedded::files()) {
    if (file.name.ends_with(".py")) write_whole(summary.out / "draw" / file.name, file.text);
  }
  const std::string interpreter = python_that_draws();
  if (interpreter.empty()) {
    summary.no_drawing = std::string("no figures were drawn: ") + how_to_draw;
    return;
  }
  std::map<std::string, figure_result*> by_name;
  const fs::path out = fs::absolute(summary.out);  // its name could be taken for an option
  std::vector<std::string> words = {
      interpreter, "-B", (out / "draw" / "draw.py").string(), "--jobs", std::to_string(threads),
      out.string()};
  for (figure_result& result : summary.figures) {
    by_name[result.what.name()] = &result;
    words.push_back(result.what.name());
  }
  std::set<std::string> overviews;
  for (const overview& one : overviews_of(summary)) {
    overviews.insert(one.name);
    words.push_back(fmt::format("{}={}", one.name, fmt::join(one.sources, ",")));
  }
  tell({"drawing", "", 0, passed()});
  child artist(words);
  std::size_t done = 0;
  // One line a figure: "drawn NAME", or "kept NAME" for a drawing that was up to date.
  while (const std::optional<std::string> line = artist.line(summary.work.stop)) {
    const std::size_t space = line->find(' ');
    const std::string name = space == std::string::npos ? "" : line->substr(space + 1);
    const bool is_new = line->starts_with("drawn");
    const auto found = by_name.find(name);
    if (overviews.contains(name)) {
      summary.overviews.insert(name);
    } else if (found == by_name.end()) {
      continue;
    } else {
      found->second->is_drawn = true;
      if (is_new) ++summary.drawn;
    }
    ++done;
    const auto all = static_cast<double>(by_name.size() + overviews.size());
    tell({"drawing", is_new ? name : "", static_cast<double>(done) / all, passed()});
  }
  if (summary.work.stop.stop_requested()) artist.interrupt();
  const bool is_good = artist.succeeds();
  summary.work.pause();
  if (!is_good) throw std::runtime_error("drawing failed; the reason stands above");
  summary.drawing_seconds = passed();
}

}  // namespace ktln2::paper
