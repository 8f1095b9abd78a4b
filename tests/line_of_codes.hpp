#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ktln2/format/number_format.hpp"

/// The line, cut where the code changes.
struct line_of_codes {
  std::vector<double> edges;
  std::vector<std::uint64_t> codes;  ///< one more than edges
};

class code_finder {
 public:
  code_finder(const ktln2::number_format& format, const ktln2::storing& rule)
      : format_{format}, rule_{rule} {}

  line_of_codes find() && {
    constexpr double far = std::numeric_limits<double>::max();
    std::vector<double> points{-far, 0, far};
    for (std::uint64_t code = 0; code < std::uint64_t{1} << format_.width(); ++code) {
      const auto value = format_.value(code);
      if (value && !value->is_infinite()) points.push_back(value->to_double());
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (std::size_t i = 1; i < points.size(); ++i) look_between(points[i - 1], points[i]);
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::uint64_t code_at(double x) const { return format_.quantize(x, rule_); }

  /// Between two neighboring numbers, or 0, the code changes at most once.
  void look_between(double a, double b) {
    const double first = std::nextafter(a, b);
    const double last = std::nextafter(b, a);
    const std::uint64_t before = code_at(first);
    const std::uint64_t after = code_at(last);
    begin(a, before);
    if (before != after) begin(change_between(first, last, before), after);
  }

  void begin(double edge, std::uint64_t code) {
    if (made_.codes.empty()) {
      made_.codes.push_back(code);
    } else if (code != made_.codes.back()) {
      made_.edges.push_back(edge);
      made_.codes.push_back(code);
    }
  }

  /// On one side of 0. Of the two neighboring doubles at the change one is an odd number of its
  /// last places, which no edge of so few bits is.
  [[nodiscard]] double change_between(double a, double b, std::uint64_t before) const {
    const double sign = std::signbit(a) ? -1 : 1;
    auto from = std::bit_cast<std::uint64_t>(std::fabs(a));
    auto to = std::bit_cast<std::uint64_t>(std::fabs(b));
    const auto at = [sign](std::uint64_t pattern) { return sign * std::bit_cast<double>(pattern); };
    while (std::max(from, to) - std::min(from, to) > 1) {
      const std::uint64_t middle =
          std::min(from, to) + (std::max(from, to) - std::min(from, to)) / 2;
      (code_at(at(middle)) == before ? from : to) = middle;
    }
    return at(from % 2 == 0 ? from : to);
  }

  const ktln2::number_format& format_;
  ktln2::storing rule_;
  line_of_codes made_;
};

/// Found by storing one number after the other; for formats of few bits, well within double's
/// range.
inline line_of_codes codes_on_the_line(const ktln2::number_format& format,
                                       const ktln2::storing& rule) {
  return code_finder{format, rule}.find();
}
