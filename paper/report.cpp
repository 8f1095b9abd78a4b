#include "report.hpp"

namespace ktln2::paper {

std::string report_page(const run_summary& summary) {
  std::string page = "<!doctype html><title>ktln2</title>";
  for (const figure_result& figure : summary.figures) page += "<p>" + figure.what.label + "</p>";
  return page;
}

}  // namespace ktln2::paper
