#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2::simulation {

/// One trial draws fresh data and computes one number from it.

/// Exact regression on n points: ŵ = Σxy / Σx²        [eq:exact_formula]
struct slope_trial {
  linear_model model = {};
  std::uint64_t n = 10;
};

/// Stochastic gradient descent from ŵ ~ N(w0, w0_sigma²), with a fresh batch of B points in each
/// step:
///     ŵ ← ŵ - (η/B) Σ (ŵx - y) x        [eq:SGD_update]
struct sgd_trial {
  linear_model model = {};
  descent how = {};
  std::uint64_t steps = 100;
};

/// The mean, or the sum, of n normal numbers N(mu, sigma²).
struct average_trial {
  std::uint64_t n = 10;
  double mu = 0;
  double sigma = 1;
  bool sum = false;
};

using trial = std::variant<slope_trial, sgd_trial, average_trial>;

/// Throws std::domain_error for a bad parameter, as simulate() does: counts are from 1 to 1e15,
/// deviations and eta from 1e-100 to 1e100, and the others not beyond ±1e100.
void check(const trial& what);

struct settings {
  std::uint64_t trials = 100'000;
  std::uint64_t seed = 1;
  /// The number of the first one. A trial is what it is by its number and the seed: the results of
  /// 0 … 99 and of 100 … 299, in two runs or on two machines, are together those of 0 … 299.
  std::uint64_t first_trial = 0;
  /// 0: as many as the machine runs at once. The results are the same for any number.
  unsigned threads = 0;
  /// Nothing: data, computation and result are doubles, the paper's assumption. A format: the data
  /// are stored in it and every operation is rounded to it, see simulate().
  std::optional<storage> arithmetic = {};
  /// Trials that run side by side, in step, 1 to 256; another number changes only the speed.
  std::size_t tile = 256;
  /// Told now and then which share of the work is done, never by two threads at once; returns
  /// whether to go on.
  std::function<bool(double)> progress = {};
};

/// Throws std::domain_error for settings that simulate() refuses: there are 1 to 1e9 trials.
void check(const settings& set);

/// The result of each trial, in order. If `progress` stops it, those of the first trials, as many
/// as were finished without a gap: the same as if only they had been asked for.
///
/// In the arithmetic of a format Q is the quantizer [eq:sem_fp], and with X = Q(x), Y = Q(y):
///   - slope: Q(S_xy / S_xx), where S_xy and S_xx are the products Q(XY) and Q(XX), added from the
///     first to the last with Q after each addition;
///   - sgd: ŵ starts as Q of its start and becomes Q(ŵ - Q(c S)) in each step, with c = Q(η/B) and
///   S the sum,
///     in the same order, of Q(Q(Q(ŵX) - Y) X);
///   - average: the sum in the same order, then Q(S/Q(n)).
/// A sum begins with its first term, because the paper's format has no zero. Each Q is applied to
/// the exact result of its operation: double's own rounding before it is harmless with p ≤ 26.
///
/// A trial of SGD that diverges beyond the range of double gives ±infinity; in the arithmetic of a
/// format with infinities or zeros a trial may end as NaN.
///
/// Throws std::domain_error for a bad parameter, for an arithmetic with p > 26, E = 0 or E > 10, or
/// with numbers beyond 2^±511, and where a NaN comes up in a format that has none.
std::vector<double> simulate(const trial& what, const settings& set = {});

}  // namespace ktln2::simulation
