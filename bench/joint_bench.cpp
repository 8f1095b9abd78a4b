// The joint entropy of two registers.
//   p24e8 at SNR 1 and 1e4, p8e8 at 1e4        a coarse register is no slower than a fine one
//   random pairs                               processor time of 500 pairs, p 1 … 53, E 0 … 11, up
//   to
//                                              a signal-to-noise ratio; the label is the slowest
//   speedup                                    against one term for each pair of cells near the
//   line
//                                              y = wx, a 16-point integral each, in the same
//                                              iteration

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <string>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/format/partition.hpp"
#include "thread_seconds.hpp"

namespace {

using namespace ktln2;

void joint(benchmark::State& state, const std::string& x_format, const std::string& y_format,
           const std::string& description) {
  const format_pair formats{float_format::parse(x_format), float_format::parse(y_format)};
  const regression_pair pair = parse_pair(description);
  double error = 0;
  for (auto _ : state) error = joint_entropy(formats, pair).joint.error.value();
  state.counters["bar"] = error;
}

struct timed_pair {
  format_pair formats;
  regression_pair pair;
};

/// Equal formats or not; slopes that are powers of two, one decimal, or neither.
timed_pair random_pair(std::mt19937& engine, double largest_snr) {
  const auto unit = [&] { return std::uniform_real_distribution<>(0, 1)(engine); };
  const auto whole = [&](int low, int high) {
    return std::uniform_int_distribution<>(low, high)(engine);
  };
  const auto format = [&] { return float_format{whole(1, 53), whole(0, 11)}; };
  const float_format x = format();
  const float_format y = unit() < 0.5 ? x : format();
  const double kind = unit();
  const double w = kind < 0.2   ? std::exp2(whole(-3, 3))
                   : kind < 0.4 ? whole(1, 40) / 10.0
                                : std::exp(6 * unit() - 3);
  const double sigma_x = std::exp(6 * unit() - 3);
  const double snr = 1e-12 * std::pow(1e12 * largest_snr, unit());
  return {{x, y}, {w, sigma_x, w * sigma_x / std::sqrt(snr)}};
}

void random_pairs(benchmark::State& state, double largest_snr) {
  double worst = 0;
  double total = 0;
  double bar = 0;
  std::ostringstream slowest;
  for (auto _ : state) {
    std::mt19937 engine(1);
    for (int i = 0; i < 500; ++i) {
      const timed_pair one = random_pair(engine, largest_snr);
      const double start = thread_seconds();
      const double error = joint_entropy(one.formats, one.pair).joint.error.value();
      const double seconds = thread_seconds() - start;
      total += seconds;
      bar = std::max(bar, error);
      if (seconds <= worst) continue;
      worst = seconds;
      slowest.str("");
      slowest.precision(17);
      slowest << one.formats.x.name() << ' ' << one.formats.y.name() << " w=" << one.pair.w()
              << " sigma_x=" << one.pair.sigma_x() << " sigma_xi=" << one.pair.sigma_xi();
    }
  }
  state.SetLabel(slowest.str());
  state.counters["worst_ms"] = 1e3 * worst;
  state.counters["mean_ms"] = 1e3 * total / 500;
  state.counters["widest_bar"] = bar;
}

/// [cor:joint_ent] as it is written, for the pairs of cells within 10 deviations of the line.
double enumerated(const float_format& format, const regression_pair& pair) {
  const standard_normal kernel;
  const auto& rule = gauss_legendre<16>();
  const partition cells{format};
  std::vector<double> edges;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) edges.push_back(run.edge(k).to_double());
    }
  }
  edges.push_back(HUGE_VAL);
  const double reach = 10 * pair.sigma_xi();
  double entropy = 0;
  for (std::size_t i = 1; i + 2 < edges.size(); ++i) {
    const double left = edges[i] / pair.sigma_x();
    const double right = edges[i + 1] / pair.sigma_x();
    if (std::fabs(left) > 9) continue;
    const double from = pair.w() * edges[i] - reach;
    const double to = pair.w() * edges[i + 1] + reach;
    auto j = static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), from) -
                                      edges.begin());
    for (j = std::max<std::size_t>(j, 1) - 1; j + 1 < edges.size() && edges[j] < to; ++j) {
      double p = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        const double z = left + (right - left) / 2 * (1 + rule.node[k]);
        const double mean = pair.w() * pair.sigma_x() * z;
        p += rule.weight[k] * std::exp(kernel.log_pdf(z)) *
             kernel
                 .between((edges[j] - mean) / pair.sigma_xi(),
                          (edges[j + 1] - mean) / pair.sigma_xi())
                 .probability;
      }
      p *= right - left;
      if (p > 0) entropy -= p * std::log2(p);
    }
  }
  return entropy;
}

void against_enumeration(benchmark::State& state) {
  const float_format format{8, 4};
  const regression_pair pair{1, 1, 0.05};
  double ours = 0;
  double other = 0;
  double difference = 0;
  for (auto _ : state) {
    double start = thread_seconds();
    const double exact = joint_entropy(format_pair{format, format}, pair).joint.value.value();
    ours += thread_seconds() - start;
    start = thread_seconds();
    difference = exact - enumerated(format, pair);
    other += thread_seconds() - start;
  }
  state.counters["speedup"] = other / ours;
  state.counters["difference"] = difference;
}

BENCHMARK_CAPTURE(joint, p24e8_snr_1, "p24e8", "p24e8", "pair:sigma_xi=1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(joint, p24e8_snr_1e4, "p24e8", "p24e8", "pair:sigma_xi=0.01")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(joint, p53e11_snr_4, "p53e11", "p53e11", "pair:sigma_xi=0.5")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(joint, p6e4_snr_1e4, "p6e4", "p6e4", "pair:sigma_xi=0.01")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(joint, p8e8_snr_1e4, "p8e8", "p8e8", "pair:sigma_xi=0.01")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(random_pairs, snr_up_to_1e12, 1e12)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(random_pairs, snr_up_to_1e20, 1e20)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(against_enumeration)->Unit(benchmark::kMillisecond);

}  // namespace
