#pragma once

#include <memory>
#include <vector>

#include "ktln2/distribution/law_part.hpp"

namespace ktln2 {

/// What another part has between two numbers, either of which may be infinite; as it is, so that
/// its mass is less than 1.
class restricted_part : public law_part {
 public:
  restricted_part(part_pointer whole, const wide& low, const wide& high);

  [[nodiscard]] cell_mass between(const wide& a, const wide& b) const override;
  [[nodiscard]] cell_mass cell(const wide& center, const wide& width) const override;
  [[nodiscard]] double log_pdf(const wide& x) const override;
  [[nodiscard]] double log_ratio(const wide& x, const wide& t) const override {
    return whole_->log_ratio(x, t);
  }
  [[nodiscard]] double log_slope(const wide& x, const wide& length) const override {
    return whole_->log_slope(x, length);
  }
  [[nodiscard]] double roundings(const wide& x) const override { return whole_->roundings(x); }
  [[nodiscard]] wide length_at(const wide& x) const override { return whole_->length_at(x); }
  [[nodiscard]] bool is_of_ratios() const override { return whole_->is_of_ratios(); }
  [[nodiscard]] std::vector<wide> breaks() const override;
  [[nodiscard]] part_pointer over_sqrt2() const override;

 private:
  [[nodiscard]] static part_facts facts_of(const law_part& whole, const wide& low,
                                           const wide& high);

  part_pointer whole_;
  wide low_;
  wide high_;
};

}  // namespace ktln2
