// Simulated trials: time for one data point, by kind and arithmetic, and what a second thread
// gains. simulation_numpy.py compares the first with NumPy.
//
// Times of one thread are processor times: what other programs take is not counted. two_threads
// runs the same trials on one and on two threads, one after the other in each iteration: `speedup`
// is the ratio of the best wall-clock times, the bar is 1.8, and it needs two processors that are
// idle for some milliseconds; `overhead` is the ratio of processor times, and does not.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <vector>

#include "ktln2/simulation/normal_pairs.hpp"
#include "ktln2/simulation/trial.hpp"

namespace {

using ktln2::float_format;
using ktln2::simulation::simulate;
using ktln2::simulation::trial;

void normals(benchmark::State& state, ktln2::array_kernels use) {
  const ktln2::simulation::normal_pairs source{1, use};
  std::vector<double> a(256);
  std::vector<double> b(256);
  std::uint64_t index = 0;
  for (auto _ : state) {
    source.fill(0, index++, a, b);
    benchmark::DoNotOptimize(a.data());
    benchmark::DoNotOptimize(b.data());
  }
  state.counters["each"] = benchmark::Counter(
      512, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(normals, fastest, ktln2::array_kernels::fastest);
BENCHMARK_CAPTURE(normals, portable, ktln2::array_kernels::portable);

/// `points` in each trial; the counter is the time for one of them.
void one_thread(benchmark::State& state, const trial& what, double points,
                const std::optional<float_format>& arithmetic) {
  constexpr std::uint64_t trials = 4096;
  std::uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        simulate(what, {.trials = trials, .seed = seed++, .threads = 1, .arithmetic = arithmetic}));
  }
  state.counters["per_point"] = benchmark::Counter(
      points * trials, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
const ktln2::simulation::sgd_trial sgd{.model = {.w = 2}, .steps = 100};
const ktln2::simulation::slope_trial slope{.n = 100};
const ktln2::simulation::average_trial average{.n = 100};
BENCHMARK_CAPTURE(one_thread, sgd, sgd, 1000, std::nullopt)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_thread, slope, slope, 100, std::nullopt)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_thread, average, average, 100, std::nullopt)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_thread, sgd_in_p24e8, sgd, 1000, float_format(24, 8))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_thread, slope_in_p11e5, slope, 100, float_format(11, 5))
    ->Unit(benchmark::kMillisecond);

struct times {
  double wall = 0;
  double processor = 0;
};

times run(unsigned threads, std::uint64_t seed) {
  const auto processor = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double before = processor();
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(simulate(sgd, {.trials = 1024, .seed = seed, .threads = threads}));
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          processor() - before};
}

void two_threads(benchmark::State& state) {
  times best_one{HUGE_VAL, 0};
  times best_two{HUGE_VAL, 0};
  const auto add = [](times& best, const times& now) {
    best.wall = std::min(best.wall, now.wall);
    best.processor += now.processor;
  };
  std::uint64_t seed = 0;
  for (auto _ : state) {
    add(best_one, run(1, seed));
    const times both = run(2, seed++);
    add(best_two, both);
    state.SetIterationTime(both.wall);
  }
  state.counters["speedup"] = best_one.wall / best_two.wall;
  state.counters["overhead"] = best_two.processor / best_one.processor;
}
BENCHMARK(two_threads)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(2);

}  // namespace
