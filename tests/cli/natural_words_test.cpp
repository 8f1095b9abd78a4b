// The words that people type: other names of formats, laws and options are understood, and what is
// not understood is answered with the right word.
#include <gtest/gtest.h>

#include <string>

#include "program.hpp"

namespace {

using program::expect_refused;
using program::has;
using program::json;
using program::number;
using program::object;
using program::output;

TEST(names_of_formats, are_those_that_people_type) {
  const auto format = [](const std::string& name) {
    return object("entropy " + name + " normal").at("format").get<std::string>();
  };
  for (const char* name : {"float32", "fp32", "FLOAT32", "single"}) {
    EXPECT_EQ(format(name), "binary32") << name;
  }
  for (const char* name : {"float16", "fp16", "half"}) EXPECT_EQ(format(name), "binary16") << name;
  for (const char* name : {"float64", "fp64", "double"}) {
    EXPECT_EQ(format(name), "binary64") << name;
  }
  EXPECT_EQ(format("bf16"), "bfloat16");
  EXPECT_EQ(format("P24E8"), "p24e8");
  EXPECT_EQ(format("P24e8"), "p24e8");
}

TEST(names_of_formats, are_told_where_the_format_is_shown) {
  EXPECT_TRUE(
      has(output("format float32"), "^binary32 \\(IEEE 754 single precision; also float32"));
  EXPECT_TRUE(has(output("format"), "binary16 .* float16, fp16, half"));
}

TEST(names_of_formats, sweep_with_capitals_too) {
  EXPECT_EQ(output("sweep entropy P24E8 normal --over p=3:5"),
            output("sweep entropy p24e8 normal --over p=3:5"));
}

TEST(names_of_formats, that_are_unknown_are_answered) {
  expect_refused("entropy bfloat normal", "unknown format 'bfloat': did you mean bfloat16?");
  expect_refused("entropy P24 normal", "unknown format 'P24': did you mean p24e8?");
}

TEST(names_of_laws, are_those_that_people_type) {
  const double right = number(object("entropy p8e5 normal:mu=1,sigma=2"), "value");
  for (const char* name : {"gaussian", "Gaussian", "gauss", "NORMAL"}) {
    const json answer = object(std::string("entropy p8e5 ") + name + ":mu=1,sigma=2");
    EXPECT_EQ(number(answer, "value"), right) << name;
  }
  EXPECT_EQ(output("entropy p6e4 student_t:dof=3 --csv"),
            output("entropy p6e4 student:dof=3 --csv"));
  EXPECT_EQ(output("entropy p6e4 Pair --csv"), output("entropy p6e4 pair --csv"));
  EXPECT_EQ(output("entropy p6e4 relu:gaussian:mu=1 --csv"),
            output("entropy p6e4 relu:normal:mu=1 --csv"));
  EXPECT_EQ(output("sweep law gaussian --over sigma=1,2"),
            output("sweep law normal --over sigma=1,2"));
}

TEST(names_of_laws, are_told_in_help) {
  EXPECT_TRUE(has(output("law --help"), "normal:mu=0,sigma=1\n +also gaussian"));
}

TEST(names_of_laws, that_are_unknown_are_answered_with_all_that_there_are) {
  expect_refused("entropy p24e8 norml", "unknown distribution 'norml': did you mean normal?");
  for (const char* name : {"norml", "beta"}) {
    const std::string message = program::run(std::string("law ") + name).err;
    for (const char* known : {"normal", "student", "uniform", "laplace", "logistic", "slope", "sgd",
                              "lognormal", "exponential", "gamma", "chi2", "halfnormal",
                              "triangular", "mixture", "relu", "truncated", "empirical", "pair"}) {
      EXPECT_TRUE(has(message, std::string("[ ,]") + known)) << known << " in " << message;
    }
  }
}

TEST(keys_of_a_law, that_are_given_as_options_are_put_right) {
  expect_refused("entropy p24e8 normal --sigma=2",
                 "entropy: --sigma belongs to the distribution: write normal:sigma=2 ");
  expect_refused("entropy p24e8 normal:mu=1 --sigma 2",
                 "entropy: --sigma belongs to the distribution: write normal:mu=1,sigma=2 ");
  expect_refused("entropy --sigma-x=3 p24e8 slope",
                 "entropy: --sigma-x belongs to the distribution: write slope:sigma_x=3 ");
  expect_refused("entropy p24e8 normal sigma=2",
                 "entropy: not expected: 'sigma=2': write normal:sigma=2 ");
  // what they propose runs
  EXPECT_NE(output("entropy p24e8 normal:mu=1,sigma=2"), "");
}

TEST(names_of_options, are_those_that_people_type) {
  const std::string right = output("cost sgd p8e5 --eta 0.05 --sigma-x 2 --temperature 4 --csv");
  EXPECT_EQ(output("cost sgd p8e5 --lr 0.05 --sigma_x 2 --temp 4 --csv"), right);
  EXPECT_EQ(output("cost sgd p8e5 --learning-rate=0.05 --sigma_x=2 --temp=4 --csv"), right);
  EXPECT_TRUE(has(output("cost sgd --help"), "--eta E .*also --lr"));
  expect_refused("cost sgd p8e5 --lr 0.05 --eta 0.1", "cost: --eta is given twice");
  expect_refused("cost exact p8e5 n=10", "cost: not expected: 'n=10': write --n 10 ");
  expect_refused("cost exact p8e5 --lr 0.1", "cost: exact has no option --eta, which sgd takes");
}

TEST(names_of_options, are_axes_of_a_sweep) {
  EXPECT_TRUE(has(output("sweep cost sgd p8e5 --over lr=0.01,0.05"), "^lr,bits"));
  expect_refused("sweep cost sgd p8e5 --over lr=0.01,0.05 --over eta=0.1,0.2",
                 "sweep: --over eta is given twice");
}

}  // namespace
