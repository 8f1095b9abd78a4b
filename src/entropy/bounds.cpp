#include "ktln2/entropy/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "entropy/law_integrals.hpp"

namespace ktln2 {
namespace {

/// a, where the two cells next to zero end: B0 = (-a, a) [eq:special_bins].
wide zero_edge(const float_format& format) {
  return format.min_positive() + format.min_positive().scaled(-format.p());
}

}  // namespace

bits zero_cells_error(const float_format& format, const law& x) {
  return std::visit(
      [&](const auto& known) {
        const auto& kernel = known.kernel();
        const double edge = ratio(zero_edge(format), known.scale());
        const double zero = known.standard(wide(0.0));
        // With x = a y the integrand is a f(ay) log(2^(p-½)/|y|). Panels double from y = 2^-80 on,
        // below which nothing is left; they are short against the law and stop where it breaks.
        const auto side = [&](double sign) {
          double sum = 0;
          for (double from = 0x1p-80; from < 1;) {
            const double z = zero + sign * edge * from;
            const double length = std::max(std::fabs(z), kernel.core()) / 4;
            double to = std::min({1.0, 2 * from, from + length / edge});
            for (const double kink : kernel.breaks()) {
              const double y = sign * (kink - zero) / edge;
              if (from < y && y < to) to = y;
            }
            sum += integrate_panel<16>(from, to, [&](double y) {
              const double log_f = kernel.log_pdf(zero + sign * edge * y);
              return std::exp(log_f) * ((format.p() - 0.5) - std::log2(y));
            });
            from = to;
          }
          return sum;
        };
        return bits{edge == 0 ? 0 : edge * (side(1) + side(-1))};
      },
      x);
}

double zero_cells_constant(const float_format& format) {
  return 2 * zero_edge(format).to_double() * (format.p() - 0.5 + std::numbers::log2e);
}

bits zero_cells_error_bound(const float_format& format, const law& x) {
  return std::visit(
      [&](const auto& known) {
        const auto& kernel = known.kernel();
        const double edge = ratio(zero_edge(format), known.scale());
        const double zero = known.standard(wide(0.0));
        // Every law here falls off from its center: its largest density in B0 is the nearest to it.
        const double nearest = std::clamp(kernel.mode(), zero - edge, zero + edge);
        const double largest = std::exp(kernel.log_pdf(nearest));
        return bits{2 * edge * (format.p() - 0.5 + std::numbers::log2e) * largest};
      },
      x);
}

bits smoothing_bound(const float_format& format, const law& x) {
  return bits{0.5} + zero_cells_error(format, x);
}

}  // namespace ktln2
