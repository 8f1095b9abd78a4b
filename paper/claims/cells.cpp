#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "ktln2/format/partition.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

namespace ktln2::paper {
namespace {

finding interior_cells(const claim& what, const effort& /*work*/) {
  bool is_true = true;
  for (int p = 1; p <= 7; ++p) {
    const float_format format{p, 4};
    for (int e = static_cast<int>(format.emin()); e <= static_cast<int>(format.emax()); ++e) {
      const lattice_run run =
          format.run(format.run_count() / 2 + static_cast<std::size_t>(e - format.emin()));
      const double width = std::exp2(e - (p - what.number("shift")));
      is_true = is_true && run.start == wide(std::exp2(e)) &&
                static_cast<double>(run.count) == std::exp2(p - what.number("shift"));
      if (run.count < 3) continue;  // no value with neighbors of the same binade on both sides
      is_true = is_true && bin_size(format, run.value(1).to_double()) == width;
    }
  }
  return {.found = fmt::format("p4e4 around 1.5: {} values a binade, cells of {}",
                               float_format(4, 4).run(24).count, bin_size({4, 4}, 1.5)),
          .as_stated = is_true};
}

finding boundary_cells(const claim& what, const effort& /*work*/) {
  bool is_true = true;
  for (int p = 1; p <= 12; ++p) {
    const float_format format{p, 4};
    const int last = static_cast<int>(format.emax()) - (p == 1 ? 2 : 1);  // p = 1: the outermost
    for (int e = static_cast<int>(format.emin()); e <= last; ++e) {
      is_true =
          is_true && bin_size(format, std::exp2(e + 1)) == what.number("factor") * std::exp2(e - p);
    }
  }
  return {
      .found = fmt::format(R"(p10e4 at 1: ${} \cdot 2^{{-11}}$)", bin_size({10, 4}, 1) * 0x1p11),
      .as_stated = is_true};
}

/// The line through the staircase of log Δ over log |x|, by least squares over whole binades.
finding best_fit_line(const claim& what, const effort& /*work*/) {
  const float_format format{10, 4};
  const std::vector<double> positions = linear_grid(-5 + 1.0 / 2048, 6 - 1.0 / 2048, 11264);
  double sum_x = 0;
  double sum_y = 0;
  for (const double x : positions) {
    sum_x += x;
    sum_y += std::log2(bin_size(format, std::exp2(x)));
  }
  const auto count = static_cast<double>(positions.size());
  double sum_xx = 0;
  double sum_xy = 0;
  for (const double x : positions) {
    sum_xx += std::pow(x - sum_x / count, 2);
    sum_xy += (x - sum_x / count) * std::log2(bin_size(format, std::exp2(x)));
  }
  const double slope = sum_xy / sum_xx;
  const double shift = sum_y / count - sum_x / count + (format.p() - 1);  // of a line of slope 1
  return {.found = fmt::format(
              R"(p10e4, 11 binades: slope {:.4f}; with slope 1, $\log_2(\abs{{x}}/2^{{{:.4f}}})$)",
              slope, -shift),
          .as_stated = std::fabs(slope - 1) <= what.number("tolerance") &&
                       std::fabs(shift + what.number("shift")) <= what.number("tolerance")};
}

/// log(Δ_s/Δ) over the granular region without the two cells next to zero.
finding width_ratios(const claim& what, const effort& /*work*/) {
  extreme high;
  extreme low;  // of the negative
  for (int p = 1; p <= 8; ++p) {
    const float_format format{p, 3};
    const double from = std::log2(0x1p-3 * (1 + std::exp2(-p)) * (1 + 1e-12));
    const double to = std::log2(format.granular_edge().to_double() * (1 - 1e-12));
    for (const double position : linear_grid(from, to, 4001)) {
      const double x = std::exp2(position);
      const double smooth = x * std::exp2(1 - p) / std::numbers::sqrt2;
      const double ratio = std::log2(smooth / bin_size(format, x));
      high.add(ratio, p);
      low.add(-ratio, p);
    }
  }
  return {.found = fmt::format(R"($\log_2(\Delta_s/\Delta)$ is between ${:.6f}$ and {:.6f})",
                               -low.value, high.value),
          .as_stated = high.value <= what.number("bound") && low.value <= what.number("bound")};
}

finding boundary_ratio_limit(const claim& what, const effort& /*work*/) {
  struct range {
    double low;
    double high;
  };
  const auto at = [](int p) -> range {
    const cell_run cell = partition{{p, 4}}.cell_of(1);
    const double scale = std::exp2(1 - p) / std::numbers::sqrt2 / cell.width.to_double();
    return {cell.left.to_double() * scale, cell.right.to_double() * scale};
  };
  bool closes_in = true;
  for (int p = 2; p <= 40; ++p) {
    closes_in = closes_in && at(p).low > at(p - 1).low && at(p).high < at(p - 1).high;
  }
  const double limit = what.number("limit");
  return {
      .found = fmt::format("from {:.9f} to {:.9f} at $p = 1$, from {:.9f} to {:.9f} at $p = 24$",
                           at(1).low, at(1).high, at(24).low, at(24).high),
      .as_stated = closes_in && relative_gap(at(1).low, 1 / std::numbers::sqrt2) < 1e-12 &&
                   relative_gap(at(1).high, std::numbers::sqrt2) < 1e-12 &&
                   std::fabs(at(40).low - limit) <= what.number("tolerance") &&
                   std::fabs(at(40).high - limit) <= what.number("tolerance")};
}

finding outer_cells(const claim& what, const effort& /*work*/) {
  const auto defined = [](const float_format& f) {
    return (f.max() - f.value_at(f.size() - 1)).to_double();
  };
  const auto width = [](const float_format& f) { return bin_size(f, f.max().to_double()); };
  const auto agrees = [&](int p) {
    bool is_true = true;
    for (int e = 1; e <= 6; ++e) is_true = is_true && defined({p, e}) == width({p, e});
    return is_true;
  };
  bool all = true;
  bool from_two = true;
  for (int p = what.integer("least_p"); p <= 12; ++p) {
    all = all && agrees(p);
    if (p >= 2) from_two = from_two && agrees(p);
  }
  const float_format one{1, 3};
  return {.found =
              fmt::format(R"(p1e3: {} wide up to the edge of $\mathbb{{U}}$, {} by the definition)",
                          width(one), defined(one)),
          .as_stated = all,
          .as_qualified = from_two,
          .qualification = R"(for $p \ge 2$)",
          .counterexample =
              fmt::format("p1e3: the cell of {} reaches to {}, so it is {} wide",
                          one.max().to_double(), one.granular_edge().to_double(), width(one))};
}

finding granular_edge(const claim& what, const effort& /*work*/) {
  bool is_true = true;
  for (int p = 1; p <= 12; ++p) {
    for (int e = 1; e <= 6; ++e) {
      const float_format format{p, e};
      const double top = format.emax();
      const wide by_formula = wide(std::exp2(top + 1)) - wide(std::exp2(top - p));
      const wide spacing = format.run(format.run_count() - 1).spacing;
      const wide beyond = spacing * wide(what.number("spacings"));
      is_true =
          is_true && format.granular_edge() == by_formula && by_formula == format.max() + beyond;
    }
  }
  const float_format shown{3, 4};
  return {.found = fmt::format("p3e4: {} where the largest value is {}",
                               shown.granular_edge().to_double(), shown.max().to_double()),
          .as_stated = is_true};
}

/// Does an edge between two cells belong to the upper one?
finding half_open_cells(const claim& what, const effort& /*work*/) {
  const float_format format{4, what.integer("exponent_bits")};
  int up = 0;
  int down = 0;
  bool positive_go_up = true;
  const auto size = static_cast<std::uint64_t>(format.size());
  for (std::uint64_t i = 1; i < size; ++i) {
    const wide above = format.value_at(i + 1);
    const double edge = midpoint(format.value_at(i), above).to_double();
    const bool goes_up = format.value(format.quantize(edge)) == above;
    ++(goes_up ? up : down);
    if (edge >= 0) positive_go_up = positive_go_up && goes_up;
  }
  return {.found = fmt::format("{}: {} edges belong to the cell above, {} to the one below",
                               format.name(), up, down),
          .as_stated = down == 0,
          .as_qualified = positive_go_up && down > 0,
          .qualification = R"(for $x \ge 0$; for a continuous variable it makes no difference)",
          .counterexample =
              fmt::format("$-1.0625$ in p4e4 is stored as ${}$, so it belongs to the lower cell",
                          format.value(format.quantize(-1.0625)).to_double())};
}

}  // namespace

check_table cell_checks() {
  return {{"interior_cells", interior_cells},
          {"boundary_cells", boundary_cells},
          {"best_fit_line", best_fit_line},
          {"width_ratios", width_ratios},
          {"boundary_ratio_limit", boundary_ratio_limit},
          {"outer_cells", outer_cells},
          {"granular_edge", granular_edge},
          {"half_open_cells", half_open_cells}};
}

}  // namespace ktln2::paper
