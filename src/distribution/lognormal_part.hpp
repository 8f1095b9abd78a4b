#pragma once

#include <memory>
#include <vector>

#include "ktln2/distribution/law_part.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// X = median·e^(σZ), Z ~ N(0, 1).
class lognormal_part : public law_part {
 public:
  lognormal_part(const wide& median, double sigma);

  [[nodiscard]] cell_mass between(const wide& a, const wide& b) const override;
  [[nodiscard]] cell_mass cell(const wide& center, const wide& width) const override;
  [[nodiscard]] double log_pdf(const wide& x) const override;
  [[nodiscard]] double log_ratio(const wide& x, const wide& t) const override;
  [[nodiscard]] double log_slope(const wide& x, const wide& length) const override;
  [[nodiscard]] double roundings(const wide& x) const override;
  [[nodiscard]] wide length_at(const wide& x) const override;
  [[nodiscard]] bool is_of_ratios() const override { return true; }
  [[nodiscard]] std::vector<wide> breaks() const override { return {0.0}; }
  [[nodiscard]] part_pointer over_sqrt2() const override {
    return std::make_shared<const lognormal_part>(ktln2::over_sqrt2(median_), sigma_);
  }

 private:
  [[nodiscard]] static part_facts facts_of(const wide& median, double sigma);
  [[nodiscard]] double log_off(const wide& x) const { return log_quotient(x, median_); }

  /// A cell that is narrow against its place and against the law.
  [[nodiscard]] cell_mass narrow(const wide& center, const wide& width) const;

  wide median_;
  double sigma_;
  standard_normal kernel_;
};

/// e^x to about 2^-95, for |x| up to 1e9.
wide exp_of(double x);

}  // namespace ktln2
