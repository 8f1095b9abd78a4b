// The exact entropy of one register, against its own precision and against enumeration.
//
// Every ratio is measured inside one iteration, one after the other, so that a busy machine slows
// both sides; the processor time of this thread is what counts.
//   of_p11e8, of_p24e8     time against the smaller format: cost must not grow with p (bars 1.3, 2)
//   of_binary16            the same for formats that people own (bar 2)
//   speedup                against enumerating the same format: a cell of p14e8 times 2^32 (bar
//   1e5)

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/block_entropy.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/fields.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "thread_seconds.hpp"

namespace {

using namespace ktln2;

/// Mean time of one exact entropy, over `repeats`.
double seconds_for(const float_format& format, const law& x, int repeats = 20) {
  const double start = thread_seconds();
  for (int i = 0; i < repeats; ++i) benchmark::DoNotOptimize(exact_entropy(format, x));
  return (thread_seconds() - start) / repeats;
}

void exact(benchmark::State& state, const std::string& format_name, const std::string& law_name) {
  const float_format format = float_format::parse(format_name);
  const law x = parse_law(law_name);
  for (auto _ : state) benchmark::DoNotOptimize(exact_entropy(format, x));
}

void against_format(benchmark::State& state, const std::string& large, const std::string& small) {
  const normal x{0, 1};
  double ours = 0;
  double other = 0;
  for (auto _ : state) {
    ours += seconds_for(float_format::parse(large), x);
    other += seconds_for(float_format::parse(small), x);
  }
  state.counters["of_" + small] = ours / other;
}

double seconds_for(const std::string& format_name, int repeats = 20) {
  const number_format format = *find_number_format(format_name);
  const stored_variable stored{format, format.usual(), normal{0, 1}};
  const double start = thread_seconds();
  for (int i = 0; i < repeats; ++i) benchmark::DoNotOptimize(exact_entropy(stored));
  return (thread_seconds() - start) / repeats;
}

void number_against(benchmark::State& state, const std::string& large, const std::string& small) {
  double ours = 0;
  double other = 0;
  for (auto _ : state) {
    ours += seconds_for(large);
    other += seconds_for(small);
  }
  state.counters["of_" + small] = ours / other;
}

/// The bar of mxfp4 is 5 ms.
void block(benchmark::State& state, const std::string& name) {
  const block_format format = *find_block_format(name);
  for (auto _ : state) benchmark::DoNotOptimize(exact_entropies(format, normal{0, 1}));
}

void against_enumeration(benchmark::State& state) {
  const float_format single{24, 8};
  const float_format smaller{14, 8};
  const normal x{0, 1};
  double ours = 0;
  double enumeration = 0;
  for (auto _ : state) {
    ours += seconds_for(single, x);
    const double start = thread_seconds();
    benchmark::DoNotOptimize(enumerated_entropy(partition{smaller}, x));
    enumeration += (thread_seconds() - start) * std::exp2(single.width() - smaller.width());
  }
  state.counters["speedup"] = enumeration / ours;
}

void all_bits(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(entropy_by_bit({24, 8}, normal{0, 1}));
}

}  // namespace

BENCHMARK_CAPTURE(exact, p11e8_normal, "p11e8", "normal");
BENCHMARK_CAPTURE(exact, p24e8_normal, "p24e8", "normal");
BENCHMARK_CAPTURE(exact, p53e8_normal, "p53e8", "normal");
BENCHMARK_CAPTURE(exact, p53e11_normal, "p53e11", "normal");
BENCHMARK_CAPTURE(exact, p64e15_normal, "p64e15", "normal");
BENCHMARK_CAPTURE(exact, p24e8_shifted_normal, "p24e8", "normal:mu=0.3");
BENCHMARK_CAPTURE(exact, p24e8_narrow_normal, "p24e8", "normal:mu=1,sigma=1e-8");
BENCHMARK_CAPTURE(exact, p24e8_student_5, "p24e8", "student:dof=5");
BENCHMARK_CAPTURE(exact, p24e8_slope_30, "p24e8", "slope:n=30");
BENCHMARK_CAPTURE(exact, p24e8_cauchy, "p24e8", "slope:n=1");
BENCHMARK_CAPTURE(exact, p24e8_laplace, "p24e8", "laplace");
BENCHMARK_CAPTURE(exact, p24e8_logistic, "p24e8", "logistic");
BENCHMARK_CAPTURE(exact, p24e8_uniform, "p24e8", "uniform");
BENCHMARK_CAPTURE(against_format, p53e8, "p53e8", "p11e8");
BENCHMARK_CAPTURE(against_format, p53e11, "p53e11", "p24e8");
BENCHMARK_CAPTURE(number_against, binary64, "binary64", "binary16");
BENCHMARK_CAPTURE(block, mxfp4, "mxfp4")->Unit(benchmark::kMillisecond);
BENCHMARK(against_enumeration)->Unit(benchmark::kMillisecond);
BENCHMARK(all_bits)->Unit(benchmark::kMillisecond);
