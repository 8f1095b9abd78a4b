#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/cell_moments.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/entropy/row_entropy.hpp"

namespace ktln2 {
namespace {

/// T = E[ln f/g | box] of boxes of cells, by a product of Gauss rules.
class box_divergence {
 public:
  explicit box_divergence(const normal_vector& z)
      : links_{z.chain()}, precision_{z.precisions()}, at_(z.size()), panels_(z.size()) {}

  /// Nothing for a box that is not bounded, in whose place `clipped` stands in the error bar.
  double operator()(const std::vector<cell_run>& box) {
    double points = 1;
    for (std::size_t j = 0; j < box.size(); ++j) {
      if (box[j].left.is_infinite() || box[j].right.is_infinite()) return 0;
      const double width = box[j].width.to_double() * std::sqrt(precision_[j]);
      panels_[j] = std::ceil(width);
      points *= 4 * panels_[j];
    }
    if (points > most_points) {
      throw std::domain_error(
          "entropy: the noise is too small against the cells for a sample of them");
    }
    box_ = &box;
    mass_ = 0;
    surprise_ = 0;
    visit(0, 1, 0);
    return mass_ > 0 ? surprise_ / mass_ - std::log(mass_) : 0;
  }

 private:
  static constexpr double most_points = 1 << 16;

  /// Weights over the box add up to 1: the mean of f is its mass over the volume. ln f is taken
  /// relative to its largest value so far, lest f overflow or all of it underflow.
  void visit(std::size_t j, double weight, double log_f) {
    if (j == links_.size()) {
      if (mass_ == 0) origin_ = log_f;
      if (log_f > origin_) move_origin(log_f);
      const double f = weight * std::exp(log_f - origin_);
      mass_ += f;
      surprise_ += f * (log_f - origin_);
      return;
    }
    const normal_link& link = links_[j];
    double mean = link.mean;
    for (std::size_t k = 0; k < j; ++k) mean += link.slopes[k] * (at_[k] - links_[k].mean);
    const auto& rule = gauss_legendre<4>();
    const double left = (*box_)[j].left.to_double();
    const double h = (*box_)[j].width.to_double() / panels_[j];
    for (double i = 0; i < panels_[j]; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        at_[j] = left + h * (i + (1 + rule.node[k]) / 2);
        const double t = (at_[j] - mean) / link.deviation;
        visit(j + 1, weight * rule.weight[k] / panels_[j], log_f - t * t / 2);
      }
    }
  }

  void move_origin(double to) {
    const double rise = to - origin_;
    const double shrink = std::exp(-rise);
    surprise_ = shrink * (surprise_ - rise * mass_);
    mass_ *= shrink;
    origin_ = to;
  }

  std::vector<normal_link> links_;
  std::vector<double> precision_;
  std::vector<double> at_;
  std::vector<double> panels_;
  const std::vector<cell_run>* box_ = nullptr;
  double mass_ = 0;
  double surprise_ = 0;
  double origin_ = 0;
};

/// Draws of the vector, the same everywhere.
class vector_draws {
 public:
  vector_draws(const normal_vector& z, std::uint64_t seed) : z_{z}, bits_{seed} {}

  std::vector<double> next() {
    std::vector<double> unit(z_.size());
    for (double& u : unit) {
      const double q = (static_cast<double>(bits_() >> 11U) + 0.5) * 0x1p-53;
      u = normal_.quantile(q);
    }
    std::vector<double> made(z_.size());
    for (std::size_t j = 0; j < z_.size(); ++j) {
      made[j] = z_.mean(j);
      for (std::size_t k = 0; k <= j; ++k) made[j] += z_.factor()(j, k) * unit[k];
    }
    return made;
  }

 private:
  const normal_vector& z_;
  std::mt19937_64 bits_;
  standard_normal normal_;
};

}  // namespace

bounded<bits> sampled_entropy_of(const std::vector<partition>& cells, const normal_vector& z,
                                 std::size_t draws, std::uint64_t seed, const stop_token& stop) {
  if (cells.size() != z.size() || z.size() > 6 || draws < 2) {
    throw std::domain_error("entropy: a sample needs at least 2 draws of at most 6 registers");
  }
  double clipped = 0;
  double log_cells = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    clipped += cell_moments_of(cells[j], z.marginal(j)).clipped;
    log_cells += cells[j].log2_size();
  }
  if (clipped > 1e-3) {
    throw std::domain_error("entropy: too much is clipped for a sample");
  }
  box_divergence divergence(z);
  vector_draws source(z, seed);
  double sum = 0;
  double squares = 0;
  std::vector<cell_run> box(z.size());
  for (std::size_t i = 0; i < draws; ++i) {
    if (i % 64 == 0) throw_if_stopped(stop);
    const std::vector<double> at = source.next();
    for (std::size_t j = 0; j < at.size(); ++j) box[j] = cells[j].cell_of(at[j]);
    const double t = divergence(box);
    sum += t;
    squares += t * t;
  }
  const auto n = static_cast<double>(draws);
  const double mean = sum / n;
  const double standard_error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1));
  const vector_identity terms = entropy_by_identity(cells, z);
  // What is not stored within bounds may be anywhere among the cells; nor has it a width.
  const double clipping = clipped > 0 ? clipped * (2 * log_cells + 64 - std::log2(clipped)) : 0;
  const double rounding =
      0x1p-44 * (1 + std::fabs(terms.differential) + std::fabs(terms.log_width));
  return {bits{terms.differential - terms.log_width + mean * bits_per_nat},
          bits{4 * standard_error * bits_per_nat + clipping + rounding}, evidence::estimated};
}

}  // namespace ktln2
