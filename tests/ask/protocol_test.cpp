#include "ask/protocol.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "ktln2/mismatch/driven.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::ask;
using mismatch::rate_matrix;

mismatch::markov_process process_of(const rate_protocol& given) {
  return {given.states, given.duration, given.rates};
}

const std::string rate_table =
    "duration = 3   # in seconds\n"
    "start = 0.2, 0.3, 0.5\n"
    "\n"
    "rates at 0:\n"
    "  -0.5, 1,  0.25\n"
    "   0.3, *,  0.5\n"
    "   0.2, 2, -0.75\n";

/// exp(W t) p by its series, after halving t until that converges at once.
std::vector<double> by_exponential(const rate_matrix& rates, double time, std::vector<double> p) {
  constexpr int pieces = 1024;
  for (int piece = 0; piece < pieces; ++piece) {
    std::vector<double> term = p;
    for (int k = 1; k < 20; ++k) {
      std::vector<double> next(p.size());
      for (std::size_t to = 0; to < p.size(); ++to) {
        for (std::size_t from = 0; from < p.size(); ++from) {
          next[to] += rates(to, from) * term[from] * time / pieces / k;
        }
      }
      term = next;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] += term[i];
    }
  }
  return p;
}

TEST(eq_CTMC, constant_rates_of_a_file_do_what_the_matrix_exponential_does) {
  const rate_protocol given = parse_protocol(rate_table, "file");
  ASSERT_EQ(given.states, 3U);
  EXPECT_EQ(given.rates(1)(1, 1), -3);
  const mismatch::markov_path path = follow(process_of(given), given.start);
  const std::vector<double> truth = by_exponential(given.rates(0), 3, given.start);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(path.end[i], truth[i], 1e-10);
  EXPECT_NEAR((path.system + path.environment).value(), path.total.value(), 1e-9);
}

TEST(eq_CTMC, rates_of_a_file_can_be_the_bit_that_the_program_knows) {
  // The energies move as the library has them: smoothly from the first landscape to the last.
  const mismatch::driven_process bit = mismatch::bit_erasure(10, 5);
  const mismatch::markov_process known = as_markov_process(bit);
  std::string text = "duration = 10\n";
  constexpr int count = 800;
  for (int i = 0; i <= count; ++i) {
    const double time = 10.0 * i / count;
    const rate_matrix rates = known.rates(time);
    text += "rates at " + std::to_string(time) + ":\n";
    const auto word = [](double x) {
      char buffer[40];
      (void)std::snprintf(buffer, sizeof buffer, "%.17g", x);
      return std::string(buffer);
    };
    text += "*, " + word(rates(0, 1)) + "\n" + word(rates(1, 0)) + ", *\n";
  }
  const rate_protocol given = parse_protocol(text, "file");
  const mismatch::markov_path path = follow(process_of(given), given.start);
  const mismatch::markov_path truth = follow(bit, {0.5, 0.5});
  // Straight pieces between the times: an error of the square of their length.
  EXPECT_NEAR(path.total.value(), truth.total.value(), 1e-5);
  EXPECT_NEAR(path.environment.value(), truth.environment.value(), 1e-5);
  EXPECT_NEAR(path.end[1], truth.end[1], 1e-5);
}

TEST(eq_CTMC, expressions_and_tables_say_the_same) {
  const rate_protocol lines =
      parse_protocol("duration = 4\nrates at 0:\n*, 1\n2, *\nrates at 4:\n*, 5\n0.5, *\n", "file");
  const rate_protocol words =
      parse_protocol("rates:\n*, 1 + t\n2 - 1.5*t/duration, *\nduration = 4\n", "file");
  for (const double time : {0.0, 0.7, 3.1, 4.0}) {
    EXPECT_NEAR(lines.rates(time)(0, 1), words.rates(time)(0, 1), 1e-14);
    EXPECT_NEAR(lines.rates(time)(1, 1), words.rates(time)(1, 1), 1e-14);
  }
  EXPECT_EQ(lines.start, (std::vector<double>{0.5, 0.5}));
  EXPECT_NEAR(follow(process_of(lines), lines.start).total.value(),
              follow(process_of(words), words.start).total.value(), 1e-9);
}

TEST(protocol, names_the_line_and_what_is_wrong) {
  const auto mistake = [](const std::string& text) {
    return message_of([&] { (void)parse_protocol(text, "f"); });
  };
  const std::string rest = "rates:\n*, 1\n1, *\n";
  EXPECT_EQ(mistake(""), "mismatch: f: expected a line 'duration = T'");
  EXPECT_EQ(mistake("duration = 1"),
            "mismatch: f: expected 'rates:' or 'rates at TIME:' and a matrix");
  EXPECT_EQ(mistake("duration = -1\n" + rest),
            "mismatch: f:1: duration must be finite and > 0, got -1");
  EXPECT_EQ(mistake("duration = 1\nhello\n" + rest),
            "mismatch: f:2: expected 'duration =', 'start =', 'rates:' or 'rates at TIME:', got "
            "'hello'");
  EXPECT_EQ(mistake("duration = 1\nrates:\n*, 1, 2\n1, *\n"),
            "mismatch: f:4: expected 3 rates in a row, got 2");
  EXPECT_EQ(mistake("duration = 1\nrates:\n*, 1\n"),
            "mismatch: f:2: expected 2 rows of rates, got 1");
  // Not exactly 0 where it is looked at: then there would be no way back.
  EXPECT_EQ(
      mistake("duration = 2\nrates:\n*, 1\n1.01 - t, *\n")
          .find("mismatch: f:4: the rate from state 1 to 2 must be finite and >= 0, got -0.0"),
      0U);
  EXPECT_EQ(mistake("duration = 1\nrates at 0:\n-1, 1\n2, -1\n"),
            "mismatch: f:3: column 1 must add up to 0, got 1 at t = 0");
  EXPECT_EQ(mistake("duration = 1\nrates:\n*, 0\n1, *\n"),
            "mismatch: f:4: there is a rate from state 1 to 2, but none back: the entropy flow is "
            "infinite at t = 0");
  EXPECT_EQ(mistake("duration = 1\nstart = 0.5, 0.6\n" + rest),
            "mismatch: f:2: the start must add up to 1, got 1.1");
  EXPECT_EQ(mistake("duration = 1\nstart = 0.2, 0.3, 0.5\n" + rest),
            "mismatch: f:2: expected 2 probabilities, got 3");
  EXPECT_EQ(mistake("duration = 1\nrates:\n*, u\n1, *\n"),
            "mismatch: f:3: unknown name 'u': expected duration, t");
  EXPECT_EQ(mistake("duration = 1\nrates at 1:\n*, 1\n1, *\nrates at 0:\n*, 1\n1, *\n"),
            "mismatch: f:5: times must rise, got 0 after 1");
  EXPECT_EQ(mistake(std::string(2'000'000, '#')), "mismatch: f: more than 2^20 characters");
}

}  // namespace
