#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "paper/report/files.hpp"
#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

/// "1.2pt" as a number; 0 if it is none.
double length_of(std::string_view svg, std::string_view attribute) {
  const std::string_view head = svg.substr(0, svg.find('>', svg.find("<svg")));
  const std::string start = " " + std::string(attribute) + "=\"";
  const std::size_t found = head.find(start, std::min(svg.find("<svg"), head.size()));
  if (found == std::string_view::npos) return 0;
  return std::strtod(std::string(head.substr(found + start.size(), 24)).c_str(), nullptr);
}

}  // namespace

picture read_picture(const page_context& page, const std::string& name) {
  constexpr double pixels_a_point = 4.0 / 3;
  picture result{"figures/" + name + ".svg"};
  result.svg = contents_of(page.summary().out / result.file);
  result.width = length_of(result.svg, "width") * pixels_a_point;
  result.height = length_of(result.svg, "height") * pixels_a_point;
  return result;
}

std::string drawing(const picture& drawn, const std::string& says) {
  if (drawn.svg.empty()) {
    return "<div class=\"no-drawing\"><p>Not drawn. The data are there all the same.</p></div>\n";
  }
  std::string size;
  if (drawn.width > 0 && drawn.height > 0) {
    // The letters in a drawing are small, so it may grow a little, but not beyond those of the
    // text.
    size = fmt::format(R"( width="{:.0f}" height="{:.0f}" style="max-width: {:.0f}px")",
                       drawn.width, drawn.height, 1.3 * drawn.width);
  }
  return fmt::format(
      "<a class=\"drawing\" href=\"{}\" title=\"Larger\"><img{} alt=\"{}\" src=\"{}\"></a>\n",
      escape_html(drawn.file), size, says, html::image_address(drawn.svg));
}

}  // namespace ktln2::paper
