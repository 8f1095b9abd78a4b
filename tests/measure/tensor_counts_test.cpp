#include "ktln2/measure/tensor_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "measure/bytes_of.hpp"
#include "measure/low_sample.hpp"
#include "measure/special_codes.hpp"
#include "message_of.hpp"

namespace ktln2::measure {
namespace {

std::vector<std::uint64_t> random_codes(std::size_t count, int bits, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint64_t> codes(count);
  for (auto& code : codes) code = engine() >> (64 - bits);
  return codes;
}

/// Packed from the lowest bit on.
std::vector<std::byte> packed(const std::vector<std::uint64_t>& codes, int bits) {
  const auto width = static_cast<std::size_t>(bits);
  std::vector<std::byte> bytes((codes.size() * width + 7) / 8);
  for (std::size_t i = 0; i < codes.size() * width; ++i) {
    const std::uint64_t bit = (codes[i / width] >> (i % width)) & 1U;
    bytes[i / 8] |= static_cast<std::byte>(bit << (i % 8));
  }
  return bytes;
}

void expect_same_but_moments(const number_facts& f, const number_facts& g) {
  EXPECT_EQ(f.count, g.count);
  EXPECT_EQ(f.zeros, g.zeros);
  EXPECT_EQ(f.subnormals, g.subnormals);
  EXPECT_EQ(f.infinities, g.infinities);
  EXPECT_EQ(f.nans, g.nans);
  EXPECT_EQ(f.first_nan, g.first_nan);
  EXPECT_EQ(f.smallest, g.smallest);
  EXPECT_EQ(f.largest, g.largest);
}

void expect_same_counts(const tensor_counts& a, const tensor_counts& b) {
  const auto pairs = [](const code_table& table) {
    std::map<std::uint32_t, std::uint64_t> all;
    for (const auto& [code, times] : table.seen()) all[code] = times;
    return all;
  };
  EXPECT_EQ(pairs(a.codes()), pairs(b.codes()));
  for (std::size_t k = 0; k < a.low_bytes().size(); ++k) {
    EXPECT_EQ(pairs(a.low_bytes()[k]), pairs(b.low_bytes()[k]));
  }
  const number_facts f = a.facts();
  const number_facts g = b.facts();
  expect_same_but_moments(f, g);
  EXPECT_EQ(f.mean, g.mean);
  EXPECT_EQ(f.deviation, g.deviation);
  EXPECT_EQ(a.digest(), b.digest());
  EXPECT_EQ(a.narrower(), b.narrower());
}

/// Cut into pieces that come to three counts in any order.
tensor_counts in_pieces(const data::element& type, const std::vector<std::byte>& bytes,
                        std::uint64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<data::piece> pieces;
  const auto bits = static_cast<std::uint64_t>(type.bits);
  for (std::uint64_t first = 0; first < count;) {
    const std::uint64_t longest = std::uniform_int_distribution<std::uint64_t>(1, 5000)(engine);
    const std::uint64_t length = std::min(32 * longest, count - first);  // whole words of 8 bytes
    pieces.push_back(
        {0, first, length, std::span(bytes).subspan(first * bits / 8, (length * bits + 7) / 8)});
    first += length;
  }
  std::shuffle(pieces.begin(), pieces.end(), engine);
  std::vector<tensor_counts> parts(3, tensor_counts(type));
  for (std::size_t i = 0; i < pieces.size(); ++i) parts[i % 3].add(pieces[i]);
  parts[2] += parts[0];
  parts[2] += parts[1];
  return parts[2];
}

struct kind {
  const char* format;  ///< null for unsigned integers
  int bits;
};

data::element element_for(const kind& which) {
  if (which.format == nullptr) return {"U", which.bits};
  return element_of(which.format, which.bits);
}

const std::vector<kind>& kinds() {
  static const std::vector<kind> all{
      {"e2m1", 4},      {"e3m2", 6},     {"e2m3", 6},     {"e4m3", 8},    {"e5m2", 8},
      {"e8m0", 8},      {"e4m3fnuz", 8}, {"int8", 8},     {nullptr, 8},   {"bfloat16", 16},
      {"binary16", 16}, {"int16", 16},   {"posit16", 16}, {nullptr, 16},  {"binary32", 32},
      {"int32", 32},    {"posit32", 32}, {nullptr, 32},   {"q15.16", 32}, {"binary64", 64},
      {nullptr, 64}};
  return all;
}

TEST(tensor_counts, does_not_depend_on_pieces_and_their_order) {
  for (const kind& which : kinds()) {
    SCOPED_TRACE(which.format == nullptr ? "unsigned" : which.format);
    const data::element type = element_for(which);
    for (const std::size_t count : {1U, 777U, 100003U}) {
      const auto bytes = packed(random_codes(count, which.bits, 1), which.bits);
      expect_same_counts(counted(type, bytes, count), in_pieces(type, bytes, count, 2));
    }
  }
}

/// One by one, with the format's own word on each code.
number_facts facts_plainly(const data::element& type, const std::vector<std::uint64_t>& codes) {
  number_facts facts;
  facts.count = codes.size();
  wide sum = 0.0;
  wide smallest = std::numeric_limits<double>::infinity();
  wide largest = -1.0;
  std::vector<wide> finite;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto value = type.format ? type.format->value(codes[i]) : wide::from_integer(codes[i]);
    if (!value) {
      ++facts.nans;
      if (!facts.first_nan) facts.first_nan = i;
      continue;
    }
    if (value->is_infinite()) {
      ++facts.infinities;
      continue;
    }
    const wide a = abs(*value);
    finite.push_back(*value);
    sum = sum + *value;
    if (a.is_zero()) ++facts.zeros;
    if (!a.is_zero() && a < smallest) smallest = a;
    if (largest < a) largest = a;
    const bool has_subnormals = type.format &&
                                type.format->kind() == number_format::family::floating &&
                                type.format->fields().subnormals;
    if (has_subnormals && !a.is_zero()) {
      const wide normal = wide(1.0).scaled(1 - type.format->fields().bias);
      facts.subnormals += a < normal ? 1 : 0;
    }
  }
  if (!finite.empty()) facts.largest = largest.to_double();
  if (!smallest.is_infinite()) facts.smallest = smallest.to_double();
  const wide n = static_cast<double>(std::max<std::size_t>(1, finite.size()));
  const wide mean = sum / n;
  wide squares = 0.0;
  for (const wide& x : finite) squares = squares + (x - mean) * (x - mean);
  facts.mean = mean.to_double();
  facts.deviation = sqrt(squares / n).to_double();
  return facts;
}

TEST(tensor_counts, facts_are_those_of_the_numbers_one_by_one) {
  for (const kind& which : kinds()) {
    SCOPED_TRACE(which.format == nullptr ? "unsigned" : which.format);
    const data::element type = element_for(which);
    auto codes = random_codes(20011, which.bits, 3);
    for (std::size_t i = 0; i < 300; ++i) codes[30 * i] = 0;
    const auto facts = counted(type, packed(codes, which.bits), codes.size()).facts();
    const number_facts expected = facts_plainly(type, codes);
    expect_same_but_moments(facts, expected);
    EXPECT_NEAR(facts.mean, expected.mean, 1e-15 * std::fabs(expected.mean));
    EXPECT_NEAR(facts.deviation, expected.deviation, 1e-15 * expected.deviation);
  }
}

TEST(tensor_counts, counts_each_code) {
  for (const kind& which : kinds()) {
    const auto codes = random_codes(30001, which.bits, 4);
    const auto counts = counted(element_for(which), packed(codes, which.bits), codes.size());
    const int low = which.bits > 16 ? which.bits - 16 : 0;
    EXPECT_EQ(counts.low_bits(), low);
    std::map<std::uint64_t, std::uint64_t> expected;
    for (const std::uint64_t code : codes) ++expected[code >> low];
    EXPECT_EQ(counts.codes().seen().size(), expected.size());
    for (const auto& [code, times] : counts.codes().seen()) EXPECT_EQ(times, expected[code]);
    for (std::size_t k = 0; k < counts.low_bytes().size(); ++k) {
      std::map<std::uint64_t, std::uint64_t> bytes;
      const int shift = low - 8 * (static_cast<int>(k) + 1);
      for (const std::uint64_t code : codes) ++bytes[(code >> shift) & 0xff];
      for (const auto& [code, times] : counts.low_bytes()[k].seen()) EXPECT_EQ(times, bytes[code]);
    }
  }
}

TEST(tensor_counts, big_endian_numbers_are_the_same_numbers) {
  for (const kind& which : kinds()) {
    if (which.bits < 16) continue;
    data::element type = element_for(which);
    const auto codes = random_codes(20001, which.bits, 5);
    auto bytes = packed(codes, which.bits);
    const auto little = counted(type, bytes, codes.size());
    const auto size = which.bits / 8;
    for (auto at = bytes.begin(); at != bytes.end(); at += size) std::reverse(at, at + size);
    type.big_endian = true;
    const auto big = counted(type, bytes, codes.size());
    EXPECT_EQ(big.facts().first_nan, little.facts().first_nan);
    EXPECT_EQ(big.facts().deviation, little.facts().deviation);
    EXPECT_EQ(big.codes().counts(), little.codes().counts());
  }
}

TEST(tensor_counts, a_small_deviation_far_from_zero_is_exact) {
  // Seconds of a day in the year 2020, as tables have them.
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(1.6e15 + 0.25 * (i % 2));
  const auto facts = counted(element_of("binary64", 64), bytes_of(times), 1000).facts();
  EXPECT_EQ(facts.deviation, 0.125);
  EXPECT_EQ(facts.mean, 1.6e15 + 0.125);
  std::vector<std::uint64_t> large(1000, 0xffffffffffffff00);
  large[0] += 100;
  const auto whole = counted({"U64", 64}, bytes_of(large), 1000).facts();
  EXPECT_NEAR(whole.deviation, std::sqrt(10.0 - 0.01), 1e-12);
}

TEST(tensor_counts, knows_when_fewer_bits_would_do) {
  using names = std::vector<std::string>;
  const auto narrower = [](const auto& numbers) {
    const int bits = 8 * sizeof(numbers[0]);
    return counted(element_of(bits == 32 ? "binary32" : "binary64", bits), bytes_of(numbers),
                   numbers.size())
        .narrower();
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(narrower(std::vector<float>{1, -0.5F, 0, nan}), (names{"bfloat16", "binary16"}));
  EXPECT_EQ(narrower(std::vector<float>{1, 0x1p-100F}), names{"bfloat16"});
  EXPECT_EQ(narrower(std::vector<float>{1, 0x1.004p0F, 0x1p-24F}), names{"binary16"});
  EXPECT_EQ(narrower(std::vector<float>{1, 0x1.004p-20F}), names{});
  std::vector<float> late(50000, 1.5F);
  late.back() = 0.1F;
  EXPECT_EQ(narrower(late), names{});
  EXPECT_EQ(narrower(std::vector<double>{0.1F, 2}), names{"binary32"});
  EXPECT_EQ(narrower(std::vector<double>{0.1}), names{});
  EXPECT_EQ(narrower(std::vector<double>{}), names{});
}

TEST(tensor_counts, equal_bytes_have_equal_digests_and_others_do_not) {
  const data::element type = element_of("bfloat16", 16);
  auto codes = random_codes(10000, 16, 6);
  const auto digest = [&] { return counted(type, packed(codes, 16), codes.size()).digest(); };
  const std::uint64_t before = digest();
  EXPECT_EQ(digest(), before);
  codes[5000] ^= 1U;
  EXPECT_NE(digest(), before);
  codes[5000] ^= 1U;
  std::swap(codes[17], codes[4099]);
  EXPECT_NE(digest(), before);
  std::swap(codes[17], codes[4099]);
  codes[3] ^= 0x8000U;  // two signs, at the top of two words
  codes[7] ^= 0x8000U;
  EXPECT_NE(digest(), before);
}

TEST(tensor_counts, knows_constants) {
  const data::element single = element_of("binary32", 32);
  EXPECT_TRUE(counted(single, bytes_of(std::vector<float>(100, 0.1F)), 100).is_constant());
  std::vector<float> nearly(100, 0.1F);
  nearly[50] = std::nextafter(0.1F, 1.0F);
  EXPECT_FALSE(counted(single, bytes_of(nearly), 100).is_constant());
  EXPECT_TRUE(tensor_counts(single).is_constant());
}

TEST(tensor_counts, refuses_what_does_not_fit) {
  EXPECT_EQ(message_of([] {
              tensor_counts({"X", 12});
            }),
            "tensor_counts: elements have 4, 6, 8, 16, 32 or 64 bits, got 12");
  EXPECT_EQ(message_of([] { counted(element_of("bfloat16", 16), std::vector<std::byte>(7), 3); }),
            "tensor_counts: 3 numbers of 16 bits are not 7 bytes");
  EXPECT_THROW(counted({"U64", 64}, std::vector<std::byte>(8), std::uint64_t{1} << 61),
               std::domain_error);
  tensor_counts narrow({"U8", 8});
  EXPECT_THROW(narrow += tensor_counts({"U16", 16}), std::domain_error);
}

/// More than are counted byte by byte, none of whose bits is always the same.
std::vector<std::uint32_t> many_words() {
  std::mt19937 engine(9);
  std::vector<std::uint32_t> words((std::size_t{1} << 22) + 300'000);
  for (std::uint32_t& word : words) {
    word = 0x3f000000U + static_cast<std::uint32_t>(engine() >> 9);
  }
  return words;
}

TEST(low_sample, is_an_eighth_wherever_one_looks) {
  const auto share = [](std::uint64_t begin, std::uint64_t count, std::uint64_t step) {
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      found += low_count_at(begin + i * step) == low_count::in_sample ? 1 : 0;
    }
    return static_cast<double>(found) / static_cast<double>(count);
  };
  EXPECT_NEAR(share(0, 1 << 22, 1), 0.125, 1e-4);
  EXPECT_NEAR(share(std::uint64_t{1} << 40, 1 << 22, 1), 0.125, 1e-4);
  // The columns of matrices, whatever the length of their rows.
  for (const std::uint64_t row : {512U, 768U, 1024U, 2048U, 4096U, 5120U, 8192U, 11008U, 65536U}) {
    for (const std::uint64_t column : {0U, 255U, 256U, 300U, 500U}) {
      EXPECT_NEAR(share(column, 1 << 14, row), 0.125, 0.01) << row << ' ' << column;
    }
  }
}

TEST(low_sample, has_the_low_bytes_of_many_numbers_and_all_of_fewer) {
  const std::vector<std::uint32_t> words = many_words();
  for (const bool is_float : {true, false}) {
    const data::element type = is_float ? element_of("binary32", 32) : data::element{"U32", 32};
    const tensor_counts found = counted(type, bytes_of(words), words.size());
    std::array<code_table, 2> expected{code_table(8), code_table(8)};
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      if (low_count_at(i) != low_count::in_sample) continue;
      expected[0].add((words[i] >> 8) & 0xff, 1);
      expected[1].add(words[i] & 0xff, 1);
    }
    EXPECT_EQ(found.count(), words.size());
    EXPECT_EQ(found.low_count(), expected[0].total());
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(found.low_bytes()[k].counts(), expected[k].counts());
    }
    expect_same_counts(found, in_pieces(type, bytes_of(words), words.size(), 3));

    const std::uint64_t fewer = std::uint64_t{1} << 22;
    auto first = bytes_of(words);
    first.resize(4 * fewer);
    EXPECT_EQ(counted(type, first, fewer).low_count(), fewer);
  }
}

TEST(low_sample, has_all_six_low_bytes_of_doubles) {
  std::mt19937_64 engine(10);
  std::vector<std::uint64_t> words((std::size_t{1} << 22) + 50'000);
  for (std::uint64_t& word : words) word = 0x3ff0000000000000U + (engine() >> 12);
  for (const bool is_float : {true, false}) {
    const data::element type = is_float ? element_of("binary64", 64) : data::element{"U64", 64};
    const tensor_counts found = counted(type, bytes_of(words), words.size());
    for (std::size_t k = 0; k < 6; ++k) {
      code_table expected(8);
      for (std::uint64_t i = 0; i < words.size(); ++i) {
        if (low_count_at(i) == low_count::in_sample)
          expected.add((words[i] >> (40 - 8 * k)) & 0xff, 1);
      }
      EXPECT_EQ(found.low_bytes()[k].counts(), expected.counts());
    }
  }
}

TEST(low_sample, takes_the_same_share_of_tensors_that_are_put_together) {
  const std::vector<std::uint32_t> words = many_words();
  const data::element type = element_of("binary32", 32);
  const tensor_counts large = counted(type, bytes_of(words), words.size());
  const std::vector<std::uint32_t> some(words.begin(), words.begin() + 500'000);
  tensor_counts both = counted(type, bytes_of(some), some.size());
  EXPECT_EQ(both.low_count(), some.size());
  both += large;
  const auto all = static_cast<double>(both.count());
  EXPECT_NEAR(static_cast<double>(both.low_count()) / all, 0.125, 1e-3);
}

TEST(low_sample, does_not_hide_a_number_that_is_not_as_all_others) {
  std::vector<std::uint32_t> words(many_words().size(), 0x3f800000U);
  for (const bool is_float : {true, false}) {
    const data::element type = is_float ? element_of("binary32", 32) : data::element{"U32", 32};
    EXPECT_TRUE(counted(type, bytes_of(words), words.size()).is_constant());
  }
  const std::size_t last = words.size() - 1;
  ASSERT_EQ(low_count_at(last), low_count::nowhere);
  words[last] ^= 1U;
  for (const bool is_float : {true, false}) {
    const data::element type = is_float ? element_of("binary32", 32) : data::element{"U32", 32};
    const tensor_counts found = counted(type, bytes_of(words), words.size());
    EXPECT_FALSE(found.is_constant());
    byte_writer written;
    found.put_into(written);
    const std::string bytes = written.take();
    byte_reader read{bytes};
    const tensor_counts again = tensor_counts::from(type, read);
    expect_same_counts(found, again);
    EXPECT_FALSE(again.is_constant());
  }
}

TEST(special_codes, are_those_without_a_value) {
  for (const char* name :
       {"e4m3",        "e5m2",        "e3m2",        "e2m3",     "e2m1",   "e8m0",
        "e4m3fnuz",    "e5m2fnuz",    "e4m3b11fnuz", "e4m3ieee", "e3m4",   "binary8p4se",
        "binary8p4sf", "binary8p3ue", "binary8p3uf", "posit8",   "int8",   "mxint8",
        "mxint8s",     "q3.4",        "binary16",    "bfloat16", "posit16"}) {
    const auto format = find_number_format(name);
    ASSERT_TRUE(format) << name;
    const auto ranges = nan_codes_of(*format);
    for (std::uint64_t code = 0; code >> format->width() == 0; ++code) {
      const bool listed = std::any_of(ranges.begin(), ranges.end(), [code](const code_range& r) {
        return r.first <= code && code <= r.last;
      });
      EXPECT_EQ(listed, !format->value(code)) << name << ' ' << code;
    }
  }
}

}  // namespace
}  // namespace ktln2::measure
