#include "certificate/uniform_sum.hpp"

#include <cstdint>

namespace ktln2::certificate {
namespace {

/// Is a ≤ b? Nothing, if the balls do not tell.
std::optional<bool> is_at_most(const ball& a, const ball& b) {
  if (a <= b) return true;
  if (b < a) return false;
  return {};
}

/// Thrown within this file only.
struct too_close {};

bool decided(const std::optional<bool>& answer) {
  if (!answer) throw too_close{};
  return *answer;
}

/// The whole part of x, 0 ≤ x < 2^64.
std::uint64_t whole_part(const ball& x) {
  ball floor;
  arb_floor(floor.raw(), x.raw(), ball::precision());
  fmpz_t integer;
  fmpz_init(integer);
  const bool is_unique = arb_get_unique_fmpz(integer, floor.raw()) != 0;
  const std::uint64_t result = is_unique ? fmpz_get_ui(integer) : 0;
  fmpz_clear(integer);
  if (!is_unique) throw too_close{};
  return result;
}

class uniform_summation {
 public:
  uniform_summation(const cell_line& cells, double low, double high)
      : low_{low}, high_{high}, length_{high_ - low_} {
    for (std::size_t block = 0; block < cells.blocks(); ++block) {
      const std::optional<ball> left = cells.left(block);
      const std::optional<ball> right = cells.right(block);
      if (left && decided(is_at_most(high_, *left))) continue;
      if (right && decided(is_at_most(*right, low_))) continue;
      for (const line_run& run : cells.runs(block)) add(run);
    }
  }

  void join(const joined_cells& alike) {
    ball together;
    for (const auto& [left, right] : alike) {
      const ball mass = mass_between(left, right);
      sum_ -= surprise(mass);
      together += mass;
    }
    sum_ += surprise(together);
  }

  [[nodiscard]] const ball& sum() const { return sum_; }

 private:
  void add(const line_run& run) {
    if (run.count > 1) return add_alike(run);
    sum_ += surprise(mass_between(run.left, run.right));
  }

  /// Of what is inside.
  [[nodiscard]] ball mass_between(const std::optional<ball>& left,
                                  const std::optional<ball>& right) const {
    const ball& from = !left || decided(is_at_most(*left, low_)) ? low_ : *left;
    const ball& to = !right || decided(is_at_most(high_, *right)) ? high_ : *right;
    if (decided(is_at_most(to, from))) return 0.0;
    return (to - from) / length_;
  }

  void add_between(const ball& left, const ball& right) {
    sum_ += surprise(mass_between(left, right));
  }

  /// Cells of one width.
  void add_alike(const line_run& run) {
    const ball& left = *run.left;
    const ball& right = *run.right;
    if (decided(is_at_most(high_, left)) || decided(is_at_most(right, low_))) return;
    // The cells that hold the ends, or would be next: those between them are whole.
    const bool begins_inside = !decided(is_at_most(low_, left));
    const bool ends_inside = !decided(is_at_most(right, high_));
    const std::uint64_t first = begins_inside ? whole_part((low_ - left) / run.width) : 0;
    const std::uint64_t last = ends_inside ? whole_part((high_ - left) / run.width) : run.count;
    const std::uint64_t next = begins_inside ? first + 1 : 0;
    if (begins_inside) add_between(run.edge(first), run.edge(next));
    if (ends_inside && (!begins_inside || last != first)) {
      add_between(run.edge(last), run.edge(last + 1));
    }
    if (last > next) sum_ += ball::from_integer(last - next) * surprise(run.width / length_);
  }

  ball low_;
  ball high_;
  ball length_;
  ball sum_;
};

}  // namespace

std::optional<ball> uniform_sum(const cell_line& cells, double low, double high,
                                const joined_cells& alike) {
  try {
    uniform_summation all{cells, low, high};
    if (!alike.empty()) all.join(alike);
    return all.sum();
  } catch (const too_close&) {
    return {};
  }
}

}  // namespace ktln2::certificate
