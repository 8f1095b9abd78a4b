#include "ktln2/entropy/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/cell_functional.hpp"
#include "entropy/law_integrals.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// a, where the two cells next to zero end: B0 = (-a, a) [eq:special_bins].
wide zero_edge(const float_format& format) {
  return format.min_positive() + format.min_positive().scaled(-format.p());
}

/// width² ∫ (f')²/f over a cell: its width squared times its Fisher information.
template <class Kernel>
double cell_information(const Kernel& kernel, const stretch& cell) {
  const auto square_slope = [&](double z, double = 0) {
    const double slope = cell.width * kernel.log_slope(z);
    return slope * slope;
  };
  if (!is_narrow(kernel, cell)) {
    return integrate_law(kernel, cell.left, cell.right, square_slope);
  }
  // In units of the density in the middle: right also where doubles cannot tell the edges apart.
  const auto& rule = gauss_legendre<16>();
  double mean = 0;
  double information = 0;
  for (std::size_t k = 0; k < 16; ++k) {
    const double t = cell.width / 2 * rule.node[k];
    const double share = rule.weight[k] * std::exp(kernel.log_ratio(cell.center(), t));
    mean += share;
    information += share * square_slope(cell.center() + t);
  }
  return mass_of(kernel, cell).probability * information / mean;
}

/// Σ width² ∫ (f')²/f over the cells of 𝕌. Nothing for a density with jumps.
std::optional<double> information_of(const float_format& format, const law& x) {
  if (!has_usual_density(x)) return {};
  return std::visit(
      [&](const auto& known) -> std::optional<double> {
        if (known.kernel().has_jumps()) return {};
        const auto information = [&](const stretch& cell, const wide&) {
          return cell_information(known.kernel(), cell);
        };
        const cell_functional total(partition{format}, known, information,
                                    outermost_cells::granular_part);
        const double sum = total.value() + total.error();
        // Not a number where infinite and vanishing factors meet: there is no finite bound.
        return std::isnan(sum) ? infinity : sum;
      },
      x);
}

/// sup f between a and b, or a bound on it.
template <class Kernel>
double largest_density(const Kernel& kernel, double a, double b) {
  if constexpr (requires { kernel.density_bound(a, b); }) {
    return kernel.density_bound(a, b);
  } else {
    // Every law here falls off from its center: its largest density is the nearest to it.
    return std::exp(kernel.log_pdf(std::clamp(kernel.mode(), a, b)));
  }
}

}  // namespace

bits zero_cells_error(const float_format& format, const law& x) {
  if (!has_usual_density(x)) return bits{undefined};
  return std::visit(
      [&](const auto& known) {
        const auto& kernel = known.kernel();
        const double edge = ratio(zero_edge(format), known.scale());
        const double zero = known.standard(wide(0.0));
        const wide a = zero_edge(format);
        // ln(2^(p-½) a/scale)
        const double log_edge = (format.p() - 0.5 + a.exponent()) * std::numbers::ln2 +
                                std::log(a.high()) - std::log(known.scale());
        bool is_level = edge < 1e-6 * length_around(kernel, zero);
        for (const double z : kernel.breaks()) {
          is_level = is_level && (z == zero || std::fabs(z - zero) > edge);
        }
        if (is_level) {
          const double densities = std::exp(kernel.log_pdf(std::nextafter(zero, infinity))) +
                                   std::exp(kernel.log_pdf(std::nextafter(zero, -infinity)));
          return bits{edge * densities * (format.p() - 0.5 + std::numbers::log2e)};
        }
        return bits{-std::numbers::log2e *
                    log_distance_integral(kernel, zero - edge, zero + edge, zero, -log_edge)};
      },
      x);
}

double zero_cells_constant(const float_format& format) {
  return 2 * zero_edge(format).to_double() * (format.p() - 0.5 + std::numbers::log2e);
}

bits zero_cells_error_bound(const float_format& format, const law& x) {
  if (!has_usual_density(x)) return bits{undefined};
  return std::visit(
      [&](const auto& known) {
        const auto& kernel = known.kernel();
        const double edge = ratio(zero_edge(format), known.scale());
        const double zero = known.standard(wide(0.0));
        const double largest = largest_density(kernel, zero - edge, zero + edge);
        return bits{2 * edge * (format.p() - 0.5 + std::numbers::log2e) * largest};
      },
      x);
}

double mass_outside(const partition& cells, const law& x) {
  return std::visit(
      [&](const auto& known) {
        return known.kernel().lower(known.standard(cells.granular().left)).probability +
               known.kernel().upper(known.standard(cells.granular().right)).probability;
      },
      x);
}

edge_masses masses_at_edges(const float_format& format, const law& x) {
  return std::visit(
      [&](const auto& known) -> edge_masses {
        const wide edge = format.granular_edge();
        const wide a = zero_edge(format);
        const stretch zero{standard_edge(known, -a), standard_edge(known, a),
                           ratio(a + a, known.scale()), 1};
        return {known.kernel().lower(known.standard(-edge)).probability +
                    known.kernel().upper(known.standard(edge)).probability,
                format.exponent_bits() == 0 ? 0 : mass_of(known.kernel(), zero).probability};
      },
      x);
}

std::optional<bits> divergence_leading_order(const float_format& format, const law& x) {
  const std::optional<double> information = information_of(format, x);
  if (!information) return {};
  return bits{*information / (24 * std::numbers::ln2)};
}

std::optional<bits> divergence_bound(const float_format& format, const law& x) {
  const std::optional<bits> leading = divergence_leading_order(format, x);
  if (!leading) return {};
  return divergence_bound_ratio * *leading;
}

bits smoothing_bound(const float_format& format, const law& x) {
  return bits{0.5} + zero_cells_error(format, x);
}

double offset_tail_mass(const normal& x) {
  return 2 * x.kernel().upper(std::fabs(x.location()) / x.scale() / 2).probability;
}

double offset_tail_mass_bound(const normal& x) {
  const double distance = std::fabs(x.location()) / x.scale();
  return 4 / (distance * std::sqrt(2 * std::numbers::pi)) * std::exp(-distance * distance / 8);
}

double offset_log_tail_bound(const normal& x) {
  const double distance = std::fabs(x.location()) / x.scale();
  const double root = std::sqrt(2 * std::numbers::pi);
  const double c1 = 4 * (std::numbers::ln2 + 1.5) / root;
  const double c2 = (1 + std::numbers::ln2) / root;
  return (c1 / distance + c2 * distance) * std::exp(-distance * distance / 8);
}

double mercator_remainder_bound(double x) {
  const double size = std::fabs(x);
  if (!(size <= 0.5)) {
    throw std::domain_error("mercator_remainder_bound: |x| must be at most 1/2, got " + shown(x));
  }
  return 2.0 / 3 * size * size * size;
}

}  // namespace ktln2
