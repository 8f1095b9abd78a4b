#include "paper/claims/errata.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "test_configuration.hpp"

namespace ktln2::paper::testing {
namespace {

TEST(errata, of_the_documentation_are_those_of_the_program) {
  std::ostringstream page;
  page << std::ifstream(KTLN2_SOURCE_DIR "/docs/errata.md").rdbuf();
  EXPECT_EQ(with_errata(page.str()), page.str()) << "ktln2-errata docs/errata.md writes it anew";
}

TEST(errata, stand_where_the_page_has_room_for_them) {
  const std::string page = with_errata("Head\n<!-- generated -->\nstale\n<!-- end -->\nTail\n");
  EXPECT_EQ(page.find("Head\n<!-- generated -->\n\n## Errors"), 0U);
  EXPECT_EQ(page.find("stale"), std::string::npos);
  EXPECT_NE(page.find("\n\n<!-- end -->\nTail\n"), std::string::npos);
  // Bars and stars are no Markdown of ours.
  EXPECT_NE(page.find("| [sec:scaling_laws_app] |"), std::string::npos);
  EXPECT_NE(page.find("\\|w\\| ≫"), std::string::npos);
  EXPECT_THROW(with_errata("no room"), std::invalid_argument);
}

}  // namespace
}  // namespace ktln2::paper::testing
