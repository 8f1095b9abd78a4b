// entropy and law of a pair of variables.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::number;
using program::object;
using program::output;

TEST(pair, has_what_the_contract_asks_for) {
  const json pair = object("entropy p24e8 pair:w=1,sigma_x=1,sigma_xi=1");
  EXPECT_NEAR(number(pair, "value"), 52.426937662714, 1e-12);
  EXPECT_LE(number(pair, "error"), 1e-9);
  EXPECT_EQ(pair.at("proved"), false);
  EXPECT_EQ(pair.at("unit"), "bit");
  EXPECT_EQ(pair.at("format"), "p24e8");
  EXPECT_EQ(pair.at("y_format"), "p24e8");
  EXPECT_NEAR(number(pair, "differential_entropy"), 4.09419117036128, 1e-14);
  EXPECT_NEAR(number(pair, "mutual_information"), 0.5, 1e-11);
  EXPECT_NEAR(number(pair, "conditional") + number(pair, "x"), number(pair, "value"), 1e-13);
  std::vector<std::string> labels;
  for (const json& one : pair.at("approximations")) {
    labels.push_back(one.at("label"));
    EXPECT_TRUE(one.at("applies"));
    EXPECT_TRUE(one.contains("status") && one.contains("condition") && one.contains("value"));
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"eq:diff_approx", "eq:Ht_s_U", "eq:first_two_approx",
                                              "eq:approx_joint_ent_SNR"}));
  std::vector<std::string> bounds;
  for (const json& one : pair.at("bounds")) bounds.push_back(one.at("label"));
  EXPECT_EQ(bounds, (std::vector<std::string>{"thm:steps", "eq:special_error", "cor:eps_sp_bound",
                                              "divergence"}));
}

TEST(pair, takes_a_second_format) {
  const json mixed = object("entropy p6e4 pair:sigma_xi=0.01 --y-format p8e4");
  EXPECT_EQ(mixed.at("y_format"), "p8e4");
  const json swapped = object("entropy p8e4 pair:sigma_xi=0.01 --y-format p6e4");
  EXPECT_NE(mixed.at("value"), swapped.at("value"));
  EXPECT_NEAR(number(mixed, "y"),
              number(object("entropy p8e4 normal:sigma=1.0000499987500624"), "value"), 1e-12);
}

TEST(pair, in_text_shows_the_ladder_and_says_where_it_fails) {
  const std::string text = output("entropy p6e4 pair:w=1,sigma_x=1,sigma_xi=0.01");
  EXPECT_TRUE(program::has(text, "shared by the registers"));
  EXPECT_TRUE(program::has(text, "eq:approx_joint_ent_SNR .*no: needs D")) << text;
  EXPECT_TRUE(program::has(text, "erasing both costs at least")) << text;
}

TEST(pair, prints_rows) {
  const auto rows = program::lines(output("entropy p6e4 pair --csv"));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0], "part,entropy,error");
  EXPECT_EQ(rows[1].find("joint,"), 0U);
}

TEST(pair, is_a_law_of_two_variables) {
  const json law = object("law pair:w=-2,sigma_x=3,sigma_xi=8");
  EXPECT_EQ(law.at("deviation"), (json{3.0, 10.0}));
  EXPECT_EQ(number(law, "correlation"), -0.6);
  EXPECT_TRUE(program::has(output("law pair"), "mutual information, bits"));
}

TEST(pair, refuses_what_makes_no_sense) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"entropy p24e8 pair:sigma_xi=0", "pair: sigma_xi must be finite and > 0, got 0"},
      {"entropy p24e8 pair:sigma_y=1",
       "pair: unknown key 'sigma_y': did you mean sigma_x? expected w, sigma_x, sigma_xi, mu_x or "
       "b"},
      {"entropy p24e8 pair:w=1,w=2", "pair: key 'w' is given twice"},
      {"entropy p24e8 pair:w=nan", ""},
      {"entropy p24e8 pair --bits", "entropy: --bits is for one register, got a pair"},
      {"entropy p24e8 pair --certify", "entropy: --certify is for one register, got a pair"},
      {"entropy p24e8 pair --y-format p0e1", ""},
      {"entropy p24e8 pair --y-format", ""},
      {"entropy p24e8 pair --tolerance 0", ""},
      {"entropy p24e8 normal --y-format p8e8",
       "entropy: --y-format is for pairs and rows, got normal"},
      {"law pair --at 1", "law: --at is for laws of one variable, got a pair"}};
  for (const auto& [query, message] : cases) program::expect_refused(query, message);
}

}  // namespace
