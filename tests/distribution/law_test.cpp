#include "ktln2/distribution/law.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "ktln2/distribution/catalogue.hpp"

namespace {

using namespace ktln2;

/// What parse_law says when it refuses; empty if it does not.
std::string refusal(const std::string& description) {
  try {
    parse_law(description);
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "";
}

void expect_refusal(const std::string& description, const std::vector<std::string>& mentions) {
  const std::string message = refusal(description);
  EXPECT_NE(message, "") << '\'' << description << "' was taken";
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string& mention : mentions) {
    EXPECT_NE(message.find(mention), std::string::npos)
        << '\'' << description << "': \"" << message << "\" does not mention " << mention;
  }
}

TEST(parse_law, missing_keys_take_their_defaults) {
  for (const char* text : {"normal", "normal:mu=0", "normal:sigma=1"}) {
    const auto law = std::get<normal>(parse_law(text));
    EXPECT_EQ(law.location(), 0);
    EXPECT_EQ(law.scale(), 1);
  }
  const auto student = std::get<student_t>(parse_law("student"));
  EXPECT_EQ(student.kernel().dof(), 5);
  EXPECT_EQ(student.location(), 0);
  EXPECT_EQ(student.scale(), 1);
  const auto slope = std::get<student_t>(parse_law("slope:n=4"));
  EXPECT_EQ(slope.kernel().dof(), 4);
  EXPECT_EQ(slope.location(), 1);
  EXPECT_EQ(slope.scale(), 0.5);
  EXPECT_EQ(std::get<student_t>(parse_law("slope")).kernel().dof(), 10);
  const auto flat = std::get<uniform>(parse_law("uniform"));
  EXPECT_EQ(flat.location(), 0);
  EXPECT_EQ(flat.scale(), 1);
  EXPECT_EQ(std::get<laplace>(parse_law("laplace:loc=2")).scale(), 1);
  EXPECT_EQ(std::get<logistic>(parse_law("logistic:scale=3")).location(), 0);
}

TEST(parse_law, every_key_is_put_where_it_belongs_in_any_order) {
  const auto gauss = std::get<normal>(parse_law("normal:sigma=1e-300,mu=-2.5"));
  EXPECT_EQ(gauss.location(), -2.5);
  EXPECT_EQ(gauss.scale(), 1e-300);
  const auto student = std::get<student_t>(parse_law("student:scale=3,dof=1e9,loc=2"));
  EXPECT_EQ(student.kernel().dof(), 1e9);
  EXPECT_EQ(student.location(), 2);
  EXPECT_EQ(student.scale(), 3);
  const auto slope = std::get<student_t>(parse_law("slope:n=9,w=7,sigma_x=2,sigma_xi=12"));
  EXPECT_EQ(slope.kernel().dof(), 9);
  EXPECT_EQ(slope.location(), 7);
  EXPECT_EQ(slope.scale(), 2);
  const auto flat = std::get<uniform>(parse_law("uniform:high=5,low=-3"));
  EXPECT_EQ(flat.location(), -3);
  EXPECT_EQ(flat.scale(), 8);
}

TEST(parse_law, an_unknown_law_is_named_and_the_known_ones_are_listed) {
  expect_refusal("bell", {"bell", "normal", "student", "slope", "uniform", "laplace", "logistic"});
  expect_refusal("Normals:mu=0", {"Normals"});
  expect_refusal("normal ", {"normal "});
  expect_refusal("normal,mu=0", {"normal,mu=0"});
}

TEST(parse_law, an_empty_description_is_refused) {
  expect_refusal("", {"normal:mu=0,sigma=1"});
  expect_refusal(":mu=0", {":mu=0"});
}

TEST(parse_law, unknown_and_repeated_keys_are_named) {
  expect_refusal("normal:sgima=1", {"sgima", "mu", "sigma"});
  expect_refusal("student:n=3", {"'n'", "dof"});
  expect_refusal("slope:sigma=1", {"sigma", "sigma_x", "sigma_xi"});
  expect_refusal("uniform:loc=1", {"loc", "low", "high"});
  expect_refusal("laplace:mu=1", {"mu", "loc"});
  expect_refusal("logistic:sigma=1", {"sigma", "scale"});
  expect_refusal("normal:MU=1", {"MU"});
  expect_refusal("normal:mu=1,mu=1", {"mu", "twice"});
  expect_refusal("normal:mu=1,sigma=2,mu=3", {"mu", "twice"});
}

TEST(parse_law, bad_numbers_are_shown_with_their_key) {
  for (const char* bad : {"one", "1x", "1e", "1e+", "--1", "1.2.3", "0x1p3", "1 ", " 1", "1e5.5",
                          ".", "inf", "-inf", "nan", "infinity", "1;"}) {
    expect_refusal("normal:sigma=" + std::string(bad), {"sigma", bad});
    expect_refusal("slope:n=5,w=" + std::string(bad), {"w", bad});
  }
}

TEST(parse_law, numbers_beyond_the_range_of_double_are_refused) {
  expect_refusal("normal:mu=1e999", {"mu", "1e999"});
  expect_refusal("normal:mu=-1e999", {"mu", "-1e999"});
  expect_refusal("normal:sigma=1e-999", {"sigma", "1e-999"});
  expect_refusal("uniform:low=-1.5e308,high=1.5e308", {"high - low"});
}

TEST(parse_law, missing_and_trailing_text_is_refused) {
  expect_refusal("normal:", {"key=value"});
  expect_refusal("normal:mu", {"'mu'"});
  expect_refusal("normal:mu=", {"mu", "''"});
  expect_refusal("normal:=1", {"=1"});
  expect_refusal("normal:mu=0,", {"key=value"});
  expect_refusal("normal:,mu=0", {"key=value"});
  expect_refusal("normal:mu=0,,sigma=1", {"key=value"});
  expect_refusal("normal:mu=0,sigma=1 and more", {"sigma", "1 and more"});
  expect_refusal("normal:mu=0:sigma=1", {"mu", "0:sigma=1"});
  expect_refusal("normal:mu==0", {"mu", "=0"});
}

TEST(parse_law, values_that_make_no_law_are_named) {
  expect_refusal("normal:sigma=0", {"normal", "sigma", "got 0"});
  expect_refusal("normal:sigma=-1", {"normal", "sigma", "got -1"});
  expect_refusal("student:dof=0", {"student", "dof", "got 0"});
  expect_refusal("student:dof=-3", {"student", "dof", "got -3"});
  expect_refusal("student:scale=0", {"student", "scale"});
  expect_refusal("slope:n=0", {"slope", "n must be", "got 0"});
  expect_refusal("slope:n=1.5", {"slope", "n must be", "got 1.5"});
  expect_refusal("slope:n=-1", {"slope", "n must be", "got -1"});
  expect_refusal("slope:sigma_x=0", {"slope", "sigma_x"});
  expect_refusal("slope:sigma_xi=-2", {"slope", "sigma_xi", "got -2"});
  expect_refusal("uniform:low=1,high=1", {"uniform", "high", "got 1"});
  expect_refusal("uniform:low=2", {"uniform", "high", "low = 2"});
  expect_refusal("laplace:scale=0", {"laplace", "scale"});
  expect_refusal("logistic:scale=-1", {"logistic", "scale", "got -1"});
}

}  // namespace
