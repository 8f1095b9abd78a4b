#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_quantize.hpp"
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

/// In pieces of 1 MiB.
template <class Code>
void count(benchmark::State& state, const char* format) {
  const std::vector<std::byte> bytes = normal_bytes<Code>(format);
  const data::element type{format, 8 * sizeof(Code), find_number_format(format)};
  constexpr std::size_t piece_size = std::size_t{1} << 20;
  for (auto _ : state) {
    measure::tensor_counts counts(type);
    for (std::size_t at = 0; at < size; at += piece_size) {
      counts.add({0, at / sizeof(Code), piece_size / sizeof(Code),
                  std::span<const std::byte>(bytes).subspan(at, piece_size)});
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

}  // namespace
