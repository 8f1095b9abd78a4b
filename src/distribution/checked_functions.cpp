#include "distribution/checked_functions.hpp"

#include <stdexcept>

#include "core/constants.hpp"

namespace ktln2 {

checked_functions::checked_functions(const law_functions& given) : given_{given} {
  if (!given.pdf && !given.log_pdf) refuse("pdf or log_pdf must be given");
  require_finite(given.name, "location", given.location);
  require_positive(given.name, "scale", given.scale);
  if (!(given.relative_error >= 0 && given.relative_error < 1)) {
    refuse("relative_error must be from 0 to 1, got " + shown(given.relative_error));
  }
  for (std::size_t i = 0; i < given.breaks.size(); ++i) {
    require_finite(given.name, "breaks", given.breaks[i]);
    if (i > 0 && !(given.breaks[i - 1] < given.breaks[i])) refuse("breaks must ascend");
  }
}

void checked_functions::refuse(const std::string& what) const {
  throw std::domain_error(given_.name + ": " + what);
}

double checked_functions::pdf(double z) const {
  const double f = given_.pdf ? given_.pdf(z) : std::exp(given_.log_pdf(z));
  if (!(f >= 0 && f < infinity)) {
    refuse("the density must be finite and ≥ 0, got " + shown(f) + " at " + shown(z));
  }
  return f;
}

double checked_functions::cdf(double z) const {
  return given_.cdf ? probability("cdf", given_.cdf, z) : 1 - probability("ccdf", given_.ccdf, z);
}

double checked_functions::ccdf(double z) const {
  return given_.ccdf ? probability("ccdf", given_.ccdf, z) : 1 - probability("cdf", given_.cdf, z);
}

double checked_functions::probability(const char* which, const law_functions::function& f,
                                      double z) const {
  const double p = f(z);
  if (!(p >= 0 && p <= 1)) {
    refuse(std::string(which) + " must be from 0 to 1, got " + shown(p) + " at " + shown(z));
  }
  return p;
}

namespace {

/// The point where the distribution function reaches q, roughly.
double rough_quantile(const checked_functions& of, double q) {
  double low = -1;
  double high = 1;
  while (of.cdf(low) > q && low > -1e300) low *= 2;
  while (of.cdf(high) < q && high < 1e300) high *= 2;
  for (int i = 0; i < 2200; ++i) {
    const double middle = low / 2 + high / 2;
    if (!(low < middle && middle < high)) break;
    (of.cdf(middle) < q ? low : high) = middle;
  }
  return high;
}

/// Without a distribution function: the octave around one of the known points with the most mass.
frame rough_frame(const checked_functions& of, const law_functions& given) {
  std::vector<double> bases = given.breaks;
  bases.push_back(0);
  if (given.mode) bases.push_back(*given.mode);
  double most = 0;
  frame best{0, 1};
  for (const double base : bases) {
    for (int k = -1000; k < 1000; ++k) {
      const double t = std::scalbn(1.0, k);
      if (base + t == base) continue;
      const double mass = t * (of.pdf(base + t) + of.pdf(base - t));
      if (mass > most) {
        most = mass;
        best = {base, t};
      }
    }
  }
  return best;
}

/// A length that is a power of two, and a center that is a multiple of it: the user's 0 where that
/// is near enough.
frame rounded(frame found, const law_functions& given) {
  found.length = std::scalbn(1.0, std::ilogb(found.length));
  const double steps = std::round(found.center / found.length);
  found.center = given.is_symmetric || std::fabs(steps) <= 2 ? 0 : steps * found.length;
  return found;
}

}  // namespace

frame first_frame(const checked_functions& of, const law_functions& given) {
  if (!of.has_cdf()) return rounded(rough_frame(of, given), given);
  return frame_of_quartiles(of, given, rough_quantile(of, 0.25), rough_quantile(of, 0.5),
                            rough_quantile(of, 0.75));
}

frame frame_of_quartiles(const checked_functions& of, const law_functions& given, double low,
                         double median, double high) {
  if (!(low < high && high - low < infinity)) {
    of.refuse("the distribution function must rise from 0 to 1");
  }
  return rounded({median, (high - low) / 1.35}, given);  // of a normal law one deviation
}

}  // namespace ktln2
