#include "ktln2/measure/requantized.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "ktln2/format/number_quantize.hpp"
#include "measure/bytes_of.hpp"
#include "message_of.hpp"

namespace ktln2::measure {
namespace {

std::vector<float> normal_floats(std::size_t count, float deviation, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> law(0, deviation);
  std::vector<float> x(count);
  for (float& value : x) value = law(engine);
  return x;
}

/// The same, one by one.
requantized_facts requantized_plainly(const std::vector<float>& x, const number_format& to) {
  requantized_facts found;
  std::map<std::uint64_t, std::uint64_t> codes;
  for (const double value : x) {
    if (!std::isfinite(value)) continue;
    const std::uint64_t code = to.quantize(value, {rounding::nearest_even, overflow::saturate});
    const double stored = to.value(code)->to_double();
    ++codes[code];
    ++found.count;
    const double error = std::fabs(value - stored);
    found.rms_error += error * error;
    found.rms += value * value;
    const bool is_clipped = std::fabs(value) > to.max().to_double();
    found.clipped += is_clipped ? 1 : 0;
    found.flushed += value != 0 && stored == 0 ? 1 : 0;
    if (!is_clipped && value != 0) {
      found.worst_relative_error = std::max(found.worst_relative_error, error / std::fabs(value));
    }
  }
  found.rms_error = std::sqrt(found.rms_error / static_cast<double>(found.count));
  found.rms = std::sqrt(found.rms / static_cast<double>(found.count));
  std::vector<std::uint64_t> counts;
  for (const auto& [code, times] : codes) counts.push_back(times);
  found.entropy = entropy_of_counts(counts, to.width(), estimator::plug_in);
  return found;
}

void expect_same_losses(const requantized_facts& a, const requantized_facts& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.clipped, b.clipped);
  EXPECT_EQ(a.flushed, b.flushed);
  EXPECT_NEAR(a.rms_error, b.rms_error, 1e-12 * b.rms_error);
  EXPECT_NEAR(a.rms, b.rms, 1e-12 * b.rms);
  EXPECT_EQ(a.worst_relative_error, b.worst_relative_error);
  EXPECT_NEAR(a.entropy.value.value(), b.entropy.value.value(), 1e-12);
}

TEST(requantizer, does_as_the_format_does_with_each_number) {
  auto x = normal_floats(50001, 3, 1);
  x[7] = std::numeric_limits<float>::infinity();
  x[9] = std::numeric_limits<float>::quiet_NaN();
  x[11] = 0;
  for (const char* name : {"bfloat16", "binary16", "e4m3", "e5m2", "e2m1", "posit8", "int8"}) {
    SCOPED_TRACE(name);
    const number_format to = *find_number_format(name);
    requantizer made(element_of("binary32", 32), to);
    made.add({0, 0, x.size(), bytes_of(x)});
    expect_same_losses(made.facts(estimator::plug_in), requantized_plainly(x, to));
    EXPECT_EQ(made.facts().bits_per_number, to.width());
  }
}

TEST(requantizer, counts_say_as_much_as_the_numbers) {
  const number_format half = *find_number_format("binary16");
  std::vector<std::uint16_t> codes;
  std::vector<float> x;
  for (const float value : normal_floats(50000, 200, 2)) {
    codes.push_back(static_cast<std::uint16_t>(half.quantize(value)));
    x.push_back(static_cast<float>(half.value(codes.back())->to_double()));
  }
  const data::element type = element_of("binary16", 16);
  const number_format to = *find_number_format("e4m3");
  requantizer by_counts(type, to);
  by_counts.add(counted(type, bytes_of(codes), codes.size()));
  requantizer by_numbers(type, to);
  by_numbers.add({0, 0, codes.size(), bytes_of(codes)});
  expect_same_losses(by_counts.facts(estimator::plug_in), requantized_plainly(x, to));
  expect_same_losses(by_numbers.facts(estimator::plug_in), requantized_plainly(x, to));
  EXPECT_GT(by_counts.facts().clipped, 0U);
}

/// Rounding to whole numbers is off by a twelfth in the square, where many of them are in reach.
TEST(requantizer, integers_lose_a_twelfth) {
  const auto x = normal_floats(400000, 20, 3);
  requantizer made(element_of("binary32", 32), *find_number_format("int8"));
  made.add({0, 0, x.size(), bytes_of(x)});
  EXPECT_NEAR(made.facts().rms_error, std::sqrt(1.0 / 12), 1e-3);
  EXPECT_EQ(made.facts().worst_relative_error, 1);
}

TEST(requantizer, blocks_are_those_of_their_format) {
  const auto x = normal_floats(32 * 300 + 5, 0.02F, 4);
  double largest = 0;
  for (const float value : x) largest = std::max(largest, static_cast<double>(std::fabs(value)));
  for (const char* name : {"mxfp4", "mxfp8e4m3", "mxint8", "nvfp4"}) {
    SCOPED_TRACE(name);
    block_format to = *find_block_format(name);
    requantizer made(element_of("binary32", 32), to, largest);
    made.add({0, 0, x.size(), bytes_of(x)});
    if (to.has_second_level()) to = to.with_second_level_scale(largest / 2688.0);
    const auto size = static_cast<std::size_t>(to.size());
    double errors = 0;
    std::map<std::uint64_t, std::uint64_t> scales;
    for (std::size_t begin = 0; begin < x.size(); begin += size) {
      std::vector<double> block(size);
      const std::size_t count = std::min(size, x.size() - begin);
      for (std::size_t i = 0; i < count; ++i) block[i] = x[begin + i];
      const stored_block stored = to.quantize(block);
      ++scales[stored.scale_code];
      for (std::size_t i = 0; i < count; ++i) {
        const double error = to.value(stored.scale_code, stored.codes[i])->to_double() - block[i];
        errors += error * error;
      }
    }
    const requantized_facts found = made.facts(estimator::plug_in);
    EXPECT_EQ(found.count, x.size());
    EXPECT_NEAR(found.rms_error, std::sqrt(errors / static_cast<double>(x.size())),
                1e-12 * std::sqrt(errors));
    std::vector<std::uint64_t> counts;
    for (const auto& [code, times] : scales) counts.push_back(times);
    EXPECT_NEAR(found.scale_entropy->value.value(),
                entropy_of_counts(counts, 8, estimator::plug_in).value.value(), 1e-12);
    EXPECT_NEAR(found.entropy.value.value(),
                found.element_entropy->value.value() +
                    found.scale_entropy->value.value() / static_cast<double>(size),
                1e-12);
    EXPECT_EQ(found.bits_per_number, to.bits_per_element());
  }
}

/// Quotients on the edges between elements, and just beside them by less than a double can tell.
TEST(requantizer, blocks_of_ties_are_those_of_their_format) {
  const double g = 0.1 / 3;
  const block_format to = find_block_format("nvfp4")->with_second_level_scale(g);
  std::vector<double> x;
  for (const double scale : {1.0, 1.125, 3.5, 0.0078125, 448.0}) {
    const double by = scale * g;
    x.push_back(6 * by);  // which makes the scale
    for (const double edge : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0}) {
      x.push_back(edge * by);
      x.push_back(-std::nextafter(edge * by, 1e9));
    }
    x.push_back(std::nextafter(0.75 * by, 0));
  }
  ASSERT_EQ(x.size() % 16, 0U);
  requantizer made(element_of("binary64", 64), *find_block_format("nvfp4"), g * 2688);
  made.add({0, 0, x.size(), bytes_of(x)});
  std::map<std::uint64_t, std::uint64_t> codes;
  for (std::size_t begin = 0; begin < x.size(); begin += 16) {
    for (const auto code : to.quantize(std::span(x).subspan(begin, 16)).codes) ++codes[code];
  }
  std::vector<std::uint64_t> counts;
  for (const auto& [code, times] : codes) counts.push_back(times);
  EXPECT_EQ(made.facts(estimator::plug_in).element_entropy->value,
            entropy_of_counts(counts, 4, estimator::plug_in).value);
}

TEST(requantizer, does_not_depend_on_the_order_of_pieces) {
  const auto x = normal_floats(40960, 1, 5);
  const auto bytes = bytes_of(x);
  const block_format to = *find_block_format("mxfp4");
  requantizer whole(element_of("binary32", 32), to, 1);
  whole.add({0, 0, x.size(), bytes});
  requantizer first(element_of("binary32", 32), to, 1);
  requantizer second(element_of("binary32", 32), to, 1);
  second.add({0, 8192, 32768, std::span(bytes).subspan(32768)});
  first.add({0, 0, 8192, std::span(bytes).first(32768)});
  first += second;
  EXPECT_EQ(first.facts().rms_error, whole.facts().rms_error);
  EXPECT_EQ(first.facts().entropy.value, whole.facts().entropy.value);
}

/// The squares of these are beyond double's range.
TEST(requantizer, has_errors_of_numbers_of_any_size) {
  for (const double size : {1e-300, 1e-200, 1e160, 1e250}) {
    std::vector<double> x;
    for (const float value : normal_floats(1000, 1, 5)) x.push_back(size * value);
    const data::element type = element_of("binary64", 64);
    requantizer flushed(type, *find_number_format("e4m3"));
    flushed.add({0, 0, x.size(), bytes_of(x)});
    EXPECT_NEAR(flushed.facts().rms_error / flushed.facts().rms, 1, 1e-12);
    // NVFP4 has a scale for all of them, which brings them back into its range.
    requantizer scaled(type, *find_block_format("nvfp4"),
                       *counted(type, bytes_of(x), x.size()).facts().largest);
    scaled.add({0, 0, x.size(), bytes_of(x)});
    EXPECT_NEAR(scaled.facts().rms_error / scaled.facts().rms, 0.097, 0.01);
  }
}

TEST(requantizer, says_what_it_needs) {
  EXPECT_EQ(
      message_of([] { requantizer(element_of("binary64", 64), *find_number_format("binary32")); }),
      "binary32 has 32 bits: codes of at most 16 can be counted");
  const data::element single = element_of("binary32", 32);
  requantizer made(single, *find_number_format("e4m3"));
  EXPECT_THROW(made.add(tensor_counts(single)), std::domain_error);
  EXPECT_EQ(made.facts().rms_error, 0);
  // Squares that no double holds
  const std::vector<double> large(10, 1e300);
  requantizer clipped(element_of("binary64", 64), *find_number_format("e4m3"));
  clipped.add({0, 0, large.size(), bytes_of(large)});
  EXPECT_EQ(clipped.facts().clipped, 10U);
  EXPECT_TRUE(std::isfinite(clipped.facts().rms_error));
}

}  // namespace
}  // namespace ktln2::measure
