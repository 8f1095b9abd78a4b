#include "ktln2/cost/pricing.hpp"

#include <cmath>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {
namespace {

constexpr const char* smooth = "smooth entropies";

bounded<bits> closed_form(bits value, closed_form_rounding rounding) {
  return {value, bits{rounding.units * 0x1p-53 * (std::fabs(value.value()) + 1)},
          evidence::estimated};
}

/// Of the approximations that stand for registers, which always exist.
judged_entropy judged(const approximation& one) {
  return {{*one.value, one.at_most, evidence::estimated}, one.applies()};
}

}  // namespace

bounded<bits> entropy_of(const storage& where, const law& x, entropy_kind kind,
                         closed_form_rounding rounding) {
  if (kind == entropy_kind::exact) return exact_entropy(where, x);
  const float_format& format = where.ideal(smooth);
  const std::optional<bits> offset = smooth_entropy_offset(format.p(), x);
  return closed_form(offset ? *offset : smooth_entropy(format.p(), x), rounding);
}

bounded<bits> entropy_of(const storage_pair& where, const regression_pair& pair, entropy_kind kind,
                         closed_form_rounding rounding, const stop_token& stop) {
  if (kind == entropy_kind::exact) {
    return joint_entropy(where, pair, default_joint_tolerance, stop).joint;
  }
  const format_pair formats = where.ideal(smooth);
  return closed_form(smooth_joint_entropy(formats.x.p(), formats.y.p(), pair), rounding);
}

judged_entropy judged_entropy_of(const storage& where, const law& x, entropy_kind kind) {
  if (kind == entropy_kind::exact) return {exact_entropy(where, x)};
  return judged(smooth_approximation(where.ideal(smooth), x));
}

judged_entropy judged_entropy_of(const storage_pair& where, const regression_pair& pair,
                                 entropy_kind kind, const stop_token& stop) {
  if (kind == entropy_kind::exact) return {entropy_of(where, pair, kind, {}, stop)};
  return judged(smooth_approximation(where.ideal(smooth), pair));
}

}  // namespace ktln2
