#pragma once

#include <memory>
#include <vector>

#include "ktln2/distribution/law_part.hpp"

namespace ktln2 {

/// f(x) = y^(k-1) e^-y / (Γ(k) θ),  y = x/θ, for a shape k > 0 and a scale θ > 0.
///
/// P of a narrow cell is an integral of f, and so is that of a wide one, cut into narrow ones from
/// the peak outward: all terms are positive, so nothing cancels, and as f is known by its distance
/// from the peak, nothing is lost where k is large. Next to 0 and far out, if k is small, P is a
/// series.
class gamma_part : public law_part {
 public:
  gamma_part(double shape, const wide& scale);

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
    return std::make_shared<const gamma_part>(shape_, ktln2::over_sqrt2(scale_));
  }

 private:
  [[nodiscard]] static part_facts facts_of(double shape, const wide& scale);
  [[nodiscard]] bool is_peaked() const;
  /// Is ln f taken from the distance to kθ, or as it is written?
  [[nodiscard]] bool is_known_from_peak() const { return shape_ >= 1; }
  /// ln f(x(1 + r)) - ln f(x)
  [[nodiscard]] double change(const wide& x, double r) const;
  /// ln(x f(x))
  [[nodiscard]] double log_mass(const wide& x) const;
  /// From the near one of two points outward to the far one, on one side of the peak.
  [[nodiscard]] cell_mass one_side(const wide& near, const wide& far) const;
  /// How far from x, toward `to`, one rule of quadrature goes.
  [[nodiscard]] wide next_point(const wide& x, const wide& to) const;
  [[nodiscard]] cell_mass below(const wide& b) const;
  [[nodiscard]] cell_mass above(const wide& a) const;
  [[nodiscard]] double log_series(double y) const;
  [[nodiscard]] cell_mass power_law(const wide& a, const wide& b) const;

  double shape_;
  wide scale_;
  wide peak_;        ///< kθ, where x f(x) is largest
  wide first_;       ///< up to here the series in y is enough
  wide last_;        ///< from here on the one in 1/y is
  double constant_;  ///< ln(x f(x)) at the peak, or -ln Γ(k)
};

/// lnΓ(k) less its leading terms (k - ½) ln k - k + ½ ln 2π.
double stirling_rest(double k);
/// h of the gamma law with scale 1, in nats.
double gamma_entropy(double k);

}  // namespace ktln2
