#include "ktln2/distribution/slope.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

/// f_Z as the paper prints it [eq:exact_final_dist].
double printed_density(double z, double n, double sx, double sn) {
  const double log_f = -0.5 * std::log(std::numbers::pi * std::pow(sx, 2 * n) * sn * sn) +
                       std::lgamma((n + 1) / 2) - std::lgamma(n / 2) +
                       (n + 1) / 2 * std::log(sx * sx * sn * sn / (sx * sx * z * z + sn * sn));
  return std::exp(log_f);
}

/// The same by total probability: Z given s = Σx² is N(0, σ_ξ²/s), and s/σ_x² is χ² with n degrees.
double mixed_density(double z, double n, double sx, double sn) {
  const auto integrand = [&](double r) {  // s = σ_x² r²
    const double s = sx * sx * r * r;
    const double log_chi =
        (n - 1) * std::log(r) - r * r / 2 - (n / 2 - 1) * std::numbers::ln2 - std::lgamma(n / 2);
    return std::exp(log_chi - s * z * z / (2 * sn * sn)) * std::sqrt(s / (2 * std::numbers::pi)) /
           sn;
  };
  return integral(integrand, 0, std::sqrt(n) + 40, 128);
}

finding slope_density(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double n : {1.0, 2.0, 3.0, 10.0, 30.0, 100.0}) {
    const student_t law = slope_law({.w = 0, .sigma_x = 1.3, .sigma_xi = 0.7}, n);
    gap.add(relative_gap(law.scale(), 0.7 / (1.3 * std::pow(n, what.number("power")))), n);
    for (const double z : {0.0, 0.1, 0.5, 2.0}) {
      const double f = pdf(law, z);
      gap.add(relative_gap(f, printed_density(z, n, 1.3, 0.7)), n);
      gap.add(relative_gap(f, mixed_density(z, n, 1.3, 0.7)), n);
    }
  }
  return {.found =
              fmt::format(R"(the printed density, Student's and the mixture over $\sum x^2$ agree )"
                          R"({} for $n = 1, \ldots, 100$)",
                          agreement(gap.value)),
          .as_stated = gap.value <= what.number("tolerance")};
}

/// E|Z|^k by z = tan θ, for n > k.
double absolute_moment(double n, double k) {
  const student_t law = slope_law({.w = 0}, n);
  const double end = std::numbers::pi / 2;
  // θ = end (1 - v⁴): the integrand vanishes slowly at the far end where n is small.
  return 2 * integral(
                 [&](double v) {
                   const double theta = end * (1 - std::pow(v, 4));
                   const double z = std::tan(theta);
                   return 4 * std::pow(v, 3) * end * std::pow(z, k) * pdf(law, z) * (1 + z * z);
                 },
                 0, 1, 64);
}

finding slope_moments(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double n : {3.0, 4.0, 10.0, 30.0, 1000.0}) {
    const student_t law = slope_law({.w = 0, .sigma_x = 2, .sigma_xi = 3}, n);
    gap.add(relative_gap(std::pow(deviation(law), 2), 2.25 / (n - what.number("less"))), n);
    gap.add(relative_gap(absolute_moment(n, 2), 1 / (n - what.number("less"))), n);
    gap.add(std::fabs(mean(law)), n);
  }
  const auto infinite = [](double n) { return std::isinf(deviation(slope_law({}, n))); };
  const bool mean_from_two =
      mean(slope_law({.w = 0}, 2)) == 0 && std::isnan(mean(slope_law({.w = 0}, 1)));
  return {.found = fmt::format(
              R"($1/(n - 2)$ {} for $n = 3, \ldots, 1000$; the variance is infinite for )"
              "$n = 1, 2$, and there is no mean for $n = 1$",
              agreement(gap.value)),
          .as_stated = gap.value <= what.number("tolerance") && infinite(1) && infinite(2) &&
                       !infinite(3) && mean_from_two};
}

/// ψ by its recurrence and asymptotic series.
double digamma(double x) {
  double shift = 0;
  for (; x < 20; ++x) shift -= 1 / x;
  const double y = 1 / (x * x);
  return shift + std::log(x) - 0.5 / x -
         y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

finding slope_entropy_formula(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double n : {1.0, 2.0, 3.0, 10.0, 30.0, 300.0}) {
    const double printed =
        std::numbers::log2e *
        (std::log(3.0 / 2) -
         (std::lgamma((n + 1) / 2) - 0.5 * std::log(std::numbers::pi) - std::lgamma(n / 2)) +
         (n + 1) / what.number("half") * (digamma((n + 1) / 2) - digamma(n / 2)));
    const student_t law = slope_law({.w = 0, .sigma_x = 2, .sigma_xi = 3}, n);
    const double end = std::numbers::pi / 2;
    const double numerical = -2 * integral(
                                      [&](double v) {
                                        const double theta = end * (1 - std::pow(v, 8));
                                        const double z = 1.5 * std::tan(theta);
                                        const double slope = 1.5 * (1 + std::pow(z / 1.5, 2));
                                        return 8 * std::pow(v, 7) * end * slope * pdf(law, z) *
                                               log_pdf(law, z) * std::numbers::log2e;
                                      },
                                      0, 1, 128);
    gap.add(std::fabs(printed - differential_entropy(law).value()), n);
    gap.add(std::fabs(printed - numerical), n);
  }
  return {.found = fmt::format(
              R"(the law's entropy and $-\int f \log_2 f$ agree with it to ${}$ bits for )"
              R"($n = 1, \ldots, 300$)",
              tex(gap.value)),
          .as_stated = gap.value <= what.number("tolerance")};
}

finding slope_distribution(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double n : {1.0, 2.0, 3.0, 10.0, 30.0}) {
    const student_t law = slope_law({.w = 2, .sigma_x = 1.3, .sigma_xi = 0.7}, n);
    for (const double x : {-1.0, 1.5, 1.9, 2.0, 2.2, 4.0}) {
      const double t = (x - 2) * 1.3 / 0.7;
      // Euler's integral of 2F1(½, (n+1)/2; 3/2; −t²).
      const double hypergeometric =
          integral([&](double s) { return std::pow(1 + t * t * s * s, -(n + 1) / 2); }, 0, 1);
      const double printed =
          what.number("half") + t * std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) /
                                    std::sqrt(std::numbers::pi) * hypergeometric;
      gap.add(std::fabs(printed - cdf(law, x)), n);
    }
  }
  return {.found = "agrees with Student's distribution function " + agreement(gap.value),
          .as_stated = gap.value <= what.number("tolerance")};
}

}  // namespace

check_table slope_checks() {
  return {{"slope_density", slope_density},
          {"slope_moments", slope_moments},
          {"slope_entropy_formula", slope_entropy_formula},
          {"slope_distribution", slope_distribution}};
}

}  // namespace ktln2::paper
