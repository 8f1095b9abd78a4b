#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/lattice_sum.hpp"
#include "entropy/log_width_mean.hpp"
#include "entropy/noisy_line.hpp"
#include "entropy/row_sum.hpp"
#include "entropy/row_walk.hpp"
#include "entropy/stretch.hpp"
#include "entropy/width_map.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2 {

/// H(Y_fp | X_fp) = Σ_i P_i H_i, where i is a cell of X, a row, and H_i the entropy of the register
/// of Y given that row. All in nats; if both means are 0, by symmetry, x > 0 is enough, else the
/// rows above the mean of X come first and then, with all signs changed, those below. With b the
/// width of Y's cell over σ_ξ,
///     H(Y_fp | X_fp) = Σ_i P_i G_i - E[ln b],    G_i = H_i + E[ln b | row i],
/// and G_i, a `row_sum`, hardly feels the widths of cells that are fine against the noise.
///
/// Along a run of equal cells P_i G_i is a smooth function of the cell's index,
///   - where the cells of Y are narrow against σ_ξ: G_i then does not feel where in the lattice of
///     Y the mean wX falls (its ripple is of order exp(-2π²σ_ξ²/width²));
///   - over stretches longer than σ_ξ/w only away from where the widths of Y's cells change.
/// Such pieces are summed by Gram quadrature. Elsewhere G_i is a function of where the mean falls,
/// the phase: a few rows are summed one by one, many as a `lattice_sum`.
///
/// Where the mean of Y moves by less than `fine` deviations σ_ξ within a cell of X, the cells of X
/// are taken as points: knowing the cell instead of x itself raises G_i by at most smear²/8, the
/// information that a signal of that amplitude can carry through the noise. All such runs merge
/// into one integral. Likewise cells of Y no wider than `fine` deviations are taken as points.
class joint_sum {
 public:
  joint_sum(const partition& x_cells, const partition& y_cells, const noisy_line& line,
            double tolerance, const stop_token& stop)
      : y_cells_{y_cells},
        line_{line},
        tolerance_{tolerance},
        fine_{std::sqrt(tolerance / 8)},
        stop_{stop},
        walk_{x_cells, line, fine_},
        log_widths_{y_cells, mean_at(line.center), line.deviation, line.noise, 1e-5 * tolerance},
        widths_{y_cells, line.noise, std::fabs(line.shift) + 10 * line.gain + 40, fine_},
        row_sum_{widths_, line.noise} {}

  bounded<bits> compute() {
    require_place();
    const bool is_half = line_.is_centered();
    add_log_widths();
    const std::optional<cell_run> middle = is_half ? std::nullopt : walk_.cell_around(line_.center);
    if (middle) add_middle(*middle);
    walk_.from(middle ? middle->right : line_.center, *this);
    if (!is_half) {
      line_ = line_.mirrored();
      walk_.from(middle ? -middle->left : line_.center, *this);
    }
    return total(is_half ? 2 : 1);
  }

  /// H(Y_fp | X), for X itself in place of its cell.
  bounded<bits> compute_given_points() {
    require_place();
    const bool is_half = line_.is_centered();
    are_points_ = true;
    add_log_widths();
    add({line_.center, wide(infinity), wide(0.0), 0});
    if (!is_half) {
      line_ = line_.mirrored();
      add({line_.center, wide(infinity), wide(0.0), 0});
    }
    return total(is_half ? 2 : 1);
  }

 private:
  friend class row_walk;  // which says what to add

  static constexpr double margin = 9;  ///< Φ(-9) = 1e-19
  static constexpr std::uint64_t few = 48;
  static constexpr std::uint64_t many = 2048;  ///< rows, of which a table is worthwhile
  static constexpr std::uint64_t most_rows = 1 << 18;
  static constexpr std::uint64_t most_points = 1 << 14;  ///< noise far below the cells: a bound
  static constexpr double most_work = 2e7;               ///< terms of a lattice sum

  /// Places are kept to 100 bits: a mean must not be farther from 0, in its deviations.
  void require_place() const {
    const double far =
        std::max(ratio(abs(line_.center), line_.row_deviation), std::fabs(line_.shift));
    if (far < 0x1p80) return;
    throw std::domain_error("joint entropy: a mean must be less than 1e24 deviations from 0");
  }

  /// Of what was summed, which is so many times in all.
  [[nodiscard]] bounded<bits> total(double times) const {
    const double nats = times * (nats_.value() - log_widths_.value());
    const double lost =
        std::fabs(times * mass_.value() - 1) + std::fabs(times * log_widths_.mass() - 1);
    const double rounding = 32 * 0x1p-53 * (absolute_ + log_widths_.absolute() + 1);
    const double error =
        times * (error_ + log_widths_.error()) + lost * (largest_row() + 1) + rounding;
    if (!std::isfinite(nats) || !std::isfinite(error)) {
      throw std::runtime_error("joint entropy: the parameters are beyond double precision");
    }
    return {bits{nats / std::numbers::ln2}, bits{error / std::numbers::ln2}, evidence::estimated};
  }

  /// Where x stands, in deviations from its mean.
  [[nodiscard]] double standard(const wide& x) const {
    return ratio(x - line_.center, line_.row_deviation);
  }
  [[nodiscard]] double standard_length(const wide& x) const {
    return ratio(x, line_.row_deviation);
  }
  [[nodiscard]] wide mean_at(const wide& x) const { return line_.slope * x + line_.offset; }

  /// E[ln b], over one half of the line or all of it.
  void add_log_widths() {
    log_widths_.add_upper_half();
    if (!line_.is_centered()) log_widths_.add_lower_half();
  }

  [[nodiscard]] double log_size() const { return y_cells_.log2_size() * std::numbers::ln2; }
  /// A bound on |G_i|: H_i is at most ln N.
  [[nodiscard]] double largest_row() const { return log_size() + log_widths_.largest(); }

  /// The row around the mean, seen from the side on which it reaches farther.
  void add_middle(const cell_run& cell) {
    constexpr double end = 12;  // beyond which there is no mass
    const noisy_line line = line_;
    const bool is_mirrored = standard(cell.right) < -standard(cell.left);
    if (is_mirrored) line_ = line_.mirrored();
    const wide left = is_mirrored ? -cell.right : cell.left;
    const wide right = is_mirrored ? -cell.left : cell.right;
    const double z = std::max(standard(left), -end);
    const double width = std::min(standard(right), end) - z;
    const wide from = z == -end ? line_.center + wide(z) * line_.row_deviation : left;
    add(row_at(from, z, width), mass_of(normal_, {z, z + width, width, 1}).probability);
    line_ = line;
  }

  bool neglect(const wide& from, const wide& to) {
    const double left = standard(from);
    const double right = standard(to);
    return neglect(mass_of(normal_, {left, right, right - left, 1}).probability);
  }

  /// Rows of little mass do not matter, or the work is enough.
  bool neglect(double mass) {
    const double most = mass * largest_row();
    if (!(most <= tolerance_ / 64) && rows_ < (are_points_ ? most_points : most_rows)) return false;
    error_ += most;
    mass_.add(mass);
    return true;
  }

  void add(const row_span& piece) {
    throw_if_stopped(stop_);
    const double left = standard(piece.left);
    const double right = standard(piece.right);
    const double length = std::isinf(right) ? right : standard_length(piece.right - piece.left);
    const double mass = mass_of(normal_, {left, right, length, 1}).probability;
    if (neglect(mass)) return;
    if (piece.count == 1) return add_row(piece.left, left, length, mass);
    // A run that begins far from zero, and near the mean, may be very long.
    const bool may_be_long = piece.is_points() || !line_.is_centered();
    if (may_be_long && right > 11) return cut(piece, line_.shift + 10 * line_.gain);

    // What the mean of Y, and Y itself, run over, in units of σ_ξ.
    const double from = line_.shift + line_.gain * left;
    const double to = line_.shift + line_.gain * right;
    const double span = line_.is_centered() ? to - from : line_.gain * length;
    const width_map::view y = y_cells_of(piece, from, to);
    if (are_points_) ++rows_;  // so that cutting up comes to an end
    if (y.same_cell) {         // but for 1e-19 of the mass
      const double width = widths_.segments()[y.first].width;
      const double log_width = std::isinf(width) ? 0 : std::log(width);
      return add({log_width, 1e-17 * (1 + largest_row())}, mass);
    }
    const double smear = line_.gain * standard_length(piece.width);
    const bool is_coarse = y.widest > widest_fine_cell(smear);
    const double change = std::max(length * (1 + right), y.level ? 0 : span);
    const bool is_short = piece.count < (change < 0.05 ? 10 : change < 0.5 ? 20 : few);
    const bool by_phase = is_coarse && (y.level || !resolves_phase(smear));
    if (!piece.is_points() && (is_short || by_phase)) return add_rows(piece, y.level, mass);
    const double middle = from + (to - from) / 2;
    const double longest = is_coarse ? 1.5 : y.widest > 0.1 ? 3 : 6;
    if ((is_coarse || !y.level) && span > longest) {
      return cut(piece, is_coarse ? middle : cut_point(from, to));
    }
    if (length > 2 * std::max(1.0, left)) return cut(piece, middle);
    const bool done = change < 0.05  ? by_quadrature<2, 4>(piece, left, right, mass)
                      : change < 0.5 ? by_quadrature<4, 8>(piece, left, right, mass)
                                     : by_quadrature<8, 16>(piece, left, right, mass);
    if (!done) cut(piece, middle);
  }

  /// The cells of Y that the rows of a piece may reach. A double tells where the mean of Y is of a
  /// centered pair, of which what matters is near 0 or far beyond all edges.
  [[nodiscard]] width_map::view y_cells_of(const row_span& piece, double from, double to) const {
    if (line_.is_centered() || piece.right.is_infinite()) {
      return widths_.between(from - margin, to + margin);
    }
    const wide reach = wide(margin) * line_.noise;
    return widths_.between(mean_at(piece.left) - reach, mean_at(piece.right) + reach);
  }

  /// Many rows while the mean of Y crosses a cell of Y?
  [[nodiscard]] static bool resolves_phase(double smear) { return smear <= 0.125; }

  /// A point that parts what is near a change of Y's widths from what is not; else the middle.
  [[nodiscard]] double cut_point(double from, double to) const {
    const double at = widths_.cut(from, to, margin);
    return std::isnan(at) ? from + (to - from) / 2 : at;
  }

  /// Cuts where the mean of Y is at `u`, in units of σ_ξ.
  void cut(const row_span& piece, double u) {
    wide at = line_.center + wide((u - line_.shift) / line_.gain) * wide(line_.row_deviation);
    if (piece.is_points()) {
      // Far from zero a double may not tell where.
      const bool is_told =
          0x1p-50 * std::fabs(u) < line_.gain * standard_length(piece.right - piece.left);
      const bool is_inside = is_told && piece.left < at && at < piece.right;
      if (!line_.is_centered() && !is_inside) at = middle_of(piece);
      add({piece.left, at, piece.width, 0});
      add({at, piece.right, piece.width, 0});
      return;
    }
    double before = std::floor(standard_length(at - piece.left) / standard_length(piece.width));
    const auto most = static_cast<double>(piece.count - 1);
    // Far from zero a double may not tell where: then in the middle.
    const bool is_told = line_.is_centered() || (before >= 1 && before <= most);
    if (!is_told) before = std::floor(most / 2);
    const auto index =
        std::min(static_cast<std::uint64_t>(std::clamp(before, 1.0, most)), piece.count - 1);
    const wide edge = piece.edge(index);
    add({piece.left, edge, piece.width, index});
    add({edge, piece.right, piece.width, piece.count - index});
  }

  /// Of points that may go on without end.
  [[nodiscard]] wide middle_of(const row_span& piece) const {
    const wide end = line_.center + wide(10.0) * line_.row_deviation;
    return midpoint(piece.left, piece.right < end ? piece.right : end);
  }

  using row = row_sum::result;

  row row_at(const wide& left, double z, double width) {
    ++rows_;
    row made = row_sum_(mean_at(left), {z, width, line_.gain});
    if (line_.is_capped) made.error += 64 / (line_.gain * width);
    return made;
  }

  void add(const row& mean, double mass) {
    nats_.add(mass * mean.nats);
    absolute_ += mass * std::fabs(mean.nats);
    error_ += mass * mean.error;
    mass_.add(mass);
  }

  void add_row(const wide& left, double z, double width, double mass) {
    add(row_at(left, z, std::min(width, wide_row::end_of_mass(z) - z)), mass);
  }

  void add_rows(const row_span& piece, bool level, double mass) {
    const double width = standard_length(piece.width);
    const row_cell last{standard(piece.right) - width, width, line_.gain};
    if (piece.count >= many && (corner_row::suits(last) || narrow_row::suits(last))) {
      const double left = standard(piece.left);
      const double right = standard(piece.right);
      // Over a longer stretch the masses fall by more than the rules of the lattice sum can follow.
      const double longest = std::max(1.0, left);
      if (level && right - left > longest + width) {
        return cut(piece, line_.shift + line_.gain * (left + longest));
      }
      if (level) return add_lattice(piece, mass);
      const double from = line_.shift + line_.gain * left;
      const double to = line_.shift + line_.gain * right;
      return cut(piece, cut_point(from, to));
    }
    if (rows_ + piece.count > most_rows && piece.count > 1) {
      rows_ = most_rows;  // more than can be done: a bound is all there is
      neglect(mass);
      return;
    }
    for (std::uint64_t i = 0; i < piece.count; ++i) {
      if (i % 64 == 0) throw_if_stopped(stop_);
      const wide edge = piece.edge(i);
      const double z = standard(edge);
      const double each = normal_.cell(z + width / 2, width).probability;
      if (each > 1e-300) add_row(edge, z, width, each);
    }
  }

  /// Many rows in cells of X and of Y that are all alike: G_i is a function of where in a cell of Y
  /// the mean of Y is at the left end of the row, and, slowly, of i.
  void add_lattice(const row_span& piece, double mass) {
    const double width = standard_length(piece.width);
    const double z0 = standard(piece.left);
    const auto count = static_cast<double>(piece.count);
    const double middle = line_.shift + line_.gain * (z0 + count / 2 * width);
    const cell_segment& y = widths_.segments()[widths_.segment_of(middle)];
    const width_map alike = width_map::uniform(y.cell_width, y.width);
    const row_sum row_sum_alike(alike, line_.noise);
    const wide per_cell = reciprocal(y.cell_width);
    const circle_point theta{line_.slope * piece.width * per_cell};
    const circle_point phase{(mean_at(piece.left) - y.left_edge) * per_cell};

    double row_error = line_.is_capped ? 64 / (line_.gain * width) : 0;
    const auto row_of = [&](double turns, double t) {
      const double z = z0 + t * count * width;
      const row made = row_sum_alike(wide(turns) * y.cell_width, {z, width, line_.gain});
      row_error = std::max(row_error, made.error);
      return made.nats;
    };
    // The masses of the rows but for a factor, P ∝ φ(z)(1 + width²(z² - 1)/24).
    const double center = z0 + count / 2 * width;
    const auto weight = [&](double i) {
      const double z = z0 + (i + 0.5) * width;
      return std::exp((center - z) * (center + z) / 2) * (1 + width * width / 24 * (z * z - 1));
    };
    const double unit = std::exp(normal_.log_pdf(center)) * width;
    const auto add_mean = [&](const lattice_sum::result& sum, double error) {
      const double mismatch = std::fabs(sum.weight * unit / mass - 1);
      add({sum.mean, sum.error + error + row_error + 2 * mismatch}, mass);
    };

    const phase_panels panels(theta.turns(), 1 / y.width);
    const lattice_sum rows(panels, theta, piece.count);
    if (rows.work() < phase_table::work(panels)) {
      return add_mean(rows.mean(row_of, phase, weight, stop_), 0);
    }
    const phase_table table(panels, row_of);
    const lattice_sum::result plain = rows.plain_mean(table, weight);
    const bool is_enough = plain.error <= tolerance_ / 8 * (1 + 0x1p-8 / mass);
    if (is_enough || rows.work() > most_work) return add_mean(plain, table.error());
    add_mean(rows.mean(table, phase, weight, stop_), table.error());
  }

  static wide reciprocal(const wide& a) {
    const wide first{1 / a.high(), 0, -a.exponent()};
    return first + first * (wide(1.0) - a * first);
  }

  struct rule_sum {
    double nats = 0;
    double mass = 0;
    double error = 0;
  };

  template <std::size_t Order>
  rule_sum apply(const row_span& piece, double left, double right) {
    const auto count = static_cast<double>(piece.count);
    const mean_rule<Order> rule = gram_rule<Order>(piece.is_points() ? infinity : count);
    const wide length = piece.right - piece.left;
    const double width = standard_length(piece.width);
    rule_sum sum;
    for (std::size_t k = 0; k < Order; ++k) {
      const wide center = piece.left + length * wide((1 + rule.node[k]) / 2);
      const double z = standard(center);
      const double p = piece.is_points() ? std::exp(normal_.log_pdf(z)) * (right - left)
                                         : count * normal_.cell(z, width).probability;
      const row made = row_at(center - piece.width.scaled(-1), z - width / 2, width);
      sum.nats += rule.weight[k] * p * made.nats;
      sum.error += rule.weight[k] * p * made.error;
      sum.mass += rule.weight[k] * p;
    }
    return sum;
  }

  template <std::size_t Low, std::size_t High>
  bool by_quadrature(const row_span& piece, double left, double right, double mass) {
    const rule_sum low = apply<Low>(piece, left, right);
    const rule_sum high = apply<High>(piece, left, right);
    const double difference = std::fabs(high.nats - low.nats);
    const double scale = std::fabs(high.nats) + mass;
    const double relative = 10 * difference / scale;
    const double estimate = std::fmin(difference, scale * relative * std::sqrt(relative));
    const double mismatch = std::fabs(high.mass - mass) * scale / high.mass;
    const double allowed = tolerance_ * (mass + 0x1p-8) / 8;
    const double error = estimate + std::fmax(0.0, mismatch - 64 * 0x1p-53 * scale);
    const bool may_halve = std::max(line_.gain, 1.0) * (right - left) > 1e-3;
    if (may_halve && !(error <= std::fmax(allowed, high.error))) return false;
    // Cells taken as points: G_i is larger by something between 0 and smear²/8.
    const bool stand_for_cells = piece.is_points() && !are_points_;
    const double raised = stand_for_cells ? mass * fine_ * fine_ / 16 : 0;
    nats_.add(high.nats + raised);
    absolute_ += std::fabs(high.nats);
    error_ += error + high.error + raised + mass * fine_ * fine_ / 8;
    mass_.add(mass);
    return true;
  }

  standard_normal normal_;
  const partition& y_cells_;
  noisy_line line_;
  double tolerance_;
  double fine_;
  stop_token stop_;
  row_walk walk_;
  log_width_mean log_widths_;
  width_map widths_;
  row_sum row_sum_;
  bool are_points_ = false;
  std::uint64_t rows_ = 0;  ///< so far
  compensated_sum nats_;
  compensated_sum mass_;
  double absolute_ = 0;
  double error_ = 0;
};

}  // namespace ktln2
