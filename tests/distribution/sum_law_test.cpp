// Sums and means of independent numbers: closed forms, and characteristic functions turned back,
// against convolution.
#include "ktln2/distribution/sum_law.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "distribution/irwin_hall.hpp"
#include "distribution/sum_table.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

/// The density of n numbers from the characteristic function of one, which is real:
///     f(x) = (1/π) ∫_0^∞ φ(t)^n cos(tx) dt
double from_characteristic(const std::function<double(double)>& phi, double n, double x) {
  double end = 1;
  // φ may have zeros.
  const auto size = [&](double t) { return std::fmax(std::fabs(phi(t)), std::fabs(phi(t + 1))); };
  while (std::pow(size(end), n) > 1e-18) end *= 1.25;
  const int panels = 400 + static_cast<int>(4 * end * std::fabs(x));
  const auto& rule = gauss_legendre<16>();
  compensated_sum sum;
  for (int i = 0; i < panels; ++i) {
    const double width = end / panels;
    for (std::size_t k = 0; k < 16; ++k) {
      const double t = width * (i + (1 + rule.node[k]) / 2);
      sum.add(width * rule.weight[k] * std::pow(phi(t), n) * std::cos(t * x));
    }
  }
  return sum.value() / std::numbers::pi;
}

double off_by(const law& x) {
  return std::visit([](const auto& known) { return table_error(known.kernel()); }, x);
}

TEST(sec_avg_sum, normal_numbers_stay_normal) {
  const law sum = total_law(normal{1.5, 2}, 9, total_of::sum);
  ASSERT_TRUE(std::holds_alternative<normal>(sum));
  EXPECT_EQ(mean(sum), 13.5);
  EXPECT_EQ(deviation(sum), 6);
  const law mean_of = total_law(normal{1.5, 2}, 16, total_of::mean);
  EXPECT_EQ(mean(mean_of), 1.5);
  EXPECT_EQ(deviation(mean_of), 0.5);
  EXPECT_TRUE(std::holds_alternative<normal>(total_law(normal{0, 1}, 1e15, total_of::mean)));
}

TEST(sec_avg_sum, a_mean_of_cauchy_numbers_is_one_of_them) {
  const law cauchy = student_t{1, 3, 2};
  const law same = total_law(cauchy, 1000, total_of::mean);
  for (const double x : {-5.0, 3.0, 4.0, 100.0}) EXPECT_EQ(pdf(same, x), pdf(cauchy, x)) << x;
  const law sum = total_law(cauchy, 10, total_of::sum);
  EXPECT_NEAR(pdf(sum, 50), pdf(student_t{1, 30, 20}, 50), 1e-17);
}

TEST(sec_avg_sum, one_number_is_itself) {
  const law x = parse_law("laplace:loc=2,scale=3");
  EXPECT_EQ(pdf(total_law(x, 1, total_of::sum), 2.5), pdf(x, 2.5));
}

TEST(sec_avg_sum, few_laplace_numbers_are_as_by_hand) {
  const law two = total_law(laplace{0, 1}, 2, total_of::sum);
  const law three = total_law(laplace{0, 1}, 3, total_of::sum);
  EXPECT_LT(off_by(two), 1e-12);
  EXPECT_LT(off_by(three), 1e-12);
  for (double x = -30; x <= 30; x += 0.37) {
    const double r = std::fabs(x);
    const double f2 = (1 + r) * std::exp(-r) / 4;
    const double f3 = (r * r + 3 * r + 3) * std::exp(-r) / 16;
    EXPECT_NEAR(pdf(two, x), f2, 1e-12 * f2) << x;
    EXPECT_NEAR(pdf(three, x), f3, 1e-12 * f3) << x;
  }
}

TEST(sec_avg_sum_campaign, sums_are_as_their_characteristic_functions) {
  struct known_sum {
    std::string name;
    std::function<double(double)> phi;
  };
  const double pi = std::numbers::pi;
  const known_sum all[] = {
      {"laplace", [](double t) { return 1 / (1 + t * t); }},
      {"logistic", [pi](double t) { return t == 0 ? 1 : pi * t / std::sinh(pi * t); }},
      {"student:dof=3",
       [](double t) { return (1 + std::sqrt(3) * t) * std::exp(-std::sqrt(3) * t); }},
      {"uniform:low=-1,high=1", [](double t) { return t == 0 ? 1 : std::sin(t) / t; }},
  };
  for (const known_sum& known : all) {
    const law x = parse_law(known.name);
    for (const double n : {11.0, 64.0}) {
      const law sum = total_law(x, n, total_of::sum);
      const double spread = deviation(x) * std::sqrt(n);
      const double peak = pdf(sum, 0);
      for (const double z : {0.0, 0.3, 1.0, -2.0, 4.0}) {
        EXPECT_NEAR(pdf(sum, z * spread), from_characteristic(known.phi, n, z * spread),
                    2e-12 * peak)
            << known.name << ", " << n << " at " << z;
      }
      EXPECT_LT(off_by(sum), 1e-9) << known.name << ", " << n;
      EXPECT_NEAR(deviation(sum), spread, 1e-14 * spread);
    }
  }
}

TEST(sec_avg_sum, a_sum_has_the_mass_and_the_moments_that_it_must) {
  for (const char* name : {"laplace:loc=3,scale=0.5", "logistic:loc=-1", "uniform:low=2,high=3",
                           "student:dof=5,loc=1", "slope:n=12,w=2", "sgd:steps=5,law=exact"}) {
    const law x = parse_law(name);
    for (const double n : {2.0, 6.0}) {
      const law sum = total_law(x, n, total_of::sum);
      EXPECT_NEAR(cdf(sum, n * mean(x)) + ccdf(sum, n * mean(x)), 1, 1e-14);
      EXPECT_NEAR(mean(sum), n * mean(x), 1e-9 * n) << name << ", " << n;
      EXPECT_NEAR(deviation(sum), std::sqrt(n) * deviation(x), 1e-9 * n) << name << ", " << n;
      // The mean is the sum over n.
      const law average = total_law(x, n, total_of::mean);
      const double at = mean(x) + 0.7 * deviation(x) / std::sqrt(n);
      EXPECT_NEAR(cdf(average, at), cdf(sum, n * at), 1e-11) << name << ", " << n;
    }
  }
}

TEST(sec_avg_sum, heavy_tails_keep_their_digits) {
  // Far out one number of n is large: P(sum > s) ≈ n P(X > s).
  const law x = student_t{3, 0, 1};
  const law sum = total_law(x, 8, total_of::sum);
  for (const double s : {1e5, 1e7}) {
    EXPECT_NEAR(ccdf(sum, s) / (8 * ccdf(x, s)), 1, 1e-6) << s;
  }
}

TEST(sum_table, doubles_normal_and_cauchy_numbers_rightly) {
  const auto table_of = [](const auto& kernel, double reach, double tail, std::uint64_t n) {
    summand one{[kernel](double z) { return kernel.log_pdf(z); }, {}, {}, 1, 0};
    for (double z = 0; z < reach; z += std::fmax(1.0, z) / 4) {
      one.panels.push_back(z);
      if (z > 0) one.panels.insert(one.panels.begin(), -z);
    }
    return sum_table(one, {.tail = tail, .is_symmetric = true}, {}).of(n);
  };
  const standard_normal normal_kernel;
  const standard_tabulated five = table_of(normal_kernel, 12, infinity, 5);
  const standard_student_t cauchy_kernel{1};
  const standard_tabulated six = table_of(cauchy_kernel, 1e14, 1, 6);
  for (const double z : {0.0, 0.4, 2.0, 7.0}) {
    EXPECT_NEAR(five.log_pdf(z), normal_kernel.log_pdf(z), 1e-12) << z;
    EXPECT_NEAR(six.log_pdf(z), cauchy_kernel.log_pdf(z), 1e-10) << z;
  }
}

TEST(irwin_hall, is_a_spline) {
  EXPECT_EQ(irwin_hall_density(1, 0.5), 1);
  EXPECT_EQ(irwin_hall_density(2, 0.25), 0.25);
  EXPECT_EQ(irwin_hall_density(2, 1.75), 0.25);
  EXPECT_DOUBLE_EQ(irwin_hall_density(3, 1.5), 0.75);
  EXPECT_DOUBLE_EQ(irwin_hall_density(4, 2), 2.0 / 3);
  EXPECT_EQ(irwin_hall_density(4, 0), 0);
  EXPECT_EQ(irwin_hall_density(4, 5), 0);
  // x^(n-1)/(n-1)! up to 1
  EXPECT_NEAR(irwin_hall_density(30, 0.5) / (std::pow(0.5, 29) / std::tgamma(30)), 1, 1e-13);
}

TEST(sec_avg_sum, many_uniform_numbers_are_the_spline_of_all) {
  const law sum = total_law(uniform{0, 1}, 130, total_of::sum);
  for (const double x : {40.0, 55.0, 64.0, 65.0, 70.3}) {
    const double truth = irwin_hall_density(130, x);
    EXPECT_NEAR(pdf(sum, x), truth, 1e-10 * truth) << x;
  }
}

TEST(sec_avg_sum, what_cannot_be_summed_is_refused) {
  const auto message = [](const char* name, double n) {
    return message_of([&] { (void)total_law(parse_law(name), n, total_of::sum); });
  };
  EXPECT_EQ(message("laplace", 0), "average: n must be a whole number from 1 to 1e15, got 0");
  EXPECT_EQ(message("laplace", 2.5), "average: n must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(message("laplace", 2e6),
            "average: n must be a whole number from 1 to 1e6 where the law of the sum has to be "
            "computed, got 2e+06");
  EXPECT_EQ(message("student:dof=0.25", 2),
            "average: dof must be at least 0.5 for a sum, got 0.25");
  EXPECT_EQ(message("normal:mu=1e308", 1e3), "average: mean of the result must be finite, got inf");
}

TEST(sec_avg_sum, a_stop_is_heard) {
  const std::atomic<bool> flag{true};
  EXPECT_THROW((void)total_law(laplace{0, 1}, 1e5, total_of::sum, stop_token{flag}), stopped);
}

}  // namespace
