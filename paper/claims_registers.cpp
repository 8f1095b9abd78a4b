#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "claim_tools.hpp"
#include "claims.hpp"
#include "figure.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2::paper {
namespace {

/// Counts the values of a format one by one, and sees that they ascend.
double counted_values(const float_format& format) {
  double count = 0;
  wide last = -std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < format.run_count(); ++r) {
    const lattice_run run = format.run(r);
    for (std::uint64_t k = 0; k < run.count; ++k) {
      if (!(run.value(k) > last)) return std::numeric_limits<double>::quiet_NaN();
      last = run.value(k);
      ++count;
    }
  }
  return count;
}

finding value_count(const claim& what, const effort& /*work*/) {
  bool is_true = true;
  for (int p = 1; p <= 7; ++p) {
    for (int e = 0; e <= 7; ++e) {
      is_true = is_true && counted_values({p, e}) == std::pow(what.number("base"), p + e);
    }
  }
  return {.found = fmt::format("p3e4 has {:.0f}, p7e7 {:.0f} values, counted one by one",
                               counted_values({3, 4}), counted_values({7, 7})),
          .as_stated = is_true};
}

finding single_value_count(const claim& what, const effort& /*work*/) {
  const auto size = static_cast<double>(float_format{24, 8}.size());
  return {.found = fmt::format("{:.0f}", size),
          .as_stated = std::fabs(size - what.number("value")) <= what.number("tolerance") &&
                       size == std::exp2(what.number("exponent"))};
}

finding exponent_range(const claim& what, const effort& /*work*/) {
  bool is_true = true;
  for (int e = 1; e <= 8; ++e) {
    const float_format format{5, e};
    const double half = std::pow(what.number("base"), e - 1);
    is_true = is_true && format.emin() == -(half - 1) && format.emax() == half &&
              format.min_positive() == wide(1).scaled(static_cast<int>(-(half - 1))) &&
              format.max() == wide(2 - 0x1p-4).scaled(static_cast<int>(half));
  }
  const float_format single{24, 8};
  return {.found = fmt::format("E = 8: {:.0f} to {:.0f}", single.emin(), single.emax()),
          .as_stated = is_true};
}

finding ieee_range(const claim& what, const effort& /*work*/) {
  using ieee = std::numeric_limits<float>;
  const float_format single{24, 8};
  const double below = (ieee::min_exponent - 1) - single.emin();
  const double above = single.emax() - (ieee::max_exponent - 1);
  const bool differs = below != 0 || above != 0;
  return {.found = fmt::format(
              "{} to {} against {:.0f} to {:.0f}: {:.0f} exponent more at each end",
              ieee::min_exponent - 1, ieee::max_exponent - 1, single.emin(), single.emax(), above),
          .as_stated = differs && below <= what.number("slight") && above <= what.number("slight")};
}

/// A float of this processor is IEEE single; a bfloat16 is its upper half.
finding ieee_fields(const claim& what, const effort& /*work*/) {
  using ieee = std::numeric_limits<float>;
  const int mantissa = ieee::digits - 1;
  const int exponent = 8 * static_cast<int>(sizeof(float)) - 1 - mantissa;
  const float_format single{24, 8};
  return {.found = fmt::format("1, {} and {} bits; p24e8 likewise", mantissa, exponent),
          .as_stated = ieee::is_iec559 && mantissa == what.number("mantissa") &&
                       exponent == what.number("exponent") && single.p() - 1 == mantissa &&
                       single.exponent_bits() == exponent &&
                       single.width() == what.number("sign") + mantissa + exponent};
}

finding bfloat_fields(const claim& what, const effort& /*work*/) {
  const float_format half{8, 8};
  const float_format single{24, 8};
  const double saved = exact_bits(single, normal{0, 1}) - exact_bits(half, normal{0, 1});
  return {.found = fmt::format("p8e8 and p24e8: {} and {} mantissa bits, {} exponent bits both; "
                               "N(0, 1) holds {:.4f} bits less",
                               half.p() - 1, single.p() - 1, half.exponent_bits(), saved),
          .as_stated = half.width() == 16 && half.p() - 1 == what.number("mantissa") &&
                       single.p() - 1 == what.number("single_mantissa") &&
                       half.emin() == single.emin() && half.emax() == single.emax()};
}

finding one_level(const claim& what, const effort& /*work*/) {
  const float_format format{3, 0};
  const double expected = std::exp2(what.number("exponent"));
  const double smallest = format.min_positive().to_double();
  return {.found = fmt::format("e_min = e_max = {}; the smallest positive value of p3e0 is {:.15f}",
                               format.emin(), smallest),
          .as_stated = format.emin() == what.number("exponent") &&
                       format.emax() == what.number("exponent") && format.run_count() == 2 &&
                       std::fabs(smallest - expected) <= 1e-15 * expected};
}

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
  return {.found = fmt::format("p4e4 around 1.5: {} values a binade, {} wide",
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
  return {.found = fmt::format("p10e4 at 1: {} · 2^-11", bin_size({10, 4}, 1) * 0x1p11),
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
  const double count = static_cast<double>(positions.size());
  double sum_xx = 0;
  double sum_xy = 0;
  for (const double x : positions) {
    sum_xx += std::pow(x - sum_x / count, 2);
    sum_xy += (x - sum_x / count) * std::log2(bin_size(format, std::exp2(x)));
  }
  const double slope = sum_xy / sum_xx;
  const double shift = sum_y / count - sum_x / count + (format.p() - 1);  // of a line of slope 1
  return {.found = fmt::format("p10e4, 11 binades: slope {:.4f}; with slope 1, log(|x|/2^{:.4f})",
                               slope, -shift),
          .as_stated = std::fabs(slope - 1) <= what.number("tolerance") &&
                       std::fabs(shift + what.number("shift")) <= what.number("tolerance")};
}

/// The quantizer as Eq. [eq:sem_fp] prints it, for E ≥ 1.
double printed_quantizer(const float_format& format, double x) {
  const double top = format.emax();
  const double size = std::fabs(x);
  const double exponent = std::clamp(std::floor(std::log2(size)), format.emin(), top);
  const double steps = std::exp2(format.p() - 1);
  const double share = (size * std::exp2(-exponent) - 1) * steps;
  const double rounded =
      std::clamp(std::floor(share + 0.5), 0.0, steps);  // ties to the higher index
  const bool spills = rounded == steps;
  const bool is_clipped = std::log2(size) >= top + 1 || (spills && exponent == top);
  const double mantissa = is_clipped ? 1 - 1 / steps : (spills ? 0 : rounded / steps);
  const double value = std::exp2(std::min(top, exponent + (spills ? 1 : 0))) * (1 + mantissa);
  return x < 0 ? -value : value;
}

finding nearest_value(const claim& what, const effort& /*work*/) {
  double differing = 0;
  double farther = 0;
  for (const float_format format : {float_format{1, 2}, {3, 3}, {4, 4}, {7, 3}}) {
    for (const double position : linear_grid(format.emin() - 3, format.emax() + 3, 3001)) {
      for (const double x : {std::exp2(position), -std::exp2(position)}) {
        const double stored = format.value(format.quantize(x)).to_double();
        if (stored != printed_quantizer(format, x)) ++differing;
        for (std::size_t r = 0; r < format.run_count(); ++r) {
          const lattice_run run = format.run(r);
          const double first = run.start.to_double();
          const double spacing = run.spacing.to_double();
          const double k = std::clamp(std::round((x - first) / spacing), 0.0,
                                      static_cast<double>(run.count - 1));
          if (std::fabs(first + k * spacing - x) < std::fabs(stored - x)) ++farther;
        }
      }
    }
  }
  return {
      .found =
          fmt::format("24008 numbers in four formats: {:.0f} stored otherwise than the formula "
                      "says, {:.0f} with a nearer value",
                      differing, farther),
      .as_stated = differing == what.number("exceptions") && farther == what.number("exceptions")};
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
  return {
      .found = fmt::format("log of the ratio between {:.6f} and {:.6f}", -low.value, high.value),
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
  return {.found = fmt::format("[{:.9f}, {:.9f}] at p = 1, [{:.9f}, {:.9f}] at p = 24", at(1).low,
                               at(1).high, at(24).low, at(24).high),
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
  for (int p = static_cast<int>(what.number("least_p")); p <= 12; ++p) {
    all = all && agrees(p);
    if (p >= 2) from_two = from_two && agrees(p);
  }
  const float_format one{1, 3};
  return {.found = fmt::format("p1e3: {} up to the edge of U, {} by the definition", width(one),
                               defined(one)),
          .as_stated = all,
          .as_qualified = from_two,
          .qualification = "for p ≥ 2",
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
  return {.found = fmt::format("p3e4: {} for the largest value {}",
                               shown.granular_edge().to_double(), shown.max().to_double()),
          .as_stated = is_true};
}

/// Does an edge between two cells belong to the upper one?
finding half_open_cells(const claim& what, const effort& /*work*/) {
  const float_format format{4, static_cast<int>(what.number("exponent_bits"))};
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
          .qualification = "for x ≥ 0; for a continuous variable it makes no difference",
          .counterexample = fmt::format("-1.0625 in p4e4 is stored as {}",
                                        format.value(format.quantize(-1.0625)).to_double())};
}

finding fp8_fields(const claim& what, const effort& /*work*/) {
  const float_format format{4, 4};
  return {.found = fmt::format("p4e4: {} bits, {} of them mantissa and {} exponent", format.width(),
                               format.p() - 1, format.exponent_bits()),
          .as_stated = format.width() == what.number("bits") &&
                       format.p() - 1 == what.number("mantissa") &&
                       format.exponent_bits() == what.number("exponent")};
}

}  // namespace

void add_register_checks(check_table& all) {
  all["value_count"] = value_count;
  all["single_value_count"] = single_value_count;
  all["exponent_range"] = exponent_range;
  all["ieee_range"] = ieee_range;
  all["ieee_fields"] = ieee_fields;
  all["bfloat_fields"] = bfloat_fields;
  all["one_level"] = one_level;
  all["interior_cells"] = interior_cells;
  all["boundary_cells"] = boundary_cells;
  all["best_fit_line"] = best_fit_line;
  all["nearest_value"] = nearest_value;
  all["width_ratios"] = width_ratios;
  all["boundary_ratio_limit"] = boundary_ratio_limit;
  all["outer_cells"] = outer_cells;
  all["granular_edge"] = granular_edge;
  all["half_open_cells"] = half_open_cells;
  all["fp8_fields"] = fp8_fields;
}

}  // namespace ktln2::paper
