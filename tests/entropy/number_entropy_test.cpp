#include "ktln2/entropy/number_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/stochastic_entropy.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "reference_file.hpp"

namespace {

using ktln2::bits;
using ktln2::bounded;
using ktln2::number_format;
using ktln2::stored_variable;

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

stored_variable stored_as(const nlohmann::json& one) {
  const std::string how = one.at("rounding");
  const auto by_chance = ktln2::parse_chance(how);
  return {ktln2::find_number_format(one.at("format").get<std::string>()).value(),
          {by_chance ? ktln2::rounding::nearest_even : ktln2::parse_rounding(how),
           ktln2::parse_overflow(one.at("overflow").get<std::string>()), by_chance},
          ktln2::parse_law(one.at("distribution").get<std::string>())};
}

/// The reference has more digits than a double can take.
void expect_within(const bounded<bits>& got, const nlohmann::json& text) {
  const double expected = std::strtod(text.get<std::string>().c_str(), nullptr);
  const double rounding = 0x1p-52 * std::fabs(expected);
  EXPECT_LE(std::fabs(got.value.value() - expected), got.error.value() + rounding);
  EXPECT_LE(got.error.value(), 1e-12);
}

bounded<bits> as_bits(const bounded<double>& mass) { return {bits{mass.value}, bits{mass.error}}; }

/// The quantities of the reference table.
void expect_quantity(const stored_variable& stored, const std::string& name,
                     const nlohmann::json& value) {
  const number_format& format = stored.format;
  const auto leading = exact_leading_entropy(stored);
  const auto fields = [&] { return entropy_by_field(stored, leading); };
  const auto part = [&](int from, int count) {
    return marginal_entropy(stored, ((std::uint64_t{1} << count) - 1) << from).value();
  };
  if (name == "entropy") {
    expect_within(exact_entropy(stored), value);
    if (format.width() <= 12) expect_within(marginal_entropy(stored, all_bits).value(), value);
  } else if (name == "bits") {
    const auto all = entropy_by_bit(format, leading);
    ASSERT_EQ(all.size(), value.size());
    for (std::size_t i = 0; i < all.size(); ++i) expect_within(all[i].entropy, value[i]);
  } else if (name == "sign") {
    expect_within(fields().fields.sign, value);
  } else if (name == "exponent") {
    expect_within(fields().fields.exponent, value);
  } else if (name == "mantissa") {
    expect_within(fields().fields.mantissa, value);
  } else if (name == "regime") {
    expect_within(fields().regime.value(), value);
  } else if (name == "posit_exponent") {
    expect_within(fields().posit_exponent.value(), value);
  } else if (name == "entropy_of_value") {
    expect_within(entropy_of_value(stored, exact_entropy(stored)), value);
  } else if (name == "p_zero") {
    expect_within(as_bits(masses_of(stored).zero), value);
  } else if (name == "p_subnormal") {
    expect_within(as_bits(masses_of(stored).subnormal), value);
  } else if (name == "p_beyond_max") {
    expect_within(as_bits(masses_of(stored).beyond_max), value);
  } else if (name == "marginal_exponent") {
    expect_within(part(format.fields().p - 1, format.fields().exponent_bits), value);
  } else if (name == "marginal_mantissa") {
    expect_within(part(0, format.fields().p - 1), value);
  } else if (name == "low_byte") {
    expect_within(part(0, 8), value);
  } else if (name == "noise") {
    expect_within(ktln2::stochastic_code{stored}.noise(), value);
  } else if (name == "information") {
    expect_within(ktln2::stochastic_code{stored}.information(), value);
  } else {
    ADD_FAILURE() << "an unknown quantity: " << name;
  }
}

TEST(number_entropy, is_that_of_every_reference) {
  int cases = 0;
  const auto table = reference_table("real/formats.json");
  for (const auto& one : table.at("entropy")) {
    SCOPED_TRACE(one.at("id").get<std::string>());
    expect_quantity(stored_as(one), one.at("quantity"), one.at("value"));
    ++cases;
  }
  EXPECT_EQ(cases, 987);
}

/// Any format, rule and law.
class any_register {
 public:
  stored_variable draw() {
    const number_format format = draw_format();
    const auto roundings = format.roundings();
    const auto overflows = format.overflows();
    const ktln2::storing rule{roundings[random_() % roundings.size()],
                              overflows[random_() % overflows.size()]};
    law_ = draw_law(format);
    return {format, rule, ktln2::parse_law(law_)};
  }
  [[nodiscard]] const std::string& last_law() const { return law_; }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  number_format draw_format() {
    static const std::vector<std::string> names{
        "e4m3", "e5m2",     "e3m2", "e2m3", "e2m1",   "e8m0", "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz",
        "e3m4", "e4m3ieee", "int8", "q3.4", "mxint8", "q0.5", "mxint8s",  "posit8"};
    for (;;) {
      if (random_() % 2 == 0) return *ktln2::find_number_format(names[random_() % names.size()]);
      const bool is_signed = random_() % 2 == 0;
      const int k = 3 + static_cast<int>(random_() % 8);
      const int p =
          1 + static_cast<int>(random_() % static_cast<unsigned>(k - (is_signed ? 1 : 0)));
      const std::string name = "binary" + std::to_string(k) + "p" + std::to_string(p) +
                               (is_signed ? "s" : "u") + (random_() % 2 == 0 ? "e" : "f");
      try {
        return *ktln2::find_number_format(name);
      } catch (const std::domain_error&) {
        continue;  // too few codes for a number
      }
    }
  }

  std::string draw_law(const number_format& format) {
    const double span = std::log(format.max().to_double() / format.min_positive().to_double());
    const double scale =
        format.min_positive().to_double() * std::exp(uniform(-3, std::min(span, 600.0) + 3));
    double center = 0;
    if (random_() % 3 != 0) {
      center = scale * std::exp(uniform(-3, 5)) * (random_() % 2 == 0 ? 1 : -1);
    }
    const auto with = [&](const char* name, const char* at, const char* by) {
      return (std::string(name) + ":" + at + "=" + number(center) + "," + by + "=" + number(scale));
    };
    switch (random_() % 5) {
      case 0:
        return with("laplace", "loc", "scale");
      case 1:
        return with("logistic", "loc", "scale");
      case 2:
        return ("uniform:low=" + number(center - scale) + ",high=" + number(center + scale));
      case 3:
        return ("student:dof=" + number(uniform(0.5, 9)) + ",loc=" + number(center) +
                ",scale=" + number(scale));
      default:
        return with("normal", "mu", "sigma");
    }
  }

  static std::string number(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
  }

  std::mt19937_64 random_{20261116};
  std::string law_;
};

int cases_of_campaign() {
  const char* const given = std::getenv("KTLN2_NUMBER_CASES");
  return given != nullptr ? std::atoi(given) : 400;
}

/// With 32 random bits rule B is the ideal one but for 2^-60 or so, and summed another way: over
/// its steps, by the law's distribution function.
TEST(number_entropy_campaign, chance_with_many_random_bits_is_the_ideal_one) {
  any_register any;
  double widest = 0;
  for (int i = 0; i < cases_of_campaign() / 4; ++i) {
    stored_variable stored = any.draw();
    if (!stored.format.rounds_by_chance()) continue;
    SCOPED_TRACE(stored.format.name() + " " + std::string(name_of(stored.rule.beyond)) + " " +
                 any.last_law());
    stored.rule.by_chance = ktln2::chance{};
    const ktln2::stochastic_code ideal{stored};
    stored.rule.by_chance = ktln2::chance{ktln2::chance::variant::b, 32};
    const ktln2::stochastic_code in_steps{stored};
    EXPECT_TRUE(overlap(ideal.entropy(), in_steps.entropy()))
        << ideal.entropy().value.value() << " " << in_steps.entropy().value.value();
    EXPECT_TRUE(overlap(ideal.noise(), in_steps.noise()))
        << ideal.noise().value.value() << " " << in_steps.noise().value.value();
    for (std::size_t code = 0; code < ideal.listed().size(); ++code) {
      EXPECT_TRUE(overlap(ideal.listed()[code], in_steps.listed()[code])) << code;
    }
    const ktln2::stochastic_code by_runs{stored, {}, 0};
    EXPECT_TRUE(overlap(by_runs.noise(), in_steps.noise()));
    for (int kept = 1; kept <= stored.format.width(); ++kept) {
      EXPECT_TRUE(overlap(by_runs.leading(kept), in_steps.leading(kept))) << kept;
    }
    EXPECT_GE(ideal.information().value.value(), -ideal.information().error.value());
    widest = std::max({widest, ideal.entropy().error.value(), ideal.noise().error.value()});
  }
  EXPECT_LE(widest, 1e-11);
}

/// What is too large on either side has one code, and so do the numbers that begin as it does.
TEST(number_entropy, one_nan_takes_what_is_too_large_on_both_sides) {
  const std::string fields = "exponent_bits=3,bias=3,infinity=no,nan=ieee";
  for (const std::string& name :
       {"float:p=3," + fields, "float:p=4,subnormals=no,zero=none," + fields,
        "float:p=2,zero=one," + fields}) {
    for (const auto how : {ktln2::rounding::nearest_even, ktln2::rounding::down,
                           ktln2::rounding::up, ktln2::rounding::toward_zero}) {
      const ktln2::number_format format = ktln2::find_number_format(name).value();
      const ktln2::stored_variable stored{
          format, {how, ktln2::overflow::to_nan}, ktln2::parse_law("student:dof=3,loc=1,scale=20")};
      const auto leading = exact_leading_entropy(stored);
      const std::uint64_t all = (std::uint64_t{1} << format.width()) - 1;
      for (int kept = 1; kept <= format.width(); ++kept) {
        const auto listed = marginal_entropy(stored, all & ~(all >> kept)).value();
        EXPECT_TRUE(overlap(leading(kept), listed))
            << name << ", " << name_of(how) << ", " << kept << " bits";
      }
    }
  }
}

}  // namespace
