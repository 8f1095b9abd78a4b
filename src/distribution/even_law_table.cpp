#include "distribution/even_law_table.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace ktln2 {
namespace {

/// The angle of the k-th of n Chebyshev points in (-1, 1).
double chebyshev_angle(std::size_t k, std::size_t n) {
  return std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
}

}  // namespace

even_law_table::even_law_table(function log_pdf, function above)
    : log_pdf_{std::move(log_pdf)}, above_{std::move(above)} {
  for (std::size_t i = 0; i < short_panels; ++i) {
    panels_.push_back(panel_from(static_cast<double>(i) * short_length, short_length));
  }
  const double start = static_cast<double>(short_panels) * short_length;
  for (std::size_t i = 0; i < long_panels; ++i) {
    panels_.push_back(panel_from(start + static_cast<double>(i) * long_length, long_length));
  }
}

even_law_table::panel even_law_table::panel_from(double left, double length) const {
  const double near = std::sinh(left);
  const double far = std::sinh(left + length);
  panel made{left, length, {}, {}, true, tail::fitted};
  // No power falls so far in a panel, and e^-100000 is nothing.
  made.has_density = length == short_length || log_pdf_(near) - log_pdf_(far) < 1e5;
  if (made.has_density) made.log_pdf = fitted(left, length, log_pdf_);
  if (above_(far) > 1e-290) {
    made.log_above = fitted(left, length, [this](double x) { return std::log(above_(x)); });
  } else {
    made.above = above_(near) > 0 ? tail::asked : tail::nothing;
  }
  return made;
}

even_law_table::polynomial even_law_table::fitted(double left, double length, const function& f) {
  polynomial values{};
  for (std::size_t k = 0; k < degree; ++k) {
    const double point = std::cos(chebyshev_angle(k, degree));
    values[k] = f(std::sinh(left + length * (1 + point) / 2));
  }
  polynomial terms{};
  for (std::size_t j = 0; j < degree; ++j) {
    for (std::size_t k = 0; k < degree; ++k) {
      const double wave = std::cos(static_cast<double>(j) * chebyshev_angle(k, degree));
      terms[j] += values[k] * wave * (j == 0 ? 1.0 : 2.0) / static_cast<double>(degree);
    }
  }
  return terms;
}

/// Clenshaw
double even_law_table::value_of(const polynomial& terms, double t) {
  double next = 0;
  double after = 0;
  for (std::size_t j = degree; j-- > 1;) {
    const double now = terms[j] + 2 * t * next - after;
    after = next;
    next = now;
  }
  return terms[0] + t * next - after;
}

const even_law_table::panel* even_law_table::panel_of(double y) const {
  constexpr double start = static_cast<double>(short_panels) * short_length;
  const double at =
      y < start ? y / short_length : static_cast<double>(short_panels) + (y - start) / long_length;
  if (!(at < static_cast<double>(panels_.size()))) return nullptr;
  return &panels_[static_cast<std::size_t>(at)];
}

double even_law_table::log_pdf(double x) const {
  const double y = std::asinh(std::fabs(x));
  const panel* const here = panel_of(y);
  if (here == nullptr) return log_pdf_(std::fabs(x));
  if (!here->has_density) return std::numeric_limits<double>::lowest();
  return value_of(here->log_pdf, 2 * (y - here->left) / here->length - 1);
}

double even_law_table::above(double x) const {
  if (x < 0) return 1 - above(-x);
  const double y = std::asinh(x);
  const panel* const here = panel_of(y);
  if (here == nullptr || here->above == tail::asked) return above_(x);
  if (here->above == tail::nothing) return 0;
  return std::exp(value_of(here->log_above, 2 * (y - here->left) / here->length - 1));
}

}  // namespace ktln2
