// Laws made of parts and atoms, on the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::json;
using program::object;

TEST(further_laws, are_stored_like_any_other) {
  for (const std::string law :
       {"lognormal", "exponential:scale=0.02", "gamma:shape=0.3,scale=5", "chi2", "halfnormal",
        "triangular", "mixture:0.9@normal:sigma=1/0.1@normal:sigma=5",
        "truncated:low=-1,high=1@normal"}) {
    const json answer = object("entropy p11e5 " + law);
    EXPECT_LT(answer.at("error").get<double>(), 1e-12) << law;
    const json& fields = answer.at("fields");
    double sum = 0;
    for (const char* part : {"sign", "exponent", "mantissa"}) sum += fields.at(part).get<double>();
    EXPECT_NEAR(sum, answer.at("value").get<double>(), 1e-12) << law;
    EXPECT_TRUE(answer.at("differential_entropy").is_number()) << law;
    EXPECT_TRUE(answer.at("approximations")[0].at("value").is_number()) << law;
  }
}

TEST(further_laws, an_atom_is_shown_with_what_it_is_stored_as) {
  const json answer = object("entropy p24e8 relu:normal:mu=1,sigma=2");
  EXPECT_TRUE(answer.at("differential_entropy").is_null());
  ASSERT_EQ(answer.at("atoms").size(), 1U);
  EXPECT_EQ(answer.at("atoms")[0].at("at"), 0);
  EXPECT_EQ(answer.at("atoms")[0].at("stored").get<double>(), 0x1p-127);
  for (const json& one : answer.at("approximations")) {
    EXPECT_TRUE(one.at("value").is_null());
    EXPECT_EQ(one.at("applies"), false);
  }
}

TEST(further_laws, numbers_of_a_file_with_their_sampling_error) {
  const scratch folder;
  const json answer =
      object("entropy p8e4 empirical:" + folder.file("numbers.txt", "1\n2\n2\n3.5\n"));
  EXPECT_NEAR(answer.at("value").get<double>(), 1.5, 1e-14);
  EXPECT_EQ(answer.at("sampling").at("samples"), 4);
  EXPECT_GT(answer.at("sampling").at("error").get<double>(), 0.1);
}

TEST(further_laws, bad_ones_are_one_clear_line) {
  const auto refused = [](const std::string& words) {
    const program::outcome result = program::run(words);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_EQ(result.out, "") << words;
    return result.err;
  };
  EXPECT_EQ(refused("entropy p8e4 mixture:1@normal/-1@laplace"),
            "ktln2: mixture: weight 2 must be finite and >= 0, got -1\n");
  const scratch folder;
  const std::string path = folder.file("numbers.txt", "1\n2\nnan\n");
  EXPECT_EQ(refused("law empirical:" + path).find("ktln2: empirical " + path + ", line 3"), 0U);
  EXPECT_EQ(refused("entropy p8e4 relu:normal --terms"),
            "ktln2: entropy: --terms: expected a law with a density, got one with atoms (relu)\n");
  EXPECT_EQ(refused("cost average p8e4 --n 3 --of relu:normal"),
            "ktln2: average: expected a law with a density, got one with atoms (relu)\n");
}

TEST(further_laws, can_be_swept) {
  const auto rows = program::rows("sweep entropy p8e4 relu:normal:mu=1 --over sigma=1,2");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0][0], "sigma");
}

}  // namespace
