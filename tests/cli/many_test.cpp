// entropy and law of rows of many features, and of what regression finds on them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::json;
using program::number;
using program::object;
using program::output;
using program::run;

TEST(row, has_what_the_contract_asks_for) {
  const json row = object("entropy p24e8 row:d=3,w=1/-2/0.5,sigma_x=1,sigma_xi=1");
  EXPECT_EQ(row.at("method"), "chain");
  EXPECT_EQ(row.at("d"), 3);
  EXPECT_LE(number(row, "low"), number(row, "value"));
  EXPECT_GE(number(row, "high"), number(row, "value"));
  EXPECT_LT(number(row, "high") - number(row, "low"), 1e-11);
  EXPECT_NEAR(number(row, "features") + number(row, "conditional"), number(row, "value"), 1e-12);
  // ½ log(1 + SNR), SNR = 5.25
  EXPECT_NEAR(number(row, "total_correlation"), 0.5 * std::log2(6.25), 1e-10);
  EXPECT_NEAR(number(row, "snr"), 5.25, 1e-14);
  EXPECT_GT(number(row, "divergence"), 0);
  ASSERT_EQ(row.at("registers").size(), 4U);
  EXPECT_EQ(row.at("registers")[3].at("name"), "y");
  ASSERT_EQ(row.at("chain").size(), 4U);
}

TEST(row, of_one_feature_is_the_pair) {
  const json row = object("entropy p24e8 row:d=1");
  EXPECT_EQ(row.at("method"), "rows");
  EXPECT_NEAR(number(row, "value"), 52.426937662714, 1e-12);
}

TEST(row, takes_an_order_and_another_format_for_y) {
  const json row = object("entropy p16e8 row:d=2,corr=0.5 --order y,x2,x1 --y-format p24e8");
  EXPECT_EQ(row.at("chain")[0].at("name"), "y");
  EXPECT_EQ(row.at("y_format"), "p24e8");
  const json usual = object("entropy p16e8 row:d=2,corr=0.5 --y-format p24e8");
  EXPECT_NEAR(number(row, "value"), number(usual, "value"),
              number(row, "error") + number(usual, "error"));
}

TEST(row, takes_a_covariance_from_a_file) {
  const scratch folder;
  const std::string path = folder.file("covariance.txt", "# of two features\n1, 0.5\n0.5 1\n");
  const json by_file = object("entropy p16e8 row:w=1/2 --covariance " + path);
  const json by_words = object("entropy p16e8 row:d=2,w=1/2,corr=0.5");
  EXPECT_EQ(number(by_file, "value"), number(by_words, "value"));
}

TEST(row, a_bad_covariance_is_a_mistake_with_its_number) {
  const scratch folder;
  const auto error_of = [&](const std::string& text) {
    const auto result =
        run("entropy p16e8 row:w=1 --covariance " + folder.file("covariance.txt", text));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_NE(error_of("1 2\n2 1\n")
                .find("must be positive definite, but the variance of variable 2, "
                      "given those before it, is -3"),
            std::string::npos);
  EXPECT_NE(error_of("1 0.5\n0.25 1\n").find("its entry (1, 2) is 0.5, but (2, 1) is 0.25"),
            std::string::npos);
  EXPECT_NE(error_of("1 2 3\n2 1\n").find("line 2: expected 3 numbers"), std::string::npos);
  EXPECT_NE(error_of("1 2\n").find("expected as many lines as columns, got 1 lines of 2"),
            std::string::npos);
  EXPECT_NE(error_of("").find("got 0 lines"), std::string::npos);
  EXPECT_NE(error_of("1 x\n").find("line 1: expected a number, got 'x'"), std::string::npos);
}

TEST(row, mistakes_have_their_numbers) {
  const auto error_of = [](const std::string& line) {
    const auto result = run(line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    return result.err;
  };
  EXPECT_EQ(error_of("entropy p8e8 row:d=3,w=1/2"),
            "ktln2: row: w: expected one number or 3, as in 1/-2/0.5, got 2\n");
  EXPECT_EQ(error_of("entropy p8e8 row:d=3,corr=-0.6"),
            "ktln2: row: corr must be below 1 and, for 3 features, above -0.5, got -0.6\n");
  EXPECT_EQ(error_of("entropy p8e8 row --bits"),
            "ktln2: entropy: --bits is for one register, got a row\n");
  EXPECT_EQ(error_of("entropy p8e8 normal --order y"),
            "ktln2: entropy: --order is for rows such as row:d=3, got normal\n");
  EXPECT_EQ(error_of("entropy p8e8 row:d=2 --order x1,y"),
            "ktln2: entropy: --order must have each of x1 ... x2 and y once, with commas between "
            "them, got 'x1,y'\n");
  EXPECT_EQ(error_of("entropy p8e8 ols:n=2,d=3"),
            "ktln2: ols: 3 features need at least 3 rows (fewer only if the features are "
            "independent and alike, and w = 0 or n = 1), got n = 2\n");
  EXPECT_EQ(error_of("entropy p8e8 ols --coefficient 4"),
            "ktln2: entropy: --coefficient must be 1 ... 3, got '4'\n");
  EXPECT_EQ(error_of("law row --at 1"),
            "ktln2: law: --at is for laws of one variable, got a row\n");
  EXPECT_EQ(error_of("entropy mxfp4 row"), "ktln2: entropy: a block holds one variable, got row\n");
}

TEST(pair, may_have_means) {
  const json pair = object("entropy p4e3 pair:w=0.5,sigma_x=1,sigma_xi=0.7,mu_x=2,b=1");
  EXPECT_NEAR(number(pair, "value"), 8.92772087005422, 1e-11);
  EXPECT_TRUE(pair.at("approximations").empty());
  EXPECT_EQ(object("law pair:w=0.5,mu_x=2,b=1").at("mean"), (json{2, 2}));
}

TEST(ols, has_all_coefficients_and_each_alone) {
  const json all = object("entropy p24e8 ols:n=10,d=2,w=2/1,corr=0.6");
  EXPECT_NEAR(number(all, "value"), 47.78310264766111, 1e-11);
  EXPECT_EQ(all.at("method"), "identity");
  EXPECT_EQ(number(all, "dof"), 9);
  const json one = object("entropy p24e8 ols:n=10,d=2,w=2/1,corr=0.6 --coefficient 2");
  EXPECT_NEAR(number(one, "value"), number(all.at("registers")[1], "entropy"), 1e-12);
  const json with_b = object("entropy p4e3 ols:n=10,d=1,w=2,mu=3,b=1,intercept=1 --coefficient b");
  EXPECT_NEAR(number(with_b, "value"), 5.69547325025523, 1e-11);
}

TEST(ols, the_law_command_shows_it) {
  const json law = object("law ols:n=20,d=3,w=1/-2/0.5");
  EXPECT_EQ(number(law, "dof"), 18);
  EXPECT_NEAR(number(law.at("coefficients")[0], "deviation"), 0.25, 1e-15);
  EXPECT_NE(output("law ols:n=20,d=3").find("multivariate t with 18 degrees of freedom"),
            std::string::npos);
  EXPECT_NEAR(number(object("law row:d=5,ar=0.9"), "total_correlation_of_features"),
              -2 * std::log2(1 - 0.81), 1e-12);
}

TEST(ols, text_says_how_it_was_found) {
  EXPECT_NE(output("entropy p3e3 ols:n=5,d=2").find("by rows"), std::string::npos);
  EXPECT_NE(output("entropy p24e8 row:d=2").find("by chain"), std::string::npos);
  EXPECT_NE(output("entropy p24e8 row:d=2").find("y given the features"), std::string::npos);
}

TEST(row, can_be_swept) {
  const std::string rows =
      output("sweep entropy p16e8 row:d=2 --over d=2:3 --columns value,method");
  EXPECT_NE(rows.find("d,value,method"), std::string::npos);
  EXPECT_NE(rows.find(",chain"), std::string::npos);
}

TEST(row, a_covariance_from_a_file_is_for_costs_and_simulations_too) {
  const scratch folder;
  const std::string path = folder.file("covariance.txt", "1 0.5\n0.5 1\n");
  EXPECT_EQ(
      number(object("cost exact p24e8 --n 20 --features 2 --w 1/2 --covariance " + path), "bits"),
      number(object("cost exact p24e8 --n 20 --features 2 --w 1/2 --corr 0.5"), "bits"));
  EXPECT_EQ(number(object("simulate ols p4e3 --features 2 --trials 300 --covariance " + path),
                   "most_off"),
            number(object("simulate ols p4e3 --features 2 --trials 300 --corr 0.5"), "most_off"));
  const auto complaint = [](const std::string& line) {
    const program::outcome made = run(line);
    EXPECT_EQ(made.status, 2);
    EXPECT_EQ(made.out, "");
    return made.err;
  };
  EXPECT_EQ(complaint("cost sgd p24e8 --features 3 --covariance " + path),
            "ktln2: cost: --features is 3, but the covariance is of 2 features\n");
  EXPECT_EQ(complaint("cost exact p24e8 --features 2 --sigma-x 3 --covariance " + path),
            "ktln2: cost: --sigma-x is in the covariance already, got 3\n");
  EXPECT_EQ(complaint("cost exact p24e8 --covariance " + path),
            "ktln2: cost: --covariance needs --features\n");
  const std::string indefinite = folder.file("indefinite.txt", "1 2\n2 1\n");
  EXPECT_TRUE(program::has(
      complaint("cost exact p24e8 --n 20 --features 2 --covariance " + indefinite), "-3"));
}

/// Means so far from 0 that a double does not tell their deviation are refused or answered, but
/// never with a number that is none.
TEST(row, means_beyond_all_digits_are_refused) {
  const program::outcome pair = run("entropy p24e8 pair:mu_x=1e30,sigma_x=1e-3");
  EXPECT_EQ(pair.status, 2);
  EXPECT_EQ(pair.err, "ktln2: joint entropy: a mean must be less than 1e24 deviations from 0\n");
  const program::outcome intercept =
      run("entropy p24e8 ols:n=100,d=2,mu=1e3,b=1,intercept=1 --coefficient b");
  EXPECT_EQ(intercept.status, 2);
  EXPECT_TRUE(program::has(intercept.err, "must be at most 300, got 14142")) << intercept.err;
  const program::outcome ridge = run("entropy p24e8 ols:n=10,d=1,w=1,sigma_xi=1e-9,ridge=1");
  EXPECT_EQ(ridge.status, 2);
  EXPECT_TRUE(program::has(ridge.err, "got sigma_xi = 1e-09")) << ridge.err;
}

}  // namespace
