#include "certificate/register_line.hpp"

#include <stdexcept>

namespace ktln2::certificate {
namespace {

void require_exact(bool is_so) {
  if (!is_so) throw std::domain_error("certificate: the edges of these cells are rounded numbers");
}

ball sum_without_rounding(const ball& a, const ball& b) {
  ball sum;
  arb_add(sum.raw(), a.raw(), b.raw(), ARF_PREC_EXACT);
  return sum;
}

/// left + count · width = right, of numbers
bool fits(const line_run& run) {
  ball all;
  arb_mul(all.raw(), run.width.raw(), ball::from_integer(run.count).raw(), ARF_PREC_EXACT);
  return arb_equal(sum_without_rounding(*run.left, all).raw(), run.right->raw()) != 0;
}

bool is_same_edge(const std::optional<ball>& a, const std::optional<ball>& b) {
  if (!a || !b) return !a && !b;
  return arb_equal(a->raw(), b->raw()) != 0;
}

}  // namespace

std::optional<ball> exact_ball(const wide& x) {
  if (x.is_infinite()) return {};
  return sum_without_rounding(x.high(), x.low()).scaled(x.exponent());
}

std::optional<ball> register_line::left(std::size_t block) const {
  return exact_ball(cells_.block_left(block));
}

std::vector<line_run> register_line::runs(std::size_t block) const {
  std::vector<line_run> made;
  std::optional<ball> reached = left(block);
  for (const cell_run& run : cells_.block(block)) {
    if (run.count == 0) continue;
    line_run next{exact_ball(run.left), exact_ball(run.right), {}, run.count};
    if (run.count > 1) {
      require_exact(next.left && next.right && !run.width.is_infinite());
      next.width = *exact_ball(run.width);
      require_exact(fits(next));
    } else if (next.left && next.right) {
      next.width = *next.right - *next.left;
    }
    require_exact(is_same_edge(reached, next.left));
    reached = next.right;
    made.push_back(std::move(next));
  }
  require_exact(is_same_edge(reached, right(block)));
  return made;
}

ball register_line::most_cells(std::size_t /*first*/, std::size_t /*last*/) const {
  const register_code size = cells_.size();
  return ball::from_integer(static_cast<std::uint64_t>(size >> 64)).scaled(64) +
         ball::from_integer(static_cast<std::uint64_t>(size)) + ball(2.0);
}

}  // namespace ktln2::certificate
