#include "further.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "quad.hpp"

namespace {

using oracle::kInfinity;
using oracle::kLn2;
using oracle::kPi;
using oracle::kSqrt2;
using oracle::quad;

// P(X < x) and P(X > x), each with digits where it is small.
struct Tails {
  quad below, above;
};

Tails normal_tails(quad z) {
  if (z < -200) return {0, 1};
  if (z > 200) return {1, 0};
  return {erfcq(-z / kSqrt2) / 2, erfcq(z / kSqrt2) / 2};
}

Tails laplace_tails(quad z) {
  quad const small = expq(-fabsq(z)) / 2;
  return z < 0 ? Tails{small, 1 - small} : Tails{1 - small, small};
}

// Regularized incomplete gamma functions, by the series and by Lentz's continued fraction.
Tails gamma_tails(quad k, quad y) {
  if (y <= 0) return {0, 1};
  if (y > 1000 + 100 * k) return {1, 0};
  quad const front = expq(k * logq(y) - y - lgammaq(k));
  if (y < k + 1) {
    quad term = 1 / k;
    quad sum = term;
    for (int n = 1; term > sum * quad(1e-36L); ++n) {
      term *= y / (k + n);
      sum += term;
    }
    return {front * sum, 1 - front * sum};
  }
  quad const tiny = 1e-4000Q;
  quad b = y + 1 - k;
  quad c = 1 / tiny;
  quad d = 1 / b;
  quad fraction = d;
  for (int n = 1; n < 100000; ++n) {
    quad const a = -n * (n - k);
    b += 2;
    d = 1 / (a * d + b == 0 ? tiny : a * d + b);
    c = b + a / c;
    fraction *= d * c;
    if (fabsq(d * c - 1) < quad(1e-34L)) break;
  }
  return {1 - front * fraction, front * fraction};
}

// The density of a gamma law with a large shape in z = (y - k)/sqrt k, where it is nearly normal.
quad gamma_density(quad k, quad z) {
  quad const u = z / sqrtq(k);
  if (u <= -1) return 0;
  quad const log_excess =
      fabsq(u) < quad(1e-3L)
          ? -u * u *
                (quad(1) / 2 -
                 u * (quad(1) / 3 -
                      u * (quad(1) / 4 -
                           u * (quad(1) / 5 -
                                u * (quad(1) / 6 -
                                     u * (quad(1) / 7 - u * (quad(1) / 8 - u / 9)))))))
          : log1pq(u) - u;
  quad const stirling = 1 / (12 * k) - 1 / (360 * k * k * k) + 1 / (1260 * powq(k, 5));
  return expq(k * log_excess - stirling) / sqrtq(2 * kPi) / (1 + u);
}

// Ten nodes of Gauss and Legendre on a piece no longer than a quarter of a deviation.
quad peaked_gamma_mass(quad k, quad a, quad b) {
  static quad node[10], weight[10];
  static bool const made = [] {
    for (int i = 0; i < 10; ++i) {
      quad x = cosq(kPi * (i + quad(0.75)) / quad(10.5));
      quad slope = 1;
      for (int step = 0; step < 100; ++step) {
        quad p0 = 1, p1 = x;
        for (int n = 2; n <= 10; ++n) {
          quad const p2 = ((2 * n - 1) * x * p1 - (n - 1) * p0) / n;
          p0 = p1;
          p1 = p2;
        }
        slope = 10 * (x * p1 - p0) / (x * x - 1);
        quad const change = p1 / slope;
        x -= change;
        if (fabsq(change) < quad(1e-33L)) break;
      }
      node[i] = x;
      weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
    return true;
  }();
  (void)made;
  quad const left = std::max(a, quad(-40)), right = std::min(b, quad(40));
  quad sum = 0;
  for (quad from = left; from < right;) {
    quad const to = std::min(right, from + quad(0.25));
    for (int i = 0; i < 10; ++i) {
      quad const z = (from + to) / 2 + (to - from) / 2 * node[i];
      sum += weight[i] * (to - from) / 2 * gamma_density(k, z);
    }
    from = to;
  }
  return sum;
}

Tails tails(further_component const& law, quad x) {
  double const* a = law.params;
  switch (law.kind) {
    case further_kind::normal:
      return normal_tails((x - a[0]) / a[1]);
    case further_kind::laplace:
      return laplace_tails((x - a[0]) / a[1]);
    case further_kind::uniform: {
      quad const z = std::clamp((x - a[0]) / (quad(a[1]) - a[0]), quad(0), quad(1));
      return {z, 1 - z};
    }
    case further_kind::lognormal:
      if (x <= 0) return {0, 1};
      return x == kInfinity ? Tails{1, 0} : normal_tails((logq(x) - a[0]) / a[1]);
    case further_kind::gamma:
      return x == kInfinity ? Tails{1, 0} : gamma_tails(a[0], x / a[1]);
    case further_kind::exponential:
      if (x <= 0) return {0, 1};
      return {-expm1q(-x / a[0]), expq(-x / a[0])};
    case further_kind::halfnormal:
      if (x <= 0) return {0, 1};
      return {erfq(x / a[0] / kSqrt2), erfcq(x / a[0] / kSqrt2)};
    default: {
      quad const low = a[0], mode = a[1], high = a[2];
      if (x <= low) return {0, 1};
      if (x >= high) return {1, 0};
      if (x <= mode) {
        quad const below = (x - low) * (x - low) / (high - low) / (mode - low);
        return {below, 1 - below};
      }
      quad const above = (high - x) * (high - x) / (high - low) / (high - mode);
      return {1 - above, above};
    }
  }
}

// P(X < x) - P(X < y) from the tails at both.
quad between(Tails const& at_a, Tails const& at_b) {
  return at_a.below < at_b.above ? at_b.below - at_a.below : at_a.above - at_b.above;
}

bool is_peaked(further_component const& law) {
  return law.kind == further_kind::gamma && law.params[0] > 1e3;
}

quad peaked_mass(further_component const& law, quad a, quad b) {
  quad const k = law.params[0];
  auto const z = [&](quad x) { return (x / law.params[1] - k) / sqrtq(k); };
  return peaked_gamma_mass(k, a == -kInfinity ? a : z(a), b == kInfinity ? b : z(b));
}

// The probabilities of the cells between these points.
std::vector<quad> masses(further_component const& law, std::vector<quad> const& points) {
  std::vector<quad> result;
  Tails before = tails(law, points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (is_peaked(law)) {
      result.push_back(points[i] > points[i - 1] ? peaked_mass(law, points[i - 1], points[i]) : 0);
      continue;
    }
    Tails const here = tails(law, points[i]);
    result.push_back(points[i] > points[i - 1] ? between(before, here) : 0);
    before = here;
  }
  return result;
}

// With what is left out, or put on zero.
std::vector<quad> restricted_masses(further_component const& law, std::vector<quad> points) {
  std::vector<quad> ends{-kInfinity, law.low, law.high, kInfinity};
  std::size_t zero = 0;  // the cell that holds zero
  while (zero + 2 < points.size() && points[zero + 1] <= 0) ++zero;
  for (quad& x : points) x = std::clamp(x, quad(law.low), quad(law.high));
  std::vector<quad> result = masses(law, points);
  if (law.low == -kInfinity && law.high == kInfinity) return result;
  std::vector<quad> const shares = masses(law, ends);
  if (law.truncated) {
    for (quad& p : result) p /= shares[1];
  } else {
    result[zero] += shares[0];
  }
  return result;
}

}  // namespace

std::vector<__float128> further_masses(std::vector<__float128> const& edges,
                                       further_law const& law) {
  if (law.empty()) throw std::invalid_argument("a law needs a component");
  std::vector<quad> points{-kInfinity};
  points.insert(points.end(), edges.begin(), edges.end());
  points.push_back(kInfinity);
  quad weights = 0;
  for (auto const& one : law) weights += one.weight;
  std::vector<quad> sum(points.size() - 1, 0);
  for (auto const& one : law) {
    std::vector<quad> const part = restricted_masses(one, points);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.weight / weights * part[i];
  }
  return sum;
}

oracle_result oracle_further(std::vector<__float128> const& edges, further_law const& law) {
  quad entropy = 0, total = 0;
  for (quad const p : further_masses(edges, law)) {
    total += p;
    if (p > 0) entropy -= p * logq(p);
  }
  quad const defect = (fabsq(1 - total) + quad(1e-31L)) * (1 + entropy);
  return {entropy / kLn2, defect / kLn2};
}
