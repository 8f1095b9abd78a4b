#include "distribution/ramp_part.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace ktln2 {

ramp_part::ramp_part(const wide& foot, const wide& top)
    : law_part{facts_of(foot, top)}, foot_{foot}, top_{top}, length_{abs(top - foot)} {}

part_facts ramp_part::facts_of(const wide& foot, const wide& top) {
  const wide length = abs(top - foot);
  return {.center = foot,
          .core = length,
          .mode = top,
          .is_rough = true,
          .misplaced = 0,
          .mean = (foot + (top - foot) * (wide(2.0) / wide(3.0))).to_double(),
          .deviation = length.to_double() / std::sqrt(18.0),
          .entropy = 0.5 + log(length) - std::numbers::ln2};
}

cell_mass ramp_part::between(const wide& a, const wide& b) const {
  const wide left = std::max(a, std::min(foot_, top_));
  const wide right = std::min(b, std::max(foot_, top_));
  return left < right ? inside(midpoint(left, right), right - left) : cell_mass{0, -infinity};
}

cell_mass ramp_part::cell(const wide& center, const wide& width) const {
  const wide half = width.scaled(-1);
  const bool is_inside =
      center - half >= std::min(foot_, top_) && center + half <= std::max(foot_, top_);
  return is_inside ? inside(center, width) : between(center - half, center + half);
}

cell_mass ramp_part::inside(const wide& center, const wide& width) const {
  // (d + w/2)² - (d - w/2)² = 2dw
  const double distance = ratio(abs(center - foot_), length_);
  const double share = ratio(width, length_);
  return {2 * distance * share, std::numbers::ln2 + std::log(distance) + std::log(share)};
}

double ramp_part::log_pdf(const wide& x) const {
  const bool is_inside = x >= std::min(foot_, top_) && x <= std::max(foot_, top_);
  if (!is_inside || x == foot_) return -infinity;
  return std::numbers::ln2 + std::log(ratio(abs(x - foot_), length_)) - log(length_);
}

double ramp_part::log_ratio(const wide& x, const wide& t) const {
  const wide distance = x - foot_;
  const double share = ratio(distance.high() < 0 ? -t : t, abs(distance));
  return std::log1p(share);
}

double ramp_part::log_slope(const wide& x, const wide& length) const {
  const wide distance = x - foot_;
  return distance.is_zero() ? 0 : std::copysign(ratio(length, abs(distance)), distance.high());
}

}  // namespace ktln2
