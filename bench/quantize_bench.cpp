// The array quantizer against memcpy: 256 MiB of doubles, one thread.
//
// Every iteration times one memcpy and one quantization of the same arrays, one after the other, so
// that a busy machine slows both. of_memcpy is the ratio of their speeds; the bar is 0.8.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "ktln2/format/quantize.hpp"

namespace {

using ktln2::array_kernels;
using ktln2::float_format;

constexpr std::size_t array_bytes = std::size_t{256} << 20;
constexpr std::size_t array_size = array_bytes / sizeof(double);

/// The arrays, every page touched: the values of the vectors are written when they are made.
struct arrays {
  std::vector<double> in = std::vector<double>(array_size);
  std::vector<double> values = std::vector<double>(array_size);
  std::vector<std::uint64_t> codes = std::vector<std::uint64_t>(array_size);

  arrays() {
    std::mt19937_64 generator{1};
    std::normal_distribution<double> normal;
    for (double& x : in) x = normal(generator);
  }
};

arrays& data() {
  static arrays made;
  return made;
}

using quantizer = std::function<void(const float_format&, arrays&)>;

void to_values(const float_format& format, arrays& a) { quantize_values(format, a.in, a.values); }

void to_codes(const float_format& format, arrays& a) { quantize_codes(format, a.in, a.codes); }

void to_values_portable(const float_format& format, arrays& a) {
  quantize_values(format, a.in, a.values, array_kernels::portable);
}

void to_codes_in_a_loop(const float_format& format, arrays& a) {
  for (std::size_t i = 0; i < array_size; ++i) {
    a.codes[i] = static_cast<std::uint64_t>(format.encode(format.quantize(a.in[i])));
  }
}

/// Of this thread: what other programs take from the processor is not counted.
template <class Work>
double seconds(Work work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  benchmark::ClobberMemory();
  return now() - start;
}

void against_memcpy(benchmark::State& state, const std::string& name, const quantizer& quantize) {
  const float_format format = float_format::parse(name);
  arrays& a = data();
  double copying = 0;
  double quantizing = 0;
  for (auto _ : state) {
    copying += seconds([&] { std::memcpy(a.values.data(), a.in.data(), array_bytes); });
    const double elapsed = seconds([&] { quantize(format, a); });
    quantizing += elapsed;
    state.SetIterationTime(elapsed);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(array_bytes));
  state.counters["of_memcpy"] = copying / quantizing;
}

void add(const std::string& name, const std::string& format, const quantizer& quantize) {
  benchmark::RegisterBenchmark(name.c_str(), against_memcpy, format, quantize)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.5)
      ->Repetitions(5)
      ->ReportAggregatesOnly();
}

const bool added = [] {
  const auto copy = [](const float_format&, arrays& a) {
    std::memcpy(a.codes.data(), a.in.data(), array_bytes);
  };
  const std::vector<std::string> formats{"p24e8", "p11e5", "p8e8", "p4e4", "p53e11", "p5e0"};
  add("memcpy", "p24e8", copy);
  for (const std::string& format : formats) add("values/" + format, format, to_values);
  for (const std::string& format : formats) add("codes/" + format, format, to_codes);
  add("portable_values/p24e8", "p24e8", to_values_portable);
  add("portable_values/p5e0", "p5e0", to_values_portable);
  add("scalar_loop/p24e8", "p24e8", to_codes_in_a_loop);
  return true;
}();

}  // namespace
