// How it works. Everything is done on the positive half line (the negative half is the positive
// half of the mirrored law), block by block, a block being the 2^(p-1) magnitudes of one exponent.
// Inside a block all cells have one width, so that the entropy of the block [thm:quantized_ent] is
// the sum of a smooth function over equidistant points: -P_j ln P_j, where P_j = P(center_j, width)
// makes sense for real j too. Such a sum is what Gauss quadrature for the counting measure on
// {0, ..., N-1} computes, exactly for polynomials: no integral, no derivative, no asymptotic
// series. A block is bisected until each piece is short compared to the features of the law, is
// negligible, or has so few cells that they are summed one by one. The cells of another width (the
// first of a block, the outermost of the format) are exchanged at the end.
#include "oracle.hpp"

#include <quadmath.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using quad = __float128;

quad const kInfinity = HUGE_VALQ;
quad const kSqrt2 = M_SQRT2q;
quad const kLn2 = M_LN2q;

// 2^n, exactly.
quad power_of_two(int n) { return ldexpq(1, n); }

// ---------------------------------------------------------------------------------------------
// Laws, in the standardized variable z = (x - location) / scale
// ---------------------------------------------------------------------------------------------

// A cell of the quantizer. Center and width are kept apart from the edges because hi - lo has lost
// its digits when the cell is narrow.
struct Cell {
  quad lo, mid, hi, width;
};

// A probability and its logarithm, which is best taken before the exponential of a narrow cell.
struct Mass {
  quad p, ln_p;
};

Mass mass_of(quad p) { return {p, p > 0 ? logq(p) : quad(0)}; }

// ln Gamma(x + 1/2) - ln Gamma(x) - ln(x) / 2, without the cancellation of the two log-gammas: the
// Stirling series of the difference, after x has been raised to where it converges.
quad ln_gamma_half_step(quad x) {
  static constexpr std::int64_t kBernoulli[][2] = {
      {1, 6},       {-1, 30},           {1, 42},       {-1, 30},
      {5, 66},      {-691, 2730},       {7, 6},        {-3617, 510},
      {43867, 798}, {-174611, 330},     {854513, 138}, {-236364091, 2730},
      {8553103, 6}, {-23749461029, 870}};  // B_2, B_4, ..., B_28
  quad const x0 = x;
  quad raised = 1;  // Gamma(x0 + 1/2) / Gamma(x0) = raised * Gamma(x + 1/2) / Gamma(x)
  for (; x < 64; x += 1) raised *= x / (x + quad(0.5));
  quad series = 0;
  quad x_power = x;  // x^k
  for (int i = 0; i < 14; ++i, x_power *= x * x) {
    int const k = 2 * i + 1;
    quad const b = quad(kBernoulli[i][0]) / quad(kBernoulli[i][1]);
    series += (power_of_two(-k) - 2) * b / (quad(k) * (k + 1) * x_power);
  }
  return x == x0 ? series : series + logq(raised * sqrtq(x / x0));
}

class Law {
 public:
  Law(oracle_law const& law, bool mirrored) : kind_(law.kind) {
    double const* a = law.params;
    switch (kind_) {
      case oracle_kind::slope:  // [lem:compute_f_z]
        kind_ = oracle_kind::student;
        dof_ = a[0];
        location_ = a[1];
        scale_ = quad(a[3]) / (quad(a[2]) * sqrtq(a[0]));
        break;
      case oracle_kind::student:
        dof_ = a[0];
        location_ = a[1];
        scale_ = a[2];
        break;
      case oracle_kind::uniform:
        location_ = mirrored ? a[1] : a[0];  // turned into -high below
        scale_ = quad(a[1]) - quad(a[0]);
        break;
      default:
        location_ = a[0];
        scale_ = a[1];
    }
    symmetric_ = kind_ == oracle_kind::uniform ? a[0] == -a[1] : location_ == 0;
    if (mirrored) location_ = -location_;

    if (kind_ == oracle_kind::normal) {
      ln_peak_ = -logq(2 * M_PIq) / 2;
    } else if (kind_ == oracle_kind::student) {
      sqrt_dof_ = sqrtq(dof_);
      ln_peak_ = -logq(2 * M_PIq) / 2 + ln_gamma_half_step(dof_ / 2);
      feature_ = std::min(1.0L, static_cast<long double>(sqrt_dof_));
    }
  }

  quad location() const { return location_; }
  quad scale() const { return scale_; }
  bool symmetric() const { return symmetric_; }  // about x = 0

  Mass mass(Cell const& cell) const {
    switch (kind_) {
      case oracle_kind::normal:
      case oracle_kind::student: {
        Taylor const t = taylor(cell.mid, cell.width);
        return t.converges ? narrow_mass(t) : mass_of(wide_mass(cell));
      }
      case oracle_kind::uniform: {
        if (cell.lo >= 0 && cell.hi <= 1) return mass_of(cell.width);
        return mass_of(std::max(quad(0), std::min(cell.hi, quad(1)) - std::max(cell.lo, quad(0))));
      }
      case oracle_kind::laplace: {
        if (cell.lo < 0 && cell.hi > 0) return mass_of(-(expm1q(cell.lo) + expm1q(-cell.hi)) / 2);
        quad const near = cell.lo >= 0 ? cell.lo : -cell.hi;
        return mass_of(-expq(-near) * expm1q(-cell.width) / 2);
      }
      default: {  // logistic
        if (cell.lo < 0 && cell.hi > 0) {
          return mass_of((tanhq(cell.hi / 2) - tanhq(cell.lo / 2)) / 2);
        }
        quad const near = expq(cell.lo >= 0 ? -cell.lo : cell.hi);
        quad const shrink = expm1q(-cell.width);
        return mass_of(-near * shrink / ((1 + near) * (1 + near * (1 + shrink))));
      }
    }
  }

  // Logarithm of the density (all densities are unimodal and even, but for the uniform law), in a
  // type that is fast, has the range of __float128, and is precise enough for decisions.
  long double ln_density(long double z) const {
    switch (kind_) {
      case oracle_kind::normal:
        return ln_peak_ - z * z / 2;
      case oracle_kind::student: {
        long double const t = z / static_cast<long double>(sqrt_dof_);
        long double const ln_rho = fabsl(t) < 1 ? log1pl(t * t) / 2 : logl(hypotl(1, t));
        return ln_peak_ - (static_cast<long double>(dof_) + 1) * ln_rho;
      }
      case oracle_kind::uniform:
        return 0;
      case oracle_kind::laplace:
        return -fabsl(z) - logl(2);
      default:
        return -fabsl(z) - 2 * log1pl(expl(-fabsl(z)));
    }
  }

  // Logarithm of an upper bound of the probability of [a, b], b - a = length.
  long double ln_mass_bound(quad a, quad b, quad length) const {
    if (kind_ == oracle_kind::uniform && (b <= 0 || a >= 1)) return -HUGE_VALL;
    return ln_density(nearest(a, b)) + logl(length);
  }

  // Whether [a, b] is free of kinks, at most `span` features of the law long (they grow with the
  // distance from the center), and the density varies by less than exp(fall) on it. Without this
  // check a quadrature could step over a narrow law altogether.
  bool resolved_on(quad a, quad b, long double span, long double fall) const {
    if (kind_ == oracle_kind::uniform) return a >= 0 && b <= 1;
    if (kind_ == oracle_kind::laplace && a < 0 && b > 0) return false;
    long double const near = nearest(a, b);
    long double const far = std::max(fabsq(a), fabsq(b));
    return b - a <= std::max(span * feature_, near) && ln_density(near) - ln_density(far) <= fall;
  }

 private:
  // The density around the center of a cell of half width u: f(z + u y) = f(z) sum_k s_k y^k with
  //   (k + 1) s_{k+1} = -(a0 + a1 k) s_k - (b0 + b1 k) s_{k-1},
  // from f' = -z f for the normal law and (dof + z^2) f' = -(dof + 1) z f for Student's.
  struct Taylor {
    quad a0, a1, b0, b1;
    quad width;
    quad ln_center;  // ln f(z)
    bool converges;  // fast, and without cancellation
  };

  static long double nearest(quad a, quad b) { return a > 0 ? a : b < 0 ? -b : quad(0); }

  Taylor taylor(quad z, quad width) const {
    Taylor t{};
    if (width == kInfinity) return t;
    t.width = width;
    quad const u = width / 2;
    if (kind_ == oracle_kind::normal) {
      t.a0 = z * u;
      t.b0 = u * u;
      t.converges = fabsq(t.a0) <= 1 && u <= 1;
      if (t.converges) t.ln_center = ln_peak_ - z * z / 2;
    } else {
      quad const q = u / (dof_ + z * z);
      t.a1 = 2 * z * q;
      t.a0 = (dof_ + 1) * z * q;
      t.b1 = u * q;
      t.b0 = dof_ * t.b1;
      t.converges = t.b1 <= quad(0.0625) && fabsq(t.a0) <= 1 && t.b0 <= 1;
      if (t.converges) t.ln_center = student_ln_density(z);
    }
    return t;
  }

  static Mass narrow_mass(Taylor const& t) {
    quad before = 1;   // s_{k-1}
    quad now = -t.a0;  // s_k
    quad mean = 1;     // of f / f(center): the sum of s_k / (k + 1) over even k
    for (int k = 1;; k += 2) {
      quad const even = -((t.a0 + t.a1 * k) * now + (t.b0 + t.b1 * k) * before) / (k + 1);
      quad const odd = -((t.a0 + t.a1 * (k + 1)) * even + (t.b0 + t.b1 * (k + 1)) * now) / (k + 2);
      mean += even / (k + 2);
      before = even;
      now = odd;
      if (fabsq(even) + fabsq(odd) < quad(1e-36)) break;
    }
    mean *= t.width;
    return {mean * expq(t.ln_center), logq(mean) + t.ln_center};
  }

  quad student_ln_density(quad z) const {
    quad const t2 = z * z / dof_;
    return ln_peak_ - (dof_ + 1) / 2 * (t2 < 1 ? log1pq(t2) : logq(1 + t2));
  }

  // Wide cells: differences on the side of the tail, sums across the center.
  quad wide_mass(Cell const& cell) const {
    if (cell.hi <= 0) return wide_mass({-cell.hi, -cell.mid, -cell.lo, cell.width});
    if (kind_ == oracle_kind::normal) {
      quad const a = cell.lo / kSqrt2;
      quad const b = cell.hi / kSqrt2;
      return (a >= 0 ? erfcq(a) - erfcq(b) : erfq(b) + erfq(-a)) / 2;
    }
    return cell.lo >= 0 ? student_span(cell.lo, cell.hi)
                        : student_span(0, cell.hi) + student_span(0, -cell.lo);
  }

  // P(a < Z < b), 0 <= a < b: Taylor steps up to sqrt(dof), the tail series beyond.
  quad student_span(quad a, quad b) const {
    quad sum = 0;
    while (a < b && a < sqrt_dof_) {
      quad next = std::min(b, sqrt_dof_);
      Taylor t;
      while (t = taylor((a + next) / 2, next - a), !t.converges) next = (a + next) / 2;
      quad const step = narrow_mass(t).p;
      sum += step;
      a = next;
      if (step < quad(1e-50L)) return sum;
    }
    if (a < b) sum += student_tail(a) - (b == kInfinity ? 0 : student_tail(b));
    return sum;
  }

  // P(Z > z), z >= sqrt(dof): the incomplete beta function as
  // f(z) z / dof * 2F1(dof/2 + 1/2, 1; dof/2 + 1; x), x = dof / (dof + z^2) <= 1/2, all terms > 0.
  quad student_tail(quad z) const {
    quad const x = dof_ / (dof_ + z * z);
    quad const a = dof_ / 2;
    quad term = 1;
    quad series = 1;
    for (int k = 0; term > series * FLT128_EPSILON / 4; ++k) {
      term *= (a + quad(0.5) + k) / (a + 1 + k) * x;
      series += term;
    }
    return expq(student_ln_density(z)) * (z / dof_) * series;
  }

  oracle_kind kind_;
  quad location_ = 0;
  quad scale_ = 1;
  quad dof_ = 0;
  quad sqrt_dof_ = 0;
  quad ln_peak_ = 0;
  long double feature_ = 1;
  bool symmetric_ = false;
};

// ---------------------------------------------------------------------------------------------
// Gauss quadrature for the counting measure
// ---------------------------------------------------------------------------------------------

// sum_{j=0}^{N-1} g(j - (N-1)/2) = sum_i weight_i g(+-offset_i) for polynomials of degree < 2n.
struct Rule {
  std::vector<quad> offset, weight;
};

// The monic orthogonal polynomials (of Gram, or Chebyshev) in y = 2 x / N satisfy Legendre's
// recurrence with its coefficients multiplied by 1 - (k/N)^2: p_{k+1} = y p_k - beta_k p_{k-1}.
Rule make_rule(int n, quad count) {
  std::vector<quad> beta(n);
  std::vector<long double> beta_ld(n);
  for (int k = 1; k < n; ++k) {
    beta[k] = quad(k * k) * (1 - (k / count) * (k / count)) / (4 * k * k - 1);
    beta_ld[k] = static_cast<long double>(beta[k]);
  }
  // Number of zeros of p_n above y, by the signs of p_k / p_{k-1} (Sturm).
  auto zeros_above = [&](long double y) {
    int zeros = 0;
    long double ratio = 1;
    for (int k = 0; k < n; ++k) {
      ratio = y - (k > 0 ? beta_ld[k] / ratio : 0.0L);
      if (ratio == 0) ratio = 1e-30L;
      zeros += ratio < 0;
    }
    return zeros;
  };
  Rule rule;
  for (int i = 0; 2 * i < n; ++i) {  // zeros from the largest down to 0, mirrored
    quad y = 0;
    if (2 * i + 1 != n) {
      long double low = 0;
      long double high = 1;
      for (int bit = 0; bit < 60; ++bit) {
        long double const middle = (low + high) / 2;
        (zeros_above(middle) > i ? low : high) = middle;
      }
      y = low;
    }
    quad christoffel = 0;  // 1 / weight = sum of squares of the orthonormal polynomials
    for (int newton = 0; newton < 3; ++newton) {
      quad p = 1, p_before = 0, slope = 0, slope_before = 0, norm = 1;
      christoffel = 0;
      for (int k = 0; k < n; ++k) {
        if (k > 0) norm *= beta[k];
        christoffel += p * p / norm;
        slope_before = std::exchange(slope, p + y * slope - beta[k] * slope_before);
        p_before = std::exchange(p, y * p - beta[k] * p_before);
      }
      if (newton < 2 && y != 0) y -= p / slope;
    }
    for (int sign = 1; sign >= (y == 0 ? 1 : -1); sign -= 2) {
      rule.offset.push_back(sign * y * count / 2);
      rule.weight.push_back(count / christoffel);
    }
  }
  return rule;
}

constexpr int kMaxOrder = 30;

Rule const& rule(int n, int log2_count) {
  thread_local std::unique_ptr<Rule> cache[kMaxOrder + 1][64];
  auto& slot = cache[n][log2_count];
  if (!slot) slot = std::make_unique<Rule>(make_rule(n, power_of_two(log2_count)));
  return *slot;
}

// ---------------------------------------------------------------------------------------------
// The format
// ---------------------------------------------------------------------------------------------

// Exponents beyond this are merged into the outermost cells, to stay within the range of
// __float128; only E = 15 reaches it.
constexpr int kMaxExponent = 14000;

struct Format {
  int p, E;
  bool floor_cells;

  int e_min() const { return E == 0 ? 0 : std::max(1 - (1 << (E - 1)), -kMaxExponent); }
  int e_max() const { return E == 0 ? 0 : std::min(1 << (E - 1), kMaxExponent); }
  bool merged() const { return E > 0 && (1 << (E - 1)) > kMaxExponent; }
};

// The positive cells of one exponent. Positions are counted in steps of the block from the
// magnitude with m = 0; the ones used here have few fractional bits, so that x(position) is exact.
class Block {
 public:
  Block(Format const& format, int e, Law const& law)
      : floor_cells_(format.floor_cells),
        first_(e == format.e_min()),
        last_(e == format.e_max()),
        top_(power_of_two(format.p - 1) - 1),
        location_(law.location()),
        scale_(law.scale()),
        step_(power_of_two(1 - format.p)),
        unit_(power_of_two(e)) {
    if (format.E == 0) {  // exponent 1/2: sqrt(2) in two parts, the first one short
      unit_ = ldexpq(floorq(ldexpq(kSqrt2, 44)), -44);
      unit_rest_ = (2 - unit_ * unit_) / (kSqrt2 + unit_);
    }
    width_ = (unit_ + unit_rest_) * step_ / scale_;
  }

  quad top() const { return top_; }      // the last m
  quad width() const { return width_; }  // of a cell, standardized
  quad center(quad m) const { return floor_cells_ ? m + quad(0.5) : m; }

  // z = (x - location) / scale. The product with unit_ is exact and the difference as good as its
  // own rounding, however many scales the law is away from zero.
  quad z_at(quad position) const {
    quad const k = 1 + position * step_;
    return (unit_ * k - location_ + unit_rest_ * k) / scale_;
  }

  // The cell around m if all cells were alike.
  Cell equal_cell(quad m) const {
    quad const c = center(m);
    return cell_between(c - quad(0.5), c + quad(0.5));
  }

  // The cell of m in the format [cor:gauss_fp_ent].
  Cell true_cell(quad m) const {
    quad low = center(m) - quad(0.5);
    quad high = low + 1;
    if (m == 0 && !floor_cells_) low = quad(-0.25);  // the steps below are half as wide
    if (m == 0 && first_) low = -(top_ + 1);         // x = 0
    if (m == top_ && last_) high = kInfinity;        // clipping
    return cell_between(low, high);
  }

  bool is_outermost(quad m) const { return (m == 0 && first_) || (m == top_ && last_); }
  bool is_unequal(quad m) const { return is_outermost(m) || (m == 0 && !floor_cells_); }

 private:
  Cell cell_between(quad low, quad high) const {
    if (high == kInfinity) return {z_at(low), kInfinity, kInfinity, kInfinity};
    return {z_at(low), z_at((low + high) / 2), z_at(high), width_ * (high - low)};
  }

  bool floor_cells_, first_, last_;
  quad top_, location_, scale_, step_, unit_, width_;
  quad unit_rest_ = 0;
};

// ---------------------------------------------------------------------------------------------
// The sum over the cells
// ---------------------------------------------------------------------------------------------

// How to sum. Two runs with different plans check each other.
struct Plan {
  std::array<int, 6> orders;  // tried from low to high
  int direct_log2;            // up to 2^direct_log2 cells are summed one by one
  long double span, fall;     // see Law::resolved_on
};

constexpr Plan kPlans[2] = {{{2, 4, 8, 13, 20, 28}, 5, 2.0L, 24.0L},
                            {{3, 5, 10, 16, 23, 30}, 4, 1.5L, 18.0L}};

constexpr long double kNegligible = 1e-28L;  // nats; pieces that contribute less are dropped
constexpr long double kTolerance = 1e-26L;   // nats; quadratures estimated to be better are taken

struct Sum {
  quad entropy = 0;  // nats
  quad mass = 0;     // must become 1

  void add(Mass const& m, quad weight) {
    if (!(m.p > 0)) return;
    entropy -= weight * m.p * m.ln_p;
    mass += weight * m.p;
  }
  void add(Sum const& other) {
    entropy += other.entropy;
    mass += other.mass;
  }
};

// N cells of total probability M have an entropy of at most M ln(N / M), by concavity.
long double entropy_bound(long double ln_mass, long double ln_count) {
  if (ln_mass < -10000) return 0;  // would only underflow
  return expl(ln_mass) * std::max(1.0L, ln_count - ln_mass);
}

// The positive half of the cells.
class HalfLine {
 public:
  HalfLine(Format const& format, Law const& law, Plan const& plan)
      : format_(format), law_(law), plan_(plan) {}

  void run() {
    for (int e = format_.e_min(); e <= format_.e_max(); ++e) {
      Block const block(format_, e, law_);
      bool const kept = add_range(block, 0, format_.p - 1);
      add_unequal(block, 0, kept);
      if (block.top() != 0) add_unequal(block, block.top(), kept);
    }
  }

  void enumerate() {
    for (int e = format_.e_min(); e <= format_.e_max(); ++e) {
      Block const block(format_, e, law_);
      for (quad m = 0; m <= block.top(); m += 1) sum_.add(law_.mass(block.true_cell(m)), 1);
    }
  }

  Sum const& sum() const { return sum_; }
  quad error() const { return error_; }

 private:
  // 2^log2_count equal cells from `first` on. Returns false if they were neglected altogether.
  bool add_range(Block const& block, quad first, int log2_count) {
    quad const count = power_of_two(log2_count);
    quad const begin = block.center(first) - quad(0.5);
    quad const a = block.z_at(begin);
    quad const b = block.z_at(begin + count);
    long double const bound =
        entropy_bound(law_.ln_mass_bound(a, b, block.width() * count), log2_count * logl(2));
    if (bound < kNegligible) {
      error_ += bound;
      return false;
    }
    if (log2_count <= plan_.direct_log2) {
      for (quad m = first; m < first + count; m += 1) sum_.add(law_.mass(block.equal_cell(m)), 1);
      return true;
    }
    if (law_.resolved_on(a, b, plan_.span, plan_.fall) &&
        add_by_quadrature(block, begin + count / 2, log2_count)) {
      return true;
    }
    add_range(block, first, log2_count - 1);
    add_range(block, first + count / 2, log2_count - 1);
    return true;
  }

  // Raises the order until it has converged; false if it does not.
  bool add_by_quadrature(Block const& block, quad middle, int log2_count) {
    quad const z = block.z_at(middle);
    quad const h = block.width();
    auto apply = [&](int order) {
      Rule const& gauss = rule(order, log2_count);
      Sum sum;
      for (std::size_t i = 0; i < gauss.offset.size(); ++i) {
        quad const mid = z + gauss.offset[i] * h;  // not z_at: digits relative to the piece count
        sum.add(law_.mass({mid - h / 2, mid, mid + h / 2, h}), gauss.weight[i]);
      }
      return sum;
    };
    Sum coarse = apply(plan_.orders[start_]);
    for (std::size_t i = start_ + 1; i < plan_.orders.size(); ++i) {
      Sum const fine = apply(plan_.orders[i]);
      // Errors decrease geometrically with the order: error(fine) = C (error(coarse) / C)^ratio.
      // C is of the order of the sum; much less is safe against a change that is small by chance.
      auto const change = static_cast<long double>(fabsq(fine.entropy - coarse.entropy));
      long double const c = 1e-7L * static_cast<long double>(fabsq(fine.entropy));
      long double const ratio = 1.0L * plan_.orders[i] / plan_.orders[i - 1];
      long double const estimate = change == 0 ? 0 : change * powl(change / c, ratio - 1);
      if (estimate <= kTolerance) {
        sum_.add(fine);
        error_ += estimate;
        start_ = i - 1;  // what the neighboring piece will need, or less
        if (start_ > 0 && estimate < 1e-5L * kTolerance) --start_;
        return true;
      }
      coarse = fine;
    }
    start_ = 2;
    return false;
  }

  // Replaces an equal cell by the true one, or only adds the latter if the block was neglected (and
  // with it all of its bounded cells).
  void add_unequal(Block const& block, quad m, bool kept) {
    if (!block.is_unequal(m) || !(kept || block.is_outermost(m))) return;
    if (kept) sum_.add(law_.mass(block.equal_cell(m)), -1);
    Mass const mass = law_.mass(block.true_cell(m));
    sum_.add(mass, 1);
    if (block.is_outermost(m) && format_.merged() && mass.p > 0) {
      error_ += entropy_bound(mass.ln_p, (format_.p + format_.E) * logl(2));
    }
  }

  Format const format_;
  Law const& law_;
  Plan const plan_;
  Sum sum_;
  quad error_ = 0;         // what was neglected, and the estimated errors of the quadratures
  std::size_t start_ = 0;  // index of the order to begin with
};

// Both halves, the negative one as the positive one of the mirrored law.
struct Total {
  Sum sum;
  quad error = 0;
};

template <class Fill>
Total total(Format const& format, oracle_law const& parameters, Plan const& plan, Fill fill) {
  Total total;
  for (bool mirrored : {false, true}) {
    Law const law(parameters, mirrored);
    HalfLine half(format, law, plan);
    fill(half);
    for (int copy = law.symmetric() ? 2 : 1; copy > 0; --copy) {
      total.sum.add(half.sum());
      total.error += half.error();
    }
    if (law.symmetric()) break;
  }
  return total;
}

// A common relative error d of all probabilities changes H by about d H. They must add up to 1, and
// are not expected to be better than some hundred units in the last place.
quad defect(Total const& total) {
  return (fabsq(1 - total.sum.mass) + quad(1e-31L)) * (1 + total.sum.entropy);
}

void check(int p, int E, oracle_law const& law) {
  if (p < 1 || p > 64 || E < 0 || E > 15) throw std::invalid_argument("format out of range");
  double const* a = law.params;
  for (int i = 0; i < oracle_arity(law.kind); ++i) {
    if (!std::isfinite(a[i])) throw std::invalid_argument("parameter not finite");
  }
  bool valid = false;
  switch (law.kind) {
    case oracle_kind::student:
      valid = a[0] > 0 && a[2] > 0;
      break;
    case oracle_kind::slope:
      valid = a[0] > 0 && a[2] > 0 && a[3] > 0;
      break;
    case oracle_kind::uniform:
      valid = a[0] < a[1];
      break;
    default:
      valid = a[1] > 0;
  }
  if (!valid) throw std::invalid_argument("parameter out of range");
}

}  // namespace

int oracle_arity(oracle_kind kind) {
  return kind == oracle_kind::slope ? 4 : kind == oracle_kind::student ? 3 : 2;
}

oracle_result oracle_entropy(int p, int E, bool floor_cells, oracle_law const& law) {
  check(p, E, law);
  Format const format{p, E, floor_cells};
  auto const run = [](HalfLine& half) { half.run(); };
  Total const a = total(format, law, kPlans[0], run);
  Total const b = total(format, law, kPlans[1], run);
  quad const error = fabsq(a.sum.entropy - b.sum.entropy) + b.error + defect(b);
  return {b.sum.entropy / kLn2, error / kLn2};
}

oracle_result oracle_enumerate(int p, int E, bool floor_cells, oracle_law const& law) {
  check(p, E, law);
  if (p + E > 24) throw std::invalid_argument("too many cells to enumerate");
  Format const format{p, E, floor_cells};
  Total const all = total(format, law, kPlans[0], [](HalfLine& half) { half.enumerate(); });
  return {all.sum.entropy / kLn2, (all.error + defect(all)) / kLn2};
}
