// The laws of the oracle, in the standardized variable z = (x - location) / scale.
#ifndef ORACLE_LAW_HPP_
#define ORACLE_LAW_HPP_

#include "oracle.hpp"
#include "quad.hpp"

namespace oracle {

// A cell of the quantizer. Center and width are kept apart from the edges because hi - lo has lost
// its digits when the cell is narrow.
struct Cell {
  quad lo, mid, hi, width;
};

// A probability and its logarithm, which is best taken before the exponential of a narrow cell.
struct Mass {
  quad p, ln_p;
};

class Law {
 public:
  Law(oracle_law const& law, bool mirrored);

  quad location() const { return location_; }
  quad scale() const { return scale_; }
  bool symmetric() const { return symmetric_; }  // about x = 0

  Mass mass(Cell const& cell) const;

  // Logarithm of the density (all densities are unimodal and even, but for the uniform law), in a
  // type that is fast, has the range of __float128, and is precise enough for decisions.
  long double ln_density(long double z) const;

  // Logarithm of an upper bound of the probability of [a, b], b - a = length.
  long double ln_mass_bound(quad a, quad b, quad length) const;

  // Whether [a, b] is free of kinks, at most `span` features of the law long (they grow with the
  // distance from the center), and the density varies by less than exp(fall) on it. Without this
  // check a quadrature could step over a narrow law altogether.
  bool resolved_on(quad a, quad b, long double span, long double fall) const;

 private:
  // The density around the center of a cell of half width u: f(z + u y) = f(z) sum_k s_k y^k with
  //   (k + 1) s_{k+1} = -(a0 + a1 k) s_k - (b0 + b1 k) s_{k-1},
  // from f' = -z f for the normal law and (dof + z^2) f' = -(dof + 1) z f for Student's.
  struct Taylor {
    quad a0, a1, b0, b1;
    quad width;
    quad ln_center;  // ln f(z)
    bool converges;  // fast, and without cancellation
  };

  Taylor taylor(quad z, quad width) const;
  static Mass narrow_mass(Taylor const& t);
  quad student_ln_density(quad z) const;
  quad wide_mass(Cell const& cell) const;
  quad student_span(quad a, quad b) const;
  quad student_tail(quad z) const;

  oracle_kind kind_;
  quad location_ = 0;
  quad scale_ = 1;
  quad dof_ = 0;
  quad sqrt_dof_ = 0;
  quad ln_peak_ = 0;
  long double feature_ = 1;
  bool symmetric_ = false;
};

}  // namespace oracle

#endif  // ORACLE_LAW_HPP_
