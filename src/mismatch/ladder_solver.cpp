#include "ladder_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ktln2::mismatch {
namespace {

/// How many parts the steps that are extrapolated have. With ratios like these the extrapolation
/// multiplies rounding errors by some hundred; with 1 to 8 it would be some thousand.
constexpr std::array<int, 8> parts_of_step = {1, 2, 3, 4, 6, 8, 12, 16};
/// What rounding adds to a step: some hundred times what is lost in 16 parts, few of it on average.
constexpr double rounding_of_step = 0x1p-43;
constexpr std::size_t most_ladder_steps = 20000;

/// The law and the integrals at one time.
struct ladder_state {
  std::vector<double> p;
  std::vector<double> integrals;
};

class extrapolated_euler {
 public:
  extrapolated_euler(const ladder_system& system, std::size_t states)
      : system_{system},
        rates_{std::vector<double>(states - 1), std::vector<double>(states - 1)},
        inverse_(states),
        slopes_(system.integrals) {}

  struct step {
    ladder_state end;
    double law_error;
    std::vector<double> integral_errors;
  };

  /// From `t` on. The integrals are those of the step alone.
  [[nodiscard]] step cross(const std::vector<double>& p, double t, double length) {
    constexpr std::size_t rows = parts_of_step.size();
    std::array<ladder_state, rows> row;
    ladder_state before;
    for (std::size_t j = 0; j < rows; ++j) {
      row[j] = {p, std::vector<double>(system_.integrals)};
      for (int part = 1; part <= parts_of_step[j]; ++part) {
        const double share = length / parts_of_step[j];
        euler(t + share * part, share, row[j]);
      }
    }
    // Aitken and Neville, in powers of the length of a part.
    for (std::size_t column = 1; column < rows; ++column) {
      if (column + 1 == rows) before = row[rows - 1];
      for (std::size_t j = rows - 1; j >= column; --j) {
        const double ratio = static_cast<double>(parts_of_step[j]) / parts_of_step[j - column] - 1;
        improve(row[j].p, row[j - 1].p, ratio);
        improve(row[j].integrals, row[j - 1].integrals, ratio);
      }
    }
    step made{std::move(row[rows - 1]), 0, std::vector<double>(system_.integrals)};
    for (std::size_t k = 0; k < p.size(); ++k) {
      made.law_error += std::fabs(made.end.p[k] - before.p[k]);
    }
    for (std::size_t i = 0; i < system_.integrals; ++i) {
      made.integral_errors[i] = std::fabs(made.end.integrals[i] - before.integrals[i]);
    }
    return made;
  }

 private:
  static void improve(std::vector<double>& fine, const std::vector<double>& coarse, double ratio) {
    for (std::size_t k = 0; k < fine.size(); ++k) fine[k] += (fine[k] - coarse[k]) / ratio;
  }

  /// (1 - h W(t)) p_new = p_old. Gauss's elimination, with the pivot of a row as what is left of
  /// its column's sum, which is 1, plus what leads up: every term is positive.
  void euler(double t, double h, ladder_state& at) {
    system_.rates(t, rates_);
    std::vector<double>& p = at.p;
    const std::size_t last = p.size() - 1;
    double left = 1;
    for (std::size_t k = 0; k < last; ++k) {
      const double up = h * rates_.up[k];
      inverse_[k] = 1 / (left + up);  // of the pivot
      p[k + 1] += up * inverse_[k] * p[k];
      left = 1 + h * rates_.down[k] * (left * inverse_[k]);
    }
    p[last] /= left;
    for (std::size_t k = last; k-- > 0;) {
      p[k] = (p[k] + h * rates_.down[k] * p[k + 1]) * inverse_[k];
    }
    system_.slopes(t, p, slopes_);
    for (std::size_t i = 0; i < slopes_.size(); ++i) at.integrals[i] += h * slopes_[i];
  }

  const ladder_system& system_;
  ladder_rates rates_;
  std::vector<double> inverse_;
  std::vector<double> slopes_;
};

}  // namespace

ladder_path climb(const ladder_system& system, std::vector<double> p, double from, double to,
                  double tolerance, const stop_token& stop) {
  extrapolated_euler solver{system, p.size()};
  ladder_path made{std::move(p), std::vector<double>(system.integrals), 0,
                   std::vector<double>(system.integrals), 0};
  const double duration = to - from;
  double share = 1e-3;  // of the duration
  for (double done = 0; done < 1;) {
    throw_if_stopped(stop);
    if (++made.steps > most_ladder_steps)
      throw std::runtime_error("ladder: the solver makes no headway");
    share = std::min(share, 1 - done);
    const auto step = solver.cross(made.end, from + done * duration, share * duration);
    double miss = step.law_error / tolerance;
    for (std::size_t i = 0; i < system.integrals; ++i) {
      const double size = 1 + std::fabs(made.integrals[i] + step.end.integrals[i]);
      miss = std::max(miss, step.integral_errors[i] / (tolerance * size));
    }
    constexpr double step_order = parts_of_step.size();
    const double change = miss > 0 ? 0.8 * std::pow(miss, -1 / step_order) : 4;
    if (!(miss <= 1)) {
      share *= std::isfinite(miss) ? std::clamp(change, 0.1, 0.9) : 0.1;
      continue;
    }
    done = share < 1 - done ? done + share : 1;
    share *= std::clamp(change, 0.2, 4.0);
    made.end = step.end.p;
    made.law_error += step.law_error + rounding_of_step;
    for (std::size_t i = 0; i < system.integrals; ++i) {
      made.integrals[i] += step.end.integrals[i];
      made.integral_errors[i] +=
          step.integral_errors[i] + rounding_of_step * std::fabs(step.end.integrals[i]);
    }
  }
  return made;
}

}  // namespace ktln2::mismatch
