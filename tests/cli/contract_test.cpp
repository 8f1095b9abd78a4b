// What every command promises to programs that use it: keys, help, exit status.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;

const std::vector<std::string> every_command = {
    "format",  "quantize", "law",      "entropy", "compare", "measure", "fit", "cost",
    "scaling", "mismatch", "simulate", "sweep",   "paper",   "explain", "tour"};

TEST(json_output, has_version_command_and_warnings) {
  for (const char* line : {"format p24e8",
                           "quantize p24e8 0.1",
                           "law normal",
                           "law pair",
                           "entropy p24e8 normal",
                           "entropy p24e8 normal --bits",
                           "entropy p6e4 pair",
                           "format",
                           "format e4m3 --values",
                           "quantize posit16 0.1 nan",
                           "entropy bfloat16 normal --bits",
                           "compare normal",
                           "cost exact p8e4",
                           "cost sgd p8e4 --law moments",
                           "cost average p8e4",
                           "cost inference p8e4",
                           "scaling exact p24e8 --energy-price 5e16 --inference-price 10",
                           "mismatch exact p24e8 --constant 500",
                           "mismatch islands p2e1 --constant 5",
                           "mismatch ctmc erase --duration 10",
                           "simulate slope p4e4 --trials 1000",
                           "sweep law normal --over sigma=1,2",
                           "explain",
                           "explain eq:loss",
                           "tour"}) {
    SCOPED_TRACE(line);
    const json answer = object(line);
    ASSERT_TRUE(answer.is_object());
    EXPECT_EQ(answer.at("program"), "ktln2");
    EXPECT_EQ("ktln2 " + answer.at("version").get<std::string>() + "\n", output("--version"));
    EXPECT_EQ(answer.at("command"), program::words(line)[0]);
    EXPECT_EQ(answer.at("warnings"), json::array());
  }
}

TEST(json_output, is_one_object_and_a_line_end) {
  for (const char* line :
       {"format p4e4 --values", "law slope:n=1 --at 0", "explain eq:loss", "tour"}) {
    const std::string text = output(std::string(line) + " --json");
    ASSERT_GT(text.size(), 3U);
    EXPECT_EQ(text.front(), '{');
    EXPECT_EQ(text.substr(text.size() - 2), "}\n");
    EXPECT_TRUE(json::accept(text));
  }
}

TEST(version, is_three_numbers) {
  EXPECT_TRUE(program::has(output("--version"), "^ktln2 [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST(help_of_the_program, names_every_command) {
  const std::string text = output("--help");
  for (const std::string& command : every_command) {
    EXPECT_TRUE(program::has(text, "\n +" + command + " ")) << command;
  }
}

TEST(unwritable_output, is_a_failure_and_not_a_mistake) {
  ASSERT_EQ(access("/dev/full", W_OK), 0);
  for (const char* line :
       {"--version", "--help", "entropy --help", "tour", "tour --json", "format p4e4 --values",
        "quantize p24e8 1 --csv", "law normal", "entropy p24e8 normal --bits"}) {
    const program::outcome result = program::run(program::words(line), "/dev/full");
    EXPECT_EQ(result.status, 1) << line;
    EXPECT_EQ(result.err, "ktln2: cannot write to standard output\n") << line;
  }
}

}  // namespace
