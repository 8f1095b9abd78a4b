#include <fmt/format.h>

#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

/// Where the drawing and the data of a panel are.
std::string panel_links(const page_context& page, const figure_result& f) {
  std::string result;
  const auto add = [&](const std::string& file, const char* shown) {
    result += fmt::format("{}<a href=\"{}\">{}</a>", result.empty() ? "" : " · ", escape_html(file),
                          shown);
  };
  if (f.is_drawn) {
    add("figures/" + f.what.name() + ".svg", "drawing");
    add("figures/" + f.what.name() + ".pdf", "PDF");
  }
  for (const std::string& file : f.files) {
    // "NAME.csv" is the data; "NAME.ends.csv" is called "ends".
    const std::size_t from = file.find(f.what.name()) + f.what.name().size() + 1;
    const std::string part = file.substr(std::min(from, file.size()));
    add(file, part == "csv" ? "data" : part.substr(0, part.find('.')).c_str());
  }
  return result + claim_links(page, f.what.label);
}

std::string folded_block(const page_context& page, const block& b) {
  std::string result =
      fmt::format("<section class=\"folded\" id=\"{}\">\n<h5>{} {}</h5>\n", html::anchor(b.label),
                  html::prose(b.title), page.reference(b.label));
  result += "<p>" + page.prose(b.caption) + "</p>\n" + claim_links(page, b.label) + "<ul>\n";
  for (const figure_result* f : b.panels) {
    result += fmt::format("<li id=\"{}\"><b>{}</b> {}</li>\n", html::anchor(f->what.label),
                          html::prose(f->what.title), panel_links(page, *f));
  }
  return result + "</ul>\n" + parameter_list(page, common_parameters(b)) + "</section>\n";
}

}  // namespace

std::string folded_html(const page_context& page, const fold& what,
                        const std::vector<const block*>& blocks) {
  std::string result = fmt::format("<section class=\"block\" id=\"{}\">\n<h4>{}</h4>\n",
                                   fold_anchor(what), escape_html(what.heading));
  result += page.linked(words(what.heading));
  for (const std::string_view name : what.overviews) {
    const picture drawn = read_picture(page, std::string(name));
    constexpr double broad = 500;  // one that cannot be read in the width of a telephone
    result += fmt::format("<figure class=\"overview{}\">\n", drawn.width > broad ? " broad" : "") +
              drawing(drawn, escape_html(what.heading)) + "</figure>\n";
  }
  std::size_t panels = 0;
  std::string inside;
  for (const block* b : blocks) {
    panels += b->panels.size();
    inside += folded_block(page, *b);
  }
  return result + fmt::format(
                      "<details>\n<summary>The {} panels one by one</summary>\n{}</details>\n"
                      "</section>\n",
                      panels, inside);
}

std::string fold_anchor(const fold& what) { return "every:" + html::anchor(what.prefix); }

}  // namespace ktln2::paper
