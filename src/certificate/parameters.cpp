#include "certificate/parameters.hpp"

#include <cstdint>

namespace ktln2::certificate {
namespace {

/// [lem:compute_f_z]
parameters made_from(const slope_origin& from) {
  return {from.model.w,
          ball(from.model.sigma_xi) / (ball(from.model.sigma_x) * sqrt(ball(from.n)))};
}

/// (1 + d)^k - 1, also where d is tiny
ball power_excess(const ball& d, std::uint64_t k) {
  if (d < ball(-0.5)) return power(ball(1.0) + d, k) - ball(1.0);
  return expm1(ball::from_integer(k) * log1p(d));
}

/// The normal law with the exact moments, as `exact_moments` has them.
parameters with_moments(const sgd_origin& from, const ball& a, std::uint64_t k) {
  const ball start = ball(from.how.w0) - ball(from.model.w);
  const ball m = ball(1.0) - a;
  const ball spread = square(a).scaled(1) / ball(from.how.batch);  // q - m²
  const ball excess = spread - a * (ball(2.0) - a);                // q - 1
  const ball q_excess = power_excess(excess, k);
  const ball left = power_excess(-(spread / (ball(1.0) + excess)), k);  // (m²/q)^k - 1
  const ball step = ball(from.how.eta) * ball(from.model.sigma_x) * ball(from.model.sigma_xi);
  const ball sum = arb_is_zero(excess.raw()) != 0 ? ball::from_integer(k) : q_excess / excess;
  const ball variance =
      square(step) / ball(from.how.batch) * sum +
      (square(ball(from.how.w0_sigma)) - square(start) * left) * (ball(1.0) + q_excess);
  return {ball(from.model.w) + start * power(m, k), sqrt(variance)};
}

/// [sec:nonstationarysgd], [eq:SGD_final_dist]
parameters made_from(const sgd_origin& from) {
  const auto k = static_cast<std::uint64_t>(from.steps);
  const ball a = ball(from.how.eta) * square(ball(from.model.sigma_x));
  if (from.which == sgd_model::moments) return with_moments(from, a, k);
  const ball limit =
      ball(from.model.sigma_xi) * sqrt(ball(from.how.eta) / ball(from.how.batch).scaled(1));
  if (from.which == sgd_model::stationary) return {from.model.w, limit};
  const ball exponent = -(a * ball::from_integer(k));
  const ball start = ball(from.how.w0) - ball(from.model.w);
  const ball excess = expm1(exponent.scaled(1));
  const ball variance =
      square(ball(from.how.w0_sigma)) * (ball(1.0) + excess) - square(limit) * excess;
  return {ball(from.model.w) + start * exp(exponent), sqrt(variance)};
}

}  // namespace

parameters parameters_from(const law_origin& origin) {
  return std::visit([](const auto& from) { return made_from(from); }, origin);
}

}  // namespace ktln2::certificate
