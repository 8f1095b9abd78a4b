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

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "block.hpp"
#include "counting_rule.hpp"
#include "law.hpp"
#include "quad.hpp"

namespace {

using namespace oracle;

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

void check_format(int p, int E) {
  if (p < 1 || p > 64 || E < 0 || E > 15) throw std::invalid_argument("format out of range");
}

// The probability of 0 <= lo < x < hi under a law that may be mirrored.
quad positive_mass(Law const& law, quad lo, quad hi) {
  auto const z = [&](quad x) { return (x - law.location()) / law.scale(); };
  if (hi == kInfinity) return law.mass({z(lo), kInfinity, kInfinity, kInfinity}).p;
  return law.mass({z(lo), z(lo + (hi - lo) / 2), z(hi), (hi - lo) / law.scale()}).p;
}

void check(oracle_law const& law) {
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

std::vector<__float128> oracle_masses(std::vector<__float128> const& edges,
                                      oracle_law const& parameters) {
  check(parameters);
  Law const law(parameters, false);
  Law const mirrored(parameters, true);
  std::vector<quad> masses;
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    quad const lo = i == 0 ? -kInfinity : edges[i - 1];
    quad const hi = i == edges.size() ? kInfinity : edges[i];
    quad p = 0;
    if (hi > 0) p += positive_mass(law, std::max(lo, quad(0)), hi);
    if (lo < 0) p += positive_mass(mirrored, std::max(-hi, quad(0)), -lo);
    masses.push_back(p);
  }
  return masses;
}

oracle_result oracle_cells(__float128 const* edges, int count, oracle_law const& parameters) {
  Total all;
  for (quad const p : oracle_masses({edges, edges + count}, parameters)) {
    all.sum.mass += p;
    if (p > 0) all.sum.entropy -= p * logq(p);
  }
  return {all.sum.entropy / kLn2, defect(all) / kLn2};
}

oracle_result oracle_mean(__float128 const* edges, int count, __float128 const* of,
                          oracle_law const& parameters) {
  std::vector<quad> const masses = oracle_masses({edges, edges + count}, parameters);
  quad mean = 0;
  quad mass = 0;
  quad largest = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    mass += masses[i];
    mean += masses[i] * of[i];
    largest = std::max(largest, fabsq(of[i]));
  }
  return {mean, fabsq(mass - 1) * largest};
}

oracle_result oracle_entropy(int p, int E, bool floor_cells, oracle_law const& law) {
  check_format(p, E);
  check(law);
  Format const format{p, E, floor_cells};
  auto const run = [](HalfLine& half) { half.run(); };
  Total const a = total(format, law, kPlans[0], run);
  Total const b = total(format, law, kPlans[1], run);
  quad const error = fabsq(a.sum.entropy - b.sum.entropy) + b.error + defect(b);
  return {b.sum.entropy / kLn2, error / kLn2};
}

oracle_result oracle_enumerate(int p, int E, bool floor_cells, oracle_law const& law) {
  check_format(p, E);
  check(law);
  if (p + E > 24) throw std::invalid_argument("too many cells to enumerate");
  Format const format{p, E, floor_cells};
  Total const all = total(format, law, kPlans[0], [](HalfLine& half) { half.enumerate(); });
  return {all.sum.entropy / kLn2, (all.error + defect(all)) / kLn2};
}
