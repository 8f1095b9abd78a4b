#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ktln2/format/partition.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

struct way_to_round {
  const char* name;
  rounding how;
};
constexpr way_to_round ways[] = {{"midpoint", rounding::nearest}, {"floor", rounding::toward_zero}};

/// Δ_s(x) = |x| 2^(1-p)/√2
double smooth_width(int p, double x) {
  return std::fabs(x) * std::exp2(1 - p) / std::numbers::sqrt2;
}

double granular_end(const float_format& format, rounding how) {
  const lattice_run top = format.run(format.run_count() - 1);
  return (top.last + (how == rounding::nearest ? top.spacing.scaled(-1) : top.spacing)).to_double();
}

/// The cells of positive numbers, equally wide neighbors together.
table cells(const float_format& format, const effort& work) {
  table result({{"rounding", "", "midpoint (to nearest) or floor (toward zero)"},
                {"left", "", "where such cells begin"},
                {"right", "", "where they end"},
                {"width", "", "true width Delta of each of them"},
                {"smooth_left", "", "smooth width Delta_s at the left end"},
                {"smooth_right", "", "smooth width Delta_s at the right end"}});
  for (const auto& [name, how] : ways) {
    const partition line{format, how};
    for (std::size_t i = line.block_count() / 2; i < line.block_count(); ++i) {
      work.pause();
      for (const cell_run& run : line.block(i)) {
        if (run.count == 0 || run.right <= wide(0.0)) continue;
        const double left = run.left.to_double();
        // The last cell has no end; what counts as its width ends with the granular region.
        const double right =
            run.right.is_infinite() ? granular_end(format, how) : run.right.to_double();
        result.add({name, left, right, bin_size(format, (left + right) / 2, how),
                    smooth_width(format.p(), left), smooth_width(format.p(), right)});
      }
    }
  }
  return result;
}

/// log(Δ_s/Δ) at equally spaced points, with a gap where the width jumps.
table ratios(const float_format& format, const std::vector<double>& points, const effort& work) {
  table result("ratio", {{"rounding", "", "midpoint (to nearest) or floor (toward zero)"},
                         {"x", "", "the number"},
                         {"log_ratio", "bits", "log of smooth width over true width"}});
  for (const auto& [name, how] : ways) {
    double before = nothing;
    for (const double x : points) {
      work.pause();
      const double width = bin_size(format, x, how);
      if (width != before && !std::isnan(before)) result.add({name, x, nothing});
      before = width;
      const double log_ratio = std::log2(smooth_width(format.p(), x) / width);
      result.add({name, x, std::isinf(log_ratio) ? nothing : log_ratio});  // clipped
    }
  }
  return result;
}

std::vector<table> values_on_a_line(const parameters& given, const effort& work) {
  const int E = given.integer("E");
  if (!(given.number("x_min") > 0)) {
    throw std::domain_error(
        fmt::format("paper: x_min must be positive, got {}", given.number("x_min")));
  }
  return {cells({given.integer("p"), E}, work),
          ratios({given.integer("p_below"), E},
                 linear_grid(given.number("x_min"), given.number("x_max"),
                             work.points(given.count("points"))),
                 work)};
}

}  // namespace

figure fp_diag() {
  return {.label = "fig:fp_diag",
          .settings = parameters(
              {{"p", {10}},
               {"E", {4}},
               {"p_below", {4}, origin::chosen, "cells wide enough to be seen in the lowest panel"},
               {"x_min", {0.8}, origin::chosen, "two binades and a little more"},
               {"x_max", {5}, origin::chosen, "two binades and a little more"},
               {"points", {841}, origin::chosen, "a step of 0.005"}}),
          .cost = 0.05,
          .compute = values_on_a_line};
}

}  // namespace ktln2::paper
