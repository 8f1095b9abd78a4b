// Pairs of registers of formats that people own, against a count of all pairs of codes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "message_of.hpp"
#include "random_case.hpp"

namespace {

using namespace ktln2;

/// A cell by its ends, and the code that it has: what no partition knows of.
struct coded_cell {
  double left;
  double right;
  std::uint64_t code;
};

/// By looking at the format's own quantizer in the middle of each cell.
std::vector<coded_cell> cells_with_codes(const storage& where) {
  const auto& [format, rule] = *where.number();
  std::vector<coded_cell> all;
  const partition cells = where.cells().cells;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double left = run.edge(k).to_double();
        const double right = run.edge(k + 1).to_double();
        const double inside = std::isinf(left)    ? right - 1 - std::fabs(right)
                              : std::isinf(right) ? left + 1 + std::fabs(left)
                                                  : left + (right - left) / 2;
        all.push_back({left, right, format.quantize(inside, rule)});
      }
    }
  }
  return all;
}

double upper(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }
/// Φ(b) - Φ(a)
double between(double a, double b) { return a > 0 ? upper(a) - upper(b) : upper(-b) - upper(-a); }

/// H of both codes: every pair, by quadrature along x over panels that are short against the noise.
double counted_pairs(const storage_pair& where, const regression_pair& pair) {
  const std::vector<coded_cell> x_cells = cells_with_codes(where.x);
  const std::vector<coded_cell> y_cells = cells_with_codes(where.y);
  const double reach = 9 * pair.sigma_x();
  const double longest =
      0.5 * std::min(pair.sigma_x(), pair.sigma_xi() / std::fmax(1e-9, std::fabs(pair.w())));
  const auto& rule = gauss_legendre<16>();
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> masses;
  for (const coded_cell& x : x_cells) {
    const double from = std::fmax(x.left, -reach);
    const double to = std::fmin(x.right, reach);
    if (!(from < to)) continue;
    const double panels = std::ceil((to - from) / longest);
    for (double i = 0; i < panels; ++i) {
      const double a = from + (to - from) * i / panels;
      const double h = (to - from) / panels;
      for (std::size_t k = 0; k < 16; ++k) {
        const double at = a + h * (1 + rule.node[k]) / 2;
        const double z = at / pair.sigma_x();
        const double weight = rule.weight[k] * h * std::exp(-z * z / 2) / pair.sigma_x() *
                              std::numbers::inv_sqrtpi / std::numbers::sqrt2;
        const double mean = pair.w() * at;
        for (const coded_cell& y : y_cells) {
          const double low = (y.left - mean) / pair.sigma_xi();
          const double high = (y.right - mean) / pair.sigma_xi();
          if (low > 9 || high < -9) continue;
          masses[{x.code, y.code}] += weight * between(low, high);
        }
      }
    }
  }
  double bits_held = 0;
  for (const auto& [codes, p] : masses) bits_held -= p > 0 ? p * std::log2(p) : 0;
  return bits_held;
}

storage kept_in(const char* name) { return parse_storage(name); }

void expect_counted(const storage_pair& where, const regression_pair& pair) {
  SCOPED_TRACE(where.x.name() + " " + where.y.name() + " w " + std::to_string(pair.w()) +
               " sigma_x " + std::to_string(pair.sigma_x()) + " sigma_xi " +
               std::to_string(pair.sigma_xi()));
  const joint_entropies found = joint_entropy(where, pair);
  EXPECT_NEAR(found.joint.value.value(), counted_pairs(where, pair),
              found.joint.error.value() + 1e-10);
  EXPECT_LE(found.joint.error.value(), 1e-9);
  EXPECT_NEAR(found.mutual_information.value.value(),
              (found.x.value + found.y.value - found.joint.value).value(), 1e-12);
}

TEST(number_joint, is_that_of_all_pairs_of_codes) {
  // Zeros with a sign, without one, and none at all; subnormal numbers; codes that clip.
  expect_counted({kept_in("e2m1"), kept_in("e2m1")}, {1, 1, 1});
  expect_counted({kept_in("e2m1"), kept_in("e3m2")}, {0.7, 3, 0.4});
  expect_counted({kept_in("e4m3"), kept_in("e2m1")}, {-2, 0.02, 0.3});
  expect_counted({kept_in("posit8"), kept_in("e2m3")}, {1.5, 0.3, 0.1});
  expect_counted({kept_in("binary6p3se"), kept_in("binary6p3se")}, {1, 0.3, 0.2});
  expect_counted({kept_in("binary5p2sf"), kept_in("e2m1")}, {-0.3, 0.5, 0.5});
  expect_counted({kept_in("e2m1"), kept_in("binary5p2sf")}, {-0.3, 0.5, 0.5});
  expect_counted({kept_in("e4m3fnuz"), kept_in("binary4p2se")}, {1, 0.01, 0.02});
}

TEST(number_joint, counts_the_sign_of_zero_beside_many_cells) {
  expect_counted({kept_in("binary4p2se"), kept_in("binary11p7se")}, {1, 0.4, 0.3});
  expect_counted({kept_in("binary10p7sf"), kept_in("binary4p2se")}, {-2, 0.5, 0.2});
}

TEST(number_joint, with_a_wide_format_grows_by_its_cells_alone) {
  // What a register knows of Y does not change once Y's cells are fine.
  for (const regression_pair& pair : {regression_pair{1, 0.01, 0.01}, {3, 1, 0.1}, {-1, 1, 1e-3}}) {
    const auto known_of_x = [&](const char* y) {
      const joint_entropies found =
          joint_entropy(storage_pair{kept_in("e4m3fnuz"), kept_in(y)}, pair);
      EXPECT_LE(found.joint.error.value(), 1e-9);
      return found.joint.value.value() - found.y.value.value();
    };
    EXPECT_NEAR(known_of_x("binary32"), known_of_x("p53e11"), 1e-9);
    EXPECT_NEAR(known_of_x("binary64"), known_of_x("p53e11"), 1e-9);
  }
}

TEST(number_joint, agrees_with_the_counts_of_random_pairs) {
  constexpr const char* names[] = {"e2m1",        "e3m2",   "e2m3",        "binary4p2se",
                                   "binary5p3sf", "posit8", "binary6p2se", "e3m4"};
  random_numbers draw(5);
  const int cases = from_environment("KTLN2_NUMBER_PAIRS", 12);
  for (int i = 0; i < cases; ++i) {
    const storage x = kept_in(names[draw.whole(0, 7)]);
    const storage y = kept_in(names[draw.whole(0, 7)]);
    const double sigma_x = draw.log_uniform(0.02, 20);
    const double w = (draw.chance(0.5) ? 1 : -1) * draw.log_uniform(0.1, 10);
    const double sigma_xi = std::fabs(w) * sigma_x * draw.log_uniform(0.02, 5);
    expect_counted({x, y}, {w, sigma_x, sigma_xi});
  }
}

TEST(number_joint, of_a_wide_format_is_near_the_papers) {
  // bfloat16 and p8e8 differ next to zero and beyond the largest only.
  const regression_pair pair{1, 1, 0.5};
  const double real = joint_entropy(storage_pair{kept_in("bfloat16"), kept_in("bfloat16")}, pair)
                          .joint.value.value();
  const double ideal = joint_entropy(format_pair{{8, 8}, {8, 8}}, pair).joint.value.value();
  EXPECT_NEAR(real, ideal, 1e-9);
  const storage_pair widest{kept_in("binary64"), kept_in("binary64")};
  EXPECT_NEAR(joint_entropy(widest, pair).joint.value.value(),
              joint_entropy(format_pair{{53, 11}, {53, 11}}, pair).joint.value.value(), 1e-9);
}

TEST(number_joint, has_a_bar_where_zero_has_no_mass) {
  // The cell of zero ends at 2^-16384, or a deviation is beyond all numbers.
  for (const auto& [name, sigma] : {std::pair{"binary16p1se", 1.0},
                                    {"binary12p1sf", 1e-3},
                                    {"e4m3fnuz", 1e300},
                                    {"binary8p4se", 1e-300}}) {
    SCOPED_TRACE(name);
    const joint_entropies found =
        joint_entropy(storage_pair{kept_in(name), kept_in(name)}, {1, sigma, sigma});
    EXPECT_LE(found.joint.error.value(), 1e-9);
    EXPECT_LE(found.joint.value.value(), (found.x.value + found.y.value).value() + 1e-9);
    EXPECT_GE(found.joint.value.value(), found.x.value.value() - 1e-9);
  }
}

TEST(number_joint, refuses_cells_that_do_not_mirror_each_other) {
  const regression_pair pair{1, 1, 1};
  const auto refused = [&](const storage& x, const storage& y) {
    return message_of([&] { (void)joint_entropy(storage_pair{x, y}, pair); });
  };
  EXPECT_NE(refused(kept_in("int8"), kept_in("int8")).find("int8"), std::string::npos);
  EXPECT_NE(refused(kept_in("e8m0"), kept_in("e4m3")).find("e8m0"), std::string::npos);
  const number_format format = *find_number_format("bfloat16");
  EXPECT_NE(
      refused({format, {rounding::up, overflow::to_infinity}}, kept_in("e4m3")).find("mirror"),
      std::string::npos);
}

}  // namespace
