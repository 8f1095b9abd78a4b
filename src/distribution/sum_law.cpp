#include "ktln2/distribution/sum_law.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "distribution/irwin_hall.hpp"
#include "distribution/panel_logs.hpp"
#include "distribution/sum_table.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/distribution/further_laws.hpp"

namespace ktln2 {
namespace {

/// Up to how many numbers, and as messages say it.
struct most_numbers {
  double count;
  const char* text;
};
constexpr most_numbers most_of_known{1e15, "1e15"};
constexpr most_numbers most_of_any{1e6, "1e6 where the law of the sum has to be computed"};

void require_numbers(double n, const most_numbers& most) {
  if (n >= 1 && n <= most.count && n == std::floor(n)) return;
  throw std::domain_error("average: n must be a whole number from 1 to " + std::string(most.text) +
                          ", got " + shown(n));
}

/// Where the mean or the sum of n numbers is that are location + scale·z together in standard
/// units.
struct total_frame {
  double location;
  double scale;
  double moved;  ///< what the rounding of the location is, in scales
};

template <class Law>
total_frame frame_of(const Law& x, double n, total_of what, double center, double length) {
  const wide sum = wide(n) * wide(x.location()) + wide(x.scale()) * wide(center);
  const wide location = what == total_of::sum ? sum : sum / wide(n);
  const double scale = x.scale() * length / (what == total_of::sum ? 1 : n);
  require_finite("average", "mean of the result", location.to_double());
  require_positive("average", "scale of the result", scale);
  const wide moved = location - wide(location.to_double());
  return {location.to_double(), scale, std::fabs(moved.to_double() / scale)};
}

/// How far the law of one number may be off, in total variation.
template <class Law>
double doubt_of(const Law& x) {
  return table_error(x.kernel()) + x.rounding_error();
}

/// A sum of few enough uniform numbers.
custom_law irwin_hall(const uniform& x, int n, total_of what) {
  const total_frame frame = frame_of(x, n, what, n / 2.0, 1);
  law_functions made{.name = "sum of uniform numbers"};
  made.log_pdf = [n](double z) { return std::log(irwin_hall_density(n, n / 2.0 - std::fabs(z))); };
  // A spline of degree n - 1: where pieces meet, only its last derivatives jump.
  constexpr int smooth_from = 12;
  const int pieces = n < smooth_from ? n : 1;
  for (int i = 0; i <= pieces; ++i) {
    made.breaks.push_back(n * (static_cast<double>(i) / pieces - 0.5));
  }
  made.is_symmetric = true;
  made.mode = 0;
  made.mean = 0;
  made.deviation = std::sqrt(n / 12.0);
  made.location = frame.location;
  made.scale = frame.scale;
  made.relative_error = std::fmin(0.5, n * 0x1p-52 + frame.moved);
  return custom_law(made);
}

/// Where a law with a structure of its own wants its panels to end.
template <class Kernel>
void add_own_panels(const Kernel& kernel, double reach, std::vector<double>& panels) {
  constexpr std::size_t most = 4096;
  double z = -reach;
  for (std::size_t i = 0; i < most && z < reach; ++i) {
    const double next = std::fmin(kernel.panel_end(z), z + std::fmax(1.0, std::fabs(z)) / 4);
    z = std::fmax(next, z + 1e-6 * std::fmax(1.0, std::fabs(z)));
    panels.push_back(z);
  }
}

/// The standard law as one density of a convolution. Beyond `reach` it does not count.
template <class Kernel>
summand summand_of(const Kernel& kernel, double reach) {
  summand one{[kernel](double z) { return kernel.log_pdf(z); }, {}, {}, 1, 0x1p-50};
  for (const double z : kernel.breaks()) one.breaks.push_back(z);
  one.panels = one.breaks;
  for (double z = 0; z < reach; z += std::fmax(kernel.core(), z) / 4) {
    one.panels.push_back(z);
    one.panels.push_back(-z);
  }
  if constexpr (requires { kernel.panel_end(0.0); }) add_own_panels(kernel, reach, one.panels);
  std::sort(one.panels.begin(), one.panels.end());
  const auto logs = std::make_shared<const panel_logs>(one.log_density, one.panels);
  one.log_density = [kernel, logs](double z) {
    const std::optional<double> known = logs->at(z);
    return known ? *known : kernel.log_pdf(z);
  };
  one.log_densities = [kernel, logs](const summand::points& z) {
    if (const auto known = logs->at(z)) return *known;
    summand::points found;
    std::transform(z.begin(), z.end(), found.begin(), [&](double x) { return kernel.log_pdf(x); });
    return found;
  };
  if (!one.breaks.empty()) {
    const double step = 1e-9 * kernel.core();
    if (std::isinf(kernel.log_pdf(one.breaks.front() - step))) one.low = one.breaks.front();
    if (std::isinf(kernel.log_pdf(one.breaks.back() + step))) one.high = one.breaks.back();
  }
  return one;
}

/// Where the density has fallen by 10^25 on both sides.
template <class Kernel>
double density_reach(const Kernel& kernel) {
  const double enough = kernel.log_pdf(kernel.mode()) - 25 * std::log(10);
  double z = kernel.core();
  while (z < 1e60 && std::fmax(kernel.log_pdf(z), kernel.log_pdf(-z)) > enough) z *= 1.5;
  return z;
}

template <class Kernel>
sum_shape shape_of(const Kernel& kernel) {
  sum_shape made;
  const bool has_deviation = std::isfinite(kernel.deviation());
  made.mean = std::isnan(kernel.mean()) ? 0 : kernel.mean();
  made.length = has_deviation ? std::fmin(kernel.core(), kernel.deviation()) : kernel.core();
  made.spread = has_deviation ? std::clamp(kernel.deviation() / made.length, 1.0, 3.0) : 1;
  if constexpr (requires { kernel.tail_index(); }) made.tail = kernel.tail_index();
  made.is_symmetric = kernel.is_symmetric();
  return made;
}

/// A table of n numbers as a law.
template <class Law>
law law_of_table(const Law& x, double n, total_of what, const sum_shape& shape,
                 const std::shared_ptr<const standard_tabulated>& table, double error,
                 const std::vector<double>& breaks) {
  const double length = shape.length_of(n);
  const total_frame frame = frame_of(x, n, what, shape.center(n), length);
  law_functions made{.name = "sum of numbers"};
  made.breaks = breaks;
  made.is_symmetric = shape.is_symmetric;
  const auto side = [symmetric = shape.is_symmetric](double z) {
    return symmetric ? std::fabs(z) : z;
  };
  made.log_pdf = [table, side](double z) { return table->log_pdf(side(z)); };
  made.cdf = [table](double z) { return table->lower(z).probability; };
  made.ccdf = [table](double z) { return table->upper(z).probability; };
  made.mode = shape.is_symmetric ? 0 : table->mode();
  made.mean = std::isnan(x.kernel().mean()) ? x.kernel().mean() : 0;
  made.deviation = x.kernel().deviation() * std::sqrt(n) / length;
  made.location = frame.location;
  made.scale = frame.scale;
  made.relative_error = std::fmin(0.5, error + n * doubt_of(x) + frame.moved);
  return custom_law(made);
}

template <class Law>
law put_together(const Law& x, double n, total_of what, const stop_token& stop) {
  require_numbers(n, most_of_any);
  const auto& kernel = x.kernel();
  const sum_shape shape = shape_of(kernel);
  if (shape.tail < 0.5) {
    throw std::domain_error("average: dof must be at least 0.5 for a sum, got " +
                            shown(shape.tail));
  }
  sum_table sums(summand_of(kernel, density_reach(kernel)), shape, stop);
  const auto table =
      std::make_shared<const standard_tabulated>(sums.of(static_cast<std::uint64_t>(n)));
  return law_of_table(x, n, what, shape, table, sums.error(), sums.breaks());
}

/// From a spline of fewer numbers on.
law many_uniform(const uniform& x, double n, total_of what, const stop_token& stop) {
  require_numbers(n, most_of_any);
  const auto count = static_cast<std::uint64_t>(n);
  if (count < 24) return irwin_hall(x, static_cast<int>(count), what);
  // From there on its ends do not count, and a table is quicker than the recurrence.
  std::uint64_t left = count;
  while (left > 63) left /= 2;
  const auto few = static_cast<int>(left);
  const standard_uniform& kernel = x.kernel();
  sum_shape shape{.mean = 0.5, .length = kernel.deviation(), .is_symmetric = true};
  summand start{[few](double z) { return std::log(irwin_hall_density(few, z)); },
                {},
                {},
                static_cast<double>(few),
                few * 0x1p-52};
  const int pieces = 2 * few;
  for (int i = 0; i <= pieces; ++i) start.panels.push_back(static_cast<double>(i) / 2);
  summand one{[kernel](double z) { return kernel.log_pdf(z); }, {0, 1}, {}, 1, 0};
  sum_table sums(one, shape, stop);
  const auto table = std::make_shared<const standard_tabulated>(sums.of(count, start));
  return law_of_table(x, n, what, shape, table, sums.error(), {});
}

law total_of_known(const normal& x, double n, total_of what, const stop_token&) {
  require_numbers(n, most_of_known);
  const total_frame frame = frame_of(x, n, what, 0, std::sqrt(n));
  return normal{frame.location, frame.scale};
}

/// The mean of Cauchy numbers is as wide as one of them.
law total_of_known(const student_t& x, double n, total_of what, const stop_token& stop) {
  if (x.kernel().dof() != 1) return put_together(x, n, what, stop);
  require_numbers(n, most_of_known);
  const total_frame frame = frame_of(x, n, what, 0, n);
  return student_t{1, frame.location, frame.scale};
}

law total_of_known(const uniform& x, double n, total_of what, const stop_token& stop) {
  return many_uniform(x, n, what, stop);
}

/// Gamma laws stay what they are.
law total_of_known(const compound_law& x, double n, total_of what, const stop_token& stop) {
  if (const auto& gamma = x.as_gamma()) {
    require_numbers(n, most_of_known);
    return gamma_law(gamma->shape * n, what == total_of::sum ? gamma->scale : gamma->scale / n);
  }
  require_usual_density("average", x);
  if (std::isinf(std::exp(x.kernel().log_pdf(x.kernel().mode())))) {
    throw std::domain_error("average: the density must be finite, got " + x.name());
  }
  return put_together(x, n, what, stop);
}

template <class Law>
law total_of_known(const Law& x, double n, total_of what, const stop_token& stop) {
  return put_together(x, n, what, stop);
}

}  // namespace

law total_law(const law& x, double n, total_of what, const stop_token& stop) {
  require_numbers(n, most_of_known);
  if (n == 1) return x;
  return std::visit([&](const auto& known) { return total_of_known(known, n, what, stop); }, x);
}

}  // namespace ktln2
