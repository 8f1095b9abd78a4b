// How it works. With z = x / sigma_x,
//
//   P_ij = integral over the cell i of  phi(z) [Phi((b_j - w x) / sigma_xi) -
//                                               Phi((a_j - w x) / sigma_xi)]  dz,
//
// the difference being one of tails, so that nothing cancels but what is meant to be small. The
// integral is a composite Gauss-Legendre rule. Its pieces are short against the scale on which the
// integrand moves, and their order follows from a bound on the error, not from trial. Where no edge
// of Y is within reach of the noise, Y is known and the integral is that of phi alone. All pairs of
// cells are summed one by one; (x, y) -> (-x, -y) changes nothing, so that x > 0 is enough.
#include "pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "quad.hpp"

namespace {

using oracle::kPi;
using oracle::kSqrt2;
using oracle::quad;

// Deviations after which a normal law is over: 2 Phi(-13) = 1.2e-38.
quad const kReach = 13;

// ---------------------------------------------------------------------------------------------
// The normal law
// ---------------------------------------------------------------------------------------------

// A point t and the probability beyond it, on the side of t that is away from 0.
struct Point {
  bool right;  // t > 0
  quad tail;
};

Point const kFarLeft{false, 0};
Point const kFarRight{true, 0};

Point point(quad t) { return {t > 0, erfcq(fabsq(t) / kSqrt2) / 2}; }

quad density(quad z) { return expq(-z * z / 2) / sqrtq(2 * kPi); }

// point(t) for |t| <= kReach, several times faster: Taylor's series at the nearest of many points
// where erfcq is known. Phi^(k+1)(t) = (-1)^k He_k(t) phi(t), and 14 terms leave less than 1e-34.
class PointTable {
 public:
  PointTable() {
    for (int i = 0; i <= kPerUnit * static_cast<int>(kReach); ++i) {
      quad const t = quad(i) / kPerUnit;
      std::array<quad, kTerms>& a = series_.emplace_back();
      a[0] = point(t).tail;
      quad he = 1, he_before = 0;
      quad factor = -density(t);  // (-1)^k phi(t) / k!
      for (int k = 1; k < kTerms; ++k) {
        a[k] = factor * he;
        quad const he_next = t * he - (k - 1) * he_before;
        he_before = he;
        he = he_next;
        factor /= -(k + 1);
      }
    }
  }

  Point operator()(quad t) const {
    quad const distance = fabsq(t);
    auto const i = static_cast<std::size_t>(static_cast<double>(distance) * kPerUnit + 0.5);
    if (i >= series_.size()) return point(t);
    quad const h = distance - quad(i) / kPerUnit;
    std::array<quad, kTerms> const& a = series_[i];
    quad tail = a[kTerms - 1];
    for (int k = kTerms - 2; k >= 0; --k) tail = tail * h + a[k];
    return {t > 0, tail};
  }

 private:
  static constexpr int kPerUnit = 64;
  static constexpr int kTerms = 15;
  std::vector<std::array<quad, kTerms>> series_;
};

quad mass_between(Point const& a, Point const& b) {
  if (a.right != b.right) return 1 - a.tail - b.tail;
  return a.right ? a.tail - b.tail : b.tail - a.tail;
}

// -p log2 p; rounding may have left a little less than nothing of a cell.
quad surprise(quad p) { return p > 0 ? -p * log2q(p) : quad(0); }

// ---------------------------------------------------------------------------------------------
// The cells
// ---------------------------------------------------------------------------------------------

// The edges between the cells, ascending: midpoints of neighboring values, 0 among them.
std::vector<quad> all_edges(int p, int E) {
  std::vector<quad> values;
  int const e_min = E == 0 ? 0 : 1 - (1 << (E - 1));
  int const e_max = E == 0 ? 0 : 1 << (E - 1);
  for (int e = e_min; e <= e_max; ++e) {
    quad const unit = E == 0 ? kSqrt2 : ldexpq(1, e);
    for (int m = 0; m < 1 << (p - 1); ++m) {
      quad const magnitude = unit * (1 + ldexpq(quad(m), 1 - p));
      values.push_back(magnitude);
      values.push_back(-magnitude);
    }
  }
  std::sort(values.begin(), values.end());
  std::vector<quad> edges;
  for (std::size_t i = 1; i < values.size(); ++i) {
    edges.push_back((values[i - 1] + values[i]) / 2);
  }
  return edges;
}

// Probabilities of the cells between the edges, for a normal law with mean 0.
std::vector<quad> cell_masses(std::vector<quad> const& edges, quad sigma) {
  std::vector<quad> masses;
  Point before = kFarLeft;
  for (quad const edge : edges) {
    Point const here = point(edge / sigma);
    masses.push_back(mass_between(before, here));
    before = here;
  }
  masses.push_back(mass_between(before, kFarRight));
  return masses;
}

oracle_result entropy_of(std::vector<quad> const& masses) {
  oracle_result result{0, 0};
  quad total = 0;
  for (quad const p : masses) {
    result.value += surprise(p);
    total += p;
  }
  result.error = (fabsq(1 - total) + quad(1e-31L)) * (1 + result.value);
  return result;
}

// ---------------------------------------------------------------------------------------------
// Gauss-Legendre quadrature
// ---------------------------------------------------------------------------------------------

constexpr int kMaxOrder = 32;

struct Rule {
  std::vector<quad> node, weight;  // on [-1, 1]
};

Rule make_rule(int n) {
  Rule rule;
  for (int i = 1; i <= n; ++i) {
    quad x = cosq(kPi * (i - quad(0.25)) / (n + quad(0.5)));
    quad slope = 1;
    for (int newton = 0; newton < 8; ++newton) {
      quad p = 1, p_before = 0;
      for (int k = 1; k <= n; ++k) {
        quad const p_next = ((2 * k - 1) * x * p - (k - 1) * p_before) / k;
        p_before = p;
        p = p_next;
      }
      slope = n * (x * p - p_before) / (x * x - 1);
      x -= p / slope;
    }
    rule.node.push_back(x);
    rule.weight.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

Rule const& rule(int n) {
  static std::vector<Rule> const rules = [] {
    std::vector<Rule> all(1);
    for (int k = 1; k <= kMaxOrder; ++k) all.push_back(make_rule(k));
    return all;
  }();
  return rules[n];
}

// The order whose error on a piece of length h is less than h * tolerance. That error is
//   h^(2n+1) n!^4 / ((2n+1) (2n)!^3) |f^(2n)|,
// and for f = phi(z) Phi(c - z / d) Leibniz' rule and Cramer's bound on Hermite functions give
//   |f^(2n)| < (2n+1) sqrt((2n)!) s^(-2n),   1 / s^2 = 1 + 1 / d^2.
int order_for(quad h_over_s, long double tolerance) {
  long double const log_g = logl(static_cast<long double>(h_over_s));
  for (int n = 1; n < kMaxOrder; ++n) {
    long double const log_error = 2 * n * log_g + 4 * lgammal(n + 1) - 2.5L * lgammal(2 * n + 1);
    if (log_error < logl(tolerance)) return n;
  }
  return kMaxOrder;
}

// ---------------------------------------------------------------------------------------------
// The sum over the pairs
// ---------------------------------------------------------------------------------------------

// How to integrate. The pairs are summed a second time with the roles of X and Y exchanged and
// another plan; what remains of the difference of the two sums is the error estimate.
struct Plan {
  quad longest;  // piece, in units of s
  long double tolerance;
};

Plan const kPlan{1.5, 1e-25L};
Plan const kSwappedPlan{2, 1e-19L};

struct Interval {
  quad low, high;
};

class Pairs {
 public:
  // Y = slope X / sigma_x + noise * (a standard normal variable)
  Pairs(std::vector<quad> const& x_edges, std::vector<quad> const& y_edges, quad sigma_x,
        quad slope, quad noise, Plan const& plan)
      : y_edges_(y_edges),
        slope_(slope),
        noise_(noise),
        plan_(plan),
        row_(y_edges.size() + 1),
        column_(y_edges.size() + 1) {
    quad const ratio = fabsq(slope_) / noise_;  // 1 / d of order_for
    scale_ = 1 / sqrtq(1 + ratio * ratio);
    for (quad const edge : x_edges) {
      if (edge > 0) x_edges_.push_back(edge / sigma_x);
    }
    find_zones();
  }

  // Positive x only.
  void run() {
    for (std::size_t i = 0; i <= x_edges_.size(); ++i) {
      quad const low = i == 0 ? quad(0) : x_edges_[i - 1];
      if (low >= kReach) break;
      quad const high = i == x_edges_.size() ? kReach : std::min(x_edges_[i], kReach);
      add_row({low, high});
    }
  }

  quad entropy() const { return 2 * entropy_; }

  // How much the rows and the columns of P_ij miss the probabilities of the cells of X and Y.
  quad defect(std::vector<quad> const& y_masses) const {
    quad sum = 2 * row_defect_;
    for (std::size_t j = 0; j < column_.size(); ++j) {
      quad const both_signs = column_[j] + column_[column_.size() - 1 - j];
      sum += fabsq(both_signs - y_masses[j]);
    }
    return sum;
  }

 private:
  // Where in z > 0 an edge of Y is within reach of the noise: disjoint intervals, ascending.
  void find_zones() {
    if (slope_ == 0) {
      zones_.push_back({0, kReach});
      return;
    }
    std::vector<Interval> zones;
    for (quad const edge : y_edges_) {
      quad const center = edge / slope_;
      quad const reach = kReach * noise_ / fabsq(slope_);
      Interval const zone{std::max(center - reach, quad(0)), std::min(center + reach, kReach)};
      if (zone.low <= zone.high) zones.push_back(zone);
    }
    std::sort(zones.begin(), zones.end(),
              [](Interval const& a, Interval const& b) { return a.low < b.low; });
    for (Interval const& zone : zones) {
      if (!zones_.empty() && zone.low <= zones_.back().high) {
        zones_.back().high = std::max(zones_.back().high, zone.high);
      } else {
        zones_.push_back(zone);
      }
    }
  }

  // All pairs with one cell of X.
  void add_row(Interval const& cell) {
    std::fill(row_.begin(), row_.end(), quad(0));
    quad done = cell.low;
    auto zone = std::lower_bound(zones_.begin(), zones_.end(), cell.low,
                                 [](Interval const& z, quad low) { return z.high < low; });
    for (; zone != zones_.end() && zone->low < cell.high; ++zone) {
      Interval const part{std::max(zone->low, cell.low), std::min(zone->high, cell.high)};
      if (done < part.low) add_quiet({done, part.low});
      if (part.low < part.high) add_noisy(part);
      done = part.high;
    }
    if (done < cell.high) add_quiet({done, cell.high});

    quad total = 0;
    for (std::size_t j = 0; j < row_.size(); ++j) {
      entropy_ += surprise(row_[j]);
      column_[j] += row_[j];
      total += row_[j];
    }
    quad const expected = mass_between(point(cell.low), point(cell.high));
    row_defect_ += fabsq(total - expected);
  }

  // Y is in one cell for all z.
  void add_quiet(Interval const& part) {
    quad const y = slope_ * (part.low + part.high) / 2;
    auto const j = std::lower_bound(y_edges_.begin(), y_edges_.end(), y) - y_edges_.begin();
    row_[j] += mass_between(point(part.low), point(part.high));
  }

  void add_noisy(Interval const& part) {
    quad const count = ceilq((part.high - part.low) / (plan_.longest * scale_));
    quad const h = (part.high - part.low) / count;
    Rule const& gauss = rule(order_for(h / scale_, plan_.tolerance));
    for (quad k = 0; k < count; k += 1) {
      quad const middle = part.low + (k + quad(0.5)) * h;
      for (std::size_t i = 0; i < gauss.node.size(); ++i) {
        quad const z = middle + gauss.node[i] * h / 2;
        add_node(z, gauss.weight[i] * h / 2 * density(z));
      }
    }
  }

  // The cells of Y at a given z.
  void add_node(quad z, quad weight) {
    static PointTable const fast_point;
    quad const y = slope_ * z;
    auto j =
        std::lower_bound(y_edges_.begin(), y_edges_.end(), y - kReach * noise_) - y_edges_.begin();
    Point before = kFarLeft;
    for (; j < std::ssize(y_edges_) && y_edges_[j] <= y + kReach * noise_; ++j) {
      Point const here = fast_point((y_edges_[j] - y) / noise_);
      row_[j] += weight * mass_between(before, here);
      before = here;
    }
    row_[j] += weight * mass_between(before, kFarRight);
  }

  std::vector<quad> x_edges_;  // positive, in units of sigma_x
  std::vector<quad> const& y_edges_;
  quad slope_;  // of y over z
  quad noise_;
  Plan plan_;
  quad scale_;  // s of order_for
  std::vector<Interval> zones_;
  std::vector<quad> row_, column_;
  quad entropy_ = 0;
  quad row_defect_ = 0;
};

void check(int p, int E) {
  if (p < 1 || E < 0 || E > 12 || p + E > 24) throw std::invalid_argument("format out of range");
}

void check(oracle_pair_law const& law) {
  if (!finiteq(law.w) || !finiteq(law.sigma_x) || !finiteq(law.sigma_xi)) {
    throw std::invalid_argument("parameter not finite");
  }
  if (!(law.sigma_x > 0) || !(law.sigma_xi >= 0) || (law.w == 0 && law.sigma_xi == 0)) {
    throw std::invalid_argument("parameter out of range");
  }
}

}  // namespace

oracle_pair_result oracle_pair_entropy(int px, int Ex, int py, int Ey, oracle_pair_law const& law) {
  check(px, Ex);
  check(py, Ey);
  check(law);
  quad const sx = law.sigma_x;
  quad const sxi = law.sigma_xi;
  quad const wsx = law.w * sx;
  quad const sy = sqrtq(wsx * wsx + sxi * sxi);
  std::vector<quad> const x_edges = all_edges(px, Ex);
  std::vector<quad> const y_edges = all_edges(py, Ey);
  std::vector<quad> const x_masses = cell_masses(x_edges, sx);
  std::vector<quad> const y_masses = cell_masses(y_edges, sy);

  Pairs pairs(x_edges, y_edges, sx, wsx, sxi, kPlan);
  pairs.run();
  // X given Y is normal too, with mean w sx^2 / sy^2 Y and standard deviation sx sxi / sy.
  Pairs swapped(y_edges, x_edges, sy, wsx / sy * sx, sxi / sy * sx, kSwappedPlan);
  swapped.run();

  // An error d of P changes -P log2 P by d log2(1 / P), where 128 bits are a generous logarithm.
  quad const error =
      fabsq(pairs.entropy() - swapped.entropy()) + 128 * (pairs.defect(y_masses) + quad(1e-32L));
  return {{pairs.entropy(), error}, entropy_of(x_masses), entropy_of(y_masses)};
}
