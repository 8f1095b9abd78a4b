#pragma once

#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/custom_law.hpp"
#include "ktln2/distribution/far_tail.hpp"
#include "ktln2/distribution/law_part.hpp"

namespace ktln2 {

/// A law that is a shape with a place and a size, as a part.
template <class Kernel>
class scaled_part : public law_part {
 public:
  explicit scaled_part(location_scale<Kernel> x) : law_part{facts_of(x)}, law_{std::move(x)} {}

  [[nodiscard]] cell_mass between(const wide& a, const wide& b) const override {
    const Kernel& kernel = law_.kernel();
    if (a.is_infinite() && b.is_infinite()) return {1, 0};
    if constexpr (heavy_tailed<Kernel>) {
      const wide left = law_.wide_standard(a);
      const wide right = law_.wide_standard(b);
      if (is_far(left) || is_far(right)) return far_between(kernel, left, right);
    }
    if (a.is_infinite()) return kernel.lower(standard(b));
    if (b.is_infinite()) return kernel.upper(standard(a));
    const double left = standard(a);
    const double right = standard(b);
    const double length = law_.standard_length(b - a);
    const double farthest = std::fmax(std::fabs(left), std::fabs(right));
    if (length <= farthest / 16) return cell(midpoint(a, b), b - a);
    if (left == right) return {0, -infinity};  // both beyond double's range
    return kernel.between(left, right);
  }

  [[nodiscard]] cell_mass cell(const wide& center, const wide& width) const override {
    if constexpr (heavy_tailed<Kernel>) {
      const wide z = law_.wide_standard(center);
      if (is_far(z)) {
        const int k = z.exponent() - home_exponent;
        const wide h = law_.wide_standard(center + width) - z;
        return tail_weight::of(law_.kernel(), k)(
            law_.kernel().cell(z.scaled(-k).to_double(), h.scaled(-k).to_double()));
      }
    }
    const double z = standard(center);
    const double h = law_.standard_length(width);
    // So far out, or so narrow, that there is nothing a double can tell.
    if (std::fabs(z) >= 0x1p990 || h == 0) return {0, -infinity};
    if (h <= std::fmax(law_.kernel().core(), std::fabs(z) / 16)) return law_.kernel().cell(z, h);
    // Wide, and perhaps with an edge near the law's center that z and h would misplace.
    const wide half = width.scaled(-1);
    const double left = standard(center - half);
    const double right = standard(center + half);
    return left < right ? law_.kernel().between(left, right) : cell_mass{0, -infinity};
  }

  [[nodiscard]] double log_pdf(const wide& x) const override {
    return law_.kernel().log_pdf(standard(x)) - std::log(law_.scale());
  }
  [[nodiscard]] double log_ratio(const wide& x, const wide& t) const override {
    return law_.kernel().log_ratio(standard(x), law_.standard_length(t));
  }
  [[nodiscard]] double log_slope(const wide& x, const wide& length) const override {
    return law_.kernel().log_slope(standard(x)) * law_.standard_length(length);
  }
  [[nodiscard]] double roundings(const wide& x) const override {
    return 16 + 8 * law_.kernel().condition(standard(x));
  }
  [[nodiscard]] wide length_at(const wide& x) const override {
    if constexpr (requires { law_.kernel().resolution(0.0, 0.0); }) {
      const double z = standard(x);
      const double length = std::fmin(law_.kernel().resolution(z, z), 0x1p900);
      return std::min(wide(law_.scale()) * wide(length), law_part::length_at(x));
    } else {
      return law_part::length_at(x);
    }
  }
  [[nodiscard]] std::vector<wide> breaks() const override {
    std::vector<wide> list;
    for (const double z : law_.kernel().breaks()) list.push_back(law_.from_standard(z));
    return list;
  }
  [[nodiscard]] part_pointer over_sqrt2() const override {
    return std::make_shared<const scaled_part>(law_.over_sqrt2());
  }

 private:
  static bool is_far(const wide& z) { return !z.is_infinite() && z.exponent() >= near_exponent; }

  static part_facts facts_of(const location_scale<Kernel>& x) {
    const Kernel& kernel = x.kernel();
    const wide location = x.from_standard(0);
    return {.center = location,
            .core = x.from_standard(kernel.core()) - location,
            .mode = x.from_standard(kernel.mode()),
            .is_rough = kernel.has_jumps(),
            .misplaced = table_error(kernel) + x.rounding_error(),
            .lacks_mean = std::isnan(kernel.mean()),
            .mean = x.location() + x.scale() * kernel.mean(),
            .deviation = x.scale() * kernel.deviation(),
            .entropy = kernel.entropy() + std::log(x.scale())};
  }

  [[nodiscard]] double standard(const wide& x) const {
    constexpr double largest = std::numeric_limits<double>::max();
    const double z = law_.standard(x);
    return x.is_infinite() ? z : std::clamp(z, -largest, largest);
  }

  location_scale<Kernel> law_;
};

}  // namespace ktln2
