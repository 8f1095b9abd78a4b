#include "distribution/restricted_part.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"

namespace ktln2 {

restricted_part::restricted_part(part_pointer whole, const wide& low, const wide& high)
    : law_part{facts_of(*whole, low, high)}, whole_{std::move(whole)}, low_{low}, high_{high} {}

part_facts restricted_part::facts_of(const law_part& whole, const wide& low, const wide& high) {
  part_facts made = whole.facts();
  made.mode = std::clamp(made.mode, low, high);
  made.is_rough = true;
  const bool is_heavy = std::isinf(made.deviation) && (low.is_infinite() || high.is_infinite());
  made.mean = made.deviation = made.entropy = undefined;
  const bool lacked_mean = made.lacks_mean;
  made.lacks_mean = lacked_mean && low.is_infinite() && high.is_infinite();
  if (!is_heavy) return made;
  made.deviation = infinity;
  if (lacked_mean && !made.lacks_mean) made.mean = low.is_infinite() ? -infinity : infinity;
  return made;
}

cell_mass restricted_part::between(const wide& a, const wide& b) const {
  const wide left = std::max(a, low_);
  const wide right = std::min(b, high_);
  return left < right ? whole_->between(left, right) : cell_mass{0, -infinity};
}

cell_mass restricted_part::cell(const wide& center, const wide& width) const {
  const wide half = width.scaled(-1);
  const wide left = center - half;
  const wide right = center + half;
  return left >= low_ && right <= high_ ? whole_->cell(center, width) : between(left, right);
}

double restricted_part::log_pdf(const wide& x) const {
  return low_ <= x && x <= high_ ? whole_->log_pdf(x) : -infinity;
}

std::vector<wide> restricted_part::breaks() const {
  std::vector<wide> list = whole_->breaks();
  list.push_back(low_);
  list.push_back(high_);
  const auto is_outside = [this](const wide& x) {
    return x < low_ || x > high_ || x.is_infinite();
  };
  list.erase(std::remove_if(list.begin(), list.end(), is_outside), list.end());
  return list;
}

part_pointer restricted_part::over_sqrt2() const {
  return std::make_shared<const restricted_part>(whole_->over_sqrt2(), ktln2::over_sqrt2(low_),
                                                 ktln2::over_sqrt2(high_));
}

}  // namespace ktln2
