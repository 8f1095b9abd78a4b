// What Ctrl-C does to commands that are at work: they end soon, with the status of that signal.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace std::chrono_literals;
using program::json;

/// Interrupts a command when it has used a second of the processor, and waits for its end.
program::outcome interrupted(const std::string& line) {
  const program::process started(program::words(line));
  while (!started.is_over() && started.time_at_work() < 1s) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(started.is_over()) << "too quick to be interrupted: " << line;
  const auto start = std::chrono::steady_clock::now();
  started.interrupt();
  while (!started.is_over()) std::this_thread::sleep_for(1ms);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 500ms) << line;
  return started.wait();
}

TEST(interrupt, ends_a_figure_of_the_paper) {
  for (const char* setting : {"fig:MMC_SGD.points=1000", "fig:profit_ex.w=1e9"}) {
    const std::string label = std::string(setting).substr(0, std::string(setting).find('.'));
    const scratch folder;
    const program::outcome result =
        interrupted("paper --only " + label + " --set " + setting + " --out " + folder.path("out"));
    EXPECT_EQ(result.status, 130);
    EXPECT_TRUE(program::has(result.err, "ktln2: paper: interrupted; what is finished is kept"));
  }
}

TEST(interrupt, ends_a_search_inside_a_row_of_a_sweep) {
  for (const char* line :
       {"mismatch sgd p8e8 --law exact --over w=1,2,3", "mismatch islands p5e5 --over w=1,2,3",
        "entropy p24e8 sgd:steps=1000,batch=1,law=exact --over eta=0.1:0.3:40"}) {
    const program::outcome result = interrupted(std::string("sweep ") + line);
    EXPECT_EQ(result.status, 130) << line;
  }
  const program::outcome whole = interrupted(
      "sweep entropy p24e8 sgd:steps=1000,batch=1,law=exact --json --over eta=0.1:0.3:40");
  EXPECT_EQ(json::parse(whole.out).at("warnings"), json::array({"interrupted"}));
}

TEST(interrupt, ends_trials_that_take_long) {
  const program::outcome result =
      interrupted("simulate sgd p8e8 --steps 1e6 --trials 1e4 --arithmetic format --threads 1");
  EXPECT_EQ(result.status, 130);
}

}  // namespace
