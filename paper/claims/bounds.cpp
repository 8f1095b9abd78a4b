#include "ktln2/entropy/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {
namespace {

/// Laws well inside 𝕌 of every format tried here.
std::vector<normal> laws_inside(const float_format& format) {
  const double edge = format.granular_edge().to_double();
  return {normal{0, edge / 40}, normal{edge / 2, edge / 40}, normal{0.8 * edge, edge / 80},
          normal{0.875 * edge, edge / 48}};
}

/// What the definition of the outermost widths instead of the true ones adds to H̃.
double definition_shift(const float_format& format, const normal& x) {
  const wide left = midpoint(format.max(), format.value_at(format.size() - 1));
  const double width = (format.granular_edge() - left).to_double();
  const double defined = (format.max() - format.value_at(format.size() - 1)).to_double();
  const double mass = cdf(x, format.granular_edge().to_double()) - cdf(x, left.to_double());
  return mass * std::log2(width / defined);
}

finding smoothing_theorem(const claim& what, const effort& /*work*/) {
  const double share = what.number("half") - 0.5;  // beyond the library's ½ + ε₀
  extreme by_definition;
  extreme by_width;
  float_format worst_format{1, 3};
  for (int p = 1; p <= 8; ++p) {
    for (const int e : {2, 3, 4}) {
      const float_format format{p, e};
      for (const normal& x : laws_inside(format)) {
        const double gap =
            (cell_width_entropy(format, x) - smooth_entropy_granular(format, x)).value();
        const double bound = smoothing_bound(format, x).value() + share;
        by_width.add(std::fabs(gap) - bound, p);
        const double excess = std::fabs(gap + definition_shift(format, x)) - bound;
        if (excess > by_definition.value) worst_format = format;
        by_definition.add(excess, p);
      }
    }
  }
  const normal shown{21, 0.5};
  const float_format one{1, 3};
  const double gap = (cell_width_entropy(one, shown) - smooth_entropy_granular(one, shown)).value();
  const double tolerance = 1e-9;
  return {
      .found = fmt::format("with true widths at least {:.3f} bits below the bound; with the "
                           "defined ones up to {:.3f} above it ({})",
                           -by_width.value, by_definition.value, worst_format.name()),
      .as_stated = by_definition.value <= tolerance,
      .as_qualified = by_width.value <= tolerance,
      .qualification = "with the true width of the outermost cells, which matters at $p = 1$ only",
      .counterexample = fmt::format(
          R"(p1e3, $\mathcal{{N}}(21, 0.5^2)$: {:.3f} bits with the defined width, {:.3f} )"
          R"(with the )"
          "true one; the bound is {:.3f}",
          std::fabs(gap + definition_shift(one, shown)), std::fabs(gap),
          smoothing_bound(one, shown).value())};
}

finding zero_cells_value(const claim& what, const effort& /*work*/) {
  const float_format format{24, 4};
  const double value = zero_cells_error(format, normal{0, 1}).value();
  const double bound = zero_cells_error_bound(format, normal{0, 1}).value();
  return {.found = fmt::format("{:.6f} bits; its bound {:.6f}", value, bound),
          .as_stated = std::fabs(value - what.number("value")) <= what.number("tolerance") &&
                       std::fabs(bound - what.number("value")) <= what.number("tolerance")};
}

finding zero_cells_negligible(const claim& what, const effort& /*work*/) {
  const auto worst = [](int e) {
    extreme result;
    for (int p = 1; p <= 24; ++p) {
      result.add(zero_cells_error({p, e}, normal{0, 1}).value(), p);
      result.add(zero_cells_error({p, e}, student_t{5, 0, 1}).value(), p);
    }
    return result.value;
  };
  const double small = what.number("negligible");
  const bool later = worst(5) <= small && worst(6) <= small && worst(8) <= small;
  return {.found = fmt::format("at most {:.3f} bits at $E = 4$, {:.5f} at $E = 5$, ${}$ at $E = 8$",
                               worst(4), worst(5), tex(worst(8))),
          .as_stated = worst(4) <= small && later,
          .as_qualified = later,
          .qualification = R"(for $E \ge 5$ ($\sigma = 1$, $p \le 24$))",
          .counterexample = fmt::format("{:.3f} bits at $E = 4$, $p = 24$", worst(4))};
}

finding zero_cells_bound(const claim& what, const effort& /*work*/) {
  extreme excess;
  for (int p = 1; p <= 24; p += 1) {
    for (const int e : {2, 3, 4, 5, 8}) {
      const float_format format{p, e};
      for (const law& x :
           {law{normal{0, 1}}, law{normal{0, 0.01}}, law{normal{0.3, 0.1}}, law{student_t{5, 0, 1}},
            law{student_t{1, 0.1, 0.5}}, law{slope_law({.w = 0.25}, 10)}}) {
        const double error = zero_cells_error(format, x).value();
        const double bound = zero_cells_error_bound(format, x).value();
        if (bound > 0) excess.add(error / bound, p);
      }
    }
  }
  return {
      .found = fmt::format(R"($\varepsilon_0$ is at most {:.6f} times the bound)", excess.value),
      .as_stated = excess.value <= what.number("ratio") * (1 + 1e-12)};
}

/// The slope is centered at w, the corollary's Student law at 0.
/// The same for two registers, whose outermost cells have their true width.
finding smoothing_theorem_pair(const claim& what, const effort& work) {
  const double more = (what.number("halves") - 2) / 2;  // than the library's 1 + ε₀
  extreme excess;
  extreme moved;
  for (const int p : {2, 4, 8}) {
    for (const int e : {2, 3, 4}) {
      const format_pair formats{{p, e}, {p, e}};
      for (const double sigma : log_grid(0.5, 2, work.points(5))) {
        for (const double noise : {0.1, 1.0, 3.0}) {
          const regression_pair pair{1, sigma, noise * sigma};
          const bits gap =
              cell_width_entropy(formats, pair) - smooth_entropy_granular(formats, pair);
          const double size = std::fabs(gap.value());
          excess.add(size - smoothing_bound(formats, pair).value() - more, p);
          moved.add(size, p);
        }
      }
    }
  }
  return {.found = fmt::format("moves it by up to {:.3f} bits, at least {:.3f} below the bound",
                               moved.value, -excess.value),
          .as_stated = excess.value <= 1e-9};
}

finding student_bound(const claim& what, const effort& /*work*/) {
  extreme ratio;
  for (int p = 1; p <= 24; ++p) {
    for (const int e : {2, 4, 5}) {
      for (const double n : {1.0, 3.0, 30.0}) {
        const float_format format{p, e};
        const double at_zero = pdf(slope_law({.w = 0}, n), 0);
        const double bound = what.number("factor") * zero_cells_constant(format) * at_zero;
        for (const double w : {0.0, 0.25, 1.0}) {
          ratio.add(zero_cells_error(format, slope_law({.w = w}, n)).value() / bound, w);
        }
      }
    }
  }
  return {.found = fmt::format(
              R"($\varepsilon_0$ of the slope is at most {:.6f} times the bound, at $w = {}$)",
              ratio.value, ratio.at),
          .as_stated = ratio.value <= 1 + 1e-12};
}

/// How much smaller than ½ bit the error of smoothing is.
finding smoothing_cancels(const claim& what, const effort& /*work*/) {
  const auto error = [](const law& x) {
    const float_format format{24, 8};
    return std::fabs((cell_width_entropy(format, x) - smooth_entropy_granular(format, x)).value());
  };
  extreme broad;
  for (const double sigma : log_grid(1, 2, 9)) {
    for (const law& x : {law{normal{0, sigma}}, law{student_t{3, 0, sigma}}, law{laplace{0, sigma}},
                         law{logistic{0, sigma}}}) {
      broad.add(error(x), sigma);
    }
  }
  const double slope = error(slope_law({.w = 5}, 30));
  const double worst = error(normal{1.98, 0.003});
  const double much = what.number("much_smaller");
  return {.found = fmt::format(
              "at most {:.4f} bits for four kinds of laws around 0; {:.3f} for the slope "
              "at $w = 5$, $n = 30$",
              broad.value, slope),
          .as_stated = broad.value <= much && slope <= much,
          .as_qualified = broad.value <= much,
          .qualification = "for laws that spread over several binades",
          .counterexample = fmt::format(
              "within one binade nothing cancels: {:.3f} bits for the slope at $w = 5$, "
              R"($n = 30$, {:.3f} for $\mathcal{{N}}(1.98, 0.003^2)$)",
              slope, worst)};
}

finding zero_cells_constant_formula(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (int p = 1; p <= 24; ++p) {
    for (const int e : {2, 4, 8}) {
      const float_format format{p, e};
      const double a = std::exp2(format.emin()) * (1 + std::exp2(-p));
      // x = a t⁸ takes the logarithm's singularity away.
      const double numerical =
          2 * a *
          integral(
              [&](double t) {
                return 8 * std::pow(t, 7) * (p - what.number("half") - 8 * std::log2(t));
              },
              0, 1, 16);
      gap.add(relative_gap(numerical, zero_cells_constant(format)), p);
    }
  }
  return {.found = fmt::format("$C_0 = {:.6g}$ for p24e4; the integral agrees {}",
                               zero_cells_constant({24, 4}), agreement(gap.value)),
          .as_stated = gap.value <= what.number("tolerance")};
}

finding student_overlap(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (int p = 1; p <= 24; ++p) {
    for (const int e : {3, 4, 5, 6, 7, 8}) {
      const double bell = zero_cells_error_bound({p, e}, normal{0, 1}).value();
      const double student = zero_cells_error_bound({p, e}, student_t{5, 0, 1}).value();
      gap.add(std::fabs(student / bell - 1), e);
    }
  }
  return {
      .found = fmt::format("the two bounds differ by {:.2f}%, {:.3f} of a decade on the figure's "
                           "axis",
                           100 * gap.value, -std::log10(1 - gap.value)),
      .as_stated = gap.value <= what.number("nearly")};
}

finding gamma_ratio(const claim& what, const effort& /*work*/) {
  double low = 2;
  double high = 0;
  for (const double nu : log_grid(1, 1e6, 400)) {
    const double ratio =
        std::exp(std::lgamma((nu + 1) / 2) - std::lgamma(nu / 2)) * std::sqrt(2 / nu);
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  return {
      .found = fmt::format(R"(between {:.6f} ($\nu = 1$) and {:.6f} ($\nu = 10^6$))", low, high),
      .as_stated = low >= what.number("low") && high <= what.number("high")};
}

finding exact_identity(const claim& what, const effort& /*work*/) {
  extreme gap;
  double least = 1;
  double most = 0;
  for (const float_format format : {float_format{1, 4}, {3, 4}, {8, 5}, {24, 8}}) {
    for (const law& x :
         {law{normal{0, 1}}, law{normal{5, 0.1}}, law{student_t{3, 1, 0.5}}, law{laplace{0, 1}}}) {
      const identity_terms terms = entropy_by_identity(partition{format}, x);
      const bounded<bits> exact = exact_entropy(format, x);
      gap.add(std::fabs((exact.value - terms.entropy.value).value()) -
                  (exact.error + terms.entropy.error).value(),
              format.p());
      least = std::min(least, terms.divergence);
      most = std::max(most, terms.divergence);
    }
  }
  return {.found = fmt::format("16 pairs of format and law: the two sides agree within their error "
                               "bars; $D$ is between ${}$ and {:.2f} bits",
                               tex(least), most),
          .as_stated = gap.value <= 0 && least >= what.number("least_divergence")};
}

/// A density that is uniform on each cell has no correction term, one that varies has.
finding uniform_on_cells(const claim& what, const effort& /*work*/) {
  const float_format format{4, 4};
  const auto divergence = [&](const law& x) {
    return entropy_by_identity(partition{format}, x).divergence;
  };
  const uniform six_cells{1.0625, 1.8125};
  const bounded<bits> h = exact_entropy(format, six_cells);
  const double flat = divergence(six_cells);
  const double broad = divergence(normal{1.4, 0.2});
  const double narrow = divergence(normal{1.4, 0.02});
  return {.found = fmt::format(
              R"(p4e4: $D = {}$ bits for six whole cells, where $H = \log_2 6$; {:.4f} for )"
              R"($\mathcal{{N}}(1.4, 0.2^2)$, {:.2f} for $\mathcal{{N}}(1.4, 0.02^2)$)",
              tex(flat), broad, narrow),
          .as_stated = std::fabs(flat) <= what.number("vanishes") &&
                       std::fabs(h.value.value() - std::log2(6)) <= 1e-9 && broad < narrow &&
                       narrow > what.number("large")};
}

}  // namespace

check_table bound_checks() {
  return {{"smoothing_theorem", smoothing_theorem},
          {"smoothing_theorem_pair", smoothing_theorem_pair},
          {"zero_cells_value", zero_cells_value},
          {"zero_cells_negligible", zero_cells_negligible},
          {"zero_cells_bound", zero_cells_bound},
          {"student_bound", student_bound},
          {"smoothing_cancels", smoothing_cancels},
          {"uniform_on_cells", uniform_on_cells},
          {"zero_cells_constant_formula", zero_cells_constant_formula},
          {"student_overlap", student_overlap},
          {"gamma_ratio", gamma_ratio},
          {"exact_identity", exact_identity}};
}

}  // namespace ktln2::paper
