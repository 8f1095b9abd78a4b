#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_quantize.hpp"
#include "ktln2/measure/code_fields.hpp"
#include "ktln2/measure/requantized.hpp"
#include "ktln2/measure/tensor_counts.hpp"

namespace {

using namespace ktln2;

constexpr std::size_t size = std::size_t{1} << 26;

/// Normal numbers in a format, as bytes; 1 MiB of them again and again.
template <class Code>
std::vector<std::byte> normal_bytes(const char* format) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> law(0, 0.02);
  std::vector<double> x((std::size_t{1} << 20) / sizeof(Code));
  for (double& one : x) one = law(engine);
  std::vector<std::uint64_t> codes(x.size());
  quantize_codes(*find_number_format(format), x, codes);
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size / sizeof(Code); ++i) {
    const auto code = static_cast<Code>(codes[i % codes.size()]);
    std::memcpy(bytes.data() + i * sizeof(Code), &code, sizeof(Code));
  }
  return bytes;
}

void set_rate(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

/// What there is to be compared with: the same bytes, copied to a small buffer as a read would.
void BM_copy(benchmark::State& state) {
  const std::vector<std::byte> bytes = normal_bytes<std::uint16_t>("bfloat16");
  std::vector<std::byte> buffer(std::size_t{1} << 17);
  for (auto _ : state) {
    for (std::size_t at = 0; at < size; at += buffer.size()) {
      std::memcpy(buffer.data(), bytes.data() + at, buffer.size());
      benchmark::DoNotOptimize(buffer.data());
      benchmark::ClobberMemory();
    }
  }
  set_rate(state);
}
BENCHMARK(BM_copy)->Unit(benchmark::kMillisecond);

/// In pieces that stay in a core's cache.
template <class Code>
void count(benchmark::State& state, const char* format) {
  const std::vector<std::byte> bytes = normal_bytes<Code>(format);
  const data::element type{format, 8 * sizeof(Code), find_number_format(format)};
  constexpr std::size_t piece_size = std::size_t{1} << 16;
  for (auto _ : state) {
    measure::tensor_counts counts(type);
    {
      measure::tensor_counts::in_a_row row{counts};
      for (std::size_t at = 0; at < size; at += piece_size) {
        row.add({0, at / sizeof(Code), piece_size / sizeof(Code),
                 std::span<const std::byte>(bytes).subspan(at, piece_size)});
      }
    }
    benchmark::DoNotOptimize(counts.digest());
  }
  set_rate(state);
}
void BM_e4m3(benchmark::State& state) { count<std::uint8_t>(state, "e4m3"); }
void BM_bfloat16(benchmark::State& state) { count<std::uint16_t>(state, "bfloat16"); }
void BM_binary16(benchmark::State& state) { count<std::uint16_t>(state, "binary16"); }
void BM_binary32(benchmark::State& state) { count<std::uint32_t>(state, "binary32"); }
void BM_binary64(benchmark::State& state) { count<std::uint64_t>(state, "binary64"); }
BENCHMARK(BM_e4m3)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_bfloat16)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_binary16)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_binary32)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_binary64)->Unit(benchmark::kMillisecond);

/// Floats stored once more.
template <class Format>
void store_as(benchmark::State& state, const Format& make) {
  const std::vector<std::byte> bytes = normal_bytes<std::uint32_t>("binary32");
  constexpr std::size_t some = std::size_t{1} << 20;
  for (auto _ : state) {
    measure::requantizer stored = make({"binary32", 32, find_number_format("binary32")});
    stored.add({0, 0, some / 4, std::span<const std::byte>(bytes).first(some)});
    benchmark::DoNotOptimize(stored);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(some));
}
void BM_as_e4m3(benchmark::State& state) {
  store_as(state, [](const data::element& from) {
    return measure::requantizer(from, *find_number_format("e4m3"));
  });
}
void BM_as_mxfp4(benchmark::State& state) {
  store_as(state, [](const data::element& from) {
    return measure::requantizer(from, *find_block_format("mxfp4"), 0.1);
  });
}
void BM_as_nvfp4(benchmark::State& state) {
  store_as(state, [](const data::element& from) {
    return measure::requantizer(from, *find_block_format("nvfp4"), 0.0973);
  });
}
BENCHMARK(BM_as_e4m3)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_as_mxfp4)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_as_nvfp4)->Unit(benchmark::kMillisecond);

/// All that is made of counts.
void BM_fields(benchmark::State& state) {
  const std::vector<std::byte> bytes = normal_bytes<std::uint16_t>("bfloat16");
  measure::tensor_counts counts({"bfloat16", 16, find_number_format("bfloat16")});
  counts.add({0, 0, size / 2, bytes});
  for (auto _ : state) benchmark::DoNotOptimize(measure::fields_of(counts));
}
BENCHMARK(BM_fields)->Unit(benchmark::kMicrosecond);

}  // namespace
