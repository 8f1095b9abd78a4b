#include "ktln2/distribution/sgd_exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "distribution/sgd_evolution.hpp"
#include "distribution/sgd_transition.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

struct sgd_exact::parts {
  wide location;
  wide scale;
  tabulated_values values;
  sgd_accuracy accuracy;
  double tail_index;
  bool is_final = false;  ///< finer panels have not made it better

  /// Could another table, on finer panels, be better?
  [[nodiscard]] bool may_gain() const;
};

namespace {

constexpr double largest_batch = 1e6;
/// In units of σ_ξ/σ_x; from there on the mesh would have to be fine at w and reach very far.
constexpr double widest_start = 1e4;
/// A start narrower than this share of the length on which a step shows it is a point.
constexpr double point_like = 1e-12;
/// The variance of a truncated Pareto tail, and waves across its long panels, say something about
/// the density from this κ on.
constexpr double tail_with_checks = 6;
/// A table as good as this is good enough, a worse one than that is not worth having.
constexpr double good_error = 1e-9;
constexpr double worst_error = 1e-2;
/// Entries of the operators of a first table, some ten seconds; and of a finer one, which is good
/// to have, but not at any price.
constexpr double most_work = 7e7;
constexpr double most_finer_work = 2.5e7;

/// The problem in units in which σ_x = σ_ξ = 1: only two combinations of its parameters matter.
struct reduced {
  reduced(const linear_model& model, const descent& how)
      : rate{how.eta * model.sigma_x * model.sigma_x},
        unit{model.sigma_xi / model.sigma_x},
        start{(how.w0 - model.w) / unit, how.w0_sigma / unit},
        narrowness{start.deviation / sgd_transition{rate, how.batch}.singular_length(start.mean)} {
    require_finite("sgd", "(w0 - w) sigma_x/sigma_xi", start.mean);
    if (!(start.deviation <= widest_start)) {
      throw std::domain_error("sgd: the exact law takes w0_sigma sigma_x/sigma_xi of at most " +
                              shown(widest_start) + ", got " + shown(start.deviation));
    }
    if (narrowness < point_like) start.deviation = 0;
  }
  double rate;
  double unit;
  sgd_start start;
  double narrowness;  ///< of the start, against what the law after a step shows of it

  /// In total variation, at most: moving a density with a logarithmic peak by s changes it by about
  /// (s/length) ln(length/s), and ln(1/point_like) < 28.
  [[nodiscard]] double error_of_point() const {
    return start.deviation == 0 ? 100 * narrowness : 0;
  }
};

/// ½ ∫ |f - g| of a law on two meshes.
double difference(const standard_tabulated& f, const standard_tabulated& g,
                  const std::vector<double>& edges) {
  const auto& rule = gauss_legendre<16>();
  double sum = 0;
  for (std::size_t p = 0; p + 1 < edges.size(); ++p) {
    const double half = (edges[p + 1] - edges[p]) / 2;
    for (std::size_t j = 0; j < 16; ++j) {
      const double z = edges[p] + half * (1 + rule.node[j]);
      sum += half * rule.weight[j] * std::fabs(std::exp(f.log_pdf(z)) - std::exp(g.log_pdf(z)));
    }
  }
  return sum;
}

}  // namespace

bool sgd_exact::parts::may_gain() const {
  return !(is_final || values.error < good_error || std::isnan(accuracy.step_error));
}

/// Tables of the laws after some numbers of steps, which ascend.
struct sgd_exact::tables {
  const linear_model& model;
  const descent& how;
  const std::vector<double>& steps;

  [[nodiscard]] std::vector<parts> best() const;

 private:
  [[nodiscard]] bool takes_more(const std::vector<double>& after, double panels, double work) const;
  [[nodiscard]] parts tabulate(const sgd_evolution& made, double after) const;
  [[nodiscard]] std::vector<parts> tabulate(const std::vector<double>& after, double panels) const;

  template <class Wanted, class Use>
  void again(std::vector<parts>& all, double panels, Wanted wanted, Use use) const;
};

bool sgd_exact::tables::takes_more(const std::vector<double>& after, double panels,
                                   double work) const {
  const reduced standard{model, how};
  return sgd_evolution_work(standard.rate, how.batch, after, standard.start, {panels}, work) > work;
}

/// One table, with an error estimated from what is known in closed form: the mass, the variance and
/// the characteristic function of a step. An error of one step is felt until the law forgets it,
/// about 1/a steps later.
sgd_exact::parts sgd_exact::tables::tabulate(const sgd_evolution& made, double after) const {
  const reduced standard{model, how};
  const sgd_moments moments = exact_moments(model, how, after);
  // Around its start while the law is singular there, around its mean later.
  const bool at_start = made.singular && std::fabs(made.center) < 2 * made.scale;
  const double center = at_start ? 0 : made.center;
  // The origin is a distance from w, and another one from w0: the shorter has more digits.
  const double from_start = made.law.origin - standard.start.mean;
  const bool near_start = std::fabs(from_start) < std::fabs(made.law.origin);
  const wide base{near_start ? how.w0 : model.w};
  const wide origin{near_start ? from_start : made.law.origin};
  const wide unit = wide(model.sigma_xi) / wide(model.sigma_x);
  const wide location = base + (origin + wide(center)) * unit;
  const wide scale = wide(made.scale) * unit;
  require_positive("sgd", "scale", scale.to_double());
  const auto standard_place = [&](double x) { return (x - center) / made.scale; };

  tabulated_values values;
  for (const double edge : made.law.edges) values.edges.push_back(standard_place(edge));
  for (const double f : made.law.density) values.density.push_back(f * made.scale);
  if (made.singular) values.breaks.push_back(standard_place(0));
  values.has_jumps = how.batch * after == 1 && standard.start.deviation == 0;  // a logarithmic peak
  values.core = at_start ? std::min(1.0, made.singular_length / made.scale) : 1;
  values.mean = standard_place(made.center);
  values.deviation = ratio(moments.deviation, scale);

  sgd_accuracy accuracy{made.mass_defect, made.variance_error, made.step_error};
  const double memory = std::min(after, 1 / standard.rate) + 1;
  // Where the law stands follows from a start that was rounded, as was each step's move.
  const double moved = 0x1p-51 * std::fabs(made.center) / made.scale;
  values.error =
      0x1p-53 * 16 * std::sqrt(memory) + made.mass_defect + moved + standard.error_of_point();
  const bool is_early = after <= 2 && standard.start.deviation == 0;  // by closed forms alone
  if (made.tail_index >= tail_with_checks || is_early) {
    values.error += std::fabs(accuracy.variance_error) + accuracy.step_error * memory;
  } else {
    accuracy.variance_error = std::numeric_limits<double>::quiet_NaN();
    accuracy.step_error = std::numeric_limits<double>::quiet_NaN();
  }
  return {location, scale, values, accuracy, made.tail_index};
}

std::vector<sgd_exact::parts> sgd_exact::tables::tabulate(const std::vector<double>& after,
                                                          double panels) const {
  const reduced standard{model, how};
  const std::vector<sgd_evolution> made =
      evolve_sgd(standard.rate, how.batch, after, standard.start, {panels});
  std::vector<parts> all;
  all.reserve(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) all.push_back(tabulate(made[i], after[i]));
  return all;
}

/// Once more, on other panels, those that need it.
template <class Wanted, class Use>
void sgd_exact::tables::again(std::vector<parts>& all, double panels, Wanted wanted,
                              Use use) const {
  std::vector<double> after;
  std::vector<parts*> first;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!wanted(all[i])) continue;
    after.push_back(steps[i]);
    first.push_back(&all[i]);
  }
  if (after.empty()) return;
  const bool is_needed = std::any_of(first.begin(), first.end(), [](const parts* one) {
    return !(one->values.error < worst_error);
  });
  if (panels > 1 && takes_more(after, panels, is_needed ? most_work : most_finer_work)) return;
  const std::vector<parts> second = tabulate(after, panels);
  for (std::size_t i = 0; i < second.size(); ++i) use(*first[i], second[i]);
}

std::vector<sgd_exact::parts> sgd_exact::tables::best() const {
  if (takes_more(steps, 1, most_work)) {
    throw std::domain_error("sgd: the exact law is not within reach after " + shown(steps.back()) +
                            " steps so short on so long a way; law=moments is near it");
  }
  std::vector<parts> all = tabulate(steps, 1);
  // Where nothing else says how good a table is another one does: a coarser, and if that is not
  // enough a finer one.
  const auto error_between = [](const parts& fine, const parts& coarse) {
    return difference(standard_tabulated{fine.values}, standard_tabulated{coarse.values},
                      fine.values.edges);
  };
  const auto is_unchecked = [](const parts& one) { return std::isnan(one.accuracy.step_error); };
  again(all, 0.8, is_unchecked, [&](parts& fine, const parts& coarse) {
    fine.values.error += error_between(fine, coarse);
  });
  again(
      all, 1.4,
      [&](const parts& one) { return is_unchecked(one) && one.values.error > good_error; },
      [&](parts& coarse, parts fine) {
        fine.values.error += error_between(fine, coarse);
        coarse = std::move(fine);
      });
  for (const double panels : {1.5, 2.0}) {
    again(
        all, panels, [](const parts& one) { return one.may_gain(); },
        [](parts& coarse, const parts& finer) {
          const double before = coarse.values.error;
          if (finer.values.error < before) coarse = finer;
          coarse.is_final = finer.values.error > before / 2;
        });
  }
  for (const parts& one : all) {
    if (one.values.error < worst_error) continue;  // NaN is as bad as 1
    throw std::domain_error("sgd: the exact law is not within reach here (its error would be " +
                            shown(std::fmin(1, one.values.error)) +
                            "); law=moments is near it where eta is small");
  }
  return all;
}

std::vector<sgd_exact> sgd_exact_laws(const linear_model& model, const descent& how,
                                      const std::vector<double>& steps) {
  for (const double after : steps) require_valid(model, how, after);
  if (how.batch > largest_batch) {
    throw std::domain_error("sgd: the exact law takes batches of at most " + shown(largest_batch) +
                            ", got " + shown(how.batch));
  }
  if (steps.empty()) return {};
  std::vector<double> ascending = steps;
  std::sort(ascending.begin(), ascending.end());
  ascending.erase(std::unique(ascending.begin(), ascending.end()), ascending.end());
  const std::vector<sgd_exact::parts> made = sgd_exact::tables{model, how, ascending}.best();
  std::vector<sgd_exact> laws;
  laws.reserve(steps.size());
  for (const double after : steps) {
    const auto place = std::lower_bound(ascending.begin(), ascending.end(), after);
    laws.push_back(sgd_exact{made[static_cast<std::size_t>(place - ascending.begin())]});
  }
  return laws;
}

sgd_exact::sgd_exact(const parts& made)
    : location_scale{made.location, made.scale, standard_tabulated{made.values}},
      accuracy_{made.accuracy},
      tail_index_{made.tail_index} {}

sgd_exact::sgd_exact(const linear_model& model, const descent& how, double steps)
    : sgd_exact(sgd_exact_laws(model, how, {steps}).front()) {}

double total_variation(const sgd_exact& exact, const normal& other) {
  // Between the points where the densities cross, |f - g| integrates to |F - G|.
  const auto difference = [&](double x) { return log_pdf(exact, x) - log_pdf(other, x); };
  const auto gap = [&](double x) {
    const double upper = ccdf(exact, x) - ccdf(other, x);
    const double lower = cdf(other, x) - cdf(exact, x);
    return x > other.location() ? upper : lower;
  };
  std::vector<double> points;
  for (const auto& [center, width] :
       {std::pair{exact.location(), exact.scale()}, std::pair{other.location(), other.scale()}}) {
    for (int k = -480; k <= 480; ++k) points.push_back(center + width * k / 40);
  }
  std::sort(points.begin(), points.end());
  double sum = 0;
  double last_gap = 0;  // F - G at the last crossing
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    double low = points[i];
    double high = points[i + 1];
    const bool sign = difference(low) > 0;
    if (low == high || sign == (difference(high) > 0)) continue;
    for (int step = 0; step < 60; ++step) {
      const double middle = low + (high - low) / 2;
      ((difference(middle) > 0) == sign ? low : high) = middle;
    }
    const double here = gap(low);
    sum += std::fabs(here - last_gap);
    last_gap = here;
  }
  return (sum + std::fabs(last_gap)) / 2;
}

sgd_ou_gap compare_with_ou(const linear_model& model, const descent& how, double steps) {
  return compare_with_ou(sgd_exact{model, how, steps}, model, how, steps);
}

sgd_ou_gap compare_with_ou(const sgd_exact& exact, const linear_model& model, const descent& how,
                           double steps) {
  const normal process = sgd_ou_law(model, how, steps);
  const sgd_moments moments = exact_moments(model, how, steps);
  const differential_bits h = differential_entropy(exact);
  return {moments.deviation / process.scale(),
          (moments.mean - process.location()) / moments.deviation, total_variation(exact, process),
          h - differential_entropy(process),
          differential_entropy(sgd_moments_law(model, how, steps)) - h};
}

}  // namespace ktln2
