#include "paper/claims/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "message_of.hpp"
#include "paper/typeset/formula.hpp"
#include "paper_labels.hpp"

namespace {

using ktln2::paper::all_explanations;
using ktln2::paper::explain;
using ktln2::paper::explanation;
using ktln2::paper::read_explanations;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
      return true;
    }
  }
  return false;
}

/// Is every tag of the XML closed, in order?
bool is_balanced(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    if (xml[end - 1] == '/') continue;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag[0] != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(explanations, are_of_the_labels_of_the_paper_and_of_no_others) {
  std::set<std::string> explained;
  for (const explanation& about : all_explanations()) {
    EXPECT_TRUE(explained.insert(about.label).second) << about.label << " twice";
  }
  EXPECT_EQ(explained, labels_of_the_paper());
}

TEST(explanations, name_headers_and_what_is_in_them) {
  for (const explanation& about : all_explanations()) {
    // The discussion has no formula.
    EXPECT_EQ(about.uses.empty(), about.label == "sec:disc") << about.label;
    for (const std::string& use : about.uses) {
      const std::size_t colon = use.find(": ");
      ASSERT_NE(colon, std::string::npos) << about.label << ": " << use;
      const std::string header = use.substr(0, colon);
      const std::string text = content(KTLN2_SOURCE_DIR "/include/ktln2/" + header);
      EXPECT_TRUE(has_word(text, use.substr(colon + 2))) << about.label << ": " << use;
    }
  }
}

TEST(explanations, have_formulas_and_sentences_that_can_be_shown) {
  for (const explanation& about : all_explanations()) {
    SCOPED_TRACE(about.label);
    EXPECT_EQ(about.label.starts_with("eq:") && about.tex.empty(), false);
    if (!about.tex.empty()) {
      EXPECT_TRUE(is_balanced(ktln2::paper::to_mathml(about.tex, true)));
      EXPECT_EQ(ktln2::paper::to_text(about.tex).find('\\'), std::string::npos);
    }
    for (const std::string& prose : {about.says, about.regime, about.erratum}) {
      EXPECT_TRUE(is_balanced(ktln2::paper::prose_to_html(prose)));
      EXPECT_EQ(ktln2::paper::prose_to_text(prose).find('\\'), std::string::npos);
    }
    EXPECT_EQ(about.says.back(), '.');
    EXPECT_EQ(about.title.find('$'), std::string::npos);
  }
}

TEST(explanations, cite_labels_of_the_paper_only) {
  const std::set<std::string> labels = labels_of_the_paper();
  for (const explanation& about : all_explanations()) {
    for (const std::string& figure : about.figures) {
      EXPECT_TRUE(figure.starts_with("fig:") && labels.contains(figure))
          << about.label << ": " << figure;
    }
    for (const std::string& prose : {about.says, about.regime, about.erratum}) {
      for (std::size_t at = prose.find('['); at != std::string::npos;
           at = prose.find('[', at + 1)) {
        const std::string cited = prose.substr(at + 1, prose.find(']', at) - at - 1);
        if (cited.find(':') == std::string::npos) continue;
        EXPECT_TRUE(labels.contains(cited)) << about.label << ": " << cited;
      }
    }
  }
}

TEST(explain, finds_a_label_with_and_without_its_prefix) {
  EXPECT_EQ(explain("eq:single_mean_0").title, "The entropy of a zero-mean normal number");
  EXPECT_EQ(explain("single_mean_0").label, "eq:single_mean_0");
  EXPECT_EQ(explain("fig:app_mu_p3_E5").command,
            "ktln2 sweep entropy p3e5 normal:sigma=1 --over mu=-100:100:9");
  EXPECT_EQ(explain("fig:app_sigma_p8").title, "Entropy against the deviation, p = 8");
}

TEST(explain, names_the_nearest_labels) {
  EXPECT_EQ(message_of<std::domain_error>([] { explain("single_mean"); }),
            "explain: the paper has no label 'single_mean': the nearest are eq:single_mean_0, "
            "thm:single_gaussian and eq:langevin");
  // An equation and a lemma.
  EXPECT_EQ(message_of<std::domain_error>([] { explain("diff_ent_Ex"); })
                .find("explain: the paper has no label 'diff_ent_Ex': the nearest are "
                      "lem:diff_ent_Ex, eq:diff_ent_Ex"),
            0U);
  EXPECT_NE(message_of<std::domain_error>([] { explain(""); }).find("no label ''"),
            std::string::npos);
}

TEST(read_explanations, refuses_what_is_not_complete) {
  const auto message = [](const std::string& toml) {
    return message_of<std::logic_error>([&] { read_explanations(toml); });
  };
  const std::string entry = "[a]\ntitle = 't'\nsays = 's.'\nuses = []\n";
  EXPECT_EQ(read_explanations(entry + "status = 'exact'\n").size(), 1U);
  EXPECT_EQ(message(entry), "labels.toml: a: status is missing");
  EXPECT_EQ(message(entry + "status = 'true'\n"), "labels.toml: a: unknown status 'true'");
  EXPECT_EQ(message(entry + "status = 'exact'\nsay = 's'\n"), "labels.toml: a: unknown key 'say'");
  EXPECT_EQ(message(entry + "status = 'exact'\ntex = ''\n"), "labels.toml: a: tex must be a text");
  EXPECT_EQ(message(entry + "status = 'exact'\nfigures = 'f'\n"),
            "labels.toml: a: figures must be a list");
  EXPECT_EQ(message(entry + "status = 'exact'\nfor = {p = [1]}\n"),
            "labels.toml: a: for needs names and ranges such as {p = [1, 8]}");
  EXPECT_EQ(message("a = 1\n"), "labels.toml: a: no table");
  EXPECT_EQ(message("[a\n").find("labels.toml: line 1"), 0U);
}

TEST(read_explanations, keeps_the_order_and_fills_in_patterns) {
  const auto list = read_explanations(
      "[z]\ntitle = 't'\nsays = 's.'\nuses = []\nstatus = 'exact'\n"
      "['f_@p_@x']\ntitle = 'p = @p'\nsays = 's.'\nuses = []\nstatus = 'figure'\n"
      "for = {p = [1, 2], x = [0, 1]}\n");
  std::string labels;
  for (const explanation& about : list) labels += about.label + " ";
  EXPECT_EQ(labels, "z f_1_0 f_1_1 f_2_0 f_2_1 ");
  EXPECT_EQ(list.back().title, "p = 2");
}

}  // namespace
