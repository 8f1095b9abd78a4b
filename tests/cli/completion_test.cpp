// What the shells offer, and the manual page: both read off the tables that help is made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::arguments;
using program::has;
using program::lines;
using program::output;

/// What fits at the end of the line, whose last word is the one behind the last blank.
std::vector<std::string> offered(const std::string& line) {
  arguments typed{"--complete"};
  std::string word;
  for (const char c : line) {
    if (c != ' ') {
      word += c;
      continue;
    }
    typed.push_back(word);
    word.clear();
  }
  typed.push_back(word);
  const program::outcome result = program::run(typed);
  EXPECT_EQ(result.status, 0) << line;
  EXPECT_EQ(result.err, "") << line;
  std::vector<std::string> list;
  for (const std::string& one : lines(result.out)) list.push_back(one.substr(0, one.find('\t')));
  return list;
}

bool offers(const std::string& line, const std::string& word) {
  const std::vector<std::string> list = offered(line);
  return std::find(list.begin(), list.end(), word) != list.end();
}

using word_list = std::vector<std::string>;

/// What a command for the shell prints on both streams, and how it ends.
struct shell_outcome {
  int status;
  std::string text;
};

shell_outcome shell(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) {
    text.append(block.data(), n);
  }
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

bool has_program(const char* name) { return shell(std::string("command -v ") + name).status == 0; }

TEST(completion, knows_commands_and_kinds) {
  EXPECT_EQ(offered("en"), word_list{"entropy"});
  EXPECT_TRUE(offers("", "help"));
  EXPECT_EQ(offered("--v"), word_list{"--version"});
  EXPECT_EQ(offered("cost "), (word_list{"exact", "sgd", "average", "inference", "streaming"}));
  EXPECT_EQ(offered("help cost s"), (word_list{"sgd", "streaming"}));
  EXPECT_TRUE(offers("help ", "entropy"));
  EXPECT_EQ(offered("mismatch ctmc "), (word_list{"erase", "reset", "cmos"}));
}

TEST(completion, knows_the_options_of_a_kind_that_are_not_given) {
  EXPECT_EQ(offered("cost sgd p24e8 --et"), word_list{"--eta"});
  EXPECT_EQ(offered("cost exact p24e8 --et"), word_list{});
  EXPECT_TRUE(offers("cost exact p24e8 --", "--json"));
  EXPECT_TRUE(offers("cost exact p24e8 --", "--n"));
  EXPECT_FALSE(offers("cost exact p24e8 --n 10 --", "--n"));
}

TEST(completion, knows_formats_and_laws_in_their_places) {
  EXPECT_EQ(offered("entropy bf"), word_list{"bfloat16"});
  EXPECT_TRUE(offers("entropy ", "mxfp4"));
  EXPECT_FALSE(offers("cost exact ", "mxfp4")) << "a block";
  EXPECT_FALSE(offers("entropy ", "normal:"));
  EXPECT_EQ(offered("entropy p24e8 nor"), word_list{"normal:"});
  EXPECT_EQ(offered("entropy p24e8 normal:"), (word_list{"normal:mu=", "normal:sigma="}));
  EXPECT_EQ(offered("entropy p24e8 normal:sigma=2,"), word_list{"normal:sigma=2,mu="});
  EXPECT_EQ(offered("law relu:lap"), word_list{"relu:laplace:"});
  EXPECT_EQ(offered("compare normal posit1"), word_list{"posit16"});
  EXPECT_EQ(offered("cost average p24e8 --of lap"), word_list{"laplace:"});
  EXPECT_EQ(offered("cost exact p24e8 --y-format tf"), word_list{"tf32"});
}

TEST(completion, knows_what_is_swept_and_along_what) {
  EXPECT_EQ(offered("sweep "),
            (word_list{"law", "entropy", "cost", "scaling", "mismatch", "simulate"}));
  EXPECT_TRUE(offers("sweep cost ", "sgd"));
  EXPECT_TRUE(offers("sweep cost sgd p24e8 --", "--over"));
  EXPECT_TRUE(offers("sweep cost sgd p24e8 --", "--eta"));
  EXPECT_TRUE(offers("sweep cost sgd p24e8 --over ", "p="));
  EXPECT_TRUE(offers("sweep cost sgd p24e8 --over ", "eta="));
  EXPECT_FALSE(offers("sweep cost exact p24e8 --over ", "eta="));
  EXPECT_EQ(offered("sweep entropy p24e8 normal --over si"), word_list{"sigma="});
}

TEST(completion, knows_the_labels_of_the_paper) {
  EXPECT_EQ(offered("explain eq"
                    ":landauer_a"),
            word_list{"eq:landauer_avg"});
  EXPECT_TRUE(
      offers("paper --only fig"
             ":prof",
             "fig:profit_ex"));
  EXPECT_TRUE(
      offers("paper --only fig:profit_ex fig"
             ":MM",
             "fig:MMC"))
      << "a second one";
  EXPECT_FALSE(offers("paper --only ", "eq:loss"));
}

TEST(completion, is_silent_where_files_and_numbers_go) {
  for (const char* line : {"fit ", "measure ", "cost exact p24e8 --n ", "frobnicate ",
                           "sweep frobnicate ", "entropy p24e8 frobnicate:", "help tour x "}) {
    EXPECT_EQ(offered(line), word_list{}) << line;
  }
}

TEST(completion, offers_words_that_are_taken) {
  const auto expect_taken = [](const std::string& start, const std::string& rest) {
    const word_list words = offered(start);
    EXPECT_GE(words.size(), 2U) << start;
    for (const std::string& word : words) {
      const bool is_open = word.ends_with("=");
      const program::outcome result = program::run(start + word + (is_open ? "1.5" : "") + rest);
      EXPECT_EQ(result.status, 0) << start << word << rest << ": " << result.err;
    }
  };
  expect_taken("cost sgd p6e4 --steps 2 --law ", "");
  expect_taken("cost exact p6e4 --entropy ", "");
  expect_taken("cost exact p6e4 --units ", "");
  expect_taken("entropy bfloat16 normal --rounding ", "");
  expect_taken("entropy mxfp4 normal --scale-policy ", "");
  expect_taken("simulate slope p4e4 --trials 100 --arithmetic ", "");
  expect_taken("mismatch islands p2e1 --constant 5 --algorithm ", "");
  expect_taken("scaling exact p24e8 --energy-price 5e16 --inference-price 10 --demand ", "");
}

/// What bash offers for the line, asked of the script as bash asks it.
word_list offered_by_bash(const std::string& line) {
  const std::string script = KTLN2_SOURCE_DIR "/cli/completion.bash";
  const std::string program = KTLN2_PROGRAM;
  const std::string typed = program + " " + line;
  const shell_outcome result = shell("bash --norc -c '. \"" + script + "\"; COMP_LINE=\"" + typed +
                                     "\"; COMP_POINT=" + std::to_string(typed.size()) +
                                     "; _ktln2; printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
  EXPECT_EQ(result.status, 0) << result.text;
  return lines(result.text);
}

TEST(completion_of_bash, gives_what_follows_the_last_word_of_bash) {
  EXPECT_EQ(offered_by_bash("cost "),
            (word_list{"exact", "sgd", "average", "inference", "streaming"}));
  EXPECT_EQ(offered_by_bash("entropy p24e8 nor"), word_list{"normal:"});
  // For bash a word ends at a colon and at =.
  EXPECT_EQ(offered_by_bash("entropy p24e8 normal:"), (word_list{"mu=", "sigma="}));
  EXPECT_EQ(offered_by_bash("explain eq"
                            ":landauer_a"),
            word_list{"landauer_avg"});
  EXPECT_EQ(offered_by_bash("cost sgd p24e8 --et"), word_list{"--eta"});
  EXPECT_EQ(offered_by_bash("fit "), word_list{""}) << "bash goes on to files";
}

TEST(completion_of_zsh_and_fish, asks_the_program) {
  for (const char* name : {"zsh", "fish"}) {
    const std::string script = std::string(KTLN2_SOURCE_DIR "/cli/completion.") + name;
    const std::string text = shell("cat '" + script + "'").text;
    EXPECT_TRUE(has(text, " --complete ")) << name;
    if (!has_program(name)) continue;
    const shell_outcome checked = shell(std::string(name) + " -n '" + script + "'");
    EXPECT_EQ(checked.status, 0) << checked.text;
  }
}

TEST(manual_page, has_every_command_kind_option_and_law) {
  const std::string page = output("--help-man");
  EXPECT_EQ(page.find(".TH KTLN2 1 "), 0U);
  for (const char* part : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"}) {
    EXPECT_NE(page.find(std::string("\n.SH ") + part), std::string::npos) << part;
  }
  for (const std::string& command : offered("")) {
    if (command == "help") continue;
    EXPECT_NE(page.find("\n.SS " + command + "\n"), std::string::npos) << command;
    for (std::string option : offered(command + " --")) {
      std::string shown;
      for (const char c : option) shown += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_NE(page.find(shown), std::string::npos) << command << " " << option;
    }
  }
  EXPECT_NE(page.find("ktln2 cost streaming"), std::string::npos);
  EXPECT_NE(page.find("normal:mu=0"), std::string::npos);
}

TEST(manual_page, is_read_without_a_warning) {
  const shell_outcome shown =
      shell(std::string("{ '") + KTLN2_PROGRAM +
            "' --help-man | LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l - >/dev/null; }");
  EXPECT_EQ(shown.text, "");
}

}  // namespace
