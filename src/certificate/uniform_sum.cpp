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

class summation {
 public:
  summation(const positive_cells& cells, double low, double high)
      : cells_{cells}, low_{low}, high_{high}, length_{high_ - low_} {
    for (int level = 0; level < cells_.levels(); ++level) add_level(level);
  }

  [[nodiscard]] const ball& sum() const { return sum_; }

 private:
  [[nodiscard]] ball begin(int level) const { return cells_.left(level) * cells_.unit(level); }

  void add_level(int level) {
    const bool endless = cells_.is_highest(level);
    const ball left = begin(level);
    if (decided(is_at_most(high_, left))) return;
    if (!endless && decided(is_at_most(begin(level + 1), low_))) return;
    const std::uint64_t count = cells_.count();
    if (count == 1) {
      if (endless) return add_from(left);
      return add_between(left, begin(level + 1));
    }
    const ball second = cells_.edge(0) * cells_.unit(level);
    add_between(left, second);
    const std::uint64_t regular = count - (endless ? 2 : 1);
    const ball last = cells_.edge(regular) * cells_.unit(level);
    if (regular > 0) add_alike(second, last, cells_.width(level), regular);
    if (endless) add_from(last);
  }

  /// The cell from `left` to `right`, or what of it is inside.
  void add_between(const ball& left, const ball& right) {
    const ball& from = decided(is_at_most(low_, left)) ? left : low_;
    const ball& to = decided(is_at_most(right, high_)) ? right : high_;
    if (decided(is_at_most(to, from))) return;
    sum_ += surprise((to - from) / length_);
  }

  /// The cell without end.
  void add_from(const ball& left) {
    if (decided(is_at_most(high_, left))) return;
    sum_ += surprise((high_ - (decided(is_at_most(low_, left)) ? left : low_)) / length_);
  }

  /// `count` cells of one width.
  void add_alike(const ball& left, const ball& right, const ball& width, std::uint64_t count) {
    if (decided(is_at_most(high_, left)) || decided(is_at_most(right, low_))) return;
    // The cells that hold the ends, or would be next: those between them are whole.
    const bool begins_inside = !decided(is_at_most(low_, left));
    const bool ends_inside = !decided(is_at_most(right, high_));
    const std::uint64_t first = begins_inside ? whole_part((low_ - left) / width) : 0;
    const std::uint64_t last = ends_inside ? whole_part((high_ - left) / width) : count;
    const std::uint64_t next = begins_inside ? first + 1 : 0;
    const auto edge = [&](std::uint64_t i) { return left + ball::from_integer(i) * width; };
    if (begins_inside) add_between(edge(first), edge(next));
    if (ends_inside && (!begins_inside || last != first)) add_between(edge(last), edge(last + 1));
    if (last > next) sum_ += ball::from_integer(last - next) * surprise(width / length_);
  }

  const positive_cells& cells_;
  ball low_;
  ball high_;
  ball length_;
  ball sum_;
};

}  // namespace

std::optional<ball> uniform_sum(const positive_cells& cells, double low, double high) {
  try {
    return summation{cells, low, high}.sum();
  } catch (const too_close&) {
    return {};
  }
}

}  // namespace ktln2::certificate
