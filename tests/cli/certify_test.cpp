// entropy --certify: the value is proved, and all else stays as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "program.hpp"
#include "test_configuration.hpp"

namespace {

using program::json;
using program::object;
using program::output;

#if KTLN2_HAS_CERTIFICATE

TEST(certify, gives_a_proved_value) {
  for (const std::string query : {"p24e8 normal", "p11e5 student:dof=2.5,loc=0.3", "p24e8 slope"}) {
    SCOPED_TRACE(query);
    const json proved = object("entropy " + query + " --certify");
    const json estimated = object("entropy " + query);
    EXPECT_EQ(proved.at("proved"), true);
    EXPECT_EQ(estimated.at("proved"), false);
    EXPECT_EQ(proved.at("method"), "ball arithmetic");
    const double bar = proved.at("error").get<double>() + estimated.at("error").get<double>();
    EXPECT_LE(2 * proved.at("error").get<double>(), 1e-12);
    EXPECT_LE(std::fabs(proved.at("value").get<double>() - estimated.at("value").get<double>()),
              bar);
    for (const char* field : {"sign", "exponent", "mantissa"}) {
      const double distance = proved.at("fields").at(field).get<double>() -
                              estimated.at("fields").at(field).get<double>();
      EXPECT_LE(std::fabs(distance), proved.at("field_errors").at(field).get<double>() +
                                         estimated.at("field_errors").at(field).get<double>());
      EXPECT_LE(proved.at("field_errors").at(field).get<double>(), 1e-12);
    }
    json rest = proved;
    for (const char* key :
         {"value", "error", "proved", "method", "joules", "fields", "field_errors"}) {
      rest[key] = estimated.at(key);
    }
    EXPECT_EQ(rest, estimated);
  }
}

TEST(certify, proves_the_law_that_was_asked_for) {
  // With the scale rounded to a double it was 142 bars off.
  const json proved = object(
      "entropy p1e4 slope:n=3,w=256,sigma_x=29833.04242818734,sigma_xi=2703.6634406309363 "
      "--certify");
  EXPECT_LE(std::fabs(proved.at("value").get<double>() - 1.962684740436388010e-08),
            proved.at("error").get<double>() + 1e-23);
  EXPECT_LT(proved.at("error").get<double>(), 1e-20);
}

TEST(certify, shows_a_bar_that_holds_for_the_digits_shown) {
  // H = 26.46373399078852263132842…, of which a double keeps 26.463733990788524…
  const std::string line = program::lines(output("entropy p24e8 normal --certify"))[0];
  EXPECT_TRUE(program::has(line, "; proved[)]$")) << line;
  const long double value = std::stold(line.substr(line.find("= ") + 2));
  const long double error = std::stold(line.substr(line.find("± ") + std::string("± ").size()));
  EXPECT_LE(std::fabs(value - 26.4637339907885226313284233564L), error + 1e-17L) << line;
  EXPECT_LT(error, 1e-12L) << line;
}

TEST(certify, warns_of_the_bar_that_it_shows) {
  for (const char* query : {"p24e8 normal", "float32 normal", "p11e5 laplace:loc=1"}) {
    const program::outcome made =
        program::run(std::string("entropy ") + query + " --certify --tolerance 1e-18");
    const auto shown = program::match(made.out, "± ([0-9.e-]+) ");
    const auto warned = program::match(made.err, "error bar is ([0-9.e-]+) bits");
    ASSERT_FALSE(shown.empty() || warned.empty()) << made.out << made.err;
    EXPECT_EQ(shown[1], warned[1]) << query;
  }
}

TEST(certify, refuses_laws_that_have_no_certificate) {
  const program::outcome result = program::run("entropy p24e8 sgd:law=exact,steps=2 --certify");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.find("ktln2: certificate: the exact SGD law has none"), 0U) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(certify, proves_every_law_of_a_closed_form) {
  for (const std::string law :
       {"normal", "student", "uniform", "laplace", "logistic", "slope", "exponential", "halfnormal",
        "lognormal", "gamma", "chi2", "triangular"}) {
    EXPECT_TRUE(program::has(output("entropy p11e5 " + law + " --certify"), "; proved[)]")) << law;
  }
}

void expect_proved(const std::vector<std::string>& queries) {
  for (const std::string& query : queries) {
    SCOPED_TRACE(query);
    const json proved = object("entropy " + query + " --bits --certify");
    const json estimated = object("entropy " + query + " --bits");
    EXPECT_EQ(proved.at("proved"), true);
    EXPECT_EQ(proved.at("method"), "ball arithmetic");
    EXPECT_LE(proved.at("error").get<double>(), 1e-13);
    const auto near = [](double a, double b, double bar) { EXPECT_LE(std::fabs(a - b), bar); };
    near(proved.at("value"), estimated.at("value"),
         proved.at("error").get<double>() + estimated.at("error").get<double>());
    for (const auto& [name, value] : proved.at("fields").items()) {
      const double bar = proved.at("field_errors").at(name);
      EXPECT_LE(bar, 1e-12) << name;
      near(value, estimated.at("fields").at(name),
           bar + estimated.at("field_errors").at(name).get<double>());
    }
    for (std::size_t i = 0; i < proved.at("bits").size(); ++i) {
      const json& bit = proved.at("bits")[i];
      const json& other = estimated.at("bits")[i];
      EXPECT_LE(bit.at("error").get<double>(), 1e-12) << i;
      near(bit.at("entropy"), other.at("entropy"),
           bit.at("error").get<double>() + other.at("error").get<double>());
    }
  }
}

TEST(certify, proves_registers_that_people_own) {
  expect_proved({"e4m3fnuz laplace --overflow nan", "int8 normal:sigma=40 --rounding to-odd"});
  EXPECT_TRUE(program::has(output("entropy e4m3 normal --certify"), "; proved[)]"));
}

TEST(certify_campaign, proves_registers_that_people_own) {
  expect_proved({"bfloat16 normal", "posit16 student:dof=3", "binary64 slope --rounding down"});
}

#else

TEST(certify, needs_a_program_that_can) {
  const program::outcome result = program::run("entropy p24e8 normal --certify");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "ktln2: entropy: --certify needs a program that was built with Arb\n");
}

#endif

TEST(certify, is_in_the_help) { EXPECT_TRUE(program::has(output("entropy --help"), "--certify")); }

}  // namespace
