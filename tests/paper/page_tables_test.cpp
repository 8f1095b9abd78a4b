#include "paper/claims/page_tables.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "paper/claims/explain.hpp"
#include "test_configuration.hpp"

namespace ktln2::paper::testing {
namespace {

std::string page_called(const char* name) {
  std::ostringstream page;
  page << std::ifstream(KTLN2_SOURCE_DIR "/docs/" + std::string(name)).rdbuf();
  return page.str();
}

TEST(page_tables, of_the_documentation_are_those_of_the_program) {
  EXPECT_EQ(with_errata(page_called("errata.md")), page_called("errata.md"))
      << "ktln2-page-tables docs writes it anew";
  EXPECT_EQ(with_commands(page_called("paper.md")), page_called("paper.md"))
      << "ktln2-page-tables docs writes it anew";
}

TEST(page_tables, have_a_command_for_all_that_can_be_computed) {
  EXPECT_EQ(all_explanations().size(), 230U);
  for (const explanation& one : all_explanations()) {
    const bool is_in_words = one.status == "section" || one.status == "definition";
    EXPECT_TRUE(is_in_words || !one.command.empty()) << one.label;
  }
}

TEST(errata, stand_where_the_page_has_room_for_them) {
  const std::string page = with_errata("Head\n<!-- generated -->\nstale\n<!-- end -->\nTail\n");
  EXPECT_EQ(page.find("Head\n<!-- generated -->\n\n## Errors"), 0U);
  EXPECT_EQ(page.find("stale"), std::string::npos);
  EXPECT_NE(page.find("\n\n<!-- end -->\nTail\n"), std::string::npos);
  // Bars and stars are no Markdown of ours.
  EXPECT_NE(page.find("| [eq:first_two_approx] |"), std::string::npos);
  EXPECT_NE(page.find("\\|w\\| ≫ σ_ξ/σₓ"), std::string::npos);
  EXPECT_THROW(with_errata("no room"), std::invalid_argument);
}

}  // namespace
}  // namespace ktln2::paper::testing
