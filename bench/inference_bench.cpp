// What predictions cost, exactly: the longest time of 300 random ones; bar: 50 ms.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ktln2/cost/inference.hpp"
#include "thread_seconds.hpp"

namespace {

using namespace ktln2;

void random_predictions(benchmark::State& state) {
  for (auto _ : state) {
    std::mt19937 engine{1};
    const auto between = [&](int low, int high) {
      return std::uniform_int_distribution<>(low, high)(engine);
    };
    const auto unit = [&] { return std::uniform_real_distribution<>(0, 1)(engine); };
    double longest = 0;
    double widest = 0;
    for (int i = 0; i < 300; ++i) {
      const float_format format{between(1, 64), between(0, 15)};
      const double slope = std::ldexp(1 + unit(), between(-8, 8));
      const double start = thread_seconds();
      const inference_cost cost = inference(format, slope, std::exp(10 * unit() - 5));
      longest = std::max(longest, thread_seconds() - start);
      widest = std::max(widest, cost.device.erased().error.value());
    }
    state.counters["longest_ms"] = 1e3 * longest;
    state.counters["widest_bar"] = widest;
  }
}

}  // namespace

BENCHMARK(random_predictions)->Unit(benchmark::kMillisecond)->Iterations(1);
