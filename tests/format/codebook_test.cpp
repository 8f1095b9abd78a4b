#include "ktln2/format/codebook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/constants.hpp"
#include "message_of.hpp"

namespace {

using ktln2::infinity;

using ktln2::cell_run;
using ktln2::codebook;
using ktln2::float_format;
using ktln2::partition;
using ktln2::register_code;
using ktln2::wide;

std::vector<double> values_of(const float_format& format) {
  std::vector<double> values;
  for (register_code i = 1; i <= format.size(); ++i)
    values.push_back(format.value_at(i).to_double());
  return values;
}

TEST(codebook, the_nearest_value_stands_for_a_number) {
  const codebook code({-2, -0.5, 1, 8});
  EXPECT_EQ(code.size(), 4U);
  EXPECT_EQ(code.quantize(-infinity), 0U);
  EXPECT_EQ(code.quantize(-1.3), 0U);
  EXPECT_EQ(code.quantize(-1.2), 1U);
  EXPECT_EQ(code.quantize(0.2), 1U);
  EXPECT_EQ(code.quantize(0.3), 2U);
  EXPECT_EQ(code.quantize(4.4), 2U);
  EXPECT_EQ(code.quantize(infinity), 3U);
  EXPECT_THROW(static_cast<void>(code.quantize(std::nan(""))), std::domain_error);
}

TEST(codebook, a_tie_goes_away_from_zero) {
  const codebook code({-3, -1, 1, 3});
  EXPECT_EQ(code.quantize(-2), 0U);
  EXPECT_EQ(code.quantize(2), 3U);
  EXPECT_EQ(code.quantize(0), 2U);
  EXPECT_EQ(code.quantize(-0.0), 2U);
}

TEST(codebook, given_edges_are_kept) {
  const codebook code({0, 1, 2}, {1, 1.25});
  EXPECT_EQ(code.quantize(0.99), 0U);
  EXPECT_EQ(code.quantize(1), 1U);
  EXPECT_EQ(code.quantize(1.3), 2U);
  const partition cells = code.cells();
  EXPECT_TRUE(cells.cell_of(1.1).left == wide(1.0));
  EXPECT_TRUE(cells.cell_of(1.1).right == wide(1.25));
}

TEST(codebook, its_cells_are_where_quantize_puts_them) {
  for (const codebook& code :
       {codebook({5}), codebook({-1, 4}), codebook({-2, 0, 2}), codebook({-3, -1, 1, 3}),
        codebook({0, 1, 2, 3, 4, 6, 8, 10, 100}), codebook({1e-300, 1e-10, 1, 1e300}),
        codebook({-1, 0, 1}, {-0.9, 0.7}), codebook({1, std::nextafter(1, 2), 2})}) {
    const partition cells = code.cells();
    EXPECT_TRUE(cells.size() == code.size());
    for (const double x : {-infinity, -1e301, -7.0, -2.0, -1.0, -0.5, 0.0, 1e-320, 0.5, 1.0,
                           1 + 0x1p-52, 1.5, 2.0, 3.0, 5.0, 7.0, 55.0, 1e299, infinity}) {
      const std::size_t i = code.quantize(x);
      const cell_run cell = cells.cell_of(x);
      EXPECT_TRUE(cell.left == (i == 0 ? wide(-infinity) : code.edges()[i - 1])) << x;
      EXPECT_TRUE(cell.right == (i + 1 == code.size() ? wide(infinity) : code.edges()[i])) << x;
    }
    for (std::size_t i = 0; i < code.size(); ++i) EXPECT_EQ(code.quantize(code.values()[i]), i);
  }
}

TEST(codebook, equally_wide_neighbors_are_one_run) {
  std::vector<double> grid;
  for (int i = 0; i < 1000; ++i) grid.push_back(3 + 0.25 * i);
  EXPECT_EQ(codebook(grid).cells().block_count(), 3U);
  grid.push_back(1e6);
  EXPECT_EQ(codebook(grid).cells().block_count(), 4U);
}

TEST(codebook, knows_whether_it_is_symmetric) {
  EXPECT_TRUE(codebook({7}).cells().is_symmetric()) << "one cell is all there is";
  EXPECT_TRUE(codebook({-1, 1}).cells().has_mirrored_halves());
  EXPECT_FALSE(codebook({-1, 2}).cells().is_symmetric());
  EXPECT_TRUE(codebook({-1, 0, 1}).cells().is_symmetric());
  EXPECT_FALSE(codebook({-1, 0, 1}).cells().has_mirrored_halves())
      << "0 is in the middle of a cell";
  EXPECT_TRUE(codebook({-5, -2, -1, 1, 2, 5}).cells().has_mirrored_halves());
  EXPECT_TRUE(codebook({-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}).cells().has_mirrored_halves())
      << "although all cells but the outermost are equally wide";
  EXPECT_FALSE(codebook({-3, -2, 1, 2, 3}).cells().is_symmetric());
}

TEST(codebook, the_values_of_a_format_have_its_cells) {
  for (const float_format& format : {float_format{4, 3}, float_format{1, 2}, float_format{3, 1}}) {
    const codebook code(values_of(format));
    const partition mine = code.cells();
    const partition its{format};
    EXPECT_TRUE(mine.size() == its.size());
    EXPECT_TRUE(mine.has_mirrored_halves());
    EXPECT_TRUE(mine.granular().right == its.granular().right || format.p() == 1);
    for (double x = -40; x < 40; x += 0.03125) {
      EXPECT_TRUE(mine.cell_of(x).left == its.cell_of(x).left) << x;
      EXPECT_TRUE(mine.cell_of(x).right == its.cell_of(x).right) << x;
      EXPECT_EQ(code.values()[code.quantize(x)], format.value(format.quantize(x)).to_double());
    }
  }
}

TEST(codebook, the_granular_region_reaches_as_far_out_as_in) {
  const partition cells = codebook({0, 1, 3}).cells();
  EXPECT_TRUE(cells.granular().left == wide(-0.5));
  EXPECT_TRUE(cells.granular().right == wide(4.0));
  EXPECT_EQ(bin_size(cells, 3.5), 2);
  EXPECT_EQ(bin_size(cells, 4.5), infinity);
}

TEST(codebook, refuses_what_is_no_codebook) {
  const auto message = [](auto make) { return message_of(make); };
  EXPECT_EQ(message([] { codebook({}); }), "codebook: there must be at least one value");
  EXPECT_EQ(message([] {
              codebook({1, 1});
            }),
            "codebook: each value must be greater than the one before, got 1 after 1");
  EXPECT_EQ(message([] {
              codebook({1, 0.5});
            }),
            "codebook: each value must be greater than the one before, got 0.5 after 1");
  EXPECT_EQ(message([] { codebook({1, infinity}); }), "codebook: value must be finite, got inf");
  EXPECT_EQ(message([] {
              codebook({1, 2}, {});
            }),
            "codebook: there must be one edge between each two values: expected 1, got 0");
  EXPECT_EQ(message([] {
              codebook({1, 2, 3}, {2.5, 2.5});
            }),
            "codebook: each edge must be greater than the one before, got 2.5 after 2.5");
  EXPECT_EQ(message([] {
              codebook({1, 2}, {2.5});
            }),
            "codebook: the edge between 1 and 2 must lie between them, got 2.5");
}

}  // namespace
