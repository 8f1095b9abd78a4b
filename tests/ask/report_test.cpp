// An answer is lazy, and any number of it can be named.
#include "ask/report.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace {

using ktln2::ask::json;
using ktln2::ask::report;

report sample(int& made) {
  report answer{"entropy"};
  answer.headline("value", 1.5);
  answer.add("name", json("p4e4"));
  answer.add_lazy("fields", [&made] {
    ++made;
    return json{{"sign", 1}, {"exponent", 2.25}};
  });
  answer.add("approximations", json::array({{{"label", "eq:diff_approx"}, {"value", 3.5}},
                                            {{"label", "eq:loss"}, {"value", nullptr}}}));
  answer.add("optima", json::array({{{"n", 7}, {"global", true}}}));
  answer.set_warnings([] { return std::vector<std::string>{"take care"}; });
  return answer;
}

TEST(report, computes_a_part_when_it_is_asked_for) {
  int made = 0;
  const report answer = sample(made);
  EXPECT_EQ(answer.at("value"), 1.5);
  EXPECT_EQ(answer.at("optima.0.n"), 7);
  EXPECT_EQ(made, 0);
  EXPECT_EQ(answer.at("fields.exponent"), 2.25);
  EXPECT_EQ(made, 1);
}

TEST(report, finds_entries_of_a_list_by_label) {
  int made = 0;
  const report answer = sample(made);
  EXPECT_EQ(answer.at("approximations.eq:diff_approx"), 3.5);
  EXPECT_EQ(answer.at("approximations.eq:loss"), nullptr);
  EXPECT_FALSE(answer.find("approximations.eq:langevin"));
  EXPECT_FALSE(answer.find("fields")) << "not one number";
  EXPECT_FALSE(answer.find("value.more"));
  EXPECT_FALSE(answer.find("optima.1.n"));
}

TEST(report, lists_all_that_it_can_show) {
  int made = 0;
  EXPECT_EQ(
      sample(made).paths(),
      (std::vector<std::string>{"program", "version", "command", "value", "name", "fields.sign",
                                "fields.exponent", "approximations.eq:diff_approx",
                                "approximations.eq:loss", "optima.0.n", "optima.0.global"}));
  EXPECT_EQ(sample(made).headlines(), std::vector<std::string>{"value"});
}

TEST(report, suggests_the_nearest_column) {
  int made = 0;
  EXPECT_EQ(message_of([&] {
              (void)sample(made).at("feilds.sign");
            }).find("unknown column 'feilds.sign': did you mean fields.sign?"),
            0U);
}

TEST(report, computes_no_part_twice) {
  int made = 0;
  const report answer = sample(made);
  EXPECT_EQ(answer.at("fields.sign"), 1);
  EXPECT_EQ(answer.at("fields.exponent"), 2.25);
  (void)answer.all();
  EXPECT_EQ(made, 1);
}

TEST(report, knows_its_parts_without_computing_any) {
  int made = 0;
  const report answer = sample(made);
  answer.require_part("fields.no_such_field");
  answer.require_part("value");
  const auto message = [&](const char* path) {
    return message_of([&] { answer.require_part(path); });
  };
  EXPECT_EQ(message("feilds.sign").find("unknown column 'feilds': did you mean fields?"), 0U);
  EXPECT_EQ(message("valeu").find("unknown column 'valeu': did you mean value?"), 0U);
  EXPECT_EQ(
      message("diff_approx").find("unknown column 'diff_approx': did you mean approximations."),
      0U);
  EXPECT_EQ(made, 0);
}

TEST(report, as_an_object_begins_with_the_program_and_ends_with_the_warnings) {
  int made = 0;
  const json all = sample(made).all();
  EXPECT_EQ(all.begin().key(), "program");
  EXPECT_EQ(all.at("command"), "entropy");
  EXPECT_EQ((--all.end()).key(), "warnings");
  EXPECT_EQ(all.at("warnings"), json::array({"take care"}));
}

}  // namespace
