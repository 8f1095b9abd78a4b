// Words become questions: the table of commands, and what is said of mistakes.
#include "ask/words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "message_of.hpp"

namespace {

using namespace ktln2::ask;

words parsed(const char* command, const std::vector<std::string>& typed) {
  return parse_words(command_called(command), typed);
}

TEST(words, are_arguments_and_options_by_name) {
  const words asked = parsed("cost", {"--n", "1e3", "exact", "p24e8", "--w=-2"});
  EXPECT_EQ(asked.kind, "exact");
  EXPECT_EQ(asked.get("format"), "p24e8");
  const reader given{asked};
  EXPECT_EQ(given.number("n"), 1000);
  EXPECT_EQ(given.number("w"), -2);
  EXPECT_EQ(given.number("sigma-x"), 1) << "the default of the table";
  EXPECT_FALSE(given.has("sigma-x"));
}

TEST(words, keep_negative_numbers_and_lists) {
  EXPECT_EQ(parsed("quantize", {"p4e4", "-1", "-2.5e3", "0"}).given.at("x"),
            (std::vector<std::string>{"-1", "-2.5e3", "0"}));
  EXPECT_EQ(parsed("law", {"normal", "--at", "-1", "0", "--at", "1"}).given.at("at"),
            (std::vector<std::string>{"-1", "0", "1"}));
  EXPECT_EQ(parsed("quantize", {"p4e4", "--", "--1"}).given.at("x"),
            (std::vector<std::string>{"--1"}));
}

TEST(words, that_name_options_have_capitals_that_do_not_matter) {
  const words asked = parsed("cost", {"exact", "p24e8", "--N", "5", "--Sigma_X=2"});
  EXPECT_EQ(reader{asked}.number("n"), 5);
  EXPECT_EQ(reader{asked}.number("sigma-x"), 2);
}

TEST(words, have_defaults_that_depend_on_the_kind) {
  EXPECT_EQ(reader{parsed("cost", {"exact", "p4e4"})}.number("w"), 1);
  EXPECT_EQ(reader{parsed("cost", {"sgd", "p4e4"})}.number("w"), 2);
  EXPECT_EQ(reader{parsed("mismatch", {"islands", "p2e1"})}.number("eta"), 0.5);
  EXPECT_EQ(reader{parsed("mismatch", {"sgd", "p2e1"})}.number("eta"), 0.01);
}

TEST(words, of_no_use_are_refused_with_what_was_probably_meant) {
  const auto message = [](const char* command, const std::vector<std::string>& typed) {
    return message_of([&] { reader{parsed(command, typed)}; });
  };
  EXPECT_EQ(message("cost", {"exat", "p4e4"}),
            "cost: unknown kind 'exat': did you mean exact? expected exact, sgd, average, "
            "inference or streaming");
  EXPECT_EQ(message("entropy", {"p4e4", "normal", "--tolerence", "1"}),
            "entropy: unknown option --tolerence: did you mean --tolerance? (see ktln2 entropy "
            "--help)");
  EXPECT_EQ(message("entropy", {"p4e4"}), "entropy: DIST is missing (see ktln2 entropy --help)");
  EXPECT_EQ(message("entropy", {"p4e4", "normal", "x", "y"}),
            "entropy: not expected: 'x y' (see ktln2 entropy --help)");
  EXPECT_EQ(message("cost", {"exact", "p4e4", "--eta", "1"}),
            "cost: exact has no option --eta, which sgd takes (see ktln2 cost exact --help)");
  EXPECT_EQ(message("cost", {"exact", "p4e4", "--sigma", "2"}),
            "cost: exact has no option --sigma, which average takes: did you mean --sigma-x? (see "
            "ktln2 cost exact --help)");
  EXPECT_EQ(message("entropy", {"normal:mu=0", "p24e8"}),
            "entropy: FORMAT and DIST are swapped: 'normal:mu=0' is a distribution and 'p24e8' a "
            "format");
  for (const char* format : {"bfloat16", "mxfp4", "codebook:levels.txt", "half"}) {
    EXPECT_EQ(message("entropy", {"gaussian", format}).substr(0, 42),
              "entropy: FORMAT and DIST are swapped: 'gau")
        << format;
  }
  EXPECT_EQ(message("compare", {"p24e8", "normal", "e4m3"}).substr(0, 36),
            "compare: FORMAT and DIST are swapped");
  EXPECT_NO_THROW(parsed("entropy", {"normal", "normla"})) << "no format either";
  EXPECT_NO_THROW(parsed("entropy", {"p24e8", "p24e8"}));
  EXPECT_EQ(message("cost", {"exact", "p4e4", "--n"}),
            "cost: --n needs a value (see ktln2 cost --help)");
  EXPECT_EQ(message("cost", {"exact", "p4e4", "--n", "1", "--n", "2"}),
            "cost: --n is given twice (see ktln2 cost --help)");
  EXPECT_EQ(message_of([] { (void)command_called("entopy"); }),
            "unknown command 'entopy': did you mean entropy? expected format, quantize, law, "
            "entropy, compare, measure, fit, cost, scaling, mismatch, simulate, sweep, paper, "
            "explain or tour");
}

TEST(words, are_checked_when_they_are_read) {
  const auto message = [](const std::vector<std::string>& typed) {
    return message_of([&] {
      const words asked = parsed("simulate", typed);
      (void)reader{asked}.whole("bins", 1, 100);
    });
  };
  EXPECT_EQ(message({"slope", "p4e4", "--bins", "x"}),
            "simulate: --bins: expected a whole number, got 'x'");
  EXPECT_EQ(message({"slope", "p4e4", "--bins", "101"}),
            "simulate: --bins must be from 1 to 100, got 101");
}

TEST(table_of_commands, has_no_name_twice_and_an_example_that_can_be_read) {
  for (const command& one : commands()) {
    SCOPED_TRACE(one.name);
    ASSERT_FALSE(one.kinds.empty());
    for (const kind& each : one.kinds) {
      std::set<std::string> names;
      for (const option& own : each.options) {
        EXPECT_TRUE(names.insert(own.name).second) << each.name << " --" << own.name;
        EXPECT_FALSE(own.help.empty()) << own.name;
        EXPECT_EQ(own.symbol.empty(), own.what == takes::nothing) << own.name;
      }
    }
    EXPECT_EQ(one.example.find(one.name), 0U);
  }
}

}  // namespace
