#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "ktln2/distribution/law_part.hpp"

namespace ktln2 {

/// A density that rises in a straight line from 0 at the foot to the top, which may be on either
/// side of it, and ends there:  P(|X - foot| < d) = (d/length)²
class ramp_part : public law_part {
 public:
  ramp_part(const wide& foot, const wide& top);

  [[nodiscard]] cell_mass between(const wide& a, const wide& b) const override;
  [[nodiscard]] cell_mass cell(const wide& center, const wide& width) const override;
  [[nodiscard]] double log_pdf(const wide& x) const override;
  [[nodiscard]] double log_ratio(const wide& x, const wide& t) const override;
  [[nodiscard]] double log_slope(const wide& x, const wide& length) const override;
  [[nodiscard]] double roundings(const wide& /*x*/) const override { return 16; }
  /// Next to the foot f varies with the ratio of two distances from it.
  [[nodiscard]] wide length_at(const wide& x) const override {
    return std::max(abs(x - foot_), length_.scaled(-60));
  }
  [[nodiscard]] std::vector<wide> breaks() const override { return {foot_, top_}; }
  [[nodiscard]] part_pointer over_sqrt2() const override {
    return std::make_shared<const ramp_part>(ktln2::over_sqrt2(foot_), ktln2::over_sqrt2(top_));
  }

 private:
  [[nodiscard]] static part_facts facts_of(const wide& foot, const wide& top);
  /// A cell that does not reach beyond the ends.
  [[nodiscard]] cell_mass inside(const wide& center, const wide& width) const;

  wide foot_;
  wide top_;
  wide length_;
};

}  // namespace ktln2
