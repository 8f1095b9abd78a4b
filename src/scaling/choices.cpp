#include "ktln2/scaling/choices.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <variant>

#include "core/constants.hpp"
#include "entropy/law_integrals.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {
namespace {

double best_profit(const profit_curve& curve) {
  const best_size size = find_best_size(curve);
  return size.best ? size.best->profit : infinity;
}

/// The highest of some points, then between its neighbors.
struct peak {
  double x;
  bool is_edge;
};

class learning_rates {
 public:
  explicit learning_rates(const linear_model& model)
      : low_{-6 * std::log(10.0)}, scale_{1 / (model.sigma_x * model.sigma_x)} {}

  [[nodiscard]] peak best(const sgd_profit_curve& curve, double batch, int count,
                          int digits) const {
    const auto value = [&](double log_a) {
      return best_profit(curve.with(std::exp(log_a) * scale_, batch));
    };
    const double step = (high - low_) / count;
    int best = 0;
    double best_value = -infinity;
    for (int i = 0; i <= count; ++i) {
      const double here = value(low_ + i * step);
      if (here > best_value) {
        best = i;
        best_value = here;
      }
    }
    const double left = low_ + std::max(0, best - 1) * step;
    const double right = low_ + std::min(count, best + 1) * step;
    std::uintmax_t most = 60;
    const auto found = boost::math::tools::brent_find_minima(
        [&](double log_a) { return -value(log_a); }, left, right, digits, most);
    const double log_a = -found.second > best_value ? found.first : low_ + best * step;
    return {std::exp(log_a) * scale_, best == 0 || best == count};
  }

 private:
  static constexpr double high = -1e-3;  ///< of ln ησ_x², short of 1

  double low_;
  double scale_;
};

/// The batch that earns most at one learning rate: all small ones and some large, then all between
/// the neighbors of the best.
double batch_for(const sgd_profit_curve& curve, double eta) {
  std::map<double, double> known;
  const auto value = [&](double batch) {
    const auto found = known.find(batch);
    if (found != known.end()) return found->second;
    return known[batch] = best_profit(curve.with(eta, batch));
  };
  double best = 1;
  double left = 1;
  double right = 2;
  double before = 1;
  bool is_next = false;
  for (double batch = 1; batch <= 1e9; batch = std::max(batch + 1, std::floor(batch * 1.1))) {
    if (is_next) right = batch;
    is_next = false;
    if (value(batch) > value(best) || batch == 1) {
      best = batch;
      left = before;
      is_next = true;
    }
    // Even one step of so many points costs more than all predictions bring.
    if (curve.with(eta, batch).tail_bound(batch) < value(best)) break;
    before = batch;
  }
  const double stride = std::max(1.0, std::floor((right - left) / 256));
  for (double batch = left; batch <= right; batch += stride) {
    if (value(batch) > value(best)) best = batch;
  }
  return best;
}

sgd_choice chosen(const sgd_profit_curve& curve, double eta, double batch, bool is_edge) {
  return {eta, batch, find_best_size(curve.with(eta, batch)), is_edge};
}

constexpr int fine_grid = 160;
constexpr int all_digits = 30;

/// What storing does to (ŵ - w)² on average, in a stretch of cells.
template <class Law>
class stored_law {
 public:
  stored_law(const float_format& format, const Law& slope, double w)
      : format_{format}, slope_{slope}, w_{w} {}

  /// The sum over all cells of E[(Q(x) - w)² - (x - w)²].
  [[nodiscard]] double gain() const {
    const partition cells{format_};
    double sum = 0;
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      for (const cell_run& run : cells.block(block)) {
        if (run.count > 0) sum += of_run(run);
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] double of_run(const cell_run& run) const {
    if (run.left.is_infinite() || run.right.is_infinite()) return of_clipped(run);
    const double left = run.left.to_double();
    const double right = run.right.to_double();
    const double width = run.width.to_double();
    const double reach = window * slope_.scale();
    const bool is_near = right > slope_.location() - reach && left < slope_.location() + reach;
    if (!is_near || (width < slope_.scale() / 16 && run.count > 4)) {
      const double mass = slope_.kernel()
                              .between(slope_.standard(run.left), slope_.standard(run.right))
                              .probability;
      if (mass == 0) return 0;
      const double ends = (right - w_) * pdf(slope_, right) - (left - w_) * pdf(slope_, left);
      return width * width * (mass / 12 - ends / 6);
    }
    const double skipped = std::floor((slope_.location() - reach - left) / width);
    const double first = std::max(0.0, skipped);
    const double last = std::min(static_cast<double>(run.count),
                                 std::ceil((slope_.location() + reach - left) / width));
    double sum = 0;
    for (double k = first; k < last; ++k) sum += of_cell(left + k * width, width);
    return sum;
  }

  /// ∫ (u - x)(u + x - 2w) f over one cell with the value u, in panels that are short against f.
  [[nodiscard]] double of_cell(double left, double width) const {
    const double value = format_.value(format_.quantize(left + width / 2)).to_double();
    const double reach = window * slope_.scale();
    const double from = std::max(left, slope_.location() - reach);
    const double to = std::min(left + width, slope_.location() + reach);
    if (!(from < to)) return 0;
    const double panels = std::ceil((to - from) / slope_.scale() * 2);
    double sum = 0;
    for (double i = 0; i < panels; ++i) {
      sum += panel(from + (to - from) * i / panels, from + (to - from) * (i + 1) / panels, value);
    }
    return sum;
  }

  /// An outermost cell, to infinity in panels that grow.
  [[nodiscard]] double of_clipped(const cell_run& run) const {
    const bool is_right = run.right.is_infinite();
    const double edge = (is_right ? run.left : run.right).to_double();
    if (!std::isfinite(edge)) return 0;
    const double sign = is_right ? 1 : -1;
    const double value = sign * format_.max().to_double();
    // As far as the law's middle, if that is beyond the edge, in short steps.
    double from = edge;
    double step = slope_.scale() / 4;
    double sum = 0;
    for (int i = 0; i < 4000 && step < 1e30 * slope_.scale(); ++i) {
      const double to = from + sign * step;
      sum += is_right ? panel(from, to, value) : panel(to, from, value);
      if (sign * (to - slope_.location()) > 8 * slope_.scale()) step *= 1.25;
      from = to;
    }
    return sum;
  }

  [[nodiscard]] double panel(double from, double to, double value) const {
    return integrate_panel<8>(
        from, to, [&](double x) { return (value - x) * (value + x - 2 * w_) * pdf(slope_, x); });
  }

  static constexpr double window = 40;  ///< in scales: beyond, no law is narrow against its cells

  const float_format& format_;
  const Law& slope_;
  double w_;
};

}  // namespace

sgd_choice best_learning_rate(const sgd_profit_curve& curve) {
  const double batch = curve.what().how.batch;
  const peak found = learning_rates{curve.what().model}.best(curve.with_smooth_model(), batch,
                                                             fine_grid, all_digits);
  return chosen(curve, found.x, batch, found.is_edge);
}

sgd_choice best_batch(const sgd_profit_curve& curve) {
  const double eta = curve.what().how.eta;
  if (curve.bit_price() == 0) return chosen(curve, eta, curve.what().how.batch, false);
  return chosen(curve, eta, batch_for(curve.with_smooth_model(), eta), false);
}

sgd_choice best_learning_rate_and_batch(const sgd_profit_curve& curve) {
  if (curve.bit_price() == 0) return best_learning_rate(curve);
  const sgd_profit_curve quick = curve.with_smooth_model();
  const learning_rates rates{curve.what().model};
  const auto value = [&](double eta, double batch) { return best_profit(quick.with(eta, batch)); };
  double eta = quick.what().how.eta;
  double batch = 1;
  double best = -infinity;
  for (double trial = 1; trial <= 1e6; trial = std::max(trial + 1, std::floor(trial * 1.5))) {
    const double here = rates.best(quick, trial, 24, 6).x;
    const double found = value(here, trial);
    if (found > best) {
      best = found;
      eta = here;
      batch = trial;
    }
    if (quick.with(eta, trial).tail_bound(trial) < best) break;
  }
  // In turns, until neither moves: each turn can only gain.
  bool is_edge = false;
  for (int turn = 0; turn < 8; ++turn) {
    const peak rate = rates.best(quick, batch, fine_grid, all_digits);
    eta = rate.x;
    is_edge = rate.is_edge;
    const double next = batch_for(quick, eta);
    if (next == batch) break;
    batch = next;
  }
  return chosen(curve, eta, batch, is_edge);
}

double stored_error(const float_format& format, double w) {
  const double width = bin_size(format, w);
  return width * width / 12;
}

double stored_square_error(const float_format& format, const law& slope, double w) {
  return std::visit(
      [&](const auto& known) {
        const double spread = deviation(known);
        const double bias = mean(known) - w;
        return spread * spread + bias * bias + stored_law{format, known, w}.gain();
      },
      slope);
}

std::vector<precision_choice> sizes_by_precision(const market& prices, const training& what,
                                                 int exponent_bits, entropy_kind kind,
                                                 const stop_token& stop) {
  const linear_model& given = model_of(what);
  std::vector<precision_choice> all;
  double best = -infinity;
  int best_p = 0;
  for (int p = 1; p <= 64; ++p) {
    const float_format format{p, exponent_bits};
    const double error = stored_error(format, given.w);
    const profit_curve curve{prices, one_format(format), what, kind, error, stop};
    precision_choice choice{p, error, undefined, find_best_size(curve)};
    if (choice.size.best) {
      const double n = choice.size.best->n;
      choice.stored_mse =
          given.sigma_x * given.sigma_x * stored_square_error(format, curve.law_at(n), given.w) +
          given.sigma_xi * given.sigma_xi;
    }
    const double earned = choice.size.best ? choice.size.best->profit : infinity;
    all.push_back(std::move(choice));
    if (earned > best) {
      best = earned;
      best_p = p;
    }
    // Each further bit makes every point dearer; what it can still bring is less than all that
    // storing costs.
    const bool is_fine =
        error * given.sigma_x * given.sigma_x < 1e-3 * given.sigma_xi * given.sigma_xi;
    if (is_fine && p >= best_p + 4) break;
  }
  return all;
}

}  // namespace ktln2
