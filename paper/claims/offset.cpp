#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {
namespace {

finding mercator_remainder(const claim& what, const effort& /*work*/) {
  const extreme worst = largest(linear_grid(-0.5, 0.5, 2000), [](double x) {
    return std::fabs(std::log1p(x) - x + x * x / 2) / std::pow(std::fabs(x), 3);
  });
  return {
      .found = fmt::format(R"(${:.6f} \abs{{x}}^3$ suffices; the worst is $x = {:.2f}$)",
                           worst.value, worst.at),
      .as_stated = worst.value <= what.number("factor") &&
                   relative_gap(mercator_remainder_bound(0.5), what.number("factor") / 8) < 1e-4};
}

finding tail_mass(const claim& what, const effort& /*work*/) {
  const extreme worst = largest(log_grid(0.1, 60, 300), [&](double mu) {
    const double bound =
        what.number("factor") / (mu * std::sqrt(2 * std::numbers::pi)) * std::exp(-mu * mu / 8);
    return std::max(offset_tail_mass(normal{mu, 1}) / bound,
                    offset_tail_mass(normal{mu, 1}) / offset_tail_mass_bound(normal{mu, 1}));
  });
  return {
      .found = fmt::format(
          R"(the probability is at most {:.4f} times the bound for $\mu/\sigma$ from 0.1 to 60)",
          worst.value),
      .as_stated = worst.value <= 1};
}

/// E[|ln|δ||; Aᶜ] by quadrature: δ = 1 + ε/μ ~ N(1, s²), and Aᶜ is |δ - 1| > ½.
double log_tail(double s) {
  const auto density = [s](double t) {
    const double z = (t - 1) / s;
    return std::exp(-z * z / 2) / (s * std::sqrt(2 * std::numbers::pi));
  };
  const auto weighted = [&](double t) { return density(t) * std::fabs(std::log(std::fabs(t))); };
  const double far = std::max(2.0, 40 * s);
  // t = ±v⁸/2 takes the singularity at 0 away.
  const double center = integral(
      [&](double v) {
        const double t = std::pow(v, 8) / 2;
        return 4 * std::pow(v, 7) * (weighted(t) + weighted(-t));
      },
      0, 1, 32);
  return center + integral(weighted, 1.5, 1.5 + far, 256) +
         integral(weighted, -0.5 - far, -0.5, 256);
}

finding log_tail_bound(const claim& what, const effort& /*work*/) {
  const extreme worst = largest(log_grid(0.5, 30, 60), [](double ratio) {
    return log_tail(1 / ratio) / offset_log_tail_bound(normal{ratio, 1});
  });
  const double far = log_tail(1.0 / 20) * std::pow(20, what.number("power"));
  return {.found = fmt::format(
              R"(at most {:.4f} times the bound with the proof's constants, for $\mu/\sigma$ )"
              R"(from 0.5 to 30; multiplied by $(\mu/\sigma)^{{{:.0f}}}$, ${}$ at 20)",
              worst.value, what.number("power"), tex(far)),
          .as_stated = worst.value <= 1 && far < 1e-6};
}

finding offset_correction(const claim& what, const effort& /*work*/) {
  const auto ratio = [](double mu) {
    const double correction =
        mean_log_magnitude(normal{mu, 1}) - std::log2(mu / std::numbers::sqrt2);
    return correction / (-1 / (2 * mu * mu * std::numbers::ln2));
  };
  return {
      .found = fmt::format(
          R"(the true correction is {:.4f} times that at $\mu = 5 \sigma$, {:.5f} at $10 \sigma$, )"
          R"({:.6f} at $30 \sigma$)",
          ratio(5), ratio(10), ratio(30)),
      .as_stated = std::fabs(ratio(what.number("mu")) - 1) <= what.number("tolerance")};
}

finding g_insensitive(const claim& what, const effort& /*work*/) {
  extreme worst;
  for (const double mu : log_grid(1, 1000, 20)) {
    for (const double share : log_grid(0.001, what.number("sigma_over_mu"), 20)) {
      worst.add(std::fabs(mean_log_magnitude(normal{mu, share * mu}) -
                          mean_log_magnitude(normal{mu, 0.001 * mu})),
                share);
    }
  }
  return {.found =
              fmt::format(R"($G$ moves by at most {1:.4f} bits for $\sigma/\mu$ from 0.001 to {0})",
                          what.number("sigma_over_mu"), worst.value),
          .as_stated = worst.value <= what.number("insensitive")};
}

}  // namespace

check_table offset_checks() {
  return {{"mercator_remainder", mercator_remainder},
          {"tail_mass", tail_mass},
          {"log_tail_bound", log_tail_bound},
          {"offset_correction", offset_correction},
          {"g_insensitive", g_insensitive}};
}

}  // namespace ktln2::paper
