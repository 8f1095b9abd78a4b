#include "law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace oracle {
namespace {

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

// Of the points of [a, b], the distance of the one that is next to 0.
long double nearest(quad a, quad b) { return a > 0 ? a : b < 0 ? -b : quad(0); }

}  // namespace

Law::Law(oracle_law const& law, bool mirrored) : kind_(law.kind) {
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
    ln_peak_ = -logq(2 * kPi) / 2;
  } else if (kind_ == oracle_kind::student) {
    sqrt_dof_ = sqrtq(dof_);
    ln_peak_ = -logq(2 * kPi) / 2 + ln_gamma_half_step(dof_ / 2);
    feature_ = std::min(1.0L, static_cast<long double>(sqrt_dof_));
  }
}

Mass Law::mass(Cell const& cell) const {
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

long double Law::ln_density(long double z) const {
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

long double Law::ln_mass_bound(quad a, quad b, quad length) const {
  if (kind_ == oracle_kind::uniform && (b <= 0 || a >= 1)) return -HUGE_VALL;
  return ln_density(nearest(a, b)) + logl(length);
}

bool Law::resolved_on(quad a, quad b, long double span, long double fall) const {
  if (kind_ == oracle_kind::uniform) return a >= 0 && b <= 1;
  if (kind_ == oracle_kind::laplace && a < 0 && b > 0) return false;
  long double const near = nearest(a, b);
  long double const far = std::max(fabsq(a), fabsq(b));
  return b - a <= std::max(span * feature_, near) && ln_density(near) - ln_density(far) <= fall;
}

Law::Taylor Law::taylor(quad z, quad width) const {
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

Mass Law::narrow_mass(Taylor const& t) {
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

quad Law::student_ln_density(quad z) const {
  quad const t2 = z * z / dof_;
  return ln_peak_ - (dof_ + 1) / 2 * (t2 < 1 ? log1pq(t2) : logq(1 + t2));
}

// Wide cells: differences on the side of the tail, sums across the center.
quad Law::wide_mass(Cell const& cell) const {
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
quad Law::student_span(quad a, quad b) const {
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
quad Law::student_tail(quad z) const {
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

}  // namespace oracle
