#include <fmt/format.h>

#include <array>
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
      R"(<td class="says" data-is="The paper says"><p>{}</p><p class="value">{}</p>{}<p class="id">{} {}</p></td>)",
      page.prose(c.says), page.prose(c.paper), with_formula ? formula_of(page, c) : "",
      page.reference(c.label), html::code(c.id));
}

std::string what_was_found(const page_context& page, const checked_claim& c) {
  std::string result = R"(<td class="found" data-is="Found">)";
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
  std::string result = R"(<td class="how" data-is="Checked"><p>)" + page.prose(c.what.how) + "</p>";
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

constexpr std::array by_severity = {verdict::fails, verdict::qualified, verdict::holds};

std::string_view heading_of(verdict v) {
  return v == verdict::fails       ? "What does not hold"
         : v == verdict::qualified ? "What holds with a qualification"
                                   : "What holds";
}

/// Radio buttons and a rule of the style for each: it needs no script.
std::string filter(const page_context& page) {
  const auto button = [](std::string_view kind, std::size_t many, std::string_view words,
                         bool is_on) {
    return fmt::format(
        "<label><input type=\"radio\" name=\"verdict\" value=\"{}\"{}> {} ({})</label>\n", kind,
        is_on ? " checked" : "", words, many);
  };
  std::string result = "<fieldset class=\"filter\"><legend>Show</legend>\n" +
                       button("all", page.summary().claims.size(), "all", true);
  for (const verdict v : by_severity) {
    result +=
        button(class_of(v), page.count(v), fmt::format("{} {}", sign_of(v), name_of(v)), false);
  }
  return result + "</fieldset>\n";
}

/// Those that came out so, in the order of the paper.
std::string claims_that(const page_context& page, verdict v, std::set<std::string>& shown) {
  if (page.count(v) == 0) return "";
  std::string result = fmt::format(
      "<section class=\"verdicts {0}\" id=\"{1}\">\n<h3>{2} {3}</h3>\n<table class=\"claims\">\n"
      "<thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">What the paper says</th>"
      "<th scope=\"col\">What was found</th><th scope=\"col\">How it was "
      "checked</th></tr></thead>\n"
      "<tbody>\n",
      class_of(v), verdict_anchor(v), mark_of(v), heading_of(v));
  for (const checked_claim& c : page.summary().claims) {
    // An equation stands beside the first claim about it.
    if (c.result == v) result += row(page, c, shown.insert(c.what.label).second);
  }
  return result + "</tbody></table>\n</section>\n";
}

}  // namespace

std::string verdict_anchor(verdict v) { return "claims-" + std::string(class_of(v)); }

std::string claims_section(const page_context& page) {
  std::string result = "<section id=\"claims\">\n<h2>Claims</h2>\n";
  if (page.summary().claims.empty()) {
    return result + "<p>No claim belongs to the figures of this run.</p>\n</section>\n";
  }
  result += words("Claims") + filter(page);
  std::set<std::string> shown;
  for (const verdict v : by_severity) result += claims_that(page, v, shown);
  return result + "</section>\n";
}

std::string claims_contents(const page_context& page) {
  std::string result = "<li><a href=\"#claims\">Claims</a>\n<ul>\n";
  for (const verdict v : by_severity) {
    if (page.count(v) == 0) continue;
    result += fmt::format("<li><a href=\"#{}\">{} {} ({})</a></li>\n", verdict_anchor(v),
                          mark_of(v), heading_of(v), page.count(v));
  }
  return result + "</ul></li>\n";
}

}  // namespace ktln2::paper
