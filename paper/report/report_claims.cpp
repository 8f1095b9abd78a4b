#include <fmt/format.h>

#include <set>

#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

std::string paragraph(const page_context& page, const char* name, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<p><b>{}</b> {}</p>", name, page.prose(text));
}

/// The equation that a claim is about. A section's formula is only one of many.
std::string formula_of(const page_context& page, const claim& c) {
  for (const explanation* e : page.formulas()) {
    if (e->label == c.label && e->status != "section") {
      return R"(<div class="equation">)" + html::formula(e->tex, false) + "</div>";
    }
  }
  return "";
}

std::string what_the_paper_says(const page_context& page, const claim& c, bool with_formula) {
  return fmt::format(
      R"(<td class="says"><p>{}</p><p class="value">{}</p>{}<p class="id">{} {}</p></td>)",
      page.prose(c.says), page.prose(c.paper), with_formula ? formula_of(page, c) : "",
      page.reference(c.label), html::code(c.id));
}

std::string what_was_found(const page_context& page, const checked_claim& c) {
  std::string result = "<td class=\"found\">";
  if (!c.is_expected()) {
    result +=
        c.result == verdict::holds
            ? "<p class=\"alarm\">Unexpected: an erratum is on record, but the claim holds.</p>"
            : "<p class=\"alarm\">Unexpected: no erratum is on record.</p>";
  }
  result += "<p>" + page.prose(c.found.found) + "</p>";
  result += paragraph(page, "Qualification.", c.found.qualification);
  result += paragraph(page, "Counterexample.", c.found.counterexample);
  result += paragraph(page, "Erratum.", c.what.erratum);
  return result + "</td>";
}

std::string how_it_was_checked(const page_context& page, const checked_claim& c) {
  std::string result = "<td class=\"how\"><p>" + page.prose(c.what.how) + "</p>";
  if (!c.what.command.empty()) result += "<p>" + html::command(c.what.command) + "</p>";
  std::string figures;
  for (const std::string& label : c.what.figures) {
    figures += (figures.empty() ? "" : " ") + page.reference(label);
  }
  if (!figures.empty()) result += "<p>" + figures + "</p>";
  return result + "<p class=\"time\">" + html::seconds(c.seconds) + "</p></td>";
}

std::string row(const page_context& page, const checked_claim& c, bool with_formula) {
  return fmt::format(
      "<tr class=\"{0}{1}\" id=\"{2}\"><th scope=\"row\">{3}<span class=\"word\">{4}</span></th>"
      "{5}{6}{7}</tr>\n",
      class_of(c.result), c.is_expected() ? "" : " unexpected", claim_anchor(c.what),
      mark_of(c.result), name_of(c.result), what_the_paper_says(page, c.what, with_formula),
      what_was_found(page, c), how_it_was_checked(page, c));
}

/// Radio buttons and a rule of the style for each: it needs no script.
std::string filter(const page_context& page) {
  const auto button = [](std::string_view kind, std::size_t many, const char* words, bool is_on) {
    return fmt::format(
        "<label><input type=\"radio\" name=\"verdict\" value=\"{}\"{}> {} ({})</label>\n", kind,
        is_on ? " checked" : "", words, many);
  };
  return "<fieldset class=\"filter\"><legend>Show</legend>\n" +
         button("all", page.summary().claims.size(), "all", true) +
         button("holds", page.count(verdict::holds), "✓ holds", false) +
         button("qualified", page.count(verdict::qualified), "◐ with a qualification", false) +
         button("fails", page.count(verdict::fails), "✗ fails", false) + "</fieldset>\n";
}

}  // namespace

std::string claims_section(const page_context& page) {
  std::string result = "<section id=\"claims\">\n<h2>Claims</h2>\n";
  if (page.summary().claims.empty()) {
    return result + "<p>No claim belongs to the figures of this run.</p>\n</section>\n";
  }
  result += words("Claims") + filter(page);
  result +=
      "<table class=\"claims\">\n<thead><tr><th scope=\"col\">Verdict</th>"
      "<th scope=\"col\">What the paper says</th><th scope=\"col\">What was found</th>"
      "<th scope=\"col\">How it was checked</th></tr></thead>\n<tbody>\n";
  std::set<std::string> shown;  // an equation stands beside the first claim about it
  for (const checked_claim& c : page.summary().claims) {
    result += row(page, c, shown.insert(c.what.label).second);
  }
  return result + "</tbody></table>\n</section>\n";
}

}  // namespace ktln2::paper
