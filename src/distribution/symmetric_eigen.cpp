#include "distribution/symmetric_eigen.hpp"

#include <cmath>
#include <cstddef>

namespace ktln2 {
namespace {

/// The rotation of rows and columns i and j that makes their common entry 0.
struct rotation {
  double c;
  double s;
  double t;
};

rotation rotation_for(double ii, double jj, double ij) {
  const double theta = (jj - ii) / (2 * ij);
  const double t = std::copysign(1 / (std::fabs(theta) + std::hypot(theta, 1.0)), theta);
  const double c = 1 / std::hypot(t, 1.0);
  return {c, t * c, t};
}

void rotate(square_matrix& a, square_matrix& vectors, std::size_t i, std::size_t j) {
  const double ij = a(i, j);
  const rotation by = rotation_for(a(i, i), a(j, j), ij);
  a(i, i) -= by.t * ij;
  a(j, j) += by.t * ij;
  a(i, j) = a(j, i) = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (k != i && k != j) {
      const double ki = a(k, i);
      const double kj = a(k, j);
      a(k, i) = a(i, k) = by.c * ki - by.s * kj;
      a(k, j) = a(j, k) = by.s * ki + by.c * kj;
    }
    const double vi = vectors(k, i);
    const double vj = vectors(k, j);
    vectors(k, i) = by.c * vi - by.s * vj;
    vectors(k, j) = by.s * vi + by.c * vj;
  }
}

}  // namespace

symmetric_eigen eigen_of(const square_matrix& a) {
  square_matrix left = a;
  symmetric_eigen made{std::vector<double>(a.size()), square_matrix{a.size()}};
  for (std::size_t i = 0; i < a.size(); ++i) made.vectors(i, i) = 1;
  // Each sweep squares what is left; ten are more than enough.
  bool is_diagonal = false;
  for (int sweep = 0; sweep < 40 && !is_diagonal; ++sweep) {
    is_diagonal = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = i + 1; j < a.size(); ++j) {
        const double scale = std::sqrt(std::fabs(left(i, i))) * std::sqrt(std::fabs(left(j, j)));
        if (std::fabs(left(i, j)) <= 0x1p-56 * scale) continue;
        is_diagonal = false;
        rotate(left, made.vectors, i, j);
      }
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) made.values[i] = left(i, i);
  return made;
}

}  // namespace ktln2
