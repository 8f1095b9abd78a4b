// The best dataset size.
//   smooth_regression, smooth_sgd     all local optima and the global one, smooth entropies: < 1 ms
//   exact_regression                  the same with exact entropies of the slope: tens of ms

#include <benchmark/benchmark.h>

#include "ktln2/scaling/choices.hpp"

namespace {

using namespace ktln2;

const market prices{.energy_price = 5e16,
                    .inference = {10},
                    .temperature = kelvin{4e-21 / boltzmann_constant.value()}};

void search(benchmark::State& state, const profit_curve& curve) {
  for (auto _ : state) benchmark::DoNotOptimize(find_best_size(curve));
}

void smooth_regression(benchmark::State& state) {
  search(state, {prices, one_format({24, 8}), regression_training{{.w = 2}}, entropy_kind::smooth});
}
BENCHMARK(smooth_regression)->Unit(benchmark::kMillisecond);

void smooth_sgd(benchmark::State& state) {
  search(state, {prices, one_format({24, 8}), sgd_training{{.w = 5}, {.eta = 0.05}},
                 entropy_kind::smooth});
}
BENCHMARK(smooth_sgd)->Unit(benchmark::kMillisecond);

void exact_regression(benchmark::State& state) {
  search(state, {prices, one_format({24, 8}), regression_training{{.w = 2}}, entropy_kind::exact});
}
BENCHMARK(exact_regression)->Unit(benchmark::kMillisecond);

void learning_rate_and_batch(benchmark::State& state) {
  const sgd_training what{{.w = 2}, {.eta = 0.05}, sgd_model::moments};
  const sgd_profit_curve curve{prices, one_format({24, 8}), what, entropy_kind::smooth};
  for (auto _ : state) benchmark::DoNotOptimize(best_learning_rate_and_batch(curve));
}
BENCHMARK(learning_rate_and_batch)->Unit(benchmark::kMillisecond);

}  // namespace
