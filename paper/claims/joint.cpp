#include "ktln2/entropy/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

bounded<bits> joint_bits(const float_format& format, const regression_pair& pair,
                         double tolerance = 1e-9) {
  return joint_entropy(format_pair{format, format}, pair, bits{tolerance}).joint;
}

/// H - H̃_s of a pair in two like registers.
double joint_error(const float_format& format, const regression_pair& pair) {
  return (joint_bits(format, pair, 1e-4).value - smooth_joint_entropy(format.p(), format.p(), pair))
      .value();
}

finding joint_closed_form(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double w : {-3.0, 0.0, 0.25, 1.0, 100.0}) {
    for (const double noise : {0.1, 1.0, 7.0}) {
      const regression_pair pair{w, 2, noise};
      const double direct = differential_entropy(pair).value() + 2 * 23 -
                            mean_log_magnitude(pair.x()) - mean_log_magnitude(pair.y());
      const double closed = what.number("registers") * smooth_entropy_zero_mean(24).value() -
                            0.5 * std::log2(1 + pair.snr());
      gap.add(std::fabs(direct - closed), w);
      gap.add(std::fabs(smooth_joint_entropy(24, 24, pair).value() - closed), w);
    }
  }
  return {
      .found = fmt::format(R"(15 pairs: agrees with $h(X, Y) - \mathbb{{E}} \log_2 \Delta_s(X) - )"
                           R"(\mathbb{{E}} \log_2 \Delta_s(Y)$ to ${}$ bits)",
                           tex(gap.value)),
      .as_stated = gap.value <= what.number("tolerance")};
}

finding pair_differential(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const double w : {-3.0, 0.0, 0.25, 1.0, 100.0}) {
    const double sx = 1.5;
    const double sn = 0.3;
    // From the covariance matrix.
    const double determinant = sx * sx * (w * w * sx * sx + sn * sn) - std::pow(w * sx * sx, 2);
    const double by_matrix =
        std::log2(2 * std::numbers::pi * std::numbers::e) + 0.5 * std::log2(determinant);
    const double sum =
        (differential_entropy(normal{0, sx}) + differential_entropy(normal{0, sn})).value();
    gap.add(std::fabs(by_matrix - sum), w);
    gap.add(std::fabs(differential_entropy(regression_pair{w, sx, sn}).value() - sum), w);
  }
  return {.found = fmt::format(
              R"(agrees with $\frac{{1}}{{2}} \log_2\left((2 \pi e)^2 \operatorname{{det}} )"
              R"(\Sigma\right)$ to ${}$ bits)",
              tex(gap.value)),
          .as_stated = gap.value <= what.number("tolerance")};
}

finding joint_falls_with_snr(const claim& what, const effort& /*work*/) {
  bool falls = true;
  std::string shown;
  double last = std::numeric_limits<double>::infinity();
  for (const double snr : what.list("snr")) {
    const double h = joint_bits({24, 8}, {std::sqrt(snr), 1, 1}).value.value();
    falls = falls && h < last;
    last = h;
    shown += fmt::format("{}{:.3f}", shown.empty() ? "" : ", ", h);
  }
  return {.found = shown + " bits in p24e8 as the SNR rises",
          .as_stated = falls && last < what.number("below")};
}

finding infinite_snr(const claim& what, const effort& /*work*/) {
  const float_format format{3, 4};
  const regression_pair line{1, 1, std::exp2(-what.number("log_ratio"))};
  const bits smooth = smooth_joint_entropy(3, 3, line);
  const bounded<bits> exact = joint_bits(format, line);
  const bounded<bits> x = exact_entropy(format, line.x());
  return {.found = fmt::format(
              R"(p3e4, $\sigma_\xi = 2^{{-{:.0f}}}$: the formula gives ${:.2f}$ bits, exactly it )"
              R"(is {}, and $H(X) = {:.6f}$)",
              what.number("log_ratio"), smooth.value(), with_error(exact), x.value.value()),
          .as_stated = smooth.value() < 0 && exact.value.value() >= x.value.value() - 1e-6 &&
                       exact.value.value() <= x.value.value() + 0.01};
}

finding not_recoverable(const claim& what, const effort& /*work*/) {
  const auto unknown = [](double w) {
    const float_format format{3, 4};
    const joint_entropies h =
        joint_entropy(format_pair{format, format}, {w, 1, 0x1p-40}, bits{1e-9});
    return (h.joint.value - h.y.value).value();
  };
  return {.found = fmt::format(
              R"($H(X_{{\mathrm{{fp}}}} \mid Y_{{\mathrm{{fp}}}}) = {:.4f}$ bits at $w = 1.5$, )"
              R"(${}$ at $w = 1$)",
              unknown(1.5), tex(unknown(1))),
          .as_stated = unknown(what.number("slope")) > what.number("visible")};
}

/// The largest distance from the paper's first p up to that of single precision, for E = 4 and for
/// wider exponents.
struct approach {
  extreme narrow;
  extreme wide;
  double before;  ///< one p earlier, E = 4
};

approach look_at(const regression_pair& pair, int first_p, const effort& work) {
  approach result{{}, {}, joint_error({first_p - 1, 4}, pair)};
  for (const int p : {first_p, first_p + 1, 12, 24}) {
    if (work.quick && p == first_p + 1) continue;
    result.narrow.add(std::fabs(joint_error({p, 4}, pair)), p);
    result.wide.add(std::fabs(joint_error({p, 5}, pair)), p);
    work.pause();
  }
  return result;
}

/// `others` is what else the claim says.
finding judged(const approach& a, int first_p, double close, bool others) {
  const bool is_close = a.wide.value <= close && std::fabs(a.before) > close && others;
  return {
      .found = fmt::format(
          "off by ${:+.3f}$ bits at $p = {}$ ($E = 4$); from $p = {}$ to 24 by at most {:.3f} for "
          "$E = 5$ ($p = {:.0f}$), {:.3f} for $E = 4$ ($p = {:.0f}$)",
          a.before, first_p - 1, first_p, a.wide.value, a.wide.at, a.narrow.value, a.narrow.at),
      .as_stated = is_close && a.narrow.value <= close,
      .as_qualified = is_close,
      .qualification = fmt::format(R"(for $E \ge 5$, to {:.3f} bits)", a.wide.value),
      .counterexample =
          fmt::format("$E = 4$, $p = {:.0f}$: off by {:.3f} bits, because of underflow in "
                      "both registers",
                      a.narrow.at, a.narrow.value)};
}

finding joint_onset(const claim& what, const effort& /*work*/) {
  bool holds = true;
  std::string shown;
  const std::vector<int> precisions = what.integers("p");
  const std::vector<double>& noises = what.list("noise", precisions.size());
  for (std::size_t i = 0; i < precisions.size(); ++i) {
    const int p = precisions[i];
    const regression_pair pair{1, 1, noises[i]};
    for (const int E : {4, 8}) {
      const double before = joint_error({p - 1, E}, pair);
      const double here = joint_error({p, E}, pair);
      const double after = joint_error({p + 1, E}, pair);
      const double close = what.number("close");
      holds = holds && std::fabs(before) > close && std::fabs(here) <= close &&
              std::fabs(after) <= close;
      shown += fmt::format(
          "{}${:+.3f}, {:+.3f}, {:+.3f}$ at $p = {}, {}, {}$ ($E = {}$, SNR {:.0f})",
          shown.empty() ? "" : "; ", before, here, after, p - 1, p, p + 1, E, pair.snr());
    }
  }
  return {.found = "exact less approximate, in bits: " + shown, .as_stated = holds};
}

finding joint_snr_low(const claim& what, const effort& work) {
  const int p = what.integer("p");
  return judged(look_at({1, 1, 0.5}, p, work), p, what.number("close"), true);
}

finding joint_snr_high(const claim& what, const effort& work) {
  const regression_pair pair{1, 1, 0.01};
  const int p = what.integer("p");
  bool underestimates = true;
  for (int q = 1; q < p; ++q) underestimates = underestimates && joint_error({q, 4}, pair) > 0;
  return judged(look_at(pair, p, work), p, what.number("close"), underestimates);
}

finding joint_well_within(const claim& what, const effort& /*work*/) {
  const regression_pair pair{std::sqrt(what.number("snr")), 1, 1};
  const bounded<bits> exact = joint_bits({24, 8}, pair);
  const double error = (exact.value - smooth_joint_entropy(24, 24, pair)).value();
  return {.found = fmt::format("off by ${:+.5f}$ of {} bits", error, with_error(exact)),
          .as_stated = std::fabs(error) <= what.number("close")};
}

}  // namespace

check_table joint_checks() {
  return {{"joint_closed_form", joint_closed_form},
          {"pair_differential", pair_differential},
          {"joint_falls_with_snr", joint_falls_with_snr},
          {"infinite_snr", infinite_snr},
          {"not_recoverable", not_recoverable},
          {"joint_onset", joint_onset},
          {"joint_snr_low", joint_snr_low},
          {"joint_snr_high", joint_snr_high},
          {"joint_well_within", joint_well_within}};
}

}  // namespace ktln2::paper
