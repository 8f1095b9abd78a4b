#include "ktln2/format/partition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/constants.hpp"
#include "format/definition.hpp"

namespace {

using ktln2::infinity;

using definition::format;
using ktln2::cell_run;
using ktln2::float_format;
using ktln2::granular_region;
using ktln2::partition;
using ktln2::register_code;
using ktln2::rounding;
using ktln2::wide;

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr rounding both_roundings[] = {rounding::nearest, rounding::toward_zero};

wide power(int exponent) { return wide(1.0).scaled(exponent); }

/// Equal, or equal but for the last bits of the irrational edges of E = 0.
bool same(const wide& a, const wide& b, format f) {
  return a == b || (f.E == 0 && abs(a - b) <= power(-100));
}

/// All cells, one by one, ascending.
std::vector<cell_run> cells_of(const partition& cut) {
  std::vector<cell_run> cells;
  for (std::size_t b = 0; b < cut.block_count(); ++b) {
    for (const cell_run& run : cut.block(b)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        cells.push_back({run.edge(k), run.edge(k + 1), run.width, 1});
      }
    }
  }
  return cells;
}

/// Which of the cells, counted from the left, stores x.
std::uint64_t cell_index(format f, rounding how, int dropped_bits, double x) {
  const definition::stored y = how == rounding::nearest ? definition::quantize(f, x)
                                                        : definition::quantize_toward_zero(f, x);
  const std::uint64_t magnitude = definition::code(f, {false, y.e, y.m});
  const std::uint64_t half = std::uint64_t{1} << (f.p + f.E - 1);
  return (y.s ? half - 1 - magnitude : half + magnitude) >> dropped_bits;
}

/// The doubles just inside a cell and one between. The edges of E = 0 are irrational: two steps
/// from the nearest double are certainly inside.
std::vector<double> points_inside(const cell_run& cell, bool irrational) {
  double first = cell.left.is_infinite() ? -largest_double : cell.left.to_double();
  double last = cell.right.is_infinite() ? largest_double : cell.right.to_double();
  for (int step = 0; step < (irrational ? 2 : 1); ++step) {
    first = std::nextafter(first, infinity);
    last = std::nextafter(last, -infinity);
  }
  return {first, first / 2 + last / 2, last};
}

template <class Visit>
void for_each_partition(int width, Visit visit) {
  for (const format f : definition::formats_up_to(width)) {
    for (const rounding how : both_roundings) {
      for (int dropped = 0; dropped <= f.p + f.E; ++dropped) {
        SCOPED_TRACE(f.name() + (how == rounding::nearest ? " nearest" : " toward zero") +
                     ", dropped bits " + std::to_string(dropped));
        visit(f, how, dropped);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Partition, CellsTileTheLine) {
  for_each_partition(10, [](format f, rounding how, int dropped) {
    const partition cut{{f.p, f.E}, how, dropped};
    ASSERT_EQ(cut.log2_size(), f.p + f.E - dropped);
    const std::vector<cell_run> cells = cells_of(cut);
    ASSERT_EQ(cells.size(), cut.size());
    ASSERT_TRUE(cells.front().left == wide(-infinity));
    ASSERT_TRUE(cells.back().right == wide(infinity));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& [left, right, width, count] = cells[i];
      ASSERT_TRUE(left < right);
      if (i > 0) {
        ASSERT_TRUE(cells[i - 1].right == left) << "cell " << i;
      }
      if (!width.is_infinite()) {
        ASSERT_TRUE(same(right - left, width, f)) << "cell " << i;
      } else {
        ASSERT_TRUE(left.is_infinite() || right.is_infinite()) << "cell " << i;
      }
    }
    for (std::size_t b = 0; b < cut.block_count(); ++b) {
      ASSERT_TRUE(cut.block_right(b) ==
                  (b + 1 < cut.block_count() ? cut.block_left(b + 1) : wide(infinity)));
    }
  });
}

/// The points of a cell are stored as one code, or as codes that agree above the dropped bits; the
/// neighboring cells have others.
TEST(Partition, EqSemFpStoresEveryPointOfACellAlike) {
  for_each_partition(10, [](format f, rounding how, int dropped) {
    const std::vector<cell_run> cells = cells_of(partition{{f.p, f.E}, how, dropped});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const double x : points_inside(cells[i], f.E == 0)) {
        ASSERT_EQ(cell_index(f, how, dropped, x), i) << "x = " << x;
      }
    }
  });
}

TEST(Partition, TheCellOfANumberHoldsIt) {
  for_each_partition(7, [](format f, rounding how, int dropped) {
    const partition cut{{f.p, f.E}, how, dropped};
    const std::vector<cell_run> cells = cells_of(cut);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const double x : points_inside(cells[i], f.E == 0)) {
        const cell_run cell = cut.cell_of(x);
        ASSERT_TRUE(same(cell.left, cells[i].left, f)) << "x = " << x;
        ASSERT_TRUE(same(cell.right, cells[i].right, f)) << "x = " << x;
        ASSERT_TRUE(same(cell.width, cells[i].width, f)) << "x = " << x;
        ASSERT_EQ(cell.count, 1U);
      }
    }
    for (const double x : {infinity, largest_double, 0.0, -0.0, -largest_double, -infinity}) {
      const cell_run& expected = cells[cell_index(f, how, dropped, x)];
      ASSERT_TRUE(same(cut.cell_of(x).left, expected.left, f)) << "x = " << x;
      ASSERT_TRUE(same(cut.cell_of(x).right, expected.right, f)) << "x = " << x;
    }
  });
  EXPECT_THROW(static_cast<void>(partition{{24, 8}}.cell_of(std::nan(""))), std::domain_error);
}

/// An edge belongs to the cell that it is stored in: away from zero for both roundings, and so the
/// cell of -x is the mirror image of the cell of x.
TEST(Partition, EqSemFpAnEdgeBelongsToTheCellAwayFromZero) {
  for_each_partition(7, [](format f, rounding how, int dropped) {
    if (f.E == 0) return;  // no edge but 0 is a double
    const partition cut{{f.p, f.E}, how, dropped};
    const std::vector<cell_run> cells = cells_of(cut);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const double edge = cells[i].left.to_double();
      const cell_run& expected = cells[cell_index(f, how, dropped, edge)];
      ASSERT_TRUE(cut.cell_of(edge).left == expected.left) << "edge " << edge;
      ASSERT_TRUE(cut.cell_of(edge).right == expected.right) << "edge " << edge;
    }
  });
}

// The special cells of [app:FPN_app1] and of the proof of [thm:steps].

TEST(Partition, ThmStepsCellsAtExponentBoundariesAreThreeHalfSpacingsWide) {
  for (const int p : {1, 2, 3, 11, 24, 53, 64}) {
    const float_format f{p, 5};
    const partition cut{f};
    for (int e = static_cast<int>(f.emin()); e < static_cast<int>(f.emax()) - (p == 1 ? 1 : 0);
         ++e) {
      const double boundary = std::ldexp(1.0, e + 1);
      const wide expected = wide(3.0).scaled(e - p);  // [eq:exp_boundary]
      EXPECT_TRUE(cut.cell_of(boundary).width == expected) << f.name() << " e = " << e;
      EXPECT_TRUE(cut.cell_of(-boundary).width == expected) << f.name() << " e = " << e;
      EXPECT_EQ(bin_size(f, boundary), expected.to_double());
    }
  }
}

TEST(Partition, EqTrueBinsCellsInsideABlockAreOneSpacingWide) {
  for (const int p : {3, 11, 24, 53, 64}) {
    const float_format f{p, 8};
    for (const int e : {-127, -126, -1, 0, 1, 127, 128}) {
      const double inside = std::ldexp(1.5, e);
      EXPECT_EQ(bin_size(f, inside), std::ldexp(1.0, e - (p - 1))) << f.name() << " e = " << e;
      EXPECT_EQ(bin_size(f, -inside), std::ldexp(1.0, e - (p - 1))) << f.name() << " e = " << e;
    }
  }
}

/// Δ_0 = 2^e_min (1 + 2^-p), the width of the two bins of [eq:special_bins].
TEST(Partition, EqSpecialBinsTheCellsNextToZeroReachToIt) {
  for (const int p : {1, 2, 11, 24, 52, 53, 64}) {
    for (const int E : {1, 2, 5, 8, 10, 11}) {
      const float_format f{p, E};
      const int e_min = static_cast<int>(f.emin());
      const wide expected = power(e_min) + power(e_min - p);
      for (const double x : {0.0, std::numeric_limits<double>::denorm_min()}) {
        const cell_run cell = partition{f}.cell_of(x);
        EXPECT_TRUE(cell.left == wide(0.0) && cell.right == expected && cell.width == expected);
        EXPECT_EQ(bin_size(f, x), expected.to_double());
        if (x > 0) {
          EXPECT_EQ(bin_size(f, -x), expected.to_double());
        }
      }
    }
  }
}

TEST(Partition, ThmStepsTheOuterCellsEndWithTheGranularRegion) {
  for (const int p : {1, 2, 3, 11, 24, 53}) {
    for (const int E : {1, 3, 8, 10}) {
      const float_format f{p, E};
      const int e_max = static_cast<int>(f.emax());
      const wide edge = power(e_max + 1) - power(e_max - p);
      EXPECT_TRUE(f.granular_edge() == edge);
      const double width = p == 1 ? std::ldexp(3.0, e_max - 2) : std::ldexp(1.0, e_max - p + 1);
      const double top = std::ldexp(2 - std::ldexp(1.0, 1 - p), e_max);  // u_K
      EXPECT_EQ(bin_size(f, top), width) << f.name();
      EXPECT_EQ(bin_size(f, -top), width) << f.name();
      if (p < 53) {  // then the edge is a double, and belongs to 𝕌
        EXPECT_EQ(bin_size(f, edge.to_double()), width) << f.name();
        EXPECT_EQ(bin_size(f, -edge.to_double()), width) << f.name();
      }
      const double beyond = std::nextafter(edge.to_double(), infinity);
      EXPECT_EQ(bin_size(f, beyond), infinity) << f.name();
      EXPECT_EQ(bin_size(f, -beyond), infinity) << f.name();
      EXPECT_EQ(bin_size(f, infinity), infinity) << f.name();
    }
  }
}

/// The outer bins as [app:FPN_app1] defines them, u_K - u_(K-1), agree with the granular region
/// except for p = 1.
TEST(Partition, AppFpnTheOuterBinIsTheLastDifferenceForTwoAndMoreDigits) {
  for (const int p : {2, 3, 11, 24}) {
    const float_format f{p, 4};
    const wide last = f.value_at(f.size());
    const wide before = f.value_at(f.size() - 1);
    EXPECT_EQ(bin_size(f, last.to_double()), (last - before).to_double());
  }
}

/// Floor cells: [u_i, u_(i+1)), from 0 on, up to one spacing beyond u_K; mirrored for x < 0.
TEST(Partition, FloorCellsReachFromOneValueToTheNext) {
  for (const format small : definition::formats_up_to(9)) {
    if (small.E == 0) continue;
    const float_format f{small.p, small.E};
    const register_code half = f.size() / 2;
    const ktln2::lattice_run top = f.run(f.run_count() - 1);
    for (register_code i = half + 1; i <= f.size(); ++i) {
      const double u = f.value_at(i).to_double();
      const wide left = i == half + 1 ? wide(0.0) : wide(u);
      const wide right = i == f.size() ? wide(u) + top.spacing : f.value_at(i + 1);
      const double width = (right - left).to_double();
      ASSERT_EQ(bin_size(f, u, rounding::toward_zero), width) << f.name() << " u = " << u;
      ASSERT_EQ(bin_size(f, -u, rounding::toward_zero), width) << f.name() << " u = " << -u;
      const double inside = std::nextafter(right.to_double(), 0);
      ASSERT_EQ(bin_size(f, inside, rounding::toward_zero), width) << f.name();
      ASSERT_EQ(bin_size(f, -inside, rounding::toward_zero), width) << f.name();
    }
  }
}

/// Large formats, a few blocks each: their cells reach from run to run, all of one width inside.
TEST(Partition, LargeFormatsTileToo) {
  for (const format large : {format{64, 15}, format{53, 11}, format{24, 8}, format{64, 1}}) {
    const float_format f{large.p, large.E};
    const partition cut{f};
    ASSERT_EQ(cut.block_count(), f.run_count());
    for (std::size_t b = 0; b < cut.block_count(); b += 1 + cut.block_count() / 97) {
      SCOPED_TRACE(large.name() + " block " + std::to_string(b));
      const auto runs = cut.block(b);
      register_code count = 0;
      wide at = cut.block_left(b);
      for (const cell_run& run : runs) {
        if (run.count == 0) continue;
        EXPECT_TRUE(run.left == at);
        at = run.right;
        count += run.count;
        if (!run.width.is_infinite()) {
          EXPECT_TRUE(run.left + wide::from_integer(run.count) * run.width == run.right);
        }
      }
      EXPECT_TRUE(at == cut.block_right(b));
      EXPECT_TRUE(count == register_code{1} << (large.p - 1));
      // An edge in the middle: halfway between two significands, exactly.
      const ktln2::lattice_run run = f.run(b);
      const bool negative = run.start < wide(0.0);
      const std::uint64_t k = 12345;
      const cell_run& middle = runs[1];
      const wide expected = run.value(k) + run.spacing.scaled(-1);
      EXPECT_TRUE(middle.edge(k + (runs[0].count == 0 ? 1 : 0)) == expected) << negative;
      EXPECT_TRUE(middle.width == run.spacing);
    }
  }
}

TEST(Partition, TheSingleLevelOfALargeFormatTilesToo) {
  const float_format f{64, 0};
  const partition cut{f};
  ASSERT_EQ(cut.block_count(), 2U);
  const auto [first, middle, last] = cut.block(1);
  EXPECT_TRUE(first.left == wide(0.0) && last.right == wide(infinity));
  EXPECT_TRUE(first.right == middle.left && middle.right == last.left);
  EXPECT_EQ(first.count, 1U);
  EXPECT_EQ(last.count, 1U);
  EXPECT_EQ(middle.count, (std::uint64_t{1} << 63) - 2);
  const wide length = middle.right - middle.left;
  const wide sum = wide::from_integer(middle.count) * middle.width;
  EXPECT_TRUE(abs(sum - length) <= length.scaled(-100));
  for (const double x : {1.5, 2.0, 2.8}) {
    const cell_run cell = cut.cell_of(x);
    EXPECT_TRUE(cell.left <= wide(x) && wide(x) < cell.right);
    const wide point = f.value(f.quantize(x));
    EXPECT_TRUE(cell.left < point && point < cell.right) << x;
  }
}

TEST(Partition, TheSingleLevelOverRootTwoIsExact) {
  for (const int p : {1, 2, 9, 64}) {
    for (const rounding how : {rounding::nearest, rounding::toward_zero}) {
      const partition cells{float_format{p, 0}, how, p > 2 ? 1 : 0};
      const auto exact = cells.over_sqrt2();
      ASSERT_TRUE(exact.has_value());
      EXPECT_EQ(exact->size(), cells.size());
      EXPECT_FALSE(exact->over_sqrt2().has_value());
      const wide root = sqrt(wide(2.0));
      for (std::size_t block = 0; block < 2; ++block) {
        for (std::size_t i = 0; i < 3; ++i) {
          const cell_run given = cells.block(block)[i];
          const cell_run over = exact->block(block)[i];
          ASSERT_EQ(given.count, over.count);
          if (given.count == 0) continue;
          for (const std::uint64_t k : {std::uint64_t{0}, given.count / 3, given.count}) {
            const wide edge = given.edge(k);
            if (edge.is_infinite() || edge.is_zero()) {
              EXPECT_TRUE(over.edge(k) == edge);
            } else {
              EXPECT_TRUE(abs(over.edge(k) * root - edge) <= abs(edge).scaled(-100));
              // A half integer in units of the spacing.
              const wide half = over.edge(k).scaled(p);
              EXPECT_TRUE(half.low() == 0 || p == 64) << p;
            }
          }
        }
      }
    }
  }
  EXPECT_FALSE(partition(float_format{8, 4}).over_sqrt2().has_value());
}

// What a partition says of itself.

TEST(Partition, TheCellsOfAFormatAreMirroredAndWiden) {
  for_each_partition(8, [](format f, rounding how, int dropped) {
    const partition cut{{f.p, f.E}, how, dropped};
    ASSERT_TRUE(cut.size() == register_code{1} << (f.p + f.E - dropped));
    ASSERT_TRUE(cut.is_symmetric());
    ASSERT_EQ(cut.has_mirrored_halves(), dropped < f.p + f.E);
    ASSERT_TRUE(cut.widens_outward());
    const std::vector<cell_run> cells = cells_of(cut);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSERT_TRUE(same(cells[i].left, -cells[cells.size() - 1 - i].right, f));
    }
    ASSERT_TRUE(cut.granular().right == -cut.granular().left);
  });
  EXPECT_TRUE(partition(float_format(24, 8)).granular().right ==
              float_format(24, 8).granular_edge());
}

TEST(Partition, IsMadeFromRunsByWhoeverKnowsThem) {
  const partition line({{-infinity, -1.0, infinity, 1},
                        {-1.0, 2.0, 0.5, 6},
                        {2.0, 10.0, 8.0, 1},
                        {10.0, infinity, infinity, 1}},
                       {-1.5, 14.0});
  EXPECT_TRUE(line.size() == 9);
  EXPECT_EQ(line.log2_size(), std::log2(9.0));
  EXPECT_FALSE(line.is_symmetric());
  EXPECT_FALSE(line.has_mirrored_halves());
  EXPECT_TRUE(line.widens_outward());
  EXPECT_TRUE(line.cell_of(0.7).left == wide(0.5) && line.cell_of(0.7).right == wide(1.0));
  EXPECT_TRUE(line.cell_of(0.5).left == wide(0.5)) << "an edge belongs to the cell away from zero";
  EXPECT_TRUE(line.cell_of(-0.5).right == wide(-0.5));
  EXPECT_TRUE(line.cell_of(0).left == wide(0.0)) << "and 0 to the one above";
  EXPECT_TRUE(line.cell_of(-1).left == wide(-infinity));
  EXPECT_TRUE(line.cell_of(-infinity).right == wide(-1.0));
  EXPECT_EQ(bin_size(line, -0.3), 0.5);
  EXPECT_EQ(bin_size(line, -1.2), 0.5) << "the outermost cell ends with the granular region";
  EXPECT_EQ(bin_size(line, -1.6), infinity);
  EXPECT_EQ(bin_size(line, 12), 4);
  EXPECT_EQ(bin_size(line, 15), infinity);
}

TEST(Partition, SeesWhetherItsRunsAreMirroredAndWiden) {
  const granular_region all{-infinity, infinity};
  const cell_run below{-infinity, -3.0, infinity, 1};
  const cell_run above{3.0, infinity, infinity, 1};
  const partition narrowing(
      {below, {-3.0, 0.0, 1.0, 3}, {0.0, 2.0, 2.0, 1}, {2.0, 3.0, 1.0, 1}, above}, all);
  EXPECT_FALSE(narrowing.is_symmetric());
  EXPECT_FALSE(narrowing.widens_outward());
  const partition odd({below, {-3.0, 3.0, 1.0, 6}, above}, all);
  EXPECT_TRUE(odd.is_symmetric());
  EXPECT_FALSE(odd.has_mirrored_halves()) << "no block ends at 0";
  const partition even({below, {-3.0, 0.0, 1.0, 3}, {0.0, 3.0, 1.0, 3}, above}, all);
  EXPECT_TRUE(even.has_mirrored_halves());
  EXPECT_TRUE(even.widens_outward());
  const partition shifted({below, {-3.0, 0.0, 1.5, 2}, {0.0, 3.0, 1.0, 3}, above}, all);
  EXPECT_FALSE(shifted.is_symmetric());
}

TEST(Partition, RunsThatAreNoPartitionAreRefused) {
  const granular_region all{-infinity, infinity};
  const cell_run below{-infinity, 0.0, infinity, 1};
  const cell_run above{1.0, infinity, infinity, 1};
  const auto refused = [&](const std::vector<cell_run>& runs) {
    EXPECT_THROW(partition(runs, all), std::domain_error);
  };
  refused({});
  refused({below});
  refused({above});
  refused({below, above});                                          // a gap
  refused({below, {0.0, 1.0, 0.5, 3}, above});                      // three halves are not one
  refused({below, {0.0, 1.0, 0.5, 0}, above});                      // empty
  refused({below, {0.0, 0.0, 0.0, 1}, {0.0, 1.0, 1.0, 1}, above});  // empty
  refused({{-infinity, 0.0, infinity, 2}, {0.0, 1.0, 1.0, 1}, above});
  refused({below, {0.0, infinity, infinity, 1}, above});
  EXPECT_NO_THROW(partition({below, {0.0, 1.0, 0.25, 4}, above}, all));
}

TEST(Partition, DroppedBitsMustBeThere) {
  EXPECT_THROW(partition({24, 8}, rounding::nearest, -1), std::domain_error);
  EXPECT_THROW(partition({24, 8}, rounding::nearest, 33), std::domain_error);
  EXPECT_NO_THROW(partition({24, 8}, rounding::nearest, 32));
}

}  // namespace
