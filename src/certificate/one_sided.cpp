#include "certificate/one_sided.hpp"

#include <cmath>

namespace ktln2::certificate {

std::optional<stretch> part_above_zero(const stretch& cells) {
  if (cells.right && *cells.right <= ball(0.0)) return {};
  if (cells.left && ball(0.0) <= *cells.left) return cells;
  return stretch{cells.left ? max(*cells.left, 0.0) : ball(0.0), cells.right, {}};
}

namespace {

ball square_root_of_squares(const ball& a, const ball& b) { return sqrt(square(a) + square(b)); }

/// Not below |arg z| for Re z ≥ real > 0, |Im z| ≤ height.
ball largest_turn(const ball& real, const ball& height) {
  ball result;
  const ball slope = (height / real).upper();
  arb_atan(result.raw(), slope.raw(), ball::precision());
  return result;
}

}  // namespace

// Lognormal

lognormal_on_line::lognormal_on_line(double sigma)
    : sigma_{sigma}, log_constant_{-(log(sigma_) + log(pi().scaled(1)).scaled(-1))} {}

stretch lognormal_on_line::normal_units(const stretch& above) const {
  stretch made;
  // ln 0 is no number. What may be 0 is taken for it: that makes no bound too small.
  if (ball(0.0) < *above.left) made.left = log(*above.left) / sigma_;
  if (above.right) made.right = log(*above.right) / sigma_;
  return made;
}

ball lognormal_on_line::mass_bound(const stretch& cells) const {
  const auto above = part_above_zero(cells);
  return above ? normal_.mass_bound(normal_units(*above)) : ball(0.0);
}

ball lognormal_on_line::wide(const stretch& cell) const {
  const auto above = part_above_zero(cell);
  if (!above) return 0.0;
  ball mass = normal_.wide(normal_units(*above));
  const bool is_certain = ball(0.0) < *above->left || arb_is_zero(above->left->raw()) != 0;
  if (is_certain) return mass;
  return hull(normal_.wide(normal_units({above->left->upper(), above->right, {}})), mass);
}

std::optional<log_mass> lognormal_on_line::narrow(const ball& center, const ball& width,
                                                  const ball& /*log_width*/) const {
  const ball half = width.scaled(-1);
  if (!(half < center)) return {};
  // ln(z ± h/2) = ln z + ln(1 ± h/2z)
  const ball up = log1p(half / center);
  const ball down = log1p(-(half / center));
  const ball middle = (log(center) + (up + down).scaled(-1)) / sigma_;
  const ball length = (up - down) / sigma_;
  return normal_.narrow(middle, length, log(length));
}

log_range lognormal_on_line::log_density_in(const region& where) const {
  // ln f = -ln z - (ln z)²/(2σ²) + constant, with ln z = r + iθ
  const ball r =
      hull(log(where.nearest), log(square_root_of_squares(where.farthest, where.height)));
  const ball turn = largest_turn(where.nearest, where.height);
  const ball twice = square(sigma_).scaled(1);
  const ball largest = square(abs(r).upper());
  // Of r² the least is 0 where the region holds |z| = 1.
  const ball least = square(max(abs(r).lower(), 0.0));
  return {-r.upper() - largest / twice + log_constant_,
          -r.lower() + (square(turn) - least) / twice + log_constant_,
          turn * (ball(1.0) + abs(r).upper().scaled(1) / twice)};
}

ball lognormal_on_line::steepest(const region& where) const {
  // |1 + ln z/σ²|/|z|
  const ball r =
      max(abs(log(where.nearest)), abs(log(square_root_of_squares(where.farthest, where.height))));
  const ball logarithm = r + largest_turn(where.nearest, where.height);
  return (ball(1.0) + logarithm / square(sigma_)) / where.nearest;
}

// Gamma

gamma_on_line::gamma_on_line(double shape) : shape_{shape}, less_{shape_ - ball(1.0)} {
  const working_precision guard{ball::precision() + 64};
  arb_lgamma(log_gamma_.raw(), shape_.raw(), ball::precision());
}

ball gamma_on_line::rate(const ball& z) const {
  return (abs(less_ - z) + sqrt(abs(less_)) + ball(1.0)) / z;
}

std::optional<ball> gamma_on_line::bound_above(const ball& z) const {
  // (ln f)' = (k-1)/t - 1 beyond z is at most what it is there, or -1.
  if (!(ball(0.0) < z)) return {};
  if (less_ <= ball(0.0)) return exp(log_density(z));
  if (!(less_ < z)) return {};
  return exp(log_density(z)) * z / (z - less_);
}

ball gamma_on_line::bound_below(const ball& z) const {
  // e^-t ≤ 1: z^k/Γ(k+1); and where f rises, (ln f)' is at least what it is at z.
  ball power = exp(shape_ * log(z) - log_gamma_) / shape_;
  if (!(z < less_)) return power;
  return min(power.upper(), (exp(log_density(z)) * z / (less_ - z)).upper());
}

std::optional<ball> gamma_on_line::flat_bound(const stretch& above) const {
  if (!above.right) return {};
  const ball length = *above.right - *above.left;
  if (*above.right <= less_) return length * exp(log_density(*above.right));
  if (ball(0.0) < *above.left && less_ <= *above.left)
    return length * exp(log_density(*above.left));
  if (ball(0.0) < less_) return length * exp(log_density(less_));
  return {};
}

ball gamma_on_line::mass_bound(const stretch& cells) const {
  const auto above = part_above_zero(cells);
  if (!above) return 0.0;
  ball least = 1.0;
  const auto see = [&least](const ball& bound) {
    if (bound.is_finite()) least = min(least, bound.upper());
  };
  if (const auto flat = flat_bound(*above)) see(*flat);
  if (const auto tail = bound_above(*above->left)) see(*tail);
  if (above->right) see(bound_below(*above->right));
  return least;
}

std::optional<log_mass> gamma_on_line::narrow(const ball& center, const ball& width,
                                              const ball& log_width) const {
  if (!(ball(0.0) < center)) return {};
  const auto series = length_of_series([&] { return width * rate(center); });
  if (!series) return {};
  // (z + t) y' = (k - 1 - z - t) y
  const ball half = width.scaled(-1);
  const ball first = half / center;
  const ball second = -(square(half) / center);
  const ball from_mode = less_ - center;
  const ball ratio = mean_of_series(
                         series->terms, [&](int k) { return first * (from_mode - ball(k)); },
                         [&second](int) -> const ball& { return second; })
                         .widened(series->remainder);
  const ball log_flat = log_density(center) + log_width;
  return log_mass{exp(log_flat) * ratio, log_flat + log(ratio)};
}

ball gamma_on_line::below(const ball& z) const {
  ball result;
  if (arb_is_zero(z.raw()) != 0) return result;
  arb_hypgeom_gamma_lower(result.raw(), shape_.raw(), z.raw(), 1, ball::precision());
  return result;
}

ball gamma_on_line::above(const ball& z) const {
  ball result;
  arb_hypgeom_gamma_upper(result.raw(), shape_.raw(), z.raw(), 1, ball::precision());
  return result;
}

ball gamma_on_line::outward(const ball& from, const std::optional<ball>& to, direction way) const {
  const bool is_up = way == direction::up;
  ball sum;
  for (ball at = from;;) {
    const std::optional<ball> rest = is_up ? bound_above(at) : bound_below(at);
    if (rest && *rest < sum.scaled(-ball::precision())) return sum + hull(0.0, rest->upper());
    ball step = (ball(0.125) / rate(at)).lower();
    bool is_last = false;
    if (to) {
      const ball distance = is_up ? *to - at : at - *to;
      is_last = !(step < distance);
      if (is_last) step = distance;
    }
    if (!(ball(0.0) < step)) {  // hardly anything: f is largest at the mode
      return sum + hull(0.0, max(step.upper(), 0.0) * exp(log_density(less_)));
    }
    const ball half = step.scaled(-1);
    const auto mass = narrow(is_up ? at + half : at - half, step, log(step));
    if (!mass) return hull(0.0, 1.0);  // so many bits were lost that it may not be narrow
    sum += mass->probability;
    if (is_last) return sum;
    at = is_up ? at + step : at - step;
  }
}

ball gamma_on_line::wide_by_parts(const stretch& above) const {
  std::optional<ball> left = above.left;
  if (arb_is_zero(left->raw()) != 0) left.reset();
  if (above.right && *above.right <= less_) return outward(*above.right, left, direction::down);
  if (left && less_ <= *left) return outward(*left, above.right, direction::up);
  return outward(less_, left, direction::down) + outward(less_, above.right, direction::up);
}

ball gamma_on_line::wide(const stretch& cell) const {
  const auto part = part_above_zero(cell);
  if (!part) return 0.0;
  // Arb's functions are for shapes that are not large.
  if (ball(256.0) < shape_) return wide_by_parts(*part);
  // On the side where the tails are small.
  const bool is_far = shape_ < *part->left;
  if (is_far) return part->right ? above(*part->left) - above(*part->right) : above(*part->left);
  if (part->right && *part->right < shape_) {
    return below(*part->right) - below(*part->left);
  }
  ball outside = below(*part->left);
  if (part->right) outside += above(*part->right);
  return ball(1.0) - outside;
}

log_range gamma_on_line::log_density_in(const region& where) const {
  // ln f = (k-1) ln z - z - ln Γ(k)
  const ball r =
      hull(log(where.nearest), log(square_root_of_squares(where.farthest, where.height)));
  const ball powers = less_ * r;
  return {powers.lower() - where.farthest - log_gamma_, powers.upper() - where.nearest - log_gamma_,
          abs(less_) * largest_turn(where.nearest, where.height) + where.height};
}

// Triangular

triangle_on_line::triangle_on_line(double low, double mode, double high)
    : rise_{ball(mode) - ball(low)},
      fall_{ball(high) - ball(mode)},
      length_{ball(high) - ball(low)} {}

ball triangle_on_line::mass_bound(const stretch& cells) const {
  ball most = wide(cells).upper();
  if (!cells.left || !cells.right) return most;
  // f is at most 2/length; that counts where edges are so close that their places do not tell.
  return min(most, ((*cells.right - *cells.left).scaled(1) / length_).upper());
}

ball triangle_on_line::wide(const stretch& cell) const {
  const auto above = part_above_zero(cell);
  if (!above) return 0.0;
  ball sum;
  // (q - p)(q + p)/(length · side), p and q the distances from the foot
  const auto add = [&](const ball& p, const ball& q, const ball& side) {
    if (p < q) sum += (q - p) * (q + p) / (length_ * side);
    if (!(p < q) && !(q <= p)) sum += hull(0.0, (q - p).upper() * (q + p) / (length_ * side));
  };
  const ball right = above->right ? min(*above->right, length_) : length_;
  if (ball(0.0) < rise_) add(min(*above->left, rise_), min(right, rise_), rise_);
  if (ball(0.0) < fall_) {
    add(length_ - right, min(length_ - *above->left, fall_), fall_);
  }
  return sum;
}

std::optional<log_mass> triangle_on_line::narrow(const ball& center, const ball& width,
                                                 const ball& /*log_width*/) const {
  const ball half = width.scaled(-1);
  ball mass;
  if (half <= center && center + half <= rise_) {
    mass = width * density(center, rise_);
  } else if (rise_ <= center - half && center + half <= length_) {
    mass = width * density(length_ - center, fall_);
  } else {
    return {};
  }
  return log_mass{mass, log(mass)};
}

log_range triangle_on_line::log_density_in(const region& where) const {
  const bool rises = is_rising(where);
  const ball& side = rises ? rise_ : fall_;
  const ball least = rises ? where.nearest : length_ - where.farthest;
  const ball most = rises ? where.farthest : length_ - where.nearest;
  return {log(density(least, side)), log(density(square_root_of_squares(most, where.height), side)),
          largest_turn(least, where.height)};
}

}  // namespace ktln2::certificate
