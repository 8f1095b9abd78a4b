#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ktln2/core/stop.hpp"

namespace ktln2::paper {

/// A table of what is drawn, as CSV.
struct plot_table {
  std::string name;
  std::string csv;
};

/// A picture of an answer: its rows, as CSV, and how they are drawn.
struct plot_request {
  std::string kind;  ///< the function of draw/plots.py that draws it
  std::string title;
  std::string rows;
  std::vector<plot_table> further = {};
};

/// Throws std::domain_error, that begins with `where`, unless the name ends with .svg, .pdf or
/// .png and a file can be put there.
void require_plot_place(const std::string& where, const std::filesystem::path& file);
/// Throws std::runtime_error unless there is a Python with matplotlib; `stopped` after a stop.
void require_means_to_plot(const stop_token& stop = {});

/// The picture, drawn with Python and matplotlib, as the bytes of a file with this suffix. Throws
/// std::runtime_error where there is none of these, or if the drawing fails, and `stopped` after a
/// stop: then no process draws any more.
std::string drawn(const plot_request& what, const std::string& suffix, const stop_token& stop = {});

}  // namespace ktln2::paper
