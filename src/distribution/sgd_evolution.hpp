#pragma once

#include <vector>

namespace ktln2 {

/// A density on panels of 16 Gauss–Legendre nodes each.
struct panel_density {
  double origin = 0;            ///< what the edges are relative to
  std::vector<double> edges;    ///< ascending
  std::vector<double> density;  ///< 16 values a panel, ascending

  [[nodiscard]] std::size_t panel_count() const { return edges.size() - 1; }
};

/// Where SGD begins: φ_0 ~ N(mean, deviation²), or a point.
struct sgd_start {
  double mean = 0;
  double deviation = 0;
};

/// The law of φ = ŵ - w after k steps, in units in which σ_x = σ_ξ = 1.
struct sgd_evolution {
  panel_density law;
  double scale = 1;            ///< about the width of its bulk
  double center = 0;           ///< about where its bulk is, relative to the origin
  bool singular = false;       ///< is it not smooth, or hardly, at φ_0, which is the origin then?
  double singular_length = 0;  ///< how close to φ_0 that shows
  double mass_defect = 0;      ///< what a step lost or gained, before it was made good, at most
  double variance_error = 0;   ///< relative, against the closed form
  double step_error = 0;       ///< of one step's characteristic function, against its closed form
  double tail_index = 0;       ///< κ with E|1 - ηS|^κ = 1, or the largest value tried
};

/// How fine the panels are: 1 is good to about 1e-12, larger is finer.
struct sgd_resolution {
  double panels = 1;
};

/// By the transfer operator, after each of the asked numbers of steps, which ascend. Throws
/// std::domain_error where the tails are so heavy that not even E|φ| stays finite.
std::vector<sgd_evolution> evolve_sgd(double eta, double batch, const std::vector<double>& steps,
                                      const sgd_start& start,
                                      const sgd_resolution& resolution = {});

/// What that would take, before it is begun: entries of the operators, 0.2 µs each, counted as far
/// as `enough`. Throws as evolve_sgd does.
double sgd_evolution_work(double eta, double batch, const std::vector<double>& steps,
                          const sgd_start& start, const sgd_resolution& resolution, double enough);

}  // namespace ktln2
