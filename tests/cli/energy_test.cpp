// Energies in text: at what temperature, in what unit, and how far above the bound a chip is.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "program.hpp"

namespace {

using program::expect_refused;
using program::has;
using program::json;
using program::match;
using program::number;
using program::object;
using program::output;

constexpr double boltzmann = 1.380649e-23;

TEST(temperature, is_taken_wherever_joules_are_shown) {
  for (const char* query :
       {"entropy p24e8 normal", "entropy p24e8 pair", "entropy bfloat16 normal",
        "entropy mxfp4 normal", "cost exact p24e8", "cost sgd p24e8", "cost average p24e8",
        "cost inference p24e8", "mismatch exact p24e8 --constant 500",
        "mismatch ctmc erase --duration 10", "mismatch ctmc cmos"}) {
    const std::string warm = output(query);
    const std::string cold = output(std::string(query) + " --temperature 4");
    EXPECT_TRUE(has(warm, " J at 300 K")) << warm;
    EXPECT_TRUE(has(cold, " J at 4 K")) << cold;
    const double ratio = std::stod(match(warm, "([0-9.e-]+) J at 300 K")[1]) /
                         std::stod(match(cold, "([0-9.e-]+) J at 4 K")[1]);
    EXPECT_NEAR(ratio, 300.0 / 4, 0.5) << query;
  }
}

TEST(temperature, is_in_the_json_of_an_entropy) {
  const json answer = object("entropy p24e8 normal --temperature 4");
  EXPECT_EQ(number(answer, "temperature"), 4);
  EXPECT_NEAR(number(answer, "joules"), boltzmann * 4 * std::log(2.0) * number(answer, "value"),
              1e-35);
  EXPECT_EQ(number(object("entropy e4m3 normal --kbt 4e-21"), "temperature"), 4e-21 / boltzmann);
}

TEST(units_of_energy, are_those_asked_for) {
  const double bits = number(object("cost exact p24e8 --n 10"), "bits");
  const auto shown = [](const std::string& unit) {
    const std::string text = output("cost exact p24e8 --n 10 --units " + unit);
    const auto found = match(text, "bits = ([0-9.e+-]+) " + unit + " at 300 K");
    EXPECT_EQ(found.size(), 2U) << text;
    return found.empty() ? 0 : std::stod(found[1]);
  };
  const double thermal = boltzmann * 300;
  const double energy = bits * thermal * std::log(2.0);
  EXPECT_NEAR(shown("J") / energy, 1, 1e-5);
  EXPECT_NEAR(shown("zJ") / (energy / 1e-21), 1, 1e-5);
  EXPECT_NEAR(shown("eV") / (energy / 1.602176634e-19), 1, 1e-5);
  EXPECT_NEAR(shown("kT") / (energy / thermal), 1, 1e-5);
  expect_refused("cost exact p24e8 --units cal",
                 "cost: --units must be J, zJ, eV or kT, got 'cal'");
}

TEST(units_of_energy, have_capitals_that_do_not_matter) {
  const std::string bill = "cost exact p24e8 --units ";
  for (const auto& [typed, unit] :
       {std::pair{"kt", "kT"}, {"ev", "eV"}, {"zj", "zJ"}, {"j", "J"}}) {
    EXPECT_EQ(output(bill + typed), output(bill + unit)) << typed;
  }
  expect_refused(bill + "ZJ", "cost: --units must be J, zJ, eV or kT, got 'ZJ'");  // zetta
}

TEST(units_of_energy, leave_json_and_csv_as_they_are) {
  for (const char* form : {"--json", "--csv"}) {
    EXPECT_EQ(output(std::string("cost exact p8e5 --units kT ") + form),
              output(std::string("cost exact p8e5 ") + form));
  }
}

TEST(units_of_energy, head_the_columns) {
  EXPECT_TRUE(has(output("cost exact p8e5"), " bits +joules\n"));
  EXPECT_TRUE(has(output("cost exact p8e5 --units eV"), " bits +eV\n"));
  EXPECT_TRUE(has(output("cost streaming p3e3 --units kT"), " ± +kT\n"));
  EXPECT_TRUE(has(output("mismatch ctmc erase --duration 10 --units kT"), "heat, kT\n"));
  EXPECT_TRUE(has(output("scaling exact p24e8 --energy-price 5e16 --inference-price 10 --units zJ"),
                  " zJ"));
}

TEST(a_chip, is_so_far_above_the_bound) {
  const json answer = object("cost exact p24e8 --n 1000");
  const json& chip = answer.at("chip");
  EXPECT_EQ(number(chip, "products"), 2000);
  EXPECT_EQ(number(chip, "sums"), 1998);
  EXPECT_EQ(number(chip, "divisions"), 1);
  EXPECT_NEAR(number(chip, "joules"), (2001 * 3.7 + 1998 * 0.9) * 1e-12, 1e-20);
  EXPECT_NEAR(number(chip, "above_landauer") * number(answer, "joules"), number(chip, "joules"),
              1e-20);
  EXPECT_TRUE(has(chip.at("basis").get<std::string>(), "Horowitz, ISSCC 2014"));
  // 16 bits and less
  EXPECT_NEAR(number(object("cost average bf16 --n 11").at("chip"), "joules"),
              (10 * 0.4 + 1.1) * 1e-12, 1e-22);
  EXPECT_EQ(number(object("cost average bf16 --n 11 --sum").at("chip"), "divisions"), 0);
  EXPECT_EQ(number(object("cost inference p24e8").at("chip"), "products"), 1);
}

TEST(a_chip, counts_the_operations_of_sgd_one_by_one) {
  // Run it: the operations of each step, as the formula of the step has them.
  const int steps = 7;
  const int batch = 3;
  int products = 0;
  int sums = 0;
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < batch; ++i) {
      ++products;         // w x
      ++sums;             // - y
      ++products;         // times x
      if (i > 0) ++sums;  // to those before
    }
    ++products;  // with eta/B
    ++sums;      // from w
  }
  const json chip = object("cost sgd p24e8 --steps 7 --batch 3").at("chip");
  EXPECT_EQ(number(chip, "products"), products);
  EXPECT_EQ(number(chip, "sums"), sums);
}

TEST(a_chip, may_be_the_users) {
  const json chip = object("cost exact p24e8 --n 1000 --per-op 0.4pJ").at("chip");
  EXPECT_NEAR(number(chip, "joules"), 3999 * 0.4e-12, 1e-20);
  for (const char* same : {"4e-13", "400fJ", "4e-13J", "0.0004nJ", "0.4pj", "4e-13j"}) {
    EXPECT_NEAR(number(object(std::string("cost exact p24e8 --n 1000 --per-op ") + same).at("chip"),
                       "joules"),
                3999 * 0.4e-12, 1e-20)
        << same;
  }
  EXPECT_NEAR(number(object("cost inference p24e8 --per-op 100kT").at("chip"), "joules"),
              100 * boltzmann * 300, 1e-30);
  EXPECT_TRUE(
      has(output("cost exact p24e8 --per-op 0.4pJ"), "on\nyour chip|on your\nchip|on your chip"));
  for (const char* bad : {"fast", "pJ", "-1pJ", "0J", "1PJ", "1MJ", "1e999J", "nan", "inf"}) {
    expect_refused(std::string("cost exact p24e8 --per-op ") + bad, "cost: --per-op");
  }
}

TEST(points_of_sgd, are_steps_of_a_batch) {
  EXPECT_EQ(output("cost sgd p8e5 --n 1000 --batch 20 --csv"),
            output("cost sgd p8e5 --steps 50 --batch 20 --csv"));
  EXPECT_EQ(number(object("cost sgd p8e5 --steps 50 --batch 20"), "points"), 1000);
  EXPECT_EQ(output("mismatch sgd p24e8 --constant 2e5 --entropy smooth --n 100 --csv"),
            output("mismatch sgd p24e8 --constant 2e5 --entropy smooth --steps 10 --csv"));
  EXPECT_EQ(output("simulate sgd p4e4 --n 100 --trials 100 --csv"),
            output("simulate sgd p4e4 --steps 10 --trials 100 --csv"));
  expect_refused("cost sgd p8e5 --n 1005", "cost: --n must be a multiple of --batch, 10, got 1005");
  expect_refused("cost sgd p8e5 --n 0", "cost: --n must be a multiple of --batch");
  expect_refused("cost sgd p8e5 --n 100 --batch 0", "sgd: batch must be a whole number");
  expect_refused("cost sgd p8e5 --n 100 --steps 10", "cost: give --steps or --n, not both");
}

TEST(epochs_of_sgd, pay_for_the_points_again) {
  const program::outcome twice = program::run("cost sgd p8e5 --n 1000 --epochs 2 --json");
  const json answer = json::parse(twice.out);
  EXPECT_EQ(number(answer, "steps"), 200);
  EXPECT_EQ(number(answer, "input_bits"),
            2 * number(object("cost sgd p8e5 --n 1000"), "input_bits"));
  EXPECT_TRUE(has(twice.err, "warning: in later epochs the points are not fresh"));
  EXPECT_EQ(answer.at("warnings").size(), 1U);
  EXPECT_EQ(output("cost sgd p8e5 --n 1000 --epochs 1"), output("cost sgd p8e5 --n 1000"));
  expect_refused("cost sgd p8e5 --epochs 2", "cost: --epochs needs --n");
  expect_refused("cost sgd p8e5 --n 100 --epochs 0", "cost: --epochs must be from 1");
}

}  // namespace
