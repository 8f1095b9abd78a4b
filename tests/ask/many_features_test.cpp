// Scaling, costs and simulations with --features: what is asked, answered and refused.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "ask/many_scaling.hpp"
#include "ask/solve.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using ask::json;

ask::words many_words(const std::string& line) {
  std::istringstream stream{line};
  std::vector<std::string> typed;
  for (std::string word; stream >> word;) typed.push_back(word);
  const std::string name = typed.front();
  typed.erase(typed.begin());
  return ask::parse_words(ask::command_called(name), typed);
}

json many_answer(const std::string& line) { return ask::kept_answer(many_words(line))->all(); }

std::string many_complaint(const std::string& line) {
  return message_of([&] { (void)many_answer(line); });
}

const std::string many_prices = " --inference-price 10 --kbt 4e-21 --entropy smooth";

TEST(features, of_scaling_have_what_the_contract_asks_for) {
  const json made =
      many_answer("scaling exact p24e8 --energy-price 1e15 --features 100 --snr 4" + many_prices);
  EXPECT_EQ(made.at("n_star"), 368);
  EXPECT_NEAR(made.at("n_relaxed").get<double>(), 368.4240191653131, 1e-10);
  EXPECT_EQ(made.at("phase"), "over");
  EXPECT_GT(made.at("critical_price").get<double>(), 1e19);
  ASSERT_EQ(made.at("optima").size(), 3U);
  EXPECT_EQ(made.at("optima")[0].at("phase"), "one");
  EXPECT_EQ(made.at("optima")[0].at("n"), 1);
  EXPECT_EQ(made.at("optima")[1].at("phase"), "under");
  EXPECT_TRUE(made.at("optima")[2].at("global"));
  EXPECT_LT(made.at("output_share").get<double>(), 1.0 / 200);
}

/// What the model's registers hold counts wherever a size is looked at.
TEST(features, of_scaling_have_one_profit_for_one_size) {
  for (const std::string what : {"p8e8 --features 2 --snr 4 --energy-price 1e18",
                                 "p11e5 --features 5 --snr 4 --energy-price 1e17",
                                 "p8e8 --features 2 --snr 4 --energy-price 1e18 --intercept"}) {
    const std::string line = "scaling exact " + what + " --inference-price 10 --kbt 4e-21";
    const json best = many_answer(line);
    const std::string n = std::to_string(best.at("n_star").get<int>());
    const json again = many_answer(line + " --at " + n).at("at")[0];
    EXPECT_EQ(best.at("model_entropy_kind"), "exact");
    for (const char* name : {"profit", "energy_joules", "revenue", "mse"}) {
      EXPECT_EQ(again.at(name), best.at(name)) << line << " " << name;
    }
    const ask::many_scaling_answer made = solve(ask::read_many_scaling(many_words(line)));
    for (const profit_point& point : curve_around(made)) {
      if (point.n != made.size.best.n) continue;
      EXPECT_EQ(point.profit, made.size.best.profit) << line;
    }
  }
}

TEST(features, go_through_all_phases_as_energy_gets_dearer) {
  const auto phase = [](const std::string& price, const std::string& against) {
    return many_answer("scaling exact p24e8 --energy-price " + price +
                       " --features 50 --snr 4 --baseline " + against + many_prices)
        .at("phase")
        .get<std::string>();
  };
  EXPECT_EQ(phase("1e15", "zero"), "over");
  EXPECT_EQ(phase("1e16", "zero"), "one");
  EXPECT_EQ(phase("1e20", "zero"), "none");
  EXPECT_EQ(phase("1e15", "null"), "over");
  EXPECT_EQ(phase("1e19", "null"), "none");
}

TEST(features, that_pay_for_predictions_earn_less_and_an_intercept_wants_rows) {
  const auto best = [](const std::string& more, const char* name) {
    return many_answer("scaling exact p24e8 --energy-price 1e15 --features 100 --snr 4 " + more +
                       many_prices)
        .at(name)
        .get<double>();
  };
  EXPECT_LT(best("--count-inference", "profit"), best("", "profit"));
  EXPECT_LE(best("--count-inference", "n_star"), best("", "n_star"));
  EXPECT_GT(best("--intercept", "n_star"), best("", "n_star"));
}

TEST(features, can_be_chosen_with_the_rest) {
  const json p = many_answer(
      "scaling exact p24e8 --energy-price 1e16 --features 50 --snr 4 --optimize p" + many_prices);
  EXPECT_EQ(p.at("optimized").at("p"), 2);
  const json d = many_answer(
      "scaling exact p24e8 --energy-price 1e16 --features 80 --snr 4 --optimize features" +
      many_prices);
  EXPECT_EQ(d.at("optimized").at("features"), 9);
  EXPECT_EQ(d.at("n_star"), 100);
  EXPECT_EQ(d.at("model_entropy_kind"), "not counted");
  EXPECT_NE(d.at("warnings")[0].get<std::string>().find("is not counted"), std::string::npos);
  const json eta = many_answer(
      "scaling sgd p24e8 --energy-price 1e16 --features 5 --snr 4 --w0 0 --optimize eta" +
      many_prices);
  EXPECT_LT(eta.at("optimized").at("eta").get<double>(), eta.at("eta_max").get<double>());
}

/// What the registers hold, at the best size: the profit is with it.
TEST(features, of_scaling_have_the_stored_model_where_entropies_are_exact) {
  const std::string line = "scaling exact p4e4 --energy-price 1e16 --features 5 --snr 4" +
                           std::string(" --inference-price 10 --kbt 4e-21");
  const json exact = many_answer(line);
  EXPECT_EQ(exact.at("model_entropy_kind"), "exact");
  const double n = exact.at("n_star").get<double>();
  const double w = std::sqrt(4.0 / 5);
  const json model = many_answer("entropy p4e4 ols:n=" + ask::plain(n) + ",d=5,w=" + ask::plain(w));
  EXPECT_NEAR(exact.at("model_entropy").get<double>(), model.at("value").get<double>(), 1e-9);
  EXPECT_EQ(exact.at("model_entropy_error").get<double>(), model.at("error").get<double>());
  EXPECT_NEAR(exact.at("revenue").get<double>() - 1e16 * exact.at("energy_joules").get<double>(),
              exact.at("profit").get<double>(), 1e-9);
  const json smooth = many_answer(line + " --entropy smooth");
  EXPECT_EQ(smooth.at("model_entropy_kind"), "smooth");
  EXPECT_TRUE(smooth.at("model_entropy_error").is_null());
  EXPECT_GT(
      std::fabs(smooth.at("model_entropy").get<double>() - exact.at("model_entropy").get<double>()),
      0.1);
}

TEST(features, of_ridge_say_what_is_not_counted) {
  const json made =
      many_answer("scaling ridge p24e8 --energy-price 1e19 --features 40 --snr 4" + many_prices);
  EXPECT_EQ(made.at("model_entropy_kind"), "not counted");
  ASSERT_FALSE(made.at("warnings").empty());
  EXPECT_NE(made.at("warnings")[0].get<std::string>().find("is not counted"), std::string::npos);
}

TEST(features, of_costs_have_what_the_contract_asks_for) {
  const json made = many_answer("cost exact p24e8 --n 20 --features 3 --w 1/-2/0.5");
  const auto get = [&](const char* name) { return made.at(name).get<double>(); };
  EXPECT_NEAR(get("bits"), get("input_bits") - get("output_bits"), 1e-9);
  EXPECT_NEAR(get("bits_per_parameter"), get("bits") / 3, 1e-9);
  EXPECT_NEAR(get("output_share"), get("output_bits") / get("input_bits"), 1e-12);
  EXPECT_EQ(get("precision_bits"), (20 * 4 - 3) * 24);
  EXPECT_LE(get("row_entropy_low"), get("row_entropy"));
  EXPECT_NEAR(many_answer("cost inference p24e8 --features 10").at("smooth_bits").get<double>(),
              238.1712180643717, 1e-11);
  const json sgd = many_answer(
      "cost sgd p24e8 --features 2 --w 2/1 --w0 0 --corr 0.5 --steps 30 --batch 2 --eta 0.1");
  EXPECT_NEAR(sgd.at("model_entropy").get<double>(), 45.1743469117351, 1e-10);
  EXPECT_NEAR(sgd.at("mean")[0].get<double>(), 2 - 0.11876552136365301, 1e-13);
}

TEST(features, of_a_simulation_are_where_the_formulas_say) {
  const json made = many_answer(
      "simulate sgd p24e8 --features 2 --w 2/1 --mu 1/0 --intercept 0.5 --w0 0 --steps 20 --batch "
      "2 --eta 0.05 --trials 20000");
  EXPECT_LT(made.at("most_off").get<double>(), 4);
  EXPECT_EQ(made.at("coefficients").size(), 3U);
}

TEST(features, of_simulated_regressions_follow_the_multivariate_t) {
  const json made = many_answer(
      "simulate ols p4e3 --features 2 --n 10 --w 1/-2 --corr 0.5 --sigma-xi 0.5 --trials 40000");
  EXPECT_LT(made.at("most_off").get<double>(), 4);
  EXPECT_GT(made.at("p_value").get<double>(), 1e-4);
  EXPECT_EQ(made.at("dof").get<double>(), 9);
  const json& entropy = made.at("entropy");
  EXPECT_FALSE(entropy.at("undersampled").get<bool>());
  EXPECT_NEAR(entropy.at("value").get<double>(), entropy.at("theory").get<double>(),
              4 * entropy.at("error").get<double>());
}

TEST(features, of_simulated_regressions_may_have_an_intercept) {
  const json made = many_answer(
      "simulate ols p24e8 --features 2 --n 12 --w 1/-2 --mu 3/1 --intercept 0.5 --trials 20000");
  EXPECT_LT(made.at("most_off").get<double>(), 4);
  EXPECT_GT(made.at("p_value").get<double>(), 1e-4);
  EXPECT_EQ(made.at("coefficients")[2].at("name"), "b");
  EXPECT_TRUE(made.at("entropy").at("undersampled").get<bool>());
  EXPECT_GT(made.at("intercept_given_slopes").at("p_value").get<double>(), 1e-4);
}

TEST(features, are_refused_with_what_is_wrong) {
  EXPECT_EQ(many_complaint("simulate ols p4e3 --features 2 --n 10 --mu 1"),
            "ols: without an intercept the law is known for mu = 0 and b = 0, got mu = 1, b = 0");
  EXPECT_NE(many_complaint("simulate ols p4e3 --features 4 --n 3").find("got n = 3"),
            std::string::npos);

  EXPECT_EQ(many_complaint("scaling exact p24e8 --energy-price 1 --inference-price 1 --snr 4"),
            "scaling: --snr needs --features");
  EXPECT_EQ(many_complaint("cost exact p24e8 --mu 1"), "cost: --mu needs --features");
  EXPECT_EQ(many_complaint("simulate sgd p24e8 --corr 0.5"), "simulate: --corr needs --features");
  EXPECT_EQ(many_complaint("cost sgd p24e8 --features 2 --eta 3"),
            "sgd: eta must be below 1.53846, or the second moments grow without end, "
            "got 3");
  EXPECT_EQ(many_complaint("scaling exact p24e8 --features 2 --energy-price 0 --inference-price 1"),
            "scaling: --energy-price must be > 0 with --features, got 0");
  EXPECT_EQ(
      many_complaint(
          "scaling exact p24e8 --features 2 --snr 1 --w 1 --energy-price 1 --inference-price 1"),
      "scaling: give --snr or --w, not both");
  EXPECT_NE(many_complaint("cost exact p24e8 --features 3 --w 1/2").find("w"), std::string::npos);
  EXPECT_NE(many_complaint("cost exact p24e8 --features 3 --corr -0.9").find("-0.9"),
            std::string::npos);
  EXPECT_NE(many_complaint("cost exact p24e8 --features 30 --n 5").find("n = 5"),
            std::string::npos);
}

/// With as many rows as features no moment exists, and nothing can be off.
TEST(features, of_simulations_without_moments_are_not_off_by_a_number) {
  const json made = many_answer("simulate ols p4e3 --features 2 --n 2 --trials 1000");
  EXPECT_EQ(made.at("most_off"), nullptr);
  EXPECT_EQ(made.at("excess_risk").at("off"), nullptr);
  EXPECT_EQ(made.at("coefficients")[0].at("variance").at("theory"), "inf");
  EXPECT_EQ(made.at("coefficients")[0].at("variance").at("off"), nullptr);
}

/// No map erases less than nothing, and what is not known is said.
TEST(features, of_predictions_come_with_a_bar_that_covers) {
  const json one = many_answer("cost inference p4e3 --features 1 --w 1.5");
  EXPECT_EQ(one.at("method"), "one");
  EXPECT_EQ(one.at("bits"), many_answer("cost inference p4e3 --slope 1.5").at("bits"));
  EXPECT_TRUE(one.at("warnings").empty());
  // All 2^21 values by another program.
  const json three = many_answer("cost inference p4e3 --features 3 --w 1/2/3");
  EXPECT_EQ(three.at("method"), "enumeration");
  EXPECT_NEAR(three.at("bits").get<double>(), 11.542878674, 1e-9);
  const json large = many_answer("cost inference p24e8 --features 3 --w 1/2/3");
  EXPECT_EQ(large.at("method"), "bracket");
  EXPECT_GT(large.at("error").get<double>(), 0.1);
  EXPECT_NE(large.at("warnings")[0].get<std::string>().find("known to"), std::string::npos);
  EXPECT_EQ(many_answer("cost inference bfloat16 --features 2 --w 1/1").at("smooth_bits"), nullptr);
}

TEST(features, of_coarse_registers_say_how_little_is_known) {
  const json made = many_answer("cost exact p4e3 --features 2 --n 20 --sigma-xi 0.01");
  // Enumeration: a row holds 13.0796 bits.
  EXPECT_NEAR(made.at("bits").get<double>(), 20 * 13.0796, made.at("error").get<double>());
  EXPECT_NE(made.at("warnings")[0].get<std::string>().find("known to"), std::string::npos);
}

}  // namespace
