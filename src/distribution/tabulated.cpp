#include "ktln2/distribution/tabulated.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/constants.hpp"
#include "distribution/cell_average.hpp"
#include "distribution/legendre.hpp"

namespace ktln2 {
namespace {

using legendre::coefficients;

/// Values below this part of the largest are not to be trusted.
constexpr double least_share = 1e-24;
/// Nor is a panel at the end whose last two coefficients of ln f are larger.
constexpr double roughest_end = 1e-2;

/// P'_n = Σ (2k+1) P_k over k = n-1, n-3, …
coefficients derivative(const coefficients& a) {
  coefficients d{};
  double sum[2] = {0, 0};
  for (std::size_t k = legendre::order - 1; k-- > 0;) {
    sum[k % 2] += a[k + 1];
    d[k] = (2 * static_cast<double>(k) + 1) * sum[k % 2];
  }
  return d;
}

/// ∫ of F(ln f) over u from `from` to `to`, cut where f varies much.
template <class F>
double integrate_log(const coefficients& log_f, double from, double to, F factor) {
  const double change = legendre::sum(log_f, to) - legendre::sum(log_f, from);
  const double middle = from + (to - from) / 2;
  if (std::fabs(change) > 8 && to - from > 1e-3) {
    return integrate_log(log_f, from, middle, factor) + integrate_log(log_f, middle, to, factor);
  }
  const auto& rule = gauss_legendre<legendre::order>();
  double mean = 0;
  for (std::size_t j = 0; j < legendre::order; ++j) {
    mean += rule.weight[j] * factor(legendre::sum(log_f, middle + (to - from) / 2 * rule.node[j]));
  }
  return (to - from) * mean;
}

}  // namespace

double standard_tabulated::integral(const panel& one, double from, double to) {
  return one.half() * integrate_log(one.log_f, from, to, [](double y) { return std::exp(y); });
}

double standard_tabulated::entropy_of(const panel& one, double from, double to) {
  return -one.half() * integrate_log(one.log_f, from, to, [](double y) { return y * std::exp(y); });
}

class standard_tabulated::builder {
 public:
  explicit builder(const tabulated_values& values) : values_{values} {
    const auto& edges = values.edges;
    if (edges.size() < 2 || values.density.size() != legendre::order * (edges.size() - 1)) {
      refuse("expected 16 values for each panel");
    }
    if (std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) != edges.end()) {
      refuse("the edges must ascend");
    }
  }

  table build() {
    const auto highest = std::max_element(values_.density.begin(), values_.density.end());
    const auto peak = static_cast<std::size_t>(highest - values_.density.begin()) / legendre::order;
    least_ = least_share * *highest;
    for (std::size_t p = peak; p-- > 0 && take(p);) {
    }
    std::reverse(made_.panels.begin(), made_.panels.end());
    for (std::size_t p = peak; p + 1 < values_.edges.size() && take(p); ++p) {
    }
    close_tails();
    normalize();
    set_entropy();
    made_.mode = mode();
    made_.breaks = values_.breaks;
    made_.has_jumps = values_.has_jumps;
    made_.core = values_.core;
    made_.mean = values_.mean;
    made_.deviation = values_.deviation;
    made_.error = values_.error + made_.left.mass + made_.right.mass;
    for (const panel& one : made_.panels) made_.error += one.mass * left_out(one);
    return made_;
  }

 private:
  [[noreturn]] static void refuse(const char* what) {
    throw std::domain_error("tabulated law: " + std::string(what));
  }

  /// The last two coefficients of ln f.
  static double roughness(const panel& one) {
    return std::fabs(one.log_f[legendre::order - 1]) + std::fabs(one.log_f[legendre::order - 2]);
  }

  /// The coefficients fall off geometrically: the next two are what the polynomial leaves out.
  static double left_out(const panel& one) {
    const double earlier =
        std::fabs(one.log_f[legendre::order - 3]) + std::fabs(one.log_f[legendre::order - 4]);
    const double last = roughness(one);
    return last * (last < earlier ? last / earlier : 1);
  }

  bool take(std::size_t p) {
    coefficients logs{};
    for (std::size_t j = 0; j < legendre::order; ++j) {
      const double f = values_.density[legendre::order * p + j];
      if (!(f > least_)) return false;
      logs[j] = std::log(f);
    }
    const coefficients a = legendre::through(logs.data());
    panel one{values_.edges[p], values_.edges[p + 1], a, derivative(a), 0, 0, 0};
    if (!(roughness(one) < 1)) return false;
    one.mass = integral(one, -1, 1);
    made_.panels.push_back(one);
    return true;
  }

  static tail end_of(const panel& last, double u) {
    const double edge = u < 0 ? last.left : last.right;
    const double log_f = legendre::sum(last.log_f, u);
    const double index = -legendre::sum(last.slope, u) / last.half() * edge - 1;
    return {edge, log_f, index, std::exp(log_f) * std::fabs(edge) / index};
  }

  static bool is_end(const panel& last, double u) {
    const tail end = end_of(last, u);
    return roughness(last) < roughest_end && u * end.edge > 0 && end.index > 0.01;
  }

  void close_tails() {
    auto& panels = made_.panels;
    const auto first = std::find_if(panels.begin(), panels.end(),
                                    [](const panel& one) { return is_end(one, -1); });
    panels.erase(panels.begin(), first);
    while (!panels.empty() && !is_end(panels.back(), 1)) panels.pop_back();
    if (panels.empty()) refuse("the density must fall off smoothly on both sides of 0");
    made_.left = end_of(panels.front(), -1);
    made_.right = end_of(panels.back(), 1);
  }

  void normalize() {
    compensated_sum total;
    total.add(made_.left.mass);
    total.add(made_.right.mass);
    for (const panel& one : made_.panels) total.add(one.mass);
    const double log_total = std::log(total.value());
    for (tail* one : {&made_.left, &made_.right}) {
      one->mass /= total.value();
      one->log_f -= log_total;
    }
    double sum = made_.left.mass;
    for (panel& one : made_.panels) {
      one.mass /= total.value();
      one.log_f[0] -= log_total;
      one.below = sum;
      sum += one.mass;
    }
    sum = made_.right.mass;
    for (std::size_t p = made_.panels.size(); p-- > 0;) {
      made_.panels[p].above = sum;
      sum += made_.panels[p].mass;
    }
  }

  void set_entropy() {
    // -∫ f ln f beyond an edge e: mass · (-ln f(e) + (index+1)/index)
    compensated_sum entropy;
    for (const tail& one : {made_.left, made_.right}) {
      entropy.add(one.mass * ((one.index + 1) / one.index - one.log_f));
    }
    for (const panel& one : made_.panels) entropy.add(entropy_of(one, -1, 1));
    made_.entropy = entropy.value();
  }

  /// The highest edge, or the highest point of a panel between two lower ones.
  [[nodiscard]] double mode() const {
    double best = 0;
    double highest = -infinity;
    const auto offer = [&](const panel& one, double u) {
      const double log_f = legendre::sum(one.log_f, u);
      if (!(log_f > highest)) return;
      highest = log_f;
      best = u < 0 ? one.left + one.half() * (1 + u) : one.right - one.half() * (1 - u);
    };
    for (const panel& one : made_.panels) {
      offer(one, -1);
      offer(one, 1);
      double low = -1;
      double high = 1;
      if (!(legendre::sum(one.slope, low) > 0 && legendre::sum(one.slope, high) < 0)) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = low + (high - low) / 2;
        (legendre::sum(one.slope, middle) > 0 ? low : high) = middle;
      }
      offer(one, low);
    }
    return best;
  }

  const tabulated_values& values_;
  table made_{};
  double least_ = 0;
};

standard_tabulated::standard_tabulated(const tabulated_values& values)
    : table_{std::make_shared<const table>(builder(values).build())} {}

std::size_t standard_tabulated::panel_at(double z) const {
  const auto& panels = table_->panels;
  const auto above = std::upper_bound(panels.begin(), panels.end(), z,
                                      [](double x, const panel& one) { return x < one.left; });
  return above == panels.begin() ? 0 : static_cast<std::size_t>(above - panels.begin()) - 1;
}

double standard_tabulated::log_pdf(double z) const {
  for (const tail* one : {&table_->left, &table_->right}) {
    if (one->edge < 0 ? z < one->edge : z > one->edge) {
      return one->log_f - (one->index + 1) * std::log(z / one->edge);
    }
  }
  const panel& home = table_->panels[panel_at(z)];
  return legendre::sum(home.log_f, home.place(z));
}

std::array<double, 16> standard_tabulated::log_pdf(const std::array<double, 16>& z) const {
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const panel& home = table_->panels[panel_at(*low)];
  std::array<double, 16> found{};
  if (home.left <= *low && *high <= home.right) {
    for (std::size_t j = 0; j < legendre::order; ++j) found[j] = home.place(z[j]);
    return legendre::sums(home.log_f, found);
  }
  std::transform(z.begin(), z.end(), found.begin(), [this](double x) { return log_pdf(x); });
  return found;
}

double standard_tabulated::log_slope(double z) const {
  if (z < table_->left.edge) return -(table_->left.index + 1) / z;
  if (z > table_->right.edge) return -(table_->right.index + 1) / z;
  const panel& home = table_->panels[panel_at(z)];
  return legendre::sum(home.slope, home.place(z)) / home.half();
}

double standard_tabulated::log_ratio(double z, double t) const {
  const double end = z + t;
  if (z < table_->left.edge && end < table_->left.edge) {
    return -(table_->left.index + 1) * std::log1p(t / z);
  }
  if (z > table_->right.edge && end > table_->right.edge) {
    return -(table_->right.index + 1) * std::log1p(t / z);
  }
  if (z < table_->left.edge || z > table_->right.edge) return log_pdf(end) - log_pdf(z);
  const panel& home = table_->panels[panel_at(z)];
  const double step = t / home.half();
  if (std::fabs(step) > 0.1) return log_pdf(end) - log_pdf(z);
  // the mean slope on the way; a little beyond its panel the polynomial still holds
  const auto& rule = gauss_legendre<8>();
  const double u = home.place(z);
  double slope = 0;
  for (std::size_t j = 0; j < 8; ++j) {
    slope += rule.weight[j] * legendre::sum(home.slope, u + step * (1 + rule.node[j]) / 2);
  }
  return step * slope;
}

/// P(Z > z) beyond the right edge, P(Z < z) beyond the left one.
cell_mass standard_tabulated::beyond(const tail& end, double z) {
  if (std::isinf(z)) return {0, -infinity};
  const double log_share = -end.index * std::log(z / end.edge);
  return {end.mass * std::exp(log_share), std::log(end.mass) + log_share};
}

cell_mass standard_tabulated::tail_cell(const tail& end, double near, double far) {
  const cell_mass all = beyond(end, near);
  if (std::isinf(far)) return all;
  const double share = -std::expm1(-end.index * std::log1p((far - near) / near));
  return {all.probability * share, all.log_probability + std::log(share)};
}

cell_mass standard_tabulated::lower(double z) const {
  if (z <= table_->left.edge) return beyond(table_->left, z);
  if (z >= table_->right.edge) {
    const double above = beyond(table_->right, z).probability;
    return {1 - above, std::log1p(-above)};
  }
  const panel& home = table_->panels[panel_at(z)];
  if (home.below > 0.5) {
    const double above = home.above + integral(home, home.place(z), 1);
    return {1 - above, std::log1p(-above)};
  }
  return with_log(home.below + integral(home, -1, home.place(z)));
}

cell_mass standard_tabulated::upper(double z) const {
  if (z >= table_->right.edge) return beyond(table_->right, z);
  if (z <= table_->left.edge) {
    const double below = beyond(table_->left, z).probability;
    return {1 - below, std::log1p(-below)};
  }
  const panel& home = table_->panels[panel_at(z)];
  if (home.above > 0.5) {
    const double below = home.below + integral(home, -1, home.place(z));
    return {1 - below, std::log1p(-below)};
  }
  return with_log(home.above + integral(home, home.place(z), 1));
}

double standard_tabulated::inside(double a, double b) const {
  double sum = 0;
  if (a < table_->left.edge) {
    sum += table_->left.mass - beyond(table_->left, a).probability;
    a = table_->left.edge;
  }
  if (b > table_->right.edge) {
    sum += table_->right.mass - beyond(table_->right, b).probability;
    b = table_->right.edge;
  }
  const std::size_t first = panel_at(a);
  const std::size_t last = panel_at(b);
  const auto& panels = table_->panels;
  if (first == last)
    return sum + integral(panels[first], panels[first].place(a), panels[first].place(b));
  sum += integral(panels[first], panels[first].place(a), 1);
  for (std::size_t p = first + 1; p < last; ++p) sum += panels[p].mass;
  return sum + integral(panels[last], -1, panels[last].place(b));
}

cell_mass standard_tabulated::between(double a, double b) const {
  if (b <= table_->left.edge) return tail_cell(table_->left, b, a);
  if (a >= table_->right.edge) return tail_cell(table_->right, a, b);
  const cell_mass below = lower(a);
  const cell_mass above = upper(b);
  const double outside = below.probability + above.probability;
  if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
  return with_log(inside(a, b));
}

cell_mass standard_tabulated::cell(double z, double h) const {
  const double a = z - h / 2;
  const double b = z + h / 2;
  const bool cut = std::any_of(table_->breaks.begin(), table_->breaks.end(),
                               [&](double at) { return a < at && at < b; });
  if (cut || !(h < infinity)) return between(a, b);
  if (b <= table_->left.edge || a >= table_->right.edge) {
    const tail& end = z < 0 ? table_->left : table_->right;
    const double share = h / std::fabs(z) * (end.index + 1);
    return share < 0.2 ? narrow_cell<8>(*this, z, h) : between(a, b);
  }
  if (a < table_->left.edge || b > table_->right.edge) return between(a, b);
  const panel& home = table_->panels[panel_at(z)];
  const double size = h / home.half();
  if (size < 2e-8) return flat_cell(z, h);
  if (size < 0.02) return narrow_cell<4>(*this, z, h);
  return inside(a, b) > 0.5 ? between(a, b) : with_log(inside(a, b));
}

}  // namespace ktln2
