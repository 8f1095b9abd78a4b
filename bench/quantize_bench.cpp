// The array quantizers against memcpy: 256 MiB of doubles, or of floats, one thread.
//
// Every iteration times one memcpy and one quantization of the same arrays, one after the other, so
// that a busy machine slows both. of_memcpy is the ratio of their speeds; the bar is 0.8. Compact
// codes are held against a memcpy of the numbers that they are made of.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "ktln2/format/quantize.hpp"
#include "thread_seconds.hpp"

namespace {

using ktln2::array_kernels;
using ktln2::float_format;
using ktln2::number_format;

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

/// As many bytes of floats.
struct float_arrays {
  std::vector<float> in;
  std::vector<float> values;

  float_arrays() {
    for (const double x : data().in) in.push_back(static_cast<float>(x));
    in.insert(in.end(), in.begin(), in.begin() + array_size);
    values.resize(in.size());
  }
};

float_arrays& float_data() {
  static float_arrays made;
  return made;
}

std::span<std::uint8_t> bytes(std::size_t size) {
  static std::vector<std::uint8_t> made(2 * array_size);
  return std::span(made).first(size);
}

std::span<std::uint16_t> words(std::size_t size) {
  static std::vector<std::uint16_t> made(2 * array_size);
  return std::span(made).first(size);
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

template <class Work>
double seconds(Work work) {
  const double start = thread_seconds();
  work();
  benchmark::ClobberMemory();
  return thread_seconds() - start;
}

void against_memcpy(benchmark::State& state, const std::function<void()>& copy,
                    const std::function<void()>& quantize) {
  quantize();  // every page has been touched
  double copying = 0;
  double quantizing = 0;
  for (auto _ : state) {
    copying += seconds(copy);
    const double elapsed = seconds(quantize);
    quantizing += elapsed;
    state.SetIterationTime(elapsed);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(array_bytes));
  state.counters["of_memcpy"] = copying / quantizing;
}

void measure(const std::string& name, const std::function<void()>& copy,
             const std::function<void()>& quantize) {
  benchmark::RegisterBenchmark(name.c_str(), against_memcpy, copy, quantize)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.5)
      ->Repetitions(5)
      ->ReportAggregatesOnly();
}

void copy_doubles() { std::memcpy(data().values.data(), data().in.data(), array_bytes); }
void copy_floats() { std::memcpy(float_data().values.data(), float_data().in.data(), array_bytes); }

/// One of the paper's formats.
void add(const std::string& name, const std::string& format_name, const quantizer& quantize) {
  const float_format format = float_format::parse(format_name);
  measure(name, copy_doubles, [=] { quantize(format, data()); });
}

/// One that people own.
void add_number(const std::string& format_name) {
  const number_format format = *ktln2::find_number_format(format_name);
  measure("values/" + format_name, copy_doubles,
          [=] { quantize_values(format, data().in, data().values); });
  measure("float_values/" + format_name, copy_floats,
          [=] { quantize_values(format, float_data().in, float_data().values); });
  if (format.width() <= 8) {
    measure("codes8/" + format_name, copy_doubles,
            [=] { quantize_codes(format, data().in, bytes(array_size)); });
    measure("float_codes8/" + format_name, copy_floats,
            [=] { quantize_codes(format, float_data().in, bytes(2 * array_size)); });
  } else {
    measure("codes16/" + format_name, copy_doubles,
            [=] { quantize_codes(format, data().in, words(array_size)); });
    measure("float_codes16/" + format_name, copy_floats,
            [=] { quantize_codes(format, float_data().in, words(2 * array_size)); });
  }
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
  for (const char* format : {"bfloat16", "binary16", "e4m3", "e5m2", "e2m1"}) add_number(format);
  const number_format half = *ktln2::find_number_format("binary16");
  measure("portable_values/binary16", copy_doubles,
          [=] { quantize_values(half, data().in, data().values, {}, array_kernels::portable); });
  return true;
}();

}  // namespace
