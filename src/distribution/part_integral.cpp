#include "distribution/part_integral.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

class outward_integral {
 public:
  outward_integral(const law_part& part, const std::function<double(const wide&)>& factor)
      : part_{part}, factor_{factor}, breaks_{part.breaks()} {
    std::sort(breaks_.begin(), breaks_.end());
    const wide start = std::clamp(part.facts().center, edge(-1), edge(1));
    walk(start, 1);
    walk(start, -1);
  }

  [[nodiscard]] double value() const { return sum_.value(); }

 private:
  static constexpr double negligible = 1e-22;

  /// Where the part ends on one side, if it ends at a break.
  [[nodiscard]] wide edge(int side) const {
    if (breaks_.empty()) return side * infinity;
    const wide end = side < 0 ? breaks_.front() : breaks_.back();
    const cell_mass beyond =
        side < 0 ? part_.between(-infinity, end) : part_.between(end, infinity);
    return beyond.probability > 0 ? wide(side * infinity) : end;
  }

  void walk(wide from, int side) {
    const wide end = edge(side);
    double last = infinity;
    while (from != end) {
      const cell_mass left =
          side < 0 ? part_.between(-infinity, from) : part_.between(from, infinity);
      const bool counts = std::fabs(last) > 1e-17 * std::fabs(sum_.value());
      if (left.probability == 0 || (left.probability < negligible && !counts)) return;
      const wide length = part_.length_at(from);
      wide to = from + (side < 0 ? -length.scaled(-1) : length.scaled(-1));
      for (const wide& at : breaks_) {
        const bool is_between = side < 0 ? to < at && at < from : from < at && at < to;
        if (is_between) to = at;
      }
      to = side < 0 ? std::max(to, end) : std::min(to, end);
      if (to == from) return;
      last = add(std::min(from, to), std::max(from, to), 0);
      from = to;
    }
  }

  template <std::size_t Order>
  [[nodiscard]] double by_order(const wide& a, const wide& b) const {
    const auto& rule = gauss_legendre<Order>();
    const wide length = b - a;
    const double log_length = log(length);
    double mean = 0;
    for (std::size_t i = 0; i < Order; ++i) {
      const wide x = a + length * wide((1 + rule.node[i]) / 2);
      const double share = std::exp(part_.log_pdf(x) + log_length);
      if (share > 0) mean += rule.weight[i] * share * factor_(x);
    }
    return mean;
  }

  double add(const wide& a, const wide& b, int depth) {
    const double low = by_order<8>(a, b);
    const double high = by_order<16>(a, b);
    const double gap = std::fabs(high - low);
    constexpr int most_pieces = 1 << 16;
    if (++pieces_ > most_pieces) {
      throw std::domain_error(
          "law: the integral over a part so wide and so uneven is not within reach");
    }
    if (depth < 40 && gap > 1e-11 * std::fabs(high) + 1e-17) {
      const wide middle = midpoint(a, b);
      const double left = add(a, middle, depth + 1);
      return left + add(middle, b, depth + 1);
    }
    sum_.add(high);
    return high;
  }

  const law_part& part_;
  const std::function<double(const wide&)>& factor_;
  std::vector<wide> breaks_;
  compensated_sum sum_;
  int pieces_ = 0;
};

}  // namespace

double integral_over(const law_part& part, const std::function<double(const wide&)>& factor) {
  return outward_integral(part, factor).value();
}

}  // namespace ktln2
