#include "paper/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "embedded.hpp"
#include "ktln2/core/version.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

const char* const title = "The Thermodynamic Costs of Simple Linear Regression, reproduced";

/// The largest error bar of an exact entropy, and where it is.
struct worst_bar {
  double bits = 0;
  std::string label;
  std::size_t count = 0;  ///< of numbers that have one
};

worst_bar find_worst_bar(const run_summary& summary) {
  worst_bar worst;
  for (const figure_result& f : summary.figures) {
    if (f.bars.count == 0) continue;
    worst.count += f.bars.count;
    if (f.bars.largest > worst.bits || worst.label.empty()) {
      worst.bits = f.bars.largest;
      worst.label = f.what.label;
    }
  }
  return worst;
}

std::string alarm(const page_context& page) {
  if (page.summary().is_green()) return "";
  std::string items;
  for (const checked_claim& c : page.summary().claims) {
    if (c.is_expected()) continue;
    items +=
        fmt::format("<li><a href=\"#{}\">{} {}</a>: {}</li>\n", claim_anchor(c.what),
                    mark_of(c.result), escape_html(c.what.id),
                    c.result == verdict::holds ? "holds, although an erratum is on record"
                                               : "does not hold as stated, and no erratum says so");
  }
  return "<aside class=\"alarm\" role=\"alert\">\n" + words("Unexpected verdicts") + "<ul>\n" +
         items + "</ul>\n</aside>\n";
}

std::string notice(std::string_view html) {
  return fmt::format("<div class=\"notice\">\n{}</div>\n", html);
}

std::string limits_of_this_run(const run_summary& summary) {
  std::string result;
  if (summary.figures.size() < figures().size()) {
    result += notice(fmt::format(
        "<p>This page shows {} of {} figures and panels, and the claims that belong to them. "
        "<code>ktln2 paper</code> makes them all.</p>\n",
        summary.figures.size(), figures().size()));
  }
  if (summary.work.quick) result += notice(words("Quick run"));
  const bool is_changed =
      std::any_of(summary.figures.begin(), summary.figures.end(), [](const figure_result& f) {
        const std::vector<parameter>& all = f.what.settings.all();
        return std::any_of(all.begin(), all.end(),
                           [](const parameter& p) { return p.from == origin::set; });
      });
  if (is_changed) result += notice(words("Changed parameters"));
  return result;
}

/// Puts the marks of the verdicts in the place of their signs.
std::string with_marks(std::string html) {
  for (const verdict v : {verdict::holds, verdict::qualified, verdict::fails}) {
    const std::string_view sign = sign_of(v);
    html.replace(html.find(sign), sign.size(), mark_of(v));
  }
  return html;
}

std::string how_far_to_trust(const page_context& page) {
  return "<section id=\"trust\">\n<h2>How far to trust it</h2>\n" +
         with_marks(words("How far to trust it")) +
         (page.summary().is_green()
              ? "<p>In this run all agree.</p>\n"
              : "<p><strong>In this run some disagree, see above.</strong></p>\n") +
         "</section>\n";
}

std::string figure_count(const page_context& page) {
  std::size_t blocks = 0;
  for (const chapter& c : page.chapters()) blocks += c.blocks.size();
  const auto& all = page.summary().figures;
  const auto drawn = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const figure_result& f) { return f.is_drawn; }));
  return fmt::format("{} in {}, {} of them drawn",
                     html::count(all.size(), "drawing or table", "panels, drawings and tables"),
                     html::count(blocks, "figure", "figures"), drawn);
}

std::string fact(const char* name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

/// How many came out how, with a link to each kind.
std::string tally(const page_context& page) {
  std::string result = fmt::format("{} checked", page.summary().claims.size());
  for (const verdict v : {verdict::fails, verdict::qualified, verdict::holds}) {
    if (page.count(v) == 0) continue;
    const char* what = v == verdict::fails       ? "fail"
                       : v == verdict::qualified ? "with a qualification"
                                                 : "hold";
    result += fmt::format("{} <a href=\"#{}\">{}&nbsp;{} {}</a>", result.back() == 'd' ? ":" : ",",
                          verdict_anchor(v), mark_of(v), page.count(v), what);
  }
  return result;
}

/// Those that the page does not open with.
std::string failures(const page_context& page) {
  std::string items;
  for (const checked_claim& c : page.summary().claims) {
    if (c.result != verdict::fails || !c.what.headline.empty()) continue;
    items += fmt::format("<li>{} <a href=\"#{}\">{}</a></li>\n", page.prose(c.what.says),
                         claim_anchor(c.what), mark_of(c.result));
  }
  if (items.empty()) return "";
  return "<h3>What else does not hold</h3>\n<ul class=\"failures\">\n" + items + "</ul>\n";
}

std::string key_results(const page_context& page) {
  const worst_bar worst = find_worst_bar(page.summary());
  std::string facts = fact("Reproduced", figure_count(page));
  if (!page.summary().claims.empty()) facts += fact("Claims", tally(page));
  if (worst.count > 0) {
    facts += fact("Largest error bar", fmt::format("{} bits, among {} exact entropies; it is in {}",
                                                   html::number(worst.bits, 2), worst.count,
                                                   page.reference(worst.label)));
  }
  return "<section id=\"results\">\n<h2>Results in brief</h2>\n<dl class=\"facts\">\n" + facts +
         "</dl>\n" + failures(page) + page.linked(words("What this is")) + "</section>\n";
}

/// The figures of a chapter; those that are folded stand for one.
std::string chapter_contents(const page_context& page, const chapter& c, std::size_t number) {
  std::string result =
      fmt::format("<li><a href=\"#chapter-{}\">{}</a>\n<ul>\n", number, escape_html(c.title));
  const fold* last = nullptr;
  for (const block& b : c.blocks) {
    const fold* folded = fold_of(page.summary(), b.label);
    if (folded != nullptr && folded == last) continue;
    last = folded;
    result += fmt::format("<li><a href=\"#{}\">{}</a></li>\n",
                          folded == nullptr ? html::anchor(b.label) : fold_anchor(*folded),
                          folded == nullptr ? html::prose(b.title) : escape_html(folded->heading));
  }
  return result + "</ul></li>\n";
}

std::string contents(const page_context& page, bool has_findings) {
  std::string result =
      "<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n";
  if (has_findings) result += "<li><a href=\"#findings\">Findings</a></li>\n";
  result +=
      "<li><a href=\"#results\">In brief</a></li>\n"
      "<li><a href=\"#trust\">Trust</a></li>\n<li><a href=\"#figures\">Figures</a>\n<ol>\n";
  std::size_t number = 0;
  for (const chapter& c : page.chapters()) result += chapter_contents(page, c, ++number);
  result += "</ol></li>\n" + claims_contents(page);
  if (!page.formulas().empty()) result += "<li><a href=\"#formulas\">Formulas</a></li>\n";
  return result +
         "<li><a href=\"#errata\">Errata</a></li>\n"
         "<li><a href=\"#colophon\">Colophon</a></li>\n</ol>\n</nav>\n";
}

/// The font of the formulas, which is text of this page: it needs nothing from elsewhere.
std::string math_font() {
  std::string letters;
  for (const char c : embedded::math_font_txt) {
    if (c != '\n') letters += c;
  }
  return "@font-face { font-family: \"ktln2 math\"; src: url(data:font/woff2;base64," + letters +
         ") format(\"woff2\"); }\n";
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "an unknown compiler";
#endif
}

std::string seconds_of_figures(const run_summary& summary) {
  std::string rows;
  for (const figure_result& f : summary.figures) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td></tr>\n",
                        html::code(f.what.label), html::seconds(f.seconds));
  }
  return "<h3>Seconds a figure</h3>\n" + words("Seconds a figure") +
         "<div class=\"columns\"><table class=\"times\">\n<thead><tr>"
         "<th scope=\"col\">figure</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string formulas_section(const page_context& page) {
  if (page.formulas().empty()) return "";
  std::string result = "<section id=\"formulas\">\n<h2>Formulas</h2>\n" + words("Formulas");
  for (const explanation* e : page.formulas()) {
    const std::string formula = html::formula(e->tex, true);
    result += fmt::format(
        "<section class=\"formula\" id=\"{}\">\n<h3>{} {}</h3>\n<div class=\"display\">{}</div>\n",
        html::anchor(e->label), html::prose(e->title), page.reference(e->label), formula);
    std::string words = escape_html(e->status);
    if (!e->regime.empty()) words += ". Needs " + page.prose(e->regime);
    result += fmt::format("<p>{} <span class=\"status\">Status: {}.</span></p>\n</section>\n",
                          page.prose(e->says), words);
  }
  return result + "</section>\n";
}

std::string errata_section(const page_context& page) {
  std::string items;
  for (const explanation& one : all_explanations()) {
    if (one.erratum.empty()) continue;
    items +=
        fmt::format("<li><p>{} {}</p></li>\n", page.reference(one.label), page.prose(one.erratum));
  }
  return "<section id=\"errata\">\n<h2>Errata of the paper</h2>\n" + words("Errata") + "<ol>\n" +
         items + "</ol>\n</section>\n";
}

std::string colophon_section(const page_context& page) {
  const run_summary& summary = page.summary();
  std::string facts = fact("Program", fmt::format("ktln2 {}", escape_html(version)));
  facts += fact("Compiler", escape_html(compiler()));
  facts += fact("Settings", fmt::format("{}, seed {}", summary.work.quick ? "quick" : "full grids",
                                        summary.work.seed));
  if (summary.threads > 0) facts += fact("Threads", std::to_string(summary.threads));
  facts += fact("Computing", html::seconds(summary.figure_seconds));
  facts += fact("Checking claims", html::seconds(summary.claim_seconds));
  facts += fact("Drawing", summary.no_drawing.empty() ? html::seconds(summary.drawing_seconds)
                                                      : escape_html(summary.no_drawing));
  return "<section id=\"colophon\">\n<h2>Colophon</h2>\n<dl class=\"facts\">\n" + facts +
         "</dl>\n" + words("Times") + seconds_of_figures(summary) + "</section>\n";
}

std::string report_page(const run_summary& summary) {
  const page_context page(summary);
  std::string result = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>{}</title>\n<style>\n{}{}</style>\n"
      "</head>\n<body>\n<header>\n<h1>{}</h1>\n",
      title, math_font(), embedded::report_css, title);
  const std::string findings = opening_section(page);
  result += alarm(page) + limits_of_this_run(summary) + "<div class=\"lead\">\n" + words("Lead") +
            "</div>\n</header>\n";
  result += contents(page, !findings.empty()) + "<main>\n" + findings + key_results(page);
  result += how_far_to_trust(page) + figures_section(page) + claims_section(page);
  result += formulas_section(page) + errata_section(page) + colophon_section(page);
  return result + "</main>\n</body>\n</html>\n";
}

}  // namespace ktln2::paper
