// The exact law of SGD's slope after 2000 steps, from the start; bar: 2 s each. The counters are
// the columns of the table in docs/sgd.md.
//   random laws          processor time of 200 laws; the label is the slowest

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <stdexcept>

#include "ktln2/entropy/exact.hpp"
#include "thread_seconds.hpp"

namespace {

using namespace ktln2;

void build(benchmark::State& state, double eta, double batch, double start) {
  const linear_model model{.w = 1 + start};
  const descent how{.eta = eta, .batch = batch, .w0 = 1};
  for (auto _ : state) {
    const double begin = thread_seconds();
    const sgd_exact law{model, how, 2000};
    state.counters["seconds"] = thread_seconds() - begin;
    state.counters["variance"] = std::fabs(law.accuracy().variance_error);
    state.counters["error"] = law.kernel().table_error();
    state.counters["h"] = differential_entropy(law).value();
  }
}

void store(benchmark::State& state) {
  const sgd_exact law{{.w = 2}, {}, 100};
  for (auto _ : state) benchmark::DoNotOptimize(exact_entropy(float_format{24, 8}, law));
}

/// The longest time of 200 random laws, and how many are refused.
void random_laws(benchmark::State& state) {
  for (auto _ : state) {
    std::mt19937 engine{1};
    const auto log_between = [&](double low, double high) {
      return std::exp(std::uniform_real_distribution<>(std::log(low), std::log(high))(engine));
    };
    double longest = 0;
    double worst = 0;
    int refused = 0;
    std::ostringstream slowest;
    for (int i = 0; i < 200; ++i) {
      const linear_model model{.w = 1 + log_between(0.01, 10)};
      const descent how{
          .eta = log_between(1e-9, 1), .batch = std::floor(log_between(1, 1e3)), .w0 = 1};
      const double steps = std::floor(log_between(1, 1e3));
      const double start = thread_seconds();
      try {
        worst = std::max(worst, sgd_exact{model, how, steps}.kernel().table_error());
      } catch (const std::domain_error&) {
        ++refused;
      }
      const double seconds = thread_seconds() - start;
      if (seconds <= longest) continue;
      longest = seconds;
      slowest.str("");
      slowest << "w=" << model.w << " eta=" << how.eta << " batch=" << how.batch
              << " steps=" << steps;
    }
    state.SetLabel(slowest.str());
    state.counters["longest_s"] = longest;
    state.counters["worst_error"] = worst;
    state.counters["refused"] = refused;
  }
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
BENCHMARK(random_laws)->Unit(benchmark::kSecond)->Iterations(1);
