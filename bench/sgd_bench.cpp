// The exact law of SGD's slope after 2000 steps, from the start; bar: 2 s each.

#include <benchmark/benchmark.h>

#include "ktln2/entropy/exact.hpp"

namespace {

using namespace ktln2;

void build(benchmark::State& state, double eta, double batch, double start) {
  const linear_model model{.w = 1 + start};
  const descent how{.eta = eta, .batch = batch, .w0 = 1};
  double error = 0;
  for (auto _ : state) {
    const sgd_exact law{model, how, 2000};
    benchmark::DoNotOptimize(law);
    error = law.kernel().table_error();
  }
  state.counters["table_error"] = error;
}

void store(benchmark::State& state) {
  const sgd_exact law{{.w = 2}, {}, 100};
  for (auto _ : state) benchmark::DoNotOptimize(exact_entropy(float_format{24, 8}, law));
}

}  // namespace

BENCHMARK_CAPTURE(build, eta001_batch10_start1, 0.01, 10, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta001_batch10_start4, 0.01, 10, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta005_batch10_start1, 0.05, 10, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta005_batch10_start4, 0.05, 10, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta001_batch1_start1, 0.01, 1, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta001_batch1_start4, 0.01, 1, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta02_batch1_start1, 0.2, 1, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta02_batch1_start4, 0.2, 1, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, eta001_batch1000_start1, 0.01, 1000, 1)->Unit(benchmark::kMillisecond);
BENCHMARK(store)->Unit(benchmark::kMillisecond);
