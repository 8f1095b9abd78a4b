#pragma once

#include <array>
#include <functional>
#include <vector>

namespace ktln2 {

/// A smooth law that is symmetric about 0, of a size of about 1, as a table: for one whose density
/// is a long sum, and which is asked for many times.
class even_law_table {
 public:
  using function = std::function<double(double)>;
  /// ln f(x) and P(X > x), for x ≥ 0; the latter accurate where it is small.
  even_law_table(function log_pdf, function above);

  [[nodiscard]] double log_pdf(double x) const;
  [[nodiscard]] double above(double x) const;

 private:
  /// Both logarithms are smooth in y = asinh x: a polynomial through Chebyshev's points for each
  /// panel of y. In the short ones, up to x = 11,000, the terms left out are below 1e-20 of those
  /// kept. In the long ones, up to 6e38, a law either falls like a power, so that they are nearly
  /// straight lines, or has nothing left. Beyond, the functions themselves are asked.
  static constexpr std::size_t degree = 16;
  static constexpr std::size_t short_panels = 40;
  static constexpr std::size_t long_panels = 20;
  static constexpr double short_length = 0.25;
  static constexpr double long_length = 4;
  using polynomial = std::array<double, degree>;
  enum class tail { fitted, asked, nothing };
  struct panel {
    double left;
    double length;
    polynomial log_pdf;
    polynomial log_above;
    bool has_density;
    tail above;
  };
  [[nodiscard]] panel panel_from(double left, double length) const;
  static polynomial fitted(double left, double length, const function& f);
  static double value_of(const polynomial& terms, double t);
  /// Null beyond the table.
  [[nodiscard]] const panel* panel_of(double y) const;

  function log_pdf_;
  function above_;
  std::vector<panel> panels_;
};

}  // namespace ktln2
