#include <fmt/format.h>

#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

/// What the paper says, and what is true instead, both as the check has them.
std::string opening_finding(const page_context& page, const checked_claim& c) {
  std::string result = "<article>\n";
  if (page.summary().overviews.contains(c.what.drawing)) {
    result += drawing(read_picture(page, c.what.drawing), html::plain(c.what.headline));
  }
  result += fmt::format("<h3>{}</h3>\n", html::prose(c.what.headline));
  result += fmt::format("<p><b>The paper:</b> {}</p>\n", page.prose(c.what.says));
  result += fmt::format(
      "<p><b>Computed:</b> {}.</p>\n",
      page.prose(c.found.counterexample.empty() ? c.found.found : c.found.counterexample));
  result += fmt::format("<p>{}</p>\n", page.prose(c.what.erratum));
  std::string figures;
  for (const std::string& label : c.what.figures) figures += " " + page.reference(label);
  return result +
         fmt::format("<p class=\"shows\"><a href=\"#{}\">{}&nbsp;{}</a>{}</p>\n</article>\n",
                     claim_anchor(c.what), mark_of(c.result), escape_html(c.what.id), figures);
}

}  // namespace

std::string opening_section(const page_context& page) {
  std::string findings;
  for (const checked_claim& c : page.summary().claims) {
    if (c.what.headline.empty() || c.result == verdict::holds) continue;
    findings += opening_finding(page, c);
  }
  const std::string& explorer = page.summary().explorer;
  std::string invitation = explorer.empty()
                               ? ""
                               : fmt::format(
                                     "<p><a href=\"{}\">The explorer</a> has all of this under "
                                     "sliders; figures below open it where they stand.</p>\n",
                                     escape_html(explorer));
  if (findings.empty()) return invitation;
  return "<section id=\"findings\">\n<h2>What the authors may not expect</h2>\n" +
         words("Findings") + "<div class=\"findings\">\n" + findings + "</div>\n" + invitation +
         "</section>\n";
}

}  // namespace ktln2::paper
