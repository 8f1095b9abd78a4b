#include "ktln2/measure/code_fields.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "measure/bytes_of.hpp"
#include "test_configuration.hpp"

namespace ktln2::measure {
namespace {

std::string contents_of(const std::string& name) {
  std::ifstream file(std::string(KTLN2_REFERENCE_DIR) + "/data/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The tensors of a kept .safetensors file, read in the plainest way.
std::map<std::string, tensor_counts> tensors_of(const std::string& name) {
  const std::string file = contents_of(name);
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  const auto header = nlohmann::json::parse(file.substr(8, length));
  std::map<std::string, tensor_counts> all;
  for (const auto& [key, entry] : header.items()) {
    if (key == "__metadata__") continue;
    const std::size_t from = entry["data_offsets"][0];
    const std::size_t to = entry["data_offsets"][1];
    const auto* const bytes = reinterpret_cast<const std::byte*>(file.data()) + 8 + length;
    tensor_counts counts(element_of("bfloat16", 16));
    counts.add({0, 0, (to - from) / 2, {bytes + from, bytes + to}});
    all.emplace(key, counts);
  }
  return all;
}

TEST(code_fields, are_what_an_independent_program_counted_in_a_trained_model) {
  const auto expected = nlohmann::json::parse(contents_of("gpt-block-bf16.json"));
  const auto tensors = tensors_of("gpt-block-bf16.safetensors");
  ASSERT_EQ(tensors.size(), expected.size());
  for (const auto& [name, counts] : tensors) {
    SCOPED_TRACE(name);
    const auto& want = expected.at(name);
    const code_fields fields = fields_of(counts, estimator::plug_in);
    const number_facts facts = counts.facts();
    EXPECT_EQ(facts.count, want.at("count").get<std::uint64_t>());
    EXPECT_EQ(facts.zeros, want.at("zeros").get<std::uint64_t>());
    EXPECT_NEAR(facts.mean, want.at("mean").get<double>(), 1e-12);
    EXPECT_NEAR(facts.deviation, want.at("std").get<double>(), 1e-12);
    EXPECT_NEAR(fields.total.value.value(), want.at("total").get<double>(), 1e-9);
    EXPECT_NEAR(fields.sign.value.value(), want.at("sign").get<double>(), 1e-9);
    EXPECT_NEAR(fields.exponent.value.value(), want.at("exponent_given_sign").get<double>(), 1e-9);
    EXPECT_NEAR(fields.exponent_alone->value.value(), want.at("exponent").get<double>(), 1e-9);
    EXPECT_NEAR(fields.mantissa_alone->value.value(), want.at("mantissa").get<double>(), 1e-9);
  }
}

/// -Σ p log2 p of any function of codes.
double entropy_plainly(const std::vector<std::uint64_t>& codes,
                       const std::function<std::uint64_t(std::uint64_t)>& of) {
  std::map<std::uint64_t, double> shares;
  for (const std::uint64_t code : codes)
    shares[of(code)] += 1.0 / static_cast<double>(codes.size());
  double sum = 0;
  for (const auto& [key, p] : shares) sum -= p * std::log2(p);
  return sum;
}

template <class Word>
std::vector<Word> normal_codes(const number_format& format, std::size_t count) {
  std::mt19937 engine(7);
  std::normal_distribution<double> law(0, 3);
  std::vector<Word> codes;
  for (std::size_t i = 0; i < count; ++i) {
    codes.push_back(static_cast<Word>(format.quantize(law(engine))));
  }
  return codes;
}

TEST(code_fields, fields_and_bits_add_up_to_the_total) {
  for (const char* name : {"e4m3", "e5m2", "e8m0", "posit8", "int8", "e4m3fnuz"}) {
    SCOPED_TRACE(name);
    const auto codes = normal_codes<std::uint8_t>(*find_number_format(name), 20000);
    const auto counts = counted(element_of(name, 8), bytes_of(codes), codes.size());
    const code_fields fields = fields_of(counts, estimator::plug_in);
    const bits sum = fields.sign.value + fields.exponent.value + fields.mantissa.value;
    EXPECT_NEAR(sum.value(), fields.total.value.value(), 1e-12);
    EXPECT_NEAR(
        fields.total.value.value(),
        entropy_plainly({codes.begin(), codes.end()}, [](std::uint64_t code) { return code; }),
        1e-12);
    double of_bits = 0;
    for (const bit_entropy& one : bits_of(counts, estimator::plug_in)) {
      of_bits += one.entropy.value.value();
    }
    EXPECT_NEAR(of_bits, fields.total.value.value(), 1e-12);
    EXPECT_TRUE(fields.is_counted);
  }
}

TEST(code_fields, of_a_posit_are_its_binade_and_regime) {
  const number_format format = *find_number_format("posit16");
  const auto codes = normal_codes<std::uint16_t>(format, 20000);
  const auto counts = counted(element_of("posit16", 16), bytes_of(codes), codes.size());
  const code_fields fields = fields_of(counts, estimator::plug_in);
  const auto entropy = [&](int per) {
    return entropy_plainly({codes.begin(), codes.end()}, [&](std::uint64_t code) {
      const double x = format.value(code)->to_double();
      const int cell = static_cast<int>(std::floor(std::ilogb(x) / static_cast<double>(per)));
      return static_cast<std::uint64_t>(2 * (cell + 1000) + (x < 0 ? 1 : 0));
    });
  };
  EXPECT_NEAR((fields.sign.value + fields.exponent.value).value(), entropy(1), 1e-12);
  EXPECT_NEAR((fields.sign.value + fields.regime->value).value(), entropy(4), 1e-12);
  EXPECT_NEAR((fields.regime->value + fields.posit_exponent->value).value(),
              fields.exponent.value.value(), 1e-12);
}

TEST(code_fields, of_wide_numbers_are_counted_at_the_top_and_byte_by_byte_below) {
  const auto codes = normal_codes<std::uint32_t>(*find_number_format("binary32"), 50000);
  const std::vector<std::uint64_t> all(codes.begin(), codes.end());
  const auto counts = counted(element_of("binary32", 32), bytes_of(codes), codes.size());
  const code_fields fields = fields_of(counts, estimator::plug_in);
  EXPECT_FALSE(fields.is_counted);
  const double top = entropy_plainly(all, [](std::uint64_t code) { return code >> 16; });
  const double second = entropy_plainly(all, [](std::uint64_t code) { return (code >> 8) & 0xff; });
  const double last = entropy_plainly(all, [](std::uint64_t code) { return code & 0xff; });
  EXPECT_NEAR(fields.counted.value.value(), top, 1e-12);
  EXPECT_NEAR(fields.total.value.value(), top + second + last, 1e-12);
  EXPECT_NEAR(fields.sign.value.value() + fields.exponent.value.value(),
              entropy_plainly(all, [](std::uint64_t code) { return code >> 23; }), 1e-12);
  ASSERT_EQ(fields.bytes.size(), 4U);
  EXPECT_NEAR(fields.bytes[1].value.value(),
              entropy_plainly(all, [](std::uint64_t code) { return (code >> 16) & 0xff; }), 1e-12);
  EXPECT_NEAR(fields.bytes[3].value.value(), last, 1e-12);
  const auto bits = bits_of(counts, estimator::plug_in);
  ASSERT_EQ(bits.size(), 32U);
  EXPECT_EQ(bits[31].name, "mantissa 0");
  EXPECT_NEAR(bits[31].entropy.value.value(), 1, 0.01);
}

/// The rows of a matrix, each either with 16 bits a number or with 32, or each with a last byte of
/// its own: neighbors are alike, and the low bytes of an eighth of such numbers say less than those
/// of as many independent ones.
std::vector<std::uint32_t> rows_of_a_kind(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const std::uint64_t length = std::uint64_t{64} << engine() % 7;
  const std::uint64_t full = engine() % 256;
  const bool has_own_byte = engine() % 2 == 0;
  std::vector<std::uint32_t> words((std::size_t{1} << 22) + engine() % (1U << 21));
  std::uint64_t row = 0;
  std::uint64_t noise = engine();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % length == 0) row = engine();
    noise = noise * 6364136223846793005 + 1442695040888963407;
    auto low = static_cast<std::uint32_t>(noise >> 48);
    if (has_own_byte) {
      low = (low & 0xff00) | (row >> 32 & 0xff);
    } else if (row % 256 < full) {
      low = 0;
    }
    words[i] = 0x3f800000 + low;
  }
  return words;
}

TEST(code_fields_campaign, bars_hold_where_neighbors_are_alike) {
  constexpr int cases = 40;
  int covered = 0;
  for (int seed = 0; seed < cases; ++seed) {
    const auto words = rows_of_a_kind(static_cast<std::uint64_t>(seed));
    std::array<std::vector<std::uint64_t>, 2> counts;
    counts.fill(std::vector<std::uint64_t>(256));
    for (const std::uint32_t word : words) {
      ++counts[0][word >> 8 & 0xff];
      ++counts[1][word & 0xff];
    }
    const auto found = counted(element_of("binary32", 32), bytes_of(words), words.size());
    const code_fields fields = fields_of(found, estimator::plug_in);
    ASSERT_LT(fields.low_count, words.size() / 7);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto all = entropy_of_counts(counts[k], 8, estimator::plug_in);
      const bounded<bits>& sampled = fields.bytes[2 + k];
      const double off = std::fabs((sampled.value - all.value).value());
      covered += off <= sampled.error.value() ? 1 : 0;
      EXPECT_LE(sampled.error.value(), 0.5);
    }
  }
  EXPECT_GE(covered, 0.94 * 2 * cases);
}

TEST(code_fields, of_nothing_are_nothing) {
  const tensor_counts none(element_of("bfloat16", 16));
  EXPECT_EQ(fields_of(none).total.value.value(), 0);
  EXPECT_EQ(none.facts().deviation, 0);
}

}  // namespace
}  // namespace ktln2::measure
