#pragma once

#include <cstddef>
#include <vector>

#include "distribution/sgd_mesh.hpp"
#include "distribution/sgd_transition.hpp"

namespace ktln2::sgd {

/// The transfer operator from one mesh to another (or the same): one step of SGD.
class transfer {
 public:
  transfer() = default;
  /// `slopes` has b for every panel of the source; `log_width` is that of the law's width.
  transfer(const sgd_transition& step, const mesh& source, const std::vector<double>& slopes,
           const mesh& target, double log_width);

  /// How many entries are not left out as nothing: what it takes to apply it.
  [[nodiscard]] double entry_count() const;
  /// Only for an operator from a mesh to itself.
  void square();
  [[nodiscard]] std::vector<double> apply(const std::vector<double>& f) const;

 private:
  struct range {
    std::size_t first;
    std::size_t last;
  };
  std::size_t columns_ = 0;
  std::vector<double> rows_;
  std::vector<range> ranges_;
};

/// ∫ f(y|x) f(x|φ_0) dx, the law after two steps, with both factors in closed form. All relative to
/// φ_0.
class two_steps {
 public:
  /// Out to `reach` beyond φ_0 and y, where the first step has any mass.
  two_steps(const sgd_transition& step, double start, double reach);

  double operator()(double y);

 private:
  void sweep(double base, int side, double end);
  [[nodiscard]] double longest_piece(double here, double t) const;
  void add_piece(double base, int side, double t, double length);

  const sgd_transition& step_;
  double start_;
  double reach_;
  double low_ = 0;
  double high_ = 0;
  double y_ = 0;
  double sum_ = 0;
};

}  // namespace ktln2::sgd
