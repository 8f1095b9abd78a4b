#include "ktln2/cost/streaming.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "entropy/pair_table.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

constexpr int most_register_bits = 7;
constexpr double most_points = 10000;

/// -Σ p log₂ p
template <class Range>
double entropy_in_bits(const Range& masses) {
  double sum = 0;
  for (const double p : masses) {
    if (p > 0) sum -= p * std::log2(p);
  }
  return sum;
}

/// The error bar of an entropy over `states` states of a law that is off by `distance` in total
/// variation (Fannes and Audenaert).
bits entropy_error(double distance, double states) {
  return bits{distance * std::log2(states) - distance * std::log2(distance) -
              (1 - distance) * std::log1p(-distance) * bits_per_nat};
}

/// A format as a table: its values, and where sums and products of them are stored.
class small_arithmetic {
 public:
  explicit small_arithmetic(const float_format& format)
      : format_{format}, values_{values_of(format)} {}

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t product(std::size_t i, std::size_t j) const {
    return stored(values_[i] * values_[j]);
  }
  [[nodiscard]] std::size_t quotient(std::size_t i, std::size_t j) const {
    return stored(values_[i] / values_[j]);
  }
  /// Q(i + j) for all i and j, at i·K + j.
  [[nodiscard]] std::vector<std::uint32_t> sums() const {
    std::vector<std::uint32_t> table;
    table.reserve(size() * size());
    for (const double a : values_) {
      for (const double b : values_) table.push_back(static_cast<std::uint32_t>(stored(a + b)));
    }
    return table;
  }

 private:
  /// In ascending order, from 0.
  [[nodiscard]] std::size_t stored(double x) const {
    const double value = format_.value(format_.quantize(x)).to_double();
    return static_cast<std::size_t>(std::lower_bound(values_.begin(), values_.end(), value) -
                                    values_.begin());
  }

  float_format format_;
  std::vector<double> values_;
};

/// What a point adds to the sums, and how likely.
struct increment {
  std::size_t xy;
  std::size_t xx;
  double mass;
};

std::vector<increment> increments_of(const small_arithmetic& arithmetic,
                                     const std::vector<double>& masses) {
  const std::size_t size = arithmetic.size();
  std::map<std::pair<std::size_t, std::size_t>, double> found;
  for (std::size_t x = 0; x < size; ++x) {
    for (std::size_t y = 0; y < size; ++y) {
      found[{arithmetic.product(x, y), arithmetic.product(x, x)}] += masses[x * size + y];
    }
  }
  std::vector<increment> result;
  result.reserve(found.size());
  for (const auto& [at, mass] : found) {
    if (mass > 0) result.push_back({at.first, at.second, mass});
  }
  return result;
}

/// The law of both sums, as it goes from step to step.
class running_sums {
 public:
  running_sums(const small_arithmetic& arithmetic, std::vector<increment> increments)
      : size_{arithmetic.size()},
        sum_{arithmetic.sums()},
        increments_{std::move(increments)},
        law_(size_ * size_) {
    for (const increment& each : increments_) law_[each.xy * size_ + each.xx] += each.mass;
  }

  [[nodiscard]] double entropy() const { return entropy_in_bits(law_); }
  [[nodiscard]] const std::vector<double>& law() const { return law_; }

  /// Adds a point. Returns H(S_i | X_i, Y_i), the entropy of the sums for who knows the point.
  double advance(const stop_token& stop) {
    struct state {
      std::size_t xy;
      std::size_t xx;
      double mass;
    };
    std::vector<state> held;
    for (std::size_t i = 0; i < law_.size(); ++i) {
      if (law_[i] > 0) held.push_back({i / size_ * size_, i % size_ * size_, law_[i]});
    }
    std::vector<double> next(law_.size());
    std::vector<double> given(law_.size());
    std::vector<std::size_t> touched;
    double conditional = 0;
    for (const increment& each : increments_) {
      throw_if_stopped(stop);
      for (const state& from : held) {
        const std::size_t to = sum_[from.xy + each.xy] * size_ + sum_[from.xx + each.xx];
        if (given[to] == 0) touched.push_back(to);
        given[to] += from.mass;
      }
      double entropy = 0;
      for (const std::size_t to : touched) {
        const double p = given[to];
        entropy -= p * std::log2(p);
        next[to] += each.mass * p;
        given[to] = 0;
      }
      touched.clear();
      conditional += each.mass * entropy;
    }
    law_ = std::move(next);
    return conditional;
  }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> sum_;
  std::vector<increment> increments_;
  std::vector<double> law_;
};

/// The laws of the row and of the column of a square table.
std::pair<std::vector<double>, std::vector<double>> marginals(const std::vector<double>& table,
                                                              std::size_t size) {
  std::pair<std::vector<double>, std::vector<double>> result{std::vector<double>(size),
                                                             std::vector<double>(size)};
  for (std::size_t i = 0; i < table.size(); ++i) {
    result.first[i / size] += table[i];
    result.second[i % size] += table[i];
  }
  return result;
}

double shared_information(const std::vector<double>& table, std::size_t size) {
  const auto [row, column] = marginals(table, size);
  return entropy_in_bits(row) + entropy_in_bits(column) - entropy_in_bits(table);
}

void require_small(const float_format& format, double n) {
  if (format.width() > most_register_bits || format.exponent_bits() < 1) {
    throw std::domain_error("streaming: exact entropies need a format of at most " +
                            std::to_string(most_register_bits) + " bits with E ≥ 1, got " +
                            format.name());
  }
  if (!(n >= 1 && n <= most_points && n == std::floor(n))) {
    throw std::domain_error("streaming: n must be a whole number from 1 to " + shown(most_points) +
                            ", got " + shown(n));
  }
}

}  // namespace

bool can_be_enumerated(const float_format& format, double n) {
  return format.width() <= most_register_bits && format.exponent_bits() >= 1 && n <= most_points;
}

std::vector<bounded<bits>> streaming_cost::steps() const {
  std::vector<bounded<bits>> result;
  bounded<bits> before = exactly(bits{0});
  for (const bounded<bits>& after : held) {
    result.push_back(before + data - after);
    before = after;
  }
  result.push_back(before - slope);
  return result;
}

streaming_cost streamed_regression(const float_format& format, const linear_model& model, double n,
                                   const stop_token& stop) {
  require_small(format, n);
  const small_arithmetic arithmetic{format};
  const std::size_t size = arithmetic.size();
  const auto states = static_cast<double>(size * size);
  std::vector<double> masses = likely_log_pair_table({format, format}, regression_pair{model});
  double all = 0;
  for (double& p : masses) all += p = std::exp(p);
  // Of one point; every step adds as much, and some rounding.
  const double off = std::fabs(all - 1) + 0x1p-44;
  const auto with_bar = [&](double value, double points, double entropies) {
    return bounded<bits>{bits{value}, entropies * entropy_error(points * off, states)};
  };

  running_sums sums{arithmetic, increments_of(arithmetic, masses)};
  streaming_cost result{.n = n,
                        .data = with_bar(entropy_in_bits(masses), 1, 1),
                        .slope = {},
                        .shared_data = with_bar(shared_information(masses, size), 1, 3),
                        .shared_steps = with_bar(sums.entropy(), 1, 1),
                        .shared_sums = {}};
  result.held.push_back(result.shared_steps);  // the first sums are functions of the first point
  for (double i = 2; i <= n; ++i) {
    const double known = sums.advance(stop);
    result.held.push_back(with_bar(sums.entropy(), i, 1));
    result.shared_steps += with_bar(sums.entropy() - known, i, 2);
  }
  result.shared_sums = with_bar(shared_information(sums.law(), size), n, 3);
  std::vector<double> slopes(size);
  for (std::size_t i = 0; i < sums.law().size(); ++i) {
    if (sums.law()[i] > 0) slopes[arithmetic.quotient(i / size, i % size)] += sums.law()[i];
  }
  result.slope = with_bar(entropy_in_bits(slopes), n, 1);
  return result;
}

}  // namespace ktln2
