// What a row of `sweep` costs beside the entropy in it: the same rows as a loop over the library,
// as rows of a sweep on one thread and on two, and with more columns.
#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>

#include "ask/sweep.hpp"
#include "ktln2/core/parallel.hpp"
#include "ktln2/entropy/exact.hpp"

namespace {

constexpr std::uint64_t rows = 20000;
constexpr std::uint64_t block = 64;

void loop_over_exact_entropy(benchmark::State& state) {
  const ktln2::float_format format{24, 8};
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      const double share = static_cast<double>(i) / (rows - 1);
      const double sigma = 1e-9 * std::pow(1e15, share);
      benchmark::DoNotOptimize(ktln2::exact_entropy(format, ktln2::normal{0, sigma}));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}
BENCHMARK(loop_over_exact_entropy)->Unit(benchmark::kMillisecond);

ktln2::ask::sweep table(const std::string& columns) {
  const auto asked = parse_words(ktln2::ask::sweepable_called("entropy"), {"p24e8", "normal"});
  return ktln2::ask::sweep{
      ktln2::ask::read_sweep(asked, {"sigma=1e-9:1e6:20000:log"}, columns, false)};
}

void run(benchmark::State& state, const std::string& columns) {
  const ktln2::ask::sweep swept = table(columns);
  const auto threads = static_cast<unsigned>(state.range(0));
  for (auto _ : state) {
    std::size_t bytes = 0;
    ktln2::parallel_in_order(
        (rows + block - 1) / block, threads, [&](std::size_t i) -> std::function<void()> {
          const std::uint64_t first = i * block;
          const std::size_t size = swept.rows(first, std::min(block, rows - first)).csv.size();
          return [&bytes, size] { bytes += size; };
        });
    benchmark::DoNotOptimize(bytes);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

void sweep_headline(benchmark::State& state) { run(state, ""); }
BENCHMARK(sweep_headline)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void sweep_fields(benchmark::State& state) { run(state, "value,fields.exponent"); }
BENCHMARK(sweep_fields)
    ->Arg(1)
    ->ArgName("threads")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
