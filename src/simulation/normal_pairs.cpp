#include "ktln2/simulation/normal_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "simulation/normal_kernel.hpp"

namespace ktln2::simulation {
namespace {

using kernel::normal_lanes;
using kernel::ziggurat;

/// Marsaglia and Tsang's layers of equal area.
ziggurat make_ziggurat() {
  constexpr double right = 3.6541528853610088;  // where the tail begins
  constexpr double area = 0.00492867323399;
  const auto f = [](double x) { return std::exp(-x * x / 2); };
  ziggurat z{};
  z.edge[0] = area / f(right);
  z.edge[1] = right;
  for (std::size_t i = 2; i < ziggurat::layers; ++i) {
    z.edge[i] = std::sqrt(-2 * std::log(area / z.edge[i - 1] + f(z.edge[i - 1])));
  }
  z.edge[ziggurat::layers] = 0;
  for (std::size_t i = 0; i < ziggurat::layers; ++i) z.scale[i] = z.edge[i] * 0x1p-52;
  for (std::size_t i = 0; i <= ziggurat::layers; ++i) z.density[i] = f(z.edge[i]);
  return z;
}

const ziggurat& tables() {
  static const ziggurat made = make_ziggurat();
  return made;
}

/// The further words of one draw, as many as it takes. The second half of the key keeps them apart
/// from the first words of all draws.
class word_stream {
 public:
  word_stream(std::uint64_t seed, std::uint64_t trial, std::uint64_t draw)
      : counter_{{trial, draw}}, key_{{seed, 0}} {}

  std::uint64_t next() {
    if (used_ == 2) {
      ++key_.v[1];
      words_ = threefry2x64_R(threefry2x64_rounds, counter_, key_);
      used_ = 0;
    }
    return words_.v[used_++];
  }
  /// Strictly between 0 and 1.
  double uniform() { return static_cast<double>(next() >> 12) * 0x1p-52 + 0x1p-53; }

 private:
  threefry2x64_ctr_t counter_;
  threefry2x64_key_t key_;
  threefry2x64_ctr_t words_{};
  std::size_t used_ = 2;
};

/// |Z| given that it is beyond the base strip: Marsaglia's tail.
double tail(const ziggurat& z, word_stream& more) {
  for (;;) {
    const double x = -std::log(more.uniform()) / z.edge[1];
    const double y = -std::log(more.uniform());
    if (2 * y > x * x) return z.edge[1] + x;
  }
}

/// Goes on where the fast test failed with this word.
double finish(const ziggurat& z, std::uint64_t word, word_stream more) {
  for (;; word = more.next()) {
    const std::size_t layer = kernel::layer_of(word);
    const double magnitude = kernel::magnitude_of(z, word);
    if (magnitude < z.edge[layer + 1]) return kernel::with_sign_of(word, magnitude);
    if (layer == 0) return kernel::with_sign_of(word, tail(z, more));
    const double height =
        z.density[layer] + more.uniform() * (z.density[layer + 1] - z.density[layer]);
    if (height < std::exp(-magnitude * magnitude / 2)) {
      return kernel::with_sign_of(word, magnitude);
    }
  }
}

kernel::normal_kernel kernel_for(array_kernels use) {
#if defined(__x86_64__) || defined(__i386__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  const kernel::normal_kernel avx2 = kernel::avx2_normal_kernel();
  if (use == array_kernels::fastest && has_avx2 && avx2 != nullptr) return avx2;
#else
  static_cast<void>(use);
#endif
  return &kernel::fill_lanes;
}

}  // namespace

void normal_pairs::fill(std::uint64_t first_trial, std::uint64_t index, std::span<double> a,
                        std::span<double> b) const {
  if (a.size() != b.size()) {
    throw std::domain_error("normal_pairs: b must have the size of a, " + std::to_string(a.size()) +
                            ", got " + std::to_string(b.size()));
  }
  const ziggurat& z = tables();
  const kernel::normal_kernel run = kernel_for(use_);
  std::uint32_t rejected[2 * normal_lanes + 1];
  double spare[2][normal_lanes];
  for (std::size_t done = 0; done < a.size(); done += normal_lanes) {
    const std::size_t count = std::min(normal_lanes, a.size() - done);
    const bool whole = count == normal_lanes;
    double* to[2] = {whole ? a.data() + done : spare[0], whole ? b.data() + done : spare[1]};
    const std::uint64_t first = first_trial + done;
    const std::size_t bad = run(z, seed_, first, index, to[0], to[1], rejected);
    for (std::size_t i = 0; i < bad; ++i) {
      const std::uint32_t which = rejected[i] % 2;
      const std::uint32_t lane = rejected[i] / 2;
      const std::uint64_t trial = first + lane;
      const threefry2x64_ctr_t counter = {{trial, index}};
      const threefry2x64_key_t key = {{seed_, 0}};
      const std::uint64_t word = threefry2x64_R(threefry2x64_rounds, counter, key).v[which];
      to[which][lane] = finish(z, word, {seed_, trial, 2 * index + which});
    }
    if (!whole) {
      std::copy_n(spare[0], count, a.begin() + static_cast<std::ptrdiff_t>(done));
      std::copy_n(spare[1], count, b.begin() + static_cast<std::ptrdiff_t>(done));
    }
  }
}

}  // namespace ktln2::simulation
