#include "ktln2/distribution/custom_law.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "distribution/cell_average.hpp"
#include "distribution/gauss_panel.hpp"

namespace ktln2 {
namespace {

/// Panels tell a smaller mass only roughly.
constexpr double least_mass = 1e-15;

}  // namespace

custom_law::custom_law(const law_functions& functions) : custom_law(make(functions)) {}

custom_law::custom_law(const parts& made)
    : location_scale{made.location, made.scale, made.kernel}, name_{made.name} {}

double standard_custom::log_pdf(double z) const {
  return std::isinf(z) ? -infinity : table_->log_density(z);
}

std::size_t standard_custom::panel_at(double z) const {
  const auto& panels = table_->panels;
  const auto after =
      std::upper_bound(panels.begin(), panels.end(), z,
                       [](double point, const panel& one) { return point < one.left; });
  return after == panels.begin() ? 0 : static_cast<std::size_t>(after - panels.begin()) - 1;
}

double standard_custom::resolution(double a, double b) const {
  const auto& panels = table_->panels;
  double shortest = infinity;
  for (std::size_t i = panel_at(a); i < panels.size() && panels[i].left < b; ++i) {
    shortest = std::fmin(shortest, panels[i].right - panels[i].left);
  }
  return shortest;
}

double standard_custom::panel_end(double z) const {
  if (z < first()) return first();
  return z < last() ? table_->panels[panel_at(z)].right : infinity;
}

double standard_custom::condition(double z) const {
  const auto slope = [this](double at) {
    if (at < first() || at > last()) return std::fabs(log_slope(at));
    return table_->panels[panel_at(at)].slope;
  };
  const double steepest = std::fabs(z) > 1 ? slope(z) : std::fmax(slope(z), slope(-z));
  // The user's variable is rounded too.
  return (std::fabs(z) + std::fabs(z - table_->offset)) * steepest / 2;
}

double standard_custom::log_slope(double z) const {
  const bool is_inside = first() < z && z < last();
  const double length =
      is_inside ? table_->panels[panel_at(z)].half() : std::fmax(std::fabs(z), 1.0);
  double step = length / 64;
  for (const double at : table_->breaks) {
    const double distance = std::fabs(z - at);
    if (distance < length / 256) {  // look at the side that z is on
      z = at + (z < at ? -1 : 1) * length / 256;
      step = std::fmin(step, length / 1024);
    } else {
      step = std::fmin(step, distance / 4);
    }
  }
  // f'(0) = Σ c_k (f(kh) - f(-kh))/h to sixth order
  const auto odd = [&](double k) { return log_pdf(z + k * step) - log_pdf(z - k * step); };
  const double slope = (0.75 * odd(1) - 0.15 * odd(2) + odd(3) / 60) / step;
  return std::isfinite(slope) ? slope : 0;
}

double standard_custom::integral(double from, double to) const {
  return by_rule<16>(from, to, table_->density);
}

/// Beyond the panels, on the side where `outward` points: less than all panels can tell.
cell_mass standard_custom::beyond(double z, double outward) const {
  if (std::isinf(z)) return {0, -infinity};
  const auto& tail = outward < 0 ? table_->tail_below : table_->tail_above;
  if (tail) return with_log(tail(z));
  const double decay = -outward * log_slope(z);
  if (!(decay > 0)) return {0, -infinity};
  const double log_mass = std::fmin(log_pdf(z) - std::log(decay), std::log(1e-32));
  return {std::exp(log_mass), log_mass};
}

cell_mass standard_custom::lower(double z) const {
  if (z >= last()) {
    const double above = upper(z).probability;
    return {1 - above, std::log1p(-above)};
  }
  if (z <= first()) return beyond(z, -1);
  const panel& home = table_->panels[panel_at(z)];
  if (table_->tail_below && home.below + home.mass < least_mass) return beyond(z, -1);
  if (home.below > 0.5) {
    const double above = home.above + integral(z, home.right);
    return {1 - above, std::log1p(-above)};
  }
  return with_log(home.below + integral(home.left, z));
}

cell_mass standard_custom::upper(double z) const {
  if (z <= first()) {
    const double below = lower(z).probability;
    return {1 - below, std::log1p(-below)};
  }
  if (z >= last()) return beyond(z, 1);
  const panel& home = table_->panels[panel_at(z)];
  if (table_->tail_above && home.above + home.mass < least_mass) return beyond(z, 1);
  if (home.above > 0.5) {
    const double below = home.below + integral(home.left, z);
    return {1 - below, std::log1p(-below)};
  }
  return with_log(home.above + integral(z, home.right));
}

double standard_custom::inside(double a, double b) const {
  double sum = 0;
  if (a < first()) {
    sum += lower(std::fmin(b, first())).probability - lower(a).probability;
    a = first();
  }
  if (b > last()) {
    sum += upper(std::fmax(a, last())).probability - upper(b).probability;
    b = last();
  }
  const auto& panels = table_->panels;
  for (std::size_t i = panel_at(a); a < b && i < panels.size() && panels[i].left < b; ++i) {
    const bool is_whole = a <= panels[i].left && panels[i].right <= b;
    sum += is_whole ? panels[i].mass
                    : integral(std::fmax(a, panels[i].left), std::fmin(b, panels[i].right));
  }
  return sum;
}

cell_mass standard_custom::between(double a, double b) const {
  if (!(a < b)) return {0, -infinity};
  const double outside = lower(a).probability + upper(b).probability;
  if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
  return with_log(inside(a, b));
}

/// Of a cell that is `size` times half a panel wide.
cell_mass standard_custom::narrow(double z, double h, double size) const {
  const auto mean = [&]<std::size_t Order>(const mean_rule<Order>& rule) {
    double sum = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      sum += rule.weight[k] * table_->density(z + h / 2 * rule.node[k]);
    }
    return sum;
  };
  const double f = size < 1e-8   ? table_->density(z)
                   : size < 0.02 ? mean(gauss_legendre<4>())
                   : size < 0.2  ? mean(gauss_legendre<8>())
                                 : mean(gauss_legendre<16>());
  return f > 0 ? cell_mass{f * h, std::log(f) + std::log(h)}
               : cell_mass{0, log_pdf(z) + std::log(h)};
}

cell_mass standard_custom::cell(double z, double h) const {
  const double a = z - h / 2;
  const double b = z + h / 2;
  if (!(h < infinity)) return between(a, b);
  if (b <= first() || a >= last()) {
    const double size = h * std::fmax(std::fabs(log_slope(z)), 1 / std::fmax(1.0, std::fabs(z)));
    return size < 0.5 ? narrow(z, h, size) : between(a, b);
  }
  const std::size_t left = panel_at(a);
  const std::size_t right = panel_at(b);
  const auto& panels = table_->panels;
  const double half = std::fmin(panels[left].half(), panels[right].half());
  if (h > half || a < first() || b > last()) return between(a, b);
  if (left == right) return narrow(z, h, h / half);
  // Two panels, whose common edge may be a kink: the two parts, from the edge on.
  const double edge = panels[right].left;
  const double below = (edge - z) + h / 2;
  const double above = (z - edge) + h / 2;
  if (!(below > 0 && above > 0)) return narrow(z, h, h / half);
  return with_log(narrow(edge - below / 2, below, below / half).probability +
                  narrow(edge + above / 2, above, above / half).probability);
}

}  // namespace ktln2
