// The rows of a sweep are the answers that its command gives one by one.
#include "ask/sweep.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "ask/solve.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2::ask;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

sweep swept(const std::string& inner, const std::vector<std::string>& over,
            const std::string& columns = "") {
  std::vector<std::string> typed = split(inner);
  const command& of = sweepable_called(typed.front());
  typed.erase(typed.begin());
  return sweep{read_sweep(parse_words(of, typed), over, columns, false)};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

using list = std::vector<std::string>;

TEST(sweep, shows_axes_main_numbers_and_warnings) {
  EXPECT_EQ(swept("entropy p11e5 normal", {"sigma=1:2:2"}).headings(),
            (list{"sigma", "value", "error", "warnings"}));
  EXPECT_EQ(swept("law student", {"dof=1:3"}).headings(),
            (list{"dof", "mean", "deviation", "differential_entropy", "warnings"}));
  EXPECT_EQ(swept("cost average p4e4", {"n=1,2"}).headings(),
            (list{"n", "bits", "error", "joules", "joules_error", "input_bits", "output_bits",
                  "precision_bits", "warnings"}));
}

TEST(sweep, has_the_rows_of_the_command) {
  const sweep table = swept("entropy p11e5 normal:mu=1", {"sigma=0.5:2:3:log"});
  const auto rows = lines(table.rows(0, 3).csv);
  ASSERT_EQ(rows.size(), 3U);
  answer(parse_words(command_called("entropy"), {"p11e5", "normal:mu=1,sigma=2"}),
         [&](const report& one) {
           EXPECT_EQ(rows[2], "2," + one.at("value").dump() + "," + one.at("error").dump() + ",");
         });
}

TEST(sweep, runs_through_the_last_axis_first) {
  const sweep table = swept("entropy p4e4 normal", {"p=3:4", "sigma=1,2", "E=3,4"}, "value");
  ASSERT_EQ(table.size(), 8U);
  const auto rows = lines(table.rows(0, 8).csv);
  const list starts{"3,1,3,", "3,1,4,", "3,2,3,", "3,2,4,", "4,1,3,", "4,1,4,", "4,2,3,", "4,2,4,"};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(rows[i].find(starts[i]), 0U) << rows[i];
  EXPECT_EQ(lines(table.rows(5, 2).csv), (list{rows[5], rows[6]}));
}

TEST(sweep, takes_formats_and_laws_as_axes) {
  const sweep table =
      swept("entropy p4e4 normal", {"format=p4e4,p3e5", "law=normal:sigma=2,laplace"}, "value");
  const auto rows = lines(table.rows(0, 4).csv);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].find("p4e4,normal:sigma=2,"), 0U);
  EXPECT_EQ(rows[3].find("p3e5,laplace,"), 0U);
  EXPECT_EQ(rows[3].substr(13),
            lines(swept("entropy p3e5 laplace", {"scale=1"}, "value").rows(0, 1).csv)[0].substr(2));
}

TEST(sweep, shows_any_number_of_the_answer) {
  const sweep table = swept("entropy p6e4 normal --bits", {"sigma=1,2"},
                            "fields.exponent,approximations.eq:diff_approx,bits.sign");
  EXPECT_EQ(table.headings(),
            (list{"sigma", "fields.exponent", "approximations.eq:diff_approx", "bits.sign"}));
  EXPECT_EQ(lines(table.rows(0, 1).csv)[0].substr(0, 2), "1,");
  const sweep all = swept("entropy p6e4 normal", {"sigma=1,2"}, "all");
  EXPECT_GT(all.headings().size(), 15U);
  EXPECT_EQ(all.headings().back(), "warnings");
}

TEST(sweep, does_not_compute_what_it_does_not_show) {
  // The bounds and what they need cost some thirty entropies.
  const sweep quick = swept("entropy p24e8 normal", {"sigma=1:2:200"}, "value");
  const sweep slow = swept("entropy p24e8 normal", {"sigma=1:2:200"}, "value,bounds.divergence");
  const auto seconds = [](const sweep& table) {
    const auto begin = clock();
    EXPECT_EQ(lines(table.rows(0, 200).csv).size(), 200U);
    return static_cast<double>(clock() - begin);
  };
  EXPECT_LT(3 * seconds(quick), seconds(slow));
}

TEST(sweep, computes_the_first_row_once) {
  const sweep table = swept("entropy p24e8 normal", {"sigma=1:2:3"}, "value,bounds.divergence");
  const auto seconds = [&](std::uint64_t row, std::string& csv) {
    const auto begin = clock();
    csv = table.rows(row, 1).csv;
    return static_cast<double>(clock() - begin);
  };
  std::string first;
  std::string again;
  std::string second;
  EXPECT_LT(5 * seconds(0, first), seconds(1, second));
  (void)seconds(0, again);  // the kept one is gone
  EXPECT_EQ(first, again);
  EXPECT_NE(first, second);
}

TEST(sweep, knows_an_unknown_column_before_the_others_are_computed) {
  // The bounds of the first column cost some thirty entropies.
  const auto ticks = [](const std::string& columns) {
    const auto begin = clock();
    const std::string message =
        message_of([&] { (void)swept("entropy p53e11 student", {"dof=3,4"}, columns); });
    EXPECT_EQ(message.find("sweep: at dof=3: unknown column 'feilds'"), 0U) << message;
    return static_cast<double>(clock() - begin);
  };
  const auto begin = clock();
  (void)swept("entropy p53e11 student", {"dof=3,4"}, "bounds.divergence");
  EXPECT_LT(3 * ticks("bounds.divergence,feilds.sign"), static_cast<double>(clock() - begin));
}

TEST(sweep, ends_a_block_at_a_mistake_and_keeps_the_rows_before_it) {
  const sweep table = swept("entropy p4e4 normal", {"sigma=2,1,-1,3"});
  const sweep::block made = table.rows(0, 4);
  EXPECT_EQ(lines(made.csv).size(), 2U);
  EXPECT_EQ(made.error, "sweep: at sigma=-1: normal: sigma must be finite and > 0, got -1");
  EXPECT_TRUE(made.is_mistake);
}

TEST(sweep, counts_rows_with_warnings) {
  const sweep table = swept("entropy p24e8 normal --tolerance 1e-16", {"sigma=1,2,3"});
  const sweep::block made = table.rows(0, 3);
  EXPECT_EQ(made.warned, 3U);
  EXPECT_NE(made.csv.find("tolerance 1e-16 not reached"), std::string::npos);
}

TEST(sweep, refuses_what_makes_no_sense) {
  const auto message = [](const std::string& inner, const list& over,
                          const std::string& columns = "") {
    return message_of([&] { swept(inner, over, columns); });
  };
  EXPECT_EQ(message("tour", {"p=1:2"}),
            "sweep: expected law, entropy, cost, scaling, mismatch or simulate, got 'tour'");
  EXPECT_EQ(message("entropy p4e4 normal", {"sigm=1:2:3"}),
            "sweep: --over: unknown parameter 'sigm': did you mean sigma? expected p, E, format, "
            "distribution, mu, sigma, tolerance, y-format, covariance, order, coefficient, "
            "rounding, overflow, scale-policy, second-level-scale, temperature or kbt");
  EXPECT_EQ(message("cost exact p4e4", {"eta=1,2"}).find("sweep: --over: unknown parameter 'eta'"),
            0U);
  EXPECT_EQ(message("cost exact p4e4 --n 3", {"n=1,2"}),
            "sweep: --n is given, and --over runs through it");
  EXPECT_EQ(message("entropy p4e4 normal", {"sigma=1,2", "sigma=3,4"}),
            "sweep: --over sigma is given twice");
  EXPECT_EQ(message("entropy p4e4 normal", {"sigma=1,2"}, "valeu")
                .find("sweep: at sigma=1: unknown column 'valeu': did you mean value?"),
            0U);
  EXPECT_EQ(message("entropy p4e4 normal --bits", {"sigma=1,2"}),
            "sweep: --bits adds nothing to these columns; see --columns (bits)");
  EXPECT_EQ(message("entropy p4e4 normal", {}),
            "sweep: needs --over KEY=FROM:TO:COUNT[:log] or --over KEY=A,B,C");
}

TEST(sweep, says_in_words_what_it_is) {
  EXPECT_EQ(swept("cost sgd p4e4 --steps 5 --eta 0.1", {"w=1,2", "p=3:4"}, "bits,error")
                .question()
                .text()
                .substr(12),
            "sweep cost sgd p4e4 --steps 5 --eta 0.1 --over w=1,2 --over p=3:4 --columns "
            "bits,error");
}

}  // namespace
