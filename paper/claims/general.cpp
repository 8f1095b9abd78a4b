// What the paper says of any codebook, and of the averages of any numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/format/codebook.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

/// The formulas of the theorem, as they are printed.
double printed_entropy(const std::vector<double>& u) {
  const auto F = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  const auto term = [](double P) { return P > 0 ? -P * std::log2(P) : 0; };
  if (u.size() == 1) return 0;
  const auto middle = [&u](std::size_t i) { return (u[i] + u[i + 1]) / 2; };
  compensated_sum sum;
  sum.add(term(F(middle(0))));
  for (std::size_t i = 1; i + 1 < u.size(); ++i) sum.add(term(F(middle(i)) - F(middle(i - 1))));
  sum.add(term(F(-middle(u.size() - 2))));
  return sum.value();
}

/// Between -3 and 3, unevenly: steps grow by up to four times.
std::vector<double> uneven_values(std::size_t size, double bend) {
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
    values.push_back(6 * (share + bend * share * (share - 1)) - 3);
  }
  return values;
}

finding any_codebook(const claim& what, const effort& /*work*/) {
  extreme gap;
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 16U, 33U, 128U, 257U}) {
    for (const double bend : {-0.9, -0.5, -0.1, 0.0, 0.2, 0.6, 0.9}) {
      const std::vector<double> values = uneven_values(size, bend);
      const bounded<bits> h = exact_entropy(codebook(values), normal{0, 1});
      gap.add(std::fabs(h.value.value() - printed_entropy(values)), static_cast<double>(size));
    }
  }
  return {.found = fmt::format("they agree to ${}$ bits", tex(gap.value)),
          .as_stated = gap.value <= what.number("tolerance")};
}

/// How far a normal law in the place of the mean of n numbers is off, in bits of p24e8.
double limit_gap_of(const law& x, double n) {
  const float_format format{24, 8};
  const law average = total_law(x, n, total_of::mean);
  return std::fabs(exact_bits(format, *central_limit(average)) - exact_bits(format, average));
}

/// The least n for which it is close: near where it would be if it fell like 1/n.
double least_count(const law& x, double close, double enough) {
  const double gap = limit_gap_of(x, enough);
  if (gap > close) return std::numeric_limits<double>::infinity();
  double n = std::fmax(1, std::ceil(enough * gap / close));
  while (limit_gap_of(x, n) > close) ++n;
  while (n > 1 && limit_gap_of(x, n - 1) <= close) --n;
  return n;
}

finding central_limit_size(const claim& what, const effort& /*work*/) {
  const double close = what.number("close");
  const double enough = what.number("enough");
  const auto least = [&](const law& x) { return least_count(x, close, enough); };
  const double peaked = least(laplace{0, 1});
  const double level = least(uniform{-1, 1});
  const double heavy = least(student_t{5, 0, 1});
  const double off_zero = least(uniform{0, 1});
  const double worst = std::max({peaked, level, heavy, off_zero});
  return {
      .found = fmt::format(
          R"($n = {}$ for Laplace numbers, {} for uniform ones and {} for $t_5$, around zero, where )"
          R"(the gap falls like $\kappa \log_2 e/(12 n)$ with the excess kurtosis $\kappa$; away )"
          R"(from zero it falls like $1/n^2$, and {} uniform numbers on $[0, 1]$ are enough)",
          peaked, level, heavy, off_zero),
      .as_stated = worst <= enough};
}

}  // namespace

check_table general_checks() {
  return {{"any_codebook", any_codebook}, {"central_limit_size", central_limit_size}};
}

}  // namespace ktln2::paper
