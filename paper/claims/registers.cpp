#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ktln2/format/float_format.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"
#include "paper/figures/figure.hpp"

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
  return {.found = fmt::format("{:.0f} values", size),
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
  return {.found = fmt::format("$E = 8$: from ${:.0f}$ to {:.0f}", single.emin(), single.emax()),
          .as_stated = is_true};
}

finding ieee_range(const claim& what, const effort& /*work*/) {
  using ieee = std::numeric_limits<float>;
  const float_format single{24, 8};
  const double below = (ieee::min_exponent - 1) - single.emin();
  const double above = single.emax() - (ieee::max_exponent - 1);
  const bool differs = below != 0 || above != 0;
  return {.found = fmt::format("IEEE single precision from ${}$ to {}, p24e8 from ${:.0f}$ to "
                               "{:.0f}: {:.0f} exponent more at each end",
                               ieee::min_exponent - 1, ieee::max_exponent - 1, single.emin(),
                               single.emax(), above),
          .as_stated = differs && below <= what.number("slight") && above <= what.number("slight")};
}

/// A float of this processor is IEEE single; a bfloat16 is its upper half.
finding ieee_fields(const claim& what, const effort& /*work*/) {
  using ieee = std::numeric_limits<float>;
  const int mantissa = ieee::digits - 1;
  const int exponent = 8 * static_cast<int>(sizeof(float)) - 1 - mantissa;
  const float_format single{24, 8};
  return {.found =
              fmt::format("a float here has 1, {} and {} bits; p24e8 likewise", mantissa, exponent),
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
                               R"($\mathcal{{N}}(0, 1)$ holds {:.4f} bits less)",
                               half.p() - 1, single.p() - 1, half.exponent_bits(), saved),
          .as_stated = half.width() == 16 && half.p() - 1 == what.number("mantissa") &&
                       single.p() - 1 == what.number("single_mantissa") &&
                       half.emin() == single.emin() && half.emax() == single.emax()};
}

finding one_level(const claim& what, const effort& /*work*/) {
  const float_format format{3, 0};
  const double expected = std::exp2(what.number("exponent"));
  const double smallest = format.min_positive().to_double();
  return {.found = fmt::format(
              R"($e_{{\mathrm{{min}}}} = e_{{\mathrm{{max}}}} = {}$; the smallest positive value )"
              R"(of p3e0 is {:.15f})",
              format.emin(), smallest),
          .as_stated = format.emin() == what.number("exponent") &&
                       format.emax() == what.number("exponent") && format.run_count() == 2 &&
                       std::fabs(smallest - expected) <= 1e-15 * expected};
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

}  // namespace

check_table register_checks() {
  return {{"value_count", value_count},       {"single_value_count", single_value_count},
          {"exponent_range", exponent_range}, {"ieee_range", ieee_range},
          {"ieee_fields", ieee_fields},       {"bfloat_fields", bfloat_fields},
          {"one_level", one_level},           {"nearest_value", nearest_value}};
}

}  // namespace ktln2::paper
