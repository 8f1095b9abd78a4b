#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/fields.hpp"
#include "ktln2/entropy/identity.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {
namespace {

finding zero_mean_offset(const claim& what, const effort& /*work*/) {
  const int p = 24;
  const double closed = smooth_entropy_zero_mean(p).value() - p;
  double low = closed;
  double high = closed;
  for (int i = 0; i < 64; ++i) {
    const double offset = exact_bits({p, 8}, normal{0, std::exp2(i / 64.0)}) - p;
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  const double worst = std::max(high - what.number("value"), what.number("value") - low);
  return {.found = fmt::format(
              "$p + {:.6f}$ bits by the formula; exactly, between $p + {:.6f}$ and $p + {:.6f}$",
              closed, low, high),
          .as_stated = worst <= what.number("tolerance")};
}

/// H - H̃_s⁰ of N(0, σ²).
double zero_mean_error(const float_format& format, double sigma) {
  return exact_bits(format, normal{0, sigma}) - smooth_entropy_zero_mean(format.p()).value();
}

/// The curves of the figure leave the plateau only near σ = 2^e_min and 2^e_max.
finding sigma_plateau(const claim& what, const effort& work) {
  const double margin = what.number("binades");
  extreme inside;
  extreme at_the_ends;  // of the negative: the least departure
  for (const int e : what.integers("E")) {
    const float_format format{what.integer("p"), e};
    const auto error = [&](double position) {
      return std::fabs(zero_mean_error(format, std::exp2(position)));
    };
    const extreme worst = largest(
        linear_grid(format.emin() + margin, format.emax() - margin, work.points(400)), error);
    inside.add(worst.value, e);
    at_the_ends.add(-std::min(error(format.emin()), error(format.emax())), e);
  }
  const double close = what.number("close");
  return {.found = fmt::format(
              R"(within {:.3f} bits for $\sigma$ at least {} binades away from both ends; )"
              "off by {:.2f} or more at the ends",
              inside.value, margin, -at_the_ends.value),
          .as_stated = inside.value <= close && -at_the_ends.value > close};
}

finding two_bit_mantissa(const claim& what, const effort& /*work*/) {
  const float_format format{what.integer("mantissa") + 1, 7};
  const extreme worst = largest(
      log_grid(1, 2, 65), [&](double sigma) { return std::fabs(zero_mean_error(format, sigma)); });
  return {.found =
              fmt::format(R"(off by at most {:.4f} bits over one octave of $\sigma$)", worst.value),
          .as_stated = worst.value <= what.number("well")};
}

finding low_precision_close(const claim& what, const effort& /*work*/) {
  extreme worst;
  for (int p = 1; p <= 24; ++p) worst.add(std::fabs(zero_mean_error({p, 8}, 1)), p);
  return {.found = fmt::format(
              R"($E = 8$, $p = 1, \ldots, 24$: off by at most {:.4f} bits, at $p = {:.0f}$)",
              worst.value, worst.at),
          .as_stated = worst.value <= what.number("close")};
}

finding exponent_entropy(const claim& what, const effort& /*work*/) {
  const auto entropy = [](double sigma) {
    return entropy_by_field({24, 8}, normal{0, sigma}).exponent.value.value();
  };
  extreme figure;  // the three deviations of the figure
  const std::vector<double>& deviations = what.list("sigma", 3);
  for (const double sigma : deviations) {
    figure.add(std::fabs(entropy(sigma) - what.number("value")), sigma);
  }
  double low = entropy(1);
  double high = low;
  for (const double sigma : log_grid(1, 2, 33)) {
    low = std::min(low, entropy(sigma));
    high = std::max(high, entropy(sigma));
  }
  return {.found = fmt::format(
              "{:.5f}, {:.5f} and {:.5f} bits in the figure; between {:.5f} and {:.5f} for "
              "other deviations",
              entropy(deviations[0]), entropy(deviations[1]), entropy(deviations[2]), low, high),
          .as_stated = figure.value <= what.number("tolerance")};
}

finding exponent_gap(const claim& what, const effort& /*work*/) {
  const float_format fine{53, 8};
  const normal x{0, 1};
  const field_entropies fields = entropy_by_field(fine, x);
  const double gap = fields.exponent.value.value() - (exact_bits(fine, x) - fine.p());
  const partition binades{fine, rounding::nearest, fine.p() - 1};
  const double divergence = entropy_by_identity(binades, x).divergence;
  const double mantissa_lacks = fine.p() - 1 - fields.mantissa.value.value();
  const double tolerance = what.number("tolerance");
  return {
      .found = fmt::format(
          R"(the distance is {:.5f} bits, $D(f \| g)$ for binades {:.5f}; so much the mantissa )"
          "lacks because it is not uniform inside a binade, {:.5f}",
          gap, divergence, mantissa_lacks),
      .as_stated =
          std::fabs(gap - divergence) <= tolerance && std::fabs(gap - mantissa_lacks) <= tolerance};
}

double offset_error(const float_format& format, double mu) {
  const normal x{mu, 1};
  return std::fabs(exact_bits(format, x) - smooth_entropy_offset(format.p(), x)->value());
}

finding half_bit_over_mu(const claim& what, const effort& work) {
  const float_format format{7, 7};
  const double bound = what.number("bits");
  const auto error = [&](double mu) { return offset_error(format, mu); };
  const extreme everywhere = largest(linear_grid(0.01, 100, work.points(2000)), error);
  // From where on do they stay within the bound?
  double from = 3;
  while (from > 0.01 && error(from - 0.01) <= bound) from -= 0.01;
  const extreme beyond = largest(linear_grid(from, 100, work.points(2000)), error);
  const double coarser = largest(linear_grid(1, 100, work.points(400)), [](double mu) {
                           return offset_error({3, 7}, mu);
                         }).value;
  return {
      .found = fmt::format(
          R"(at most {:.3f} bits for $\abs{{\mu}} \ge {:.2f}\,\sigma$ (at $\mu = {:.2f}$); nearer to 0 up )"
          R"(to {:.2f}. At $p = 3$ up to {:.2f} for $\abs{{\mu}} \ge \sigma$)",
          beyond.value, from, beyond.at, everywhere.value, coarser),
      .as_stated = beyond.value <= bound && from <= what.number("near")};
}

finding narrower_than_a_cell(const claim& what, const effort& /*work*/) {
  // Right above μ the spacing is 2^-2 of the binade: 16 cells of width 16 in [64, 128).
  const float_format format{3, 7};
  const double mu = 80;  // a representable value: the middle of its cell
  const double wide_law =
      exact_bits(format, normal{mu, 16}) - smooth_entropy_offset(3, normal{mu, 16})->value();
  const double narrow_law =
      exact_bits(format, normal{mu, 1}) - smooth_entropy_offset(3, normal{mu, 1})->value();
  const double cell = bin_size(format, mu);
  return {.found = fmt::format(
              R"(p3e7, $\mu = {}$, cells of {}: off by {:.2f} bits at $\sigma = 16$, by {:.2f} )"
              R"(at $\sigma = 1$)",
              mu, cell, wide_law, narrow_law),
          .as_stated = std::fabs(wide_law) <= what.number("bits") &&
                       std::fabs(narrow_law) > what.number("bits") && cell > 1};
}

finding exponents_on_top(const claim& what, const effort& /*work*/) {
  const auto spread = [](int p, int least) {
    double low = exact_bits({p, 8}, normal{0, 1});
    double high = low;
    for (int e = least; e < 8; ++e) {
      const double h = exact_bits({p, e}, normal{0, 1});
      low = std::min(low, h);
      high = std::max(high, h);
    }
    return high - low;
  };
  extreme stated;
  extreme next;
  const int least = what.integer("E");
  for (int p = 1; p <= 24; ++p) {
    stated.add(spread(p, least), p);
    next.add(spread(p, least + 1), p);
  }
  return {
      .found = fmt::format(
          "$E = {}$ is {:.3f} bits low at $p = 1$, {:.3f} at 12, {:.3f} at 24, where {:.2f}% of "
          R"(the mass is below $2^{{e_{{\mathrm{{min}}}}}}$; from $E = {}$ on the curves agree to {:.4f})",
          least, spread(1, least), spread(12, least), spread(24, least),
          100 * (2 * cdf(normal{0, 1}, 0x1p-7) - 1), least + 1, next.value),
      .as_stated = stated.value <= what.number("line_width")};
}

finding out_of_range_mass(const claim& what, const effort& /*work*/) {
  const float_format format{24, what.integer("E")};
  const double underflow = 2 * cdf(normal{0, 1}, format.min_positive().to_double()) - 1;
  const double overflow = 2 * ccdf(normal{0, 1}, format.granular_edge().to_double());
  return {.found = fmt::format(
              R"(the mass of $\mathcal{{N}}(0, 1)$ is {:.4f} below $2^{{e_{{\mathrm{{min}}}}}}$, )"
              R"(${}$ beyond the largest value)",
              underflow, tex(overflow)),
          .as_stated = underflow + overflow <= what.number("small")};
}

/// No mass is outside 𝕌, and yet approximation 2 fails.
finding underflow_condition(const claim& what, const effort& /*work*/) {
  const float_format format{3, 4};
  const normal tiny{0, 0x1p-10};
  const double outside = 2 * ccdf(tiny, format.granular_edge().to_double());
  const double error = zero_mean_error(format, 0x1p-10);
  const auto below = [&](double sigma) {
    return 2 * cdf(normal{0, sigma}, format.min_positive().to_double()) - 1;
  };
  const double good = zero_mean_error(format, 2);
  const double limit = what.number("close");
  return {
      .found = fmt::format(
          R"(p3e4, $\sigma = 2^{{-10}}$: mass ${}$ outside $\mathbb{{U}}$, off by ${:.2f}$ bits)",
          tex(outside), error),
      .as_stated = outside > 1e-12 || std::fabs(error) <= limit,
      .as_qualified = std::fabs(good) <= limit && below(2) <= what.number("small") &&
                      below(0x1p-10) > what.number("small"),
      .qualification = fmt::format(
          R"(if $P(\abs{{X}} < 2^{{e_{{\mathrm{{min}}}}}})$ is small too: at $\sigma = 2$ it )"
          R"(is {:.4f}, )"
          "and the error {:.3f} bits",
          below(2), good),
      .counterexample =
          fmt::format(R"(p3e4, $\sigma = 2^{{-10}}$: $P(\abs{{X}} < 2^{{e_{{\mathrm{{min}}}}}}) = )"
                      R"({:.4f}$, off by ${:.2f}$ bits)",
                      below(0x1p-10), error)};
}

finding tail_integral(const claim& what, const effort& /*work*/) {
  extreme worst;
  for (const float_format format : {float_format{4, 4}, {24, 8}}) {
    for (const law& x : {law{normal{0, 1}}, law{normal{5, 1}}, law{slope_law({.w = 0.25}, 3)},
                         law{slope_law({.w = 5}, 3)}, law{slope_law({.w = 1}, 30)}}) {
      worst.add(
          std::fabs((smooth_entropy(format.p(), x) - smooth_entropy_granular(format, x)).value()),
          format.exponent_bits());
    }
  }
  const law cauchy = slope_law({}, 1);
  const double heavy =
      (smooth_entropy(4, cauchy) - smooth_entropy_granular({4, 4}, cauchy)).value();
  return {.found = fmt::format(
              R"(at most ${}$ bits for the paper's normal and Student laws ($n \ge 3$); )"
              "{:.3f} for $n = 1$ in p4e4",
              tex(worst.value), heavy),
          .as_stated = worst.value <= what.number("small")};
}

/// The formula of [thm:quantized_ent] as it is printed, and how many of its terms are not zero.
struct printed_sum {
  double entropy = 0;
  double terms = 0;
};
printed_sum printed_formula(const float_format& format, const law& x) {
  std::vector<double> values;
  for (std::uint32_t e = 0; e < 1U << static_cast<unsigned>(format.exponent_bits()); ++e) {
    for (std::uint64_t m = 0; m < std::uint64_t{1} << static_cast<unsigned>(format.p() - 1); ++m) {
      const double u = format.value({false, e, m}).to_double();
      values.insert(values.end(), {-u, u});
    }
  }
  std::sort(values.begin(), values.end());
  printed_sum result;
  compensated_sum sum;
  double below = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_last = i + 1 == values.size();
    const double up_to = is_last ? 1 : cdf(x, (values[i] + values[i + 1]) / 2);
    const double P = up_to - below;
    below = up_to;
    if (!(P > 0)) continue;
    ++result.terms;
    sum.add(-P * std::log2(P));
  }
  result.entropy = sum.value();
  return result;
}

finding needs_enumeration(const claim& what, const effort& /*work*/) {
  const float_format small{6, 4};
  const law x = student_t{1, 0, 1};  // reaches all cells
  const printed_sum printed = printed_formula(small, x);
  const double gap = std::fabs(printed.entropy - exact_bits(small, x));
  const bounded<bits> large = exact_entropy({24, 8}, x);
  return {.found = fmt::format(
              "{:g} terms for {}. Their sum is the exact entropy {}, which needs none of "
              "them: quadrature inside each binade gives {} bits for p24e8",
              printed.terms, small.name(), agreement(gap), with_error(large)),
          .as_stated =
              printed.terms == std::exp2(what.number("bits")) && gap <= what.number("tolerance")};
}

finding bits_cheap_and_dear(const claim& what, const effort& /*work*/) {
  const field_entropies h = entropy_by_field({24, 8}, normal{0, 1});
  const double exponent = h.exponent.value.value() / 8;
  const double mantissa = h.mantissa.value.value() / 23;
  return {.found = fmt::format("{:.3f} bits of entropy an exponent bit, {:.4f} a mantissa bit",
                               exponent, mantissa),
          .as_stated = exponent <= what.number("cheap") && mantissa >= what.number("dear")};
}

finding more_exponent_bits(const claim& what, const effort& /*work*/) {
  extreme worst;
  for (const int p : {3, 8, 24}) {
    const double first = exact_bits({p, 5}, normal{0, 1});
    for (int e = 6; e <= 11; ++e) {
      worst.add(std::fabs(exact_bits({p, e}, normal{0, 1}) - first), p);
    }
  }
  const double range = float_format(3, 11).emax() / float_format(3, 5).emax();
  return {
      .found = fmt::format(
          "from $E = 5$ to 11 the entropy moves by at most {:.4f} bits, and the largest exponent "
          "grows by a factor {:.0f}",
          worst.value, range),
      .as_stated = worst.value <= what.number("unchanged") && range > 1};
}

finding differential_diverges(const claim& what, const effort& /*work*/) {
  const normal narrow{1, std::exp2(what.number("log_sigma"))};
  const double h = differential_entropy(narrow).value();
  const bounded<bits> stored = exact_entropy(float_format{24, 8}, narrow);
  const double falls =
      h - differential_entropy(normal{1, std::exp2(what.number("log_sigma") - 100)}).value();
  return {.found = fmt::format(
              R"($h = {:.2f}$ bits at $\sigma = 2^{{{:.0f}}}$, while the register holds {} bits)",
              h, what.number("log_sigma"), with_error(stored)),
          .as_stated = h < 0 && std::fabs(falls - 100) < 1e-9 && stored.value.value() >= 0};
}

}  // namespace

check_table entropy_checks() {
  return {{"zero_mean_offset", zero_mean_offset},
          {"sigma_plateau", sigma_plateau},
          {"two_bit_mantissa", two_bit_mantissa},
          {"low_precision_close", low_precision_close},
          {"exponent_entropy", exponent_entropy},
          {"exponent_gap", exponent_gap},
          {"half_bit_over_mu", half_bit_over_mu},
          {"narrower_than_a_cell", narrower_than_a_cell},
          {"exponents_on_top", exponents_on_top},
          {"out_of_range_mass", out_of_range_mass},
          {"underflow_condition", underflow_condition},
          {"tail_integral", tail_integral},
          {"needs_enumeration", needs_enumeration},
          {"bits_cheap_and_dear", bits_cheap_and_dear},
          {"more_exponent_bits", more_exponent_bits},
          {"differential_diverges", differential_diverges}};
}

}  // namespace ktln2::paper
