#include "ktln2/distribution/sgd_shape.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ktln2 {
namespace {

/// What one step maps linearly, with m = E φ and c_j the j-th central moment of φ, in units of
/// σ_ξ/σ_x. Products with m² = E[φ]² stand for themselves, so that nothing cancels.
struct term {
  enum : std::size_t { one, mm, mmmm, c2, mm_c2, m_c3, c4, count };
};

using step_row = std::array<double, term::count>;
using step_matrix = std::array<step_row, term::count>;

/// One step takes φ to Aφ + ε, where A = 1 - aG has a = ησ_x², G = χ²_B/B, and, given G, ε is
/// normal with variance (a²/B) G. With δ = G - 1 and α = -aδ, the part of A that varies,
///     φ' - m' = A (φ - m) + α m + ε
step_matrix one_step(double a, double batch) {
  // E δ², E δ³, E δ⁴
  const double d2 = 2 / batch;
  const double d3 = 8 / (batch * batch);
  const double d4 = 12 / (batch * batch) * (1 + 4 / batch);
  // α²-, α³- and α⁴-parts
  const double a2 = a * a * d2;
  const double a3 = -a * a * a * d3;
  const double a4 = a * a * a * a * d4;
  const double m = 1 - a;
  const double v = a * a / batch;  // E ε²
  const double A2 = m * m + a2;
  const double A3 = m * (m * m + 3 * a2) + a3;
  const double A4 = m * m * (m * m + 6 * a2) + 4 * m * a3 + a4;
  const double A2_v = v * (m * m + a2 - 2 * m * a * d2 + a * a * d3);  // E[A² ε²]
  const double alpha_v = -v * a * d2;
  const double alpha2_v = v * a * a * (d2 + d3);

  step_matrix next{};
  next[term::one][term::one] = 1;
  next[term::mm][term::mm] = m * m;
  next[term::mmmm][term::mmmm] = m * m * m * m;
  next[term::c2][term::c2] = A2;
  next[term::c2][term::mm] = a2;
  next[term::c2][term::one] = v;
  next[term::mm_c2][term::mm_c2] = m * m * A2;
  next[term::mm_c2][term::mmmm] = m * m * a2;
  next[term::mm_c2][term::mm] = m * m * v;
  next[term::m_c3][term::m_c3] = m * A3;
  next[term::m_c3][term::mm_c2] = m * 3 * (2 * m * a2 + a3);
  next[term::m_c3][term::mmmm] = m * a3;
  next[term::m_c3][term::mm] = m * 3 * alpha_v;
  next[term::c4][term::c4] = A4;
  next[term::c4][term::m_c3] = 4 * (3 * m * m * a2 + 3 * m * a3 + a4);
  next[term::c4][term::mm_c2] = 6 * (m * m * a2 + 2 * m * a3 + a4);
  next[term::c4][term::mmmm] = a4;
  next[term::c4][term::c2] = 6 * A2_v;
  next[term::c4][term::mm] = 6 * alpha2_v;
  next[term::c4][term::one] = 3 * v * v * (1 + d2);
  return next;
}

step_row applied(const step_matrix& step, const step_row& to) {
  step_row result{};
  for (std::size_t i = 0; i < term::count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) result[i] += step[i][j] * to[j];
  }
  return result;
}

step_matrix twice(const step_matrix& step) {
  step_matrix result{};
  for (std::size_t i = 0; i < term::count; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      for (std::size_t j = 0; j <= k; ++j) result[i][j] += step[i][k] * step[k][j];
    }
  }
  return result;
}

}  // namespace

law_shape exact_shape(const linear_model& model, const descent& how, double steps) {
  require_valid(model, how, steps);
  const double start = (how.w0 - model.w) * model.sigma_x / model.sigma_xi;
  const double mm = start * start;
  const double c2 = std::pow(how.w0_sigma * model.sigma_x / model.sigma_xi, 2);
  step_row now{1, mm, mm * mm, c2, mm * c2, 0, 3 * c2 * c2};
  step_matrix power = one_step(how.eta * model.sigma_x * model.sigma_x, how.batch);
  for (auto left = static_cast<std::uint64_t>(steps); left > 0; left /= 2) {
    if (left % 2 == 1) now = applied(power, now);
    if (left > 1) power = twice(power);
  }
  const double variance = now[term::c2];
  const bool is_flipped = how.eta * model.sigma_x * model.sigma_x > 1 && std::fmod(steps, 2) == 1;
  const double mean = std::copysign(std::sqrt(now[term::mm]), is_flipped ? -start : start);
  // Around m = 0 the law is symmetric.
  const double skewness = mean == 0 ? 0 : now[term::m_c3] / (mean * std::sqrt(variance) * variance);
  return {skewness, now[term::c4] / (variance * variance) - 3};
}

}  // namespace ktln2
