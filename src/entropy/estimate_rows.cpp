#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "core/constants.hpp"
#include "core/triangular.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/coefficient_entropy.hpp"

namespace ktln2 {
namespace {

/// The second of two coefficients given the first, z from its truth: location + scale times a
/// standard t with so many degrees of freedom, or, for an intercept, a normal variable.
class second_given_first {
 public:
  explicit second_given_first(const coefficients& estimate)
      : has_intercept_{estimate.task().intercept}, nu_{*estimate.dof()}, inner_{nu_ + 1} {
    const row_model& model = estimate.task().model;
    const double noise = model.sigma_xi;
    truth_ = estimate.truth(1);
    find_end();
    outer_scale_ = estimate.spread(0) / std::sqrt(nu_);
    if (has_intercept_) {
      slope_ = -model.mu[0];
      scale_ = noise / std::sqrt(estimate.task().n);
      precision_ = 1 / (outer_scale_ * outer_scale_) + slope_ * slope_ / (scale_ * scale_);
      return;
    }
    // S = σ²Σ⁻¹/ν, of which S₁₂/S₁₁ = -Σ₁₂/Σ₂₂, S₂₂·₁ = σ²/(νΣ₂₂) and (S⁻¹)₁₁ = νΣ₁₁/σ².
    const square_matrix& covariance = model.covariance;
    slope_ = -covariance(0, 1) / covariance(1, 1);
    scale_ = noise / std::sqrt(nu_ * covariance(1, 1));
    precision_ = nu_ * covariance(0, 0) / (noise * noise);
  }

  /// By how much the scales of all grow away from the center.
  [[nodiscard]] double growth(double z) const {
    const double t = z / outer_scale_;
    return std::sqrt((nu_ + t * t) / (nu_ + 1));
  }
  /// Is there so little left of the first one, given the second, that steps would be many?
  [[nodiscard]] bool is_narrow() const { return !(outer_scale_ * std::sqrt(precision_) < 1e3); }
  /// Over which the joint density varies, along the first coefficient.
  [[nodiscard]] double length(double z) const { return growth(z) / std::sqrt(precision_); }

  [[nodiscard]] double center(double z) const { return truth_ + slope_ * z; }
  /// Below it the second one has less than 1e-20 of its mass.
  [[nodiscard]] double lowest(double z) const { return center(z) - end_ * scale(z); }

  struct tails {
    double below;
    double above;
  };
  /// Of the second one at y, given z.
  [[nodiscard]] tails at(double y, double z) const {
    // σ² + zᵀΣz = σ²(ν + t²)/ν
    const double scale = scale_ * growth(z) * (has_intercept_ ? std::sqrt((nu_ + 1) / nu_) : 1.0);
    const double u = (y - truth_ - slope_ * z) / scale;
    if (!has_intercept_) return {inner_.lower(u).probability, inner_.upper(u).probability};
    return {normal_.lower(u).probability, normal_.upper(u).probability};
  }

 private:
  [[nodiscard]] double scale(double z) const {
    // σ² + zᵀΣz = σ²(ν + t²)/ν
    return scale_ * growth(z) * (has_intercept_ ? std::sqrt((nu_ + 1) / nu_) : 1.0);
  }
  void find_end() {
    end_ = 9.5;
    if (has_intercept_) return;
    while (inner_.upper(end_).probability > 1e-20) end_ *= 2;
  }

  bool has_intercept_;
  double nu_;
  standard_student_t inner_;
  standard_normal normal_;
  double end_ = 0;
  double truth_ = 0;
  double outer_scale_ = 0;
  double slope_ = 0;
  double scale_ = 0;
  double precision_ = 0;
};

struct cell_edges {
  std::vector<double> inner;  ///< finite ones, ascending
  explicit cell_edges(const partition& cells) {
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      for (const cell_run& run : cells.block(block)) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
          if (!run.edge(k).is_infinite()) inner.push_back(run.edge(k).to_double());
        }
      }
    }
  }
};

void require_two(const coefficients& estimate) {
  if (estimate.kind() == estimate_kind::student && estimate.size() == 2) return;
  throw std::domain_error("ols: rows are for two coefficients");
}

class estimate_rows {
 public:
  estimate_rows(const partition& cells, const coefficients& estimate, double longest)
      : edges_{cells},
        second_{estimate},
        truth_{estimate.truth(0)},
        first_{std::get<student_t>(estimate.marginal(0))},
        longest_{longest},
        q_(edges_.inner.size() + 1) {
    // Beyond it there is less than 1e-19 of the mass.
    reach_ = first_.scale();
    while (first_.kernel().upper(reach_ / first_.scale()).probability > 1e-19) reach_ *= 2;
  }

  [[nodiscard]] double work() const {
    double points = 0;
    for_cells([&](double left, double right) {
      for_panels(left, right, [&](double from, double to) {
        const double middle = (from + to) / 2;
        const double low = second_.lowest(middle);
        const double high = 2 * second_.center(middle) - low;
        points += 8 * static_cast<double>(index_of(high) - index_of(low) + 1);
      });
    });
    return points;
  }

  struct sum {
    double nats;
    double mass;
  };
  [[nodiscard]] sum compute(const stop_token& stop) {
    compensated_sum nats;
    compensated_sum mass;
    for_cells([&](double left, double right) {
      throw_if_stopped(stop);
      std::fill(q_.begin(), q_.end(), 0.0);
      for_panels(left, right, [&](double from, double to) { add_panel(from, to); });
      for (const double q : q_) {
        if (!(q > 0)) continue;
        nats.add(-q * std::log(q));
        mass.add(q);
      }
    });
    return {nats.value(), mass.value()};
  }

 private:
  /// The cells of the first coefficient, as distances from its truth.
  template <class F>
  void for_cells(F f) const {
    double left = -reach_;
    for (const double edge : edges_.inner) {
      const double right = std::min(edge - truth_, reach_);
      if (left < right) f(left, right);
      left = std::max(left, right);
    }
    if (left < reach_) f(left, reach_);
  }

  template <class F>
  void for_panels(double left, double right, F f) const {
    for (double from = left; from < right;) {
      // Toward the center the scale shrinks: as it is at the nearer end.
      double to = from + longest_ * second_.length(from);
      if (from < 0) to = std::min(to, std::max(from / 2, from + longest_ * second_.length(0)));
      to = std::min(to, right);
      f(from, to);
      from = to;
    }
  }

  void add_panel(double from, double to) {
    const auto& rule = gauss_legendre<8>();
    for (std::size_t k = 0; k < 8; ++k) {
      const double z = from + (to - from) / 2 * (1 + rule.node[k]);
      const double t = z / first_.scale();
      add_point(
          z, (to - from) * rule.weight[k] * std::exp(first_.kernel().log_pdf(t)) / first_.scale());
    }
  }

  [[nodiscard]] std::size_t index_of(double y) const {
    const auto& edges = edges_.inner;
    return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), y) -
                                    edges.begin());
  }

  void add_point(double z, double density) {
    second_given_first::tails before{0, 1};
    for (std::size_t i = index_of(second_.lowest(z)); i <= edges_.inner.size(); ++i) {
      const second_given_first::tails here = i < edges_.inner.size()
                                                 ? second_.at(edges_.inner[i], z)
                                                 : second_given_first::tails{1, 0};
      q_[i] += density * (here.below < 0.5 ? here.below - before.below : before.above - here.above);
      if (here.above < 1e-19) return;
      before = here;
    }
  }

  cell_edges edges_;
  second_given_first second_;
  double truth_;
  student_t first_;
  double longest_;
  std::vector<double> q_;
  double reach_ = 0;
};

constexpr double panel_length = 0.6;

}  // namespace

double work_by_rows(const partition& cells, const coefficients& estimate) {
  require_two(estimate);
  if (cells.log2_size() > 12 || second_given_first{estimate}.is_narrow()) return infinity;
  return estimate_rows{cells, estimate, panel_length}.work();
}

bounded<bits> entropy_by_rows(const partition& cells, const coefficients& estimate,
                              const stop_token& stop) {
  require_two(estimate);
  if (cells.log2_size() > 12 || second_given_first{estimate}.is_narrow()) {
    throw std::domain_error(
        "ols: rows are for registers of at most 12 bits, and coefficients that do not tell each "
        "other to a thousandth");
  }
  const auto fine = estimate_rows{cells, estimate, panel_length}.compute(stop);
  const auto coarse = estimate_rows{cells, estimate, 1.4 * panel_length}.compute(stop);
  const double log_cells = 2 * cells.log2_size() * std::numbers::ln2;
  const double size = std::exp2(cells.log2_size());
  const double rounding = 0x1p-52 * (64 * (1 + fine.nats) + size * log_cells);
  const double error =
      std::fabs(fine.nats - coarse.nats) + std::fabs(fine.mass - 1) * (1 + log_cells) + rounding;
  return {bits{fine.nats * bits_per_nat}, bits{error * bits_per_nat}, evidence::estimated};
}

}  // namespace ktln2
