#include "paper/report/report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "page_check.hpp"
#include "paper/claims/explain.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/files.hpp"
#include "paper/report/overviews.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"
#include "paper/typeset/markdown.hpp"
#include "scratch_folder.hpp"

namespace ktln2::paper::testing {
namespace {

namespace fs = std::filesystem;

std::size_t occurrences(std::string_view page, std::string_view text) {
  std::size_t result = 0;
  for (std::size_t at = page.find(text); at != std::string_view::npos;
       at = page.find(text, at + 1)) {
    ++result;
  }
  return result;
}

const char* const svg =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"x\" \"http://www.w3.org/x.dtd\">\n"
    "<svg width=\"244.8pt\" height=\"180pt\" xmlns=\"http://www.w3.org/2000/svg\">\n"
    "<metadata>https://matplotlib.org/</metadata>\n<path id=\"p#1\" d=\"M 0 0\nL 1 1\"/></svg>\n";

figure made_up(const std::string& label, const std::string& parent) {
  return {.label = label,
          .parent = parent,
          .chapter = "A chapter",
          .title = "Title of " + label,
          .caption = "A caption with $\\sigma^2 < 1$ & more.",
          .adds = "",
          .settings = parameters({{"p", {3}},
                                  {"E", {2, 3}, origin::chosen, "the paper is silent <here>"},
                                  {"sigma", {0x1p-70}, origin::set}}),
          .compute = {}};
}

checked_claim made_up_claim(const std::string& id, verdict result, const std::string& erratum) {
  checked_claim c;
  c.what = {.id = id,
            .label = "eq:single_mean_0",
            .says = "Says " + id + ".",
            .paper = "1 & 2",
            .check = "none",
            .how = "By hand.",
            .figures = {"fig:fp_off_zero", "fig:profit_ex"},
            .command = "ktln2 entropy p3e4 normal",
            .erratum = erratum,
            .numbers = {}};
  c.found.found = "3.5";
  c.result = result;
  return c;
}

/// Figures alone and in a group, with and without a drawing, a table; claims of every verdict.
class report : public ::testing::Test {
 protected:
  void SetUp() override {
    summary.out = folder.path("out");
    fs::create_directories(summary.out / "data");
    fs::create_directories(summary.out / "figures");
    add(made_up("fig:fp_off_zero", ""), true);
    add(made_up("fig:fp_diag", "fig:fp_exact_approx"), true);
    add(made_up("fig:fp_exact_approx_mu", "fig:fp_exact_approx"), false);
    add(made_up("tab:cyclic_device", ""), false);
    summary.claims = {made_up_claim("good", verdict::holds, ""),
                      made_up_claim("half", verdict::qualified, "Too wide."),
                      made_up_claim("bad", verdict::fails, "A slip.")};
  }

  void add(const figure& what, bool is_drawn) {
    table data({{"word", "", "a word"}, error_bar()});
    data.add({"a, b", 1.25e-13});
    data.add({"<i>", 2.5e-14});
    figure_result result{.what = what, .files = {"data/" + what.name() + ".csv"}};
    result.is_drawn = is_drawn;
    result.tables = {data};
    result.bars = {.count = 2, .largest = 1.25e-13};
    write_whole(summary.out / result.files[0], data.csv({"label " + what.label}));
    if (is_drawn) {
      write_whole(summary.out / "figures" / (what.name() + ".svg"), svg);
      write_whole(summary.out / "figures" / (what.name() + ".pdf"), "%PDF");
    }
    summary.figures.push_back(result);
  }

  scratch folder;
  run_summary summary{.out = {}, .work = {}};
};

TEST_F(report, has_every_figure_and_claim_once) {
  const std::string page = report_page(summary);
  for (const figure_result& f : summary.figures) {
    EXPECT_EQ(occurrences(page, " id=\"" + f.what.label + "\""), 1) << f.what.label;
    EXPECT_EQ(occurrences(page, "href=\"" + f.files[0] + "\""), 1) << f.what.label;
  }
  EXPECT_EQ(occurrences(page, " id=\"fig:fp_exact_approx\""), 1);
  for (const checked_claim& c : summary.claims) {
    EXPECT_EQ(occurrences(page, " id=\"claim:" + c.what.id + "\""), 1) << c.what.id;
  }
}

TEST_F(report, has_no_broken_link_and_no_open_tag) {
  const std::string page = report_page(summary);
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
  EXPECT_EQ(unbalanced(page), "");
}

TEST_F(report, needs_nothing_from_elsewhere) {
  const std::string page = report_page(summary);
  EXPECT_EQ(page.find("=\"http"), std::string::npos);
  const std::size_t styles = page.find("</style>");
  EXPECT_EQ(occurrences(page.substr(0, styles), "url("),
            occurrences(page.substr(0, styles), "url(data:"));
  EXPECT_EQ(occurrences(page.substr(styles), "url("), 0);
  // The font of the formulas: "wOF2" and more, in base64 on one line.
  const std::size_t font = page.find("url(data:font/woff2;base64,d09GM");
  ASSERT_NE(font, std::string::npos);
  EXPECT_GT(page.find(')', font), font + 20000);
  EXPECT_GT(page.find('\n', font), page.find(')', font));
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
}

TEST_F(report, escapes_what_it_is_given) {
  checked_claim evil = made_up_claim("a\"b<c>&", verdict::fails, "<script>alert(1)</script>");
  evil.what.says = "An unclosed $ and <script>alert(2)</script> & \"quotes\".";
  evil.what.label = "<b>";
  summary.claims.push_back(evil);
  figure wild = made_up("fig:fp_exponents", "");
  wild.title = "<script>";
  wild.caption = "\"><script>";
  add(wild, true);
  const std::string page = report_page(summary);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("An unclosed $ and &lt;script&gt;alert(2)&lt;/script&gt; &amp; &quot;"),
            std::string::npos);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
}

TEST_F(report, opens_with_what_does_not_hold_as_expected) {
  EXPECT_EQ(report_page(summary).find("id=\"findings\""), std::string::npos);
  summary.claims[0].what.headline = "Good news";
  summary.claims[2].what.headline = "Bad $\\sigma$ news";
  summary.claims[2].what.drawing = "opening_rate";
  summary.claims[2].found.counterexample = "a counterexample";
  write_whole(summary.out / "figures/opening_rate.svg", svg);
  summary.overviews = {"opening_rate"};
  const std::string page = report_page(summary);
  const std::size_t finding = page.find("<h3>Bad <math>");
  EXPECT_LT(page.find("href=\"figures/opening_rate.svg\""), finding);
  EXPECT_LT(finding, page.find("<b>Computed:</b> a counterexample."));
  EXPECT_LT(finding, page.find("id=\"results\""));
  EXPECT_EQ(page.find("Good news"), std::string::npos);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
}

TEST_F(report, has_the_claims_that_fail_first) {
  const std::string page = report_page(summary);
  EXPECT_LT(page.find("id=\"claim:bad\""), page.find("id=\"claim:half\""));
  EXPECT_LT(page.find("id=\"claim:half\""), page.find("id=\"claim:good\""));
}

TEST_F(report, links_every_drawing_to_its_file) {
  const std::string page = report_page(summary);
  EXPECT_EQ(occurrences(page, "<a class=\"drawing\" href=\"figures/fp_diag.svg\""), 1);
  EXPECT_EQ(occurrences(page, "<a class=\"drawing\""), 2);
}

TEST_F(report, folds_many_panels_of_one_kind) {
  for (const char* label : {"fig:app_mu_p1_E0", "fig:app_mu_p1_E1"}) {
    add(made_up(label, "fig:app_entropy_vs_mu_p1"), true);
  }
  EXPECT_EQ(report_page(summary).find("<details>"), std::string::npos);
  summary.overviews = {"app_mu_all", "app_mu_errors"};
  for (const std::string& name : summary.overviews) {
    write_whole(summary.out / "figures" / (name + ".svg"), svg);
  }
  const std::string page = report_page(summary);
  const std::size_t fold = page.find("<summary>The 2 panels one by one</summary>");
  EXPECT_LT(page.find("href=\"figures/app_mu_errors.svg\""), fold);
  EXPECT_LT(fold, page.find(" id=\"fig:app_mu_p1_E1\""));
  EXPECT_EQ(occurrences(page, "<a href=\"figures/app_mu_p1_E1.svg\">drawing</a>"), 1);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
}

TEST_F(report, cuts_a_table_that_is_too_broad) {
  std::vector<column> columns{{"what", "", "what it is"}};
  std::vector<cell> row{"x"};
  for (int i = 0; i < 9; ++i) {
    columns.push_back({"c" + std::to_string(i), "", "column " + std::to_string(i)});
    row.emplace_back(i < 7 ? cell{"word"} : cell{1.0});
  }
  table data(columns);
  data.add(row);
  summary.figures.back().tables = {data};
  const std::string page = report_page(summary);
  EXPECT_EQ(occurrences(page, "<table class=\"data\">"), 2);
  EXPECT_EQ(occurrences(page, "<th scope=\"col\">what it is</th>"), 2);
  EXPECT_EQ(occurrences(page, "<th scope=\"col\">column 4</th>"), 1);
}

TEST_F(report, says_where_a_drawing_is_missing) {
  EXPECT_EQ(occurrences(report_page(summary), "class=\"no-drawing\""), 1);
  for (figure_result& f : summary.figures) f.is_drawn = false;
  summary.no_drawing = "no figures were drawn: install matplotlib";
  const std::string page = report_page(summary);
  EXPECT_EQ(occurrences(page, "class=\"no-drawing\""), 3);  // the table needs none
  EXPECT_NE(page.find("install matplotlib"), std::string::npos);
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
}

TEST_F(report, flags_an_unexpected_verdict) {
  EXPECT_EQ(report_page(summary).find("class=\"alarm\""), std::string::npos);
  summary.claims.push_back(made_up_claim("surprise", verdict::fails, ""));
  const std::string page = report_page(summary);
  EXPECT_LT(page.find("<aside class=\"alarm\""), page.find("<nav"));
  EXPECT_NE(page.find("<tr class=\"fails unexpected\" id=\"claim:surprise\""), std::string::npos);
}

TEST_F(report, shows_a_table_as_a_table) {
  const std::string page = report_page(summary);
  EXPECT_NE(
      page.find(
          "<td data-is=\"a word\">a, b</td>"
          "<td class=\"number\" data-is=\"its error bar (bits)\">1.25 × 10<sup>−13</sup></td>"),
      std::string::npos);
  EXPECT_NE(page.find("<td data-is=\"a word\">&lt;i&gt;</td>"), std::string::npos);
}

TEST_F(report, says_whose_choice_a_parameter_is) {
  const std::string page = report_page(summary);
  EXPECT_NE(page.find("Stated in the paper:</p> <ul><li><code>p</code> = 3"), std::string::npos);
  EXPECT_NE(page.find("<code>E</code> = 2, 3 (the paper is silent &lt;here&gt;)"),
            std::string::npos);
  EXPECT_NE(page.find("Set by the user:</p> <ul><li><code>sigma</code> = 2<sup>−70</sup>"),
            std::string::npos);
}

TEST_F(report, names_the_largest_error_bar) {
  EXPECT_NE(report_page(summary).find("1.2 × 10<sup>−13</sup> bits, among 8 exact entropies"),
            std::string::npos);
}

TEST_F(report, is_the_same_every_time) { EXPECT_EQ(report_page(summary), report_page(summary)); }

TEST_F(report, works_without_claims_and_figures) {
  const std::string page = report_page({.out = summary.out, .work = {}});
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(broken_links(page, summary.out), std::vector<std::string>{});
}

TEST(overviews, are_drawn_from_what_a_run_has) {
  run_summary all;
  for (const figure& f : figures()) all.figures.push_back({.what = f});
  std::set<std::string> names;
  for (const overview& one : overviews_of(all)) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.sources.empty()) << one.name;
    if (one.name == "app_mu_all") {
      EXPECT_EQ(one.sources.size(), 56U);
    }
  }
  std::size_t headlines = 0;
  for (const claim& c : claims()) {
    EXPECT_EQ(c.headline.empty(), c.drawing.empty()) << c.id;
    if (c.headline.empty()) continue;
    ++headlines;
    EXPECT_TRUE(names.contains(c.drawing)) << c.id;
    EXPECT_FALSE(c.erratum.empty()) << c.id << " is expected to hold";
  }
  EXPECT_EQ(headlines, 3U);
  std::erase_if(all.figures,
                [](const figure_result& f) { return f.what.label == "fig:app_mu_p3_E5"; });
  EXPECT_EQ(overviews_of(all).size(), names.size() - 2);
}

TEST(page_check, finds_what_is_wrong) {
  EXPECT_NE(unbalanced("<p><b></p></b>"), "");
  EXPECT_NE(unbalanced("<p>"), "");
  EXPECT_EQ(broken_links("<p id=\"a\"><a href=\"#b\"></a><a href=\"#a\"></a></p>", "/").size(), 1);
  EXPECT_EQ(broken_links("<a href=\"data/none.csv\"></a>", "/").size(), 1);
  EXPECT_EQ(broken_links("<p id=\"a\"></p><p id=\"a\"></p>", "/").size(), 1);
}

TEST(texts, can_all_be_typeset) {
  const auto try_it = [](const std::string& where, const std::string& text) {
    EXPECT_NO_THROW(prose_to_html(text)) << where << ": " << text;
    EXPECT_NO_THROW(prose_to_text(text)) << where << ": " << text;
  };
  for (const figure& f : figures()) {
    try_it(f.label, f.title);
    try_it(f.label, f.caption);
    try_it(f.label, f.adds);
    for (const parameter& p : f.settings.all()) try_it(f.label, p.note);
  }
  for (const group& g : groups()) {
    try_it(g.label, g.title);
    try_it(g.label, g.caption);
  }
  for (const claim& c : claims()) {
    for (const std::string* text : {&c.says, &c.paper, &c.how, &c.erratum}) try_it(c.id, *text);
  }
}

TEST(markdown, becomes_html) {
  EXPECT_EQ(markdown_to_html(
                "1. **Ties.** See [eq:sem_fp], *not* `a<b`;\n   more [words](x.md).\n2. Two\n"),
            "<ol><li><strong>Ties.</strong> See [eq:sem_fp], <em>not</em> "
            "<code>a&lt;b</code>; more words.</li>\n<li>Two</li>\n</ol>\n");
  EXPECT_EQ(markdown_to_html("1. One\n\nBehind.\n"), "<ol><li>One</li>\n</ol>\n<p>Behind.</p>\n");
  EXPECT_EQ(
      markdown_to_html("If $a < b$, <b>no</b> HTML &amp; so on."),
      "<p>If " + to_mathml("a < b", false) + ", &lt;b&gt;no&lt;/b&gt; HTML &amp; so on.</p>\n");
  EXPECT_EQ(markdown_section("# A\n\n## B\nb\n\n## C\nc\n", "B"), "b\n");
  EXPECT_EQ(markdown_section("# A\n", "B"), "");
}

TEST(data, is_written_as_csv) {
  table written("", {{"a", "bits", "how: many"}, {"b", "", "a word"}});
  written.add({0.5, "say \"x\", y"});
  written.add({nothing, "z"});
  EXPECT_EQ(written.csv({"label fig:z_fit"}),
            "# label fig:z_fit\n# column a (bits): how: many\n# column b: a word\na,b\n"
            "0.5,\"say \"\"x\"\", y\"\n,z\n");
}

TEST(html_number, is_written_as_in_print) {
  EXPECT_EQ(html::number(0.25), "0.25");
  EXPECT_EQ(html::number(-3), "−3");
  EXPECT_EQ(html::number(1e15), "10<sup>15</sup>");
  EXPECT_EQ(html::number(-5e16), "−5 × 10<sup>16</sup>");
  EXPECT_EQ(html::parameter_value(0x1p-70), "2<sup>−70</sup>");
  EXPECT_EQ(html::parameter_value(1e15), "10<sup>15</sup>");
  EXPECT_EQ(html::number(0), "0");
  EXPECT_EQ(html::number(2.463468673, 4), "2.463");
}

}  // namespace
}  // namespace ktln2::paper::testing
