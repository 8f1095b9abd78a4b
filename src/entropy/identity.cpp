#include "ktln2/entropy/identity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "entropy/law_integrals.hpp"

namespace ktln2 {
namespace {

/// (1+e) ln(1+e) - e, which is e²/2 to first order.
double relative_surprise(double e) {
  if (std::fabs(e) < 1e-3) return e * e * (0.5 - e * (1.0 / 6 - e * (1.0 / 12 - e / 20)));
  return e > -1 ? (1 + e) * std::log1p(e) - e : 1;
}

template <class Law>
class identity_sum {
 public:
  identity_sum(const partition& cells, const Law& x) : cells_{cells}, x_{x}, kernel_{x.kernel()} {}

  identity_terms compute() {
    double clipped = 0;
    for (std::size_t block = 0; block < cells_.block_count(); ++block) {
      for (const cell_run& run : cells_.block(block)) {
        if (run.count == 0) continue;
        if (run.left.is_infinite() || run.right.is_infinite()) {
          clipped += clipped_cell(run);
        } else {
          add_run(run);
        }
      }
    }
    // h(X) = h(Z) + ln scale; of the tails, the scale's part is their mass.
    const double tails = tail_mass_ * std::log(x_.scale());
    const double differential = kernel_.entropy() + std::log(x_.scale()) - tail_entropy_ - tails;
    const double log_width = log_width_.value();
    const double divergence = divergence_.value();
    const double value = differential - log_width + divergence + clipped;
    // Rounding of the large terms that nearly cancel, and a panel rule good to 1e-15 for the tails.
    const double scale = std::fabs(differential) + std::fabs(log_width) + tail_entropy_ + 4;
    const double error = 64 * 0x1p-53 * (scale + absolute_log_width_) + divergence_error_;
    constexpr double nat = 1 / std::numbers::ln2;
    return {nat * differential,
            nat * log_width,
            nat * divergence,
            nat * clipped,
            {bits{nat * value}, bits{nat * error}, evidence::estimated}};
  }

 private:
  struct stretch {
    double left;   // in standard units
    double width;  // of one cell
    std::uint64_t count;
    [[nodiscard]] double length() const { return static_cast<double>(count) * width; }
    [[nodiscard]] double right() const { return left + length(); }
  };

  double clipped_cell(const cell_run& run) {
    if (run.left.is_infinite() && run.right.is_infinite()) {
      tail_mass_ = 1;
      tail_entropy_ = kernel_.entropy();
      return 0;
    }
    const double edge = x_.standard(run.left.is_infinite() ? run.right : run.left);
    const cell_mass mass = run.left.is_infinite() ? kernel_.lower(edge) : kernel_.upper(edge);
    if (mass.probability == 0) return 0;
    tail_mass_ += mass.probability;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    tail_entropy_ += run.left.is_infinite() ? entropy_integral(kernel_, -infinity, edge)
                                            : entropy_integral(kernel_, edge, infinity);
    return -mass.probability * mass.log_probability;
  }

  void add_run(const cell_run& run) {
    const double left = x_.standard(run.left);
    const double right = x_.standard(run.right);
    if (left == right || std::max(std::fabs(left), std::fabs(right)) > 0x1p1000) return;
    const stretch whole{left, ratio(run.width, x_.scale()), run.count};
    const double mass = kernel_.cell(left + whole.length() / 2, whole.length()).probability;
    const double log_width = std::log(run.width.high()) + run.width.exponent() * std::numbers::ln2;
    log_width_.add(mass * log_width);
    absolute_log_width_ += mass * std::fabs(log_width);
    if (mass > 1e-20) add_divergence(run, 0, run.count);
  }

  void add_divergence(const cell_run& run, std::uint64_t first, std::uint64_t count) {
    const stretch piece{x_.standard(run.edge(first)), ratio(run.width, x_.scale()), count};
    const double mass = kernel_.cell(piece.left + piece.length() / 2, piece.length()).probability;
    if (mass < 1e-22) return;
    bool smooth = true;
    for (const double z : kernel_.breaks()) smooth &= z <= piece.left || z >= piece.right();
    if (count <= 128) {
      for (std::uint64_t k = 0; k < count; ++k) {
        divergence_.add(cell_divergence(piece.left + (static_cast<double>(k) + 0.5) * piece.width,
                                        piece.width));
      }
      return;
    }
    const double near = piece.left < 0 && piece.right() > 0
                            ? 0
                            : std::min(std::fabs(piece.left), std::fabs(piece.right()));
    if (smooth && piece.length() <= 2 * std::max(near, kernel_.core())) {
      const double low = by_rule<8>(piece);
      const double high = by_rule<16>(piece);
      const double difference = std::fabs(high - low);
      if (difference <= 1e-15 + 1e-12 * high) {
        divergence_.add(high);
        divergence_error_ += difference;
        return;
      }
    }
    const std::uint64_t half = count / 2;
    add_divergence(run, first, half);
    add_divergence(run, first + half, count - half);
  }

  template <std::size_t Order>
  double by_rule(const stretch& piece) const {
    const auto rule = gram_rule<Order>(static_cast<double>(piece.count));
    double mean = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      const double z = piece.left + piece.length() / 2 * (1 + rule.node[k]);
      mean += rule.weight[k] * cell_divergence(z, piece.width);
    }
    return static_cast<double>(piece.count) * mean;
  }

  /// ∫ f ln(f/g) over the cell [z - h/2, z + h/2].
  double cell_divergence(double z, double h) const {
    const cell_mass mass = kernel_.cell(z, h);
    if (mass.probability < 1e-24) return 0;
    // |d ln f/dz| h, and h against the distance to what the density does near its center
    const double size = std::max(std::fabs(z), kernel_.core());
    bool narrow = h * (kernel_.condition(z) + 1) <= size / 4;
    for (const double edge : kernel_.breaks()) narrow &= std::fabs(edge - z) >= h / 2;
    if (narrow) {  // all in relative deviations from the middle: nothing cancels
      const auto& rule = gauss_legendre<16>();
      std::array<double, 16> deviation{};
      double mean = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        deviation[k] = std::expm1(kernel_.log_ratio(z, h / 2 * rule.node[k]));
        mean += rule.weight[k] * deviation[k];
      }
      double divergence = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        divergence += rule.weight[k] * relative_surprise((deviation[k] - mean) / (1 + mean));
      }
      return mass.probability * divergence;
    }
    return -entropy_integral(kernel_, z - h / 2, z + h / 2) -
           mass.probability * (mass.log_probability - std::log(h));
  }

  const partition& cells_;
  const Law& x_;
  decltype(std::declval<Law>().kernel()) kernel_;
  double tail_mass_ = 0;
  double tail_entropy_ = 0;
  compensated_sum log_width_;
  double absolute_log_width_ = 0;
  compensated_sum divergence_;
  double divergence_error_ = 0;
};

}  // namespace

identity_terms entropy_by_identity(const partition& cells, const law& x) {
  return std::visit([&](const auto& known) { return identity_sum(cells, known).compute(); }, x);
}

}  // namespace ktln2
