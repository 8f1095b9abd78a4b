#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2::paper {

/// The slopes of the paper's figures of regression and SGD.
inline constexpr std::array<double, 5> slopes_of_the_figures{0.25, 0.5, 1, 2, 5};

/// The largest value of a function over a grid, and where it is taken.
struct extreme {
  double value = -std::numeric_limits<double>::infinity();
  double at = std::numeric_limits<double>::quiet_NaN();

  void add(double candidate, double where) {
    if (!(candidate <= value)) {  // NaN wins, so that it is seen
      value = candidate;
      at = where;
    }
  }
};

template <class Grid, class Function>
extreme largest(const Grid& grid, Function f) {
  extreme result;
  for (const double x : grid) result.add(f(x), x);
  return result;
}

/// The integral of a smooth function, by Gauss quadrature on equal pieces.
template <class Function>
double integral(Function f, double from, double to, int pieces = 64) {
  const mean_rule<16>& rule = gauss_legendre<16>();
  const double half = (to - from) / pieces / 2;
  compensated_sum sum;
  for (int piece = 0; piece < pieces; ++piece) {
    const double middle = from + (2 * piece + 1) * half;
    for (std::size_t k = 0; k < 16; ++k) {
      sum.add(2 * half * rule.weight[k] * f(middle + half * rule.node[k]));
    }
  }
  return sum.value();
}

/// |a - b| relative to the larger one.
inline double relative_gap(double a, double b) {
  const double size = std::max(std::fabs(a), std::fabs(b));
  return size == 0 ? 0 : std::fabs(a - b) / size;
}

inline double exact_bits(const float_format& format, const law& x) {
  return exact_entropy(format, x).value.value();
}

/// A number in TeX with so many significant digits: 3 \cdot 10^{-13}, where it is not short without
/// a power of ten.
inline std::string tex(double number, int digits = 1) {
  std::string shown = fmt::format("{:.{}g}", number, digits);
  const std::size_t e = shown.find('e');
  if (e == std::string::npos) return shown;
  const std::string mantissa = shown.substr(0, e);
  const std::string power = fmt::format("10^{{{}}}", std::stoi(shown.substr(e + 1)));
  return mantissa == "1" ? power : mantissa + R"( \cdot )" + power;
}

/// "to $4 \cdot 10^{-16}$", or "exactly".
inline std::string agreement(double gap) {
  return gap == 0 ? "exactly" : fmt::format("to ${}$", tex(gap));
}

/// $5.463469 \pm 3 \cdot 10^{-13}$
inline std::string with_error(const bounded<bits>& h, int digits = 6) {
  return fmt::format(R"(${:.{}f} \pm {}$)", h.value.value(), digits, tex(h.error.value()));
}

}  // namespace ktln2::paper
