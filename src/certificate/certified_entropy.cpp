#include "ktln2/certificate/certified_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "certificate/ball.hpp"
#include "certificate/density.hpp"
#include "certificate/even_law.hpp"
#include "certificate/format_line.hpp"
#include "certificate/line_sum.hpp"
#include "certificate/one_sided.hpp"
#include "certificate/parameters.hpp"
#include "certificate/register_line.hpp"
#include "certificate/uniform_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace certificate {
namespace {

/// Of the rule.
constexpr int nodes = 32;

/// The cells of a code, and how well its entropy is to be known.
struct question {
  std::function<std::unique_ptr<const cell_line>()> line;  ///< with the bits that work then
  bool has_irrational_edges = false;
  std::vector<interval> alike = {};
  bits tolerance;
  int width = 0;  ///< of the code

  [[nodiscard]] joined_cells joined() const {
    joined_cells made;
    for (const interval& each : alike) {
      made.emplace_back(exact_ball(each.left), exact_ball(each.right));
    }
    return made;
  }
};

struct enclosure {
  ball nats;
  ball rounding;  ///< what of the radius a higher precision would shrink
};

template <class Law>
enclosure entropy_in_nats(const question& asked, const Law& law, const parameters& place,
                          const ball& share) {
  const lattice_rule rule{nodes};
  const auto line = asked.line();
  // One half tells all of an even law on symmetric cells.
  const bool halves =
      Law::is_even && line->is_symmetric() && arb_is_zero(place.location.raw()) != 0;
  line_sum<Law> sum{*line, law, rule, place, share};
  sum.add_blocks(halves ? line->blocks() / 2 : 0, line->blocks());
  if (!asked.alike.empty()) sum.join(asked.joined());
  const ball middle = sum.left_out().scaled(-1);
  const ball all = (sum.sum() + middle).widened(middle).widened(sum.truncated());
  const long copies = halves ? 1 : 0;
  return {all.scaled(copies), sum.sum().radius().scaled(copies)};
}

/// A double and a bound on its distance from everything in the ball. Nothing is known worse than
/// by 0 ≤ H ≤ the number of bits.
bounded<bits> rounded_outward(const ball& h, int width) {
  const double half = 0.5 * width;
  const double value = h.is_finite() ? h.middle() : half;
  const double error = abs(h - ball(value)).upper_double();
  if (!(error <= half)) return {bits{half}, bits{half}, evidence::proved};
  return {bits{value}, bits{error}, evidence::proved};
}

/// By how many bits one number is larger than another.
slong bits_above(double larger, double smaller) {
  return larger == 0 ? 0 : std::max(0, std::ilogb(larger) - std::ilogb(smaller));
}

/// With so many bits more as are lost where numbers are nearly equal.
template <class MakeLaw, class MakePlace>
bounded<bits> certify_at(const question& asked, slong cancelled, const MakeLaw& make_law,
                         const MakePlace& make_place) {
  constexpr slong least_bits = 128;
  constexpr slong most_bits = 1024;
  constexpr double least_goal = 0x1p-54;  // bits; hardly an entropy as a double is so exact
  for (slong precision = least_bits;; precision *= 2) {
    const working_precision working{precision + cancelled};
    const ball goal = ball(std::fmax(asked.tolerance.value(), least_goal)) * ln2();
    const enclosure h = entropy_in_nats(asked, make_law(), make_place(), goal.scaled(-12).lower());
    const bool rounding_matters = !(h.rounding < max(goal, h.nats.radius()).scaled(-2));
    if (precision >= most_bits || !rounding_matters) {
      return rounded_outward(h.nats / ln2(), asked.width);
    }
  }
}

template <class Kernel, class MakeLaw>
bounded<bits> certify(const question& asked, const location_scale<Kernel>& x, slong cancelled,
                      const MakeLaw& make_law) {
  // Edges are irrational with E = 0, locations where they were computed: they lose bits when the
  // one is taken off the other.
  if (asked.has_irrational_edges) cancelled += bits_above(4, x.scale());
  if (x.origin() != nullptr) cancelled += bits_above(x.location(), x.scale());
  return certify_at(asked, cancelled, make_law, [&x] { return parameters_of(x); });
}

bounded<bits> certify(const question& asked, const normal& x) {
  return certify(asked, x, 0, [] { return even_law{normal_density{}}; });
}

bounded<bits> certify(const question& asked, const student_t& x) {
  const double dof = x.kernel().dof();
  const slong cancelled = std::clamp(std::ilogb(dof) - 32, 0, 28);
  return certify(asked, x, cancelled, [dof] { return even_law{student_density{dof}}; });
}

bounded<bits> certify(const question& asked, const laplace& x) {
  return certify(asked, x, 0, [] { return even_law{laplace_density{}}; });
}

bounded<bits> certify(const question& asked, const logistic& x) {
  return certify(asked, x, 0, [] { return even_law{logistic_density{}}; });
}

/// Edges that are dyadic numbers are exact with the least precision, those of E = 0 are told apart
/// from the ends with some more.
bounded<bits> certify(const question& asked, const uniform& x) {
  for (slong precision = 256; precision <= 4096; precision *= 2) {
    const working_precision working{precision};
    const auto sum = uniform_sum(*asked.line(), x.low(), x.high(), asked.joined());
    if (sum) return rounded_outward(*sum / ln2(), asked.width);
  }
  throw std::logic_error("certificate: a uniform law ends too close to an edge");
}

[[noreturn]] bounded<bits> refuse_to_certify(const char* which) {
  throw std::domain_error(std::string("certificate: ") + which +
                          " law has none: it is known by a table or by functions of its own");
}
bounded<bits> certify(const question& /*asked*/, const sgd_exact& /*x*/) {
  refuse_to_certify("the exact SGD");
}
bounded<bits> certify(const question& /*asked*/, const custom_law& /*x*/) {
  refuse_to_certify("a custom");
}

bounded<bits> certify_folded(const question& asked, const normal& whole) {
  return certify(asked, whole, 0, [] { return folded_law{normal_density{}}; });
}
bounded<bits> certify_folded(const question& asked, const laplace& whole) {
  return certify(asked, whole, 0, [] { return folded_law{laplace_density{}}; });
}

bounded<bits> certify_form(const question& asked, const lognormal_form& x) {
  return certify_at(
      asked, bits_above(1, x.sigma), [&x] { return lognormal_on_line{x.sigma}; },
      [&x] {
        return parameters{0.0, exp(ball(x.mu))};
      });
}

bounded<bits> certify_form(const question& asked, const gamma_form& x) {
  return certify_at(
      asked, bits_above(x.shape, 1), [&x] { return gamma_on_line{x.shape}; },
      [&x] {
        return parameters{0.0, x.scale};
      });
}

bounded<bits> certify_form(const question& asked, const triangular_form& x) {
  const double length = std::fmax(x.high / 2 - x.low / 2, 0x1p-1074);
  const slong cancelled = asked.has_irrational_edges ? bits_above(4, length) : 0;
  return certify_at(
      asked, cancelled,
      [&x] {
        return triangle_on_line{x.low, x.mode, x.high};
      },
      [&x] {
        return parameters{x.low, 1.0};
      });
}

bounded<bits> certify(const question& asked, const compound_law& x) {
  if (x.as_folded()) {
    return std::visit([&](const auto& whole) { return certify_folded(asked, whole); },
                      *x.as_folded());
  }
  if (x.as_gamma()) return certify_form(asked, *x.as_gamma());
  if (x.as_lognormal()) return certify_form(asked, *x.as_lognormal());
  if (x.as_triangular()) return certify_form(asked, *x.as_triangular());
  throw std::domain_error("certificate: " + x.name() +
                          " has none, expected normal, student, slope, uniform, laplace, "
                          "logistic, lognormal, exponential, gamma, chi2, halfnormal, triangular "
                          "or sgd");
}

bounded<bits> certify(const question& asked, const law& x) {
  if (!(asked.tolerance > bits{0} && asked.tolerance <= bits{1})) {
    throw std::domain_error("certificate: the tolerance must be > 0 and at most 1, got " +
                            shown(asked.tolerance.value()));
  }
  return std::visit([&](const auto& known) { return certify(asked, known); }, x);
}

}  // namespace
}  // namespace certificate

bounded<bits> certified_entropy(const float_format& format, const law& x, bits tolerance,
                                int dropped_bits) {
  require_in_range("certificate", "dropped bits", dropped_bits, 0, format.width() - 1);
  const auto line = [&] {
    return std::make_unique<const certificate::format_line>(format, dropped_bits);
  };
  return certificate::certify({.line = line,
                               .has_irrational_edges = format.exponent_bits() == 0,
                               .tolerance = tolerance,
                               .width = format.width() - dropped_bits},
                              x);
}

bounded<bits> certified_entropy(const register_cells& register_of, const law& x, bits tolerance) {
  if (register_of.cells.over_sqrt2()) {
    throw std::domain_error("certificate: the edges of these cells are irrational");
  }
  const auto line = [&] {
    return std::make_unique<const certificate::register_line>(register_of.cells);
  };
  return certificate::certify({.line = line,
                               .alike = register_of.alike,
                               .tolerance = tolerance,
                               .width = static_cast<int>(std::ceil(register_of.cells.log2_size()))},
                              x);
}

}  // namespace ktln2
