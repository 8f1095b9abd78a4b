#include "ktln2/data/safetensors.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "scratch.hpp"
#include "test_configuration.hpp"

namespace {

using ktln2::data::open_file;
using ktln2::data::parse_safetensors_header;
using ktln2::data::parse_safetensors_index;

std::string safetensors(const std::string& header, const std::string& data) {
  return little_endian(header.size(), 8) + header + data;
}

std::string described(const std::string& name, const std::string& dtype, const std::string& shape,
                      const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}";
}

/// What is said of a header, with so many bytes of data.
std::string mistake(const std::string& json, std::uint64_t bytes = 8) {
  return message_of<ktln2::data::file_error>(
      [&] { (void)parse_safetensors_header("m.st", json, bytes); });
}

TEST(safetensors, gives_what_was_written) {
  const scratch here;
  const std::string header =
      R"({"__metadata__":{"a":"b"},)" + described("w", "BF16", "[2,3]", "[4,16]") + "," +
      described("b", "F32", "[1]", "[0,4]") + "," + described("none", "F32", "[0,5]", "[16,16]") +
      "," + described("one", "U8", "[]", "[16,17]") + "}  ";
  const auto file = open_file(here.file("m.safetensors", safetensors(header, "abcdefghijklmnopq")));
  ASSERT_EQ(file->tensors().size(), 4U);
  EXPECT_EQ(file->tensors()[0].name, "b");
  EXPECT_EQ(file->tensors()[1].name, "w");
  EXPECT_EQ(file->tensors()[1].type.name, "BF16");
  EXPECT_EQ(file->tensors()[1].type.format->name(), "bfloat16");
  EXPECT_EQ(file->tensors()[1].count(), 6U);
  EXPECT_EQ(file->tensors()[2].count(), 0U);
  EXPECT_EQ(file->tensors()[3].count(), 1U);
  const auto all = read_all(*file);
  EXPECT_EQ(all[0].bytes, "abcd");
  EXPECT_EQ(all[1].bytes, "efghijklmnop");
  EXPECT_EQ(all[1].count, 6U);
  EXPECT_EQ(all[2].count, 0U);
  EXPECT_EQ(all[3].bytes, "q");
}

TEST(safetensors, knows_all_types) {
  const scratch here;
  for (const auto& [name, bits, parts] : std::vector<std::tuple<std::string, int, int>>{
           {"BOOL", 8, 1},    {"U8", 8, 1},      {"U16", 16, 1},        {"U32", 32, 1},
           {"U64", 64, 1},    {"I8", 8, 1},      {"I16", 16, 1},        {"I32", 32, 1},
           {"I64", 64, 1},    {"F4", 4, 1},      {"F4_E2M1", 4, 1},     {"F6_E2M3", 6, 1},
           {"F6_E3M2", 6, 1}, {"F8_E4M3", 8, 1}, {"F8_E5M2", 8, 1},     {"F8_E8M0", 8, 1},
           {"F16", 16, 1},    {"BF16", 16, 1},   {"F8_E4M3FNUZ", 8, 1}, {"F8_E5M2FNUZ", 8, 1},
           {"F32", 32, 1},    {"F64", 64, 1},    {"C64", 32, 2}}) {
    const std::size_t bytes = static_cast<std::size_t>(20'000 * bits * parts / 8);
    const std::string header =
        "{" + described("t", name, "[200,100]", "[0," + std::to_string(bytes) + "]") + "}";
    const std::string data(bytes, 'x');
    const auto file = open_file(here.file("m.safetensors", safetensors(header, data)));
    const auto& type = file->tensors().at(0).type;
    EXPECT_EQ(type.bits, bits) << name;
    EXPECT_EQ(type.parts, parts) << name;
    const bool is_plain = name[0] == 'U' || name == "BOOL";
    EXPECT_EQ(type.format.has_value(), !is_plain) << name;
    EXPECT_EQ(type.format ? type.format->width() : bits, bits) << name;
    const auto all = read_all(*file);
    EXPECT_EQ(all[0].bytes, data) << name;
    EXPECT_EQ(all[0].count, static_cast<std::uint64_t>(20'000 * parts)) << name;
    EXPECT_EQ(all[0].count, file->tensors()[0].count()) << name;
  }
}

TEST(safetensors, refuses_headers_that_lie) {
  const auto one = [](const std::string& shape, const std::string& offsets) {
    return "{" + described("t", "F32", shape, offsets) + "}";
  };
  EXPECT_EQ(mistake(one("[2]", "[0,8]")), "nothing was thrown");
  EXPECT_EQ(mistake(one("[3]", "[0,8]")),
            "m.st: tensor 't': shape [3] of F32 takes 12 bytes, but data_offsets [0, 8] hold 8");
  EXPECT_EQ(mistake(one("[2]", "[8,0]")),
            "m.st: tensor 't': data_offsets must be a beginning and an end that is not before it, "
            "got [8, 0]");
  EXPECT_EQ(mistake(one("[2]", "[0,8,9]")),
            "m.st: tensor 't': data_offsets must be a beginning and an end that is not before it, "
            "got [0, 8, 9]");
  EXPECT_EQ(mistake(one("[2]", "[-8,0]")),
            "m.st: tensor 't': data_offsets must hold whole numbers from 0 to 2^63 - 1, got -8");
  EXPECT_EQ(mistake(one("[2]", "[0,8.5]")),
            "m.st: tensor 't': data_offsets must hold whole numbers from 0 to 2^63 - 1, got 8.5");
  EXPECT_EQ(mistake(one("[2]", "[0,9223372036854775808]")),
            "m.st: tensor 't': data_offsets must hold whole numbers from 0 to 2^63 - 1, got "
            "9223372036854775808");
  EXPECT_EQ(mistake(one("[2]", "[0,99999999999999999999999]")),
            "m.st: tensor 't': data_offsets must hold whole numbers from 0 to 2^63 - 1, got "
            "99999999999999999999999");
  EXPECT_EQ(mistake(one("[4294967296,4294967296]", "[0,0]")),
            "m.st: tensor 't': shape [4294967296, 4294967296] of F32 is no whole number of bytes "
            "below 2^63");
  EXPECT_EQ(mistake(one("[4611686018427387904]", "[0,0]")),
            "m.st: tensor 't': shape [4611686018427387904] of F32 is no whole number of bytes "
            "below 2^63");
  EXPECT_EQ(mistake("{" + described("t", "F6_E2M3", "[3]", "[0,2]") + "}"),
            "m.st: tensor 't': shape [3] of F6_E2M3 is no whole number of bytes below 2^63");
  EXPECT_EQ(
      mistake("{" + described("t", "F32", "[2305843009213693951]", "[0,9223372036854775804]") +
              "}"),
      "m.st: the tensors take 9223372036854775804 bytes, but the data has 8: the file is "
      "truncated");
}

TEST(safetensors, refuses_overlaps_holes_and_ends) {
  const auto two = [](const std::string& first, const std::string& second) {
    return "{" + described("a", "U8", "[4]", first) + "," + described("b", "U8", "[4]", second) +
           "}";
  };
  EXPECT_EQ(mistake(two("[0,4]", "[4,8]")), "nothing was thrown");
  EXPECT_EQ(mistake(two("[4,8]", "[0,4]")), "nothing was thrown");
  EXPECT_EQ(mistake(two("[0,4]", "[3,7]")),
            "m.st: tensor 'b': begins at byte 3 of the data, within tensor 'a'");
  EXPECT_EQ(mistake(two("[0,4]", "[0,4]")),
            "m.st: tensor 'b': begins at byte 0 of the data, within tensor 'a'");
  EXPECT_EQ(mistake(two("[0,4]", "[5,9]")),
            "m.st: tensor 'b': begins at byte 5 of the data, but no tensor holds the bytes from 4 "
            "on");
  EXPECT_EQ(mistake(two("[0,4]", "[4,8]"), 9),
            "m.st: the tensors take 8 bytes, but the data has 9");
  EXPECT_EQ(mistake(two("[0,4]", "[4,8]"), 7),
            "m.st: the tensors take 8 bytes, but the data has 7: the file is truncated");
  EXPECT_EQ(mistake("{" + described("a", "U8", "[4]", "[0,4]") + "," +
                    described("a", "U8", "[4]", "[4,8]") + "}"),
            "m.st: tensor 'a' occurs twice");
}

TEST(safetensors, refuses_what_is_no_header) {
  EXPECT_EQ(mistake(""), "m.st: header: no JSON in UTF-8 at byte 1 of it");
  EXPECT_EQ(mistake("{"), "m.st: header: no JSON in UTF-8 at byte 2 of it");
  EXPECT_EQ(mistake("{} {}"), "m.st: header: no JSON in UTF-8 at byte 4 of it");
  EXPECT_EQ(mistake("{\"\xff\":1}"), "m.st: header: no JSON in UTF-8 at byte 3 of it");
  EXPECT_EQ(mistake("[]"), "m.st: header: expected an object, got a list");
  EXPECT_EQ(mistake("3"), "m.st: header: expected an object, got 3");
  EXPECT_EQ(mistake("{\"t\":3}"), "m.st: tensor 't': expected an object, got 3");
  EXPECT_EQ(mistake("{\"t\":{}}"),
            "m.st: tensor 't': expected dtype, shape and data_offsets, one is missing");
  EXPECT_EQ(mistake(R"({"t":{"dtype":3}})"), "m.st: tensor 't': dtype must be a name, got 3");
  EXPECT_EQ(mistake(R"({"t":{"dtype":"F32","dtype":"F16"}})"),
            "m.st: tensor 't': says dtype twice");
  EXPECT_EQ(mistake(R"({"t":{"shape":"x"}})"),
            "m.st: tensor 't': shape must be a list of numbers, got 'x'");
  EXPECT_EQ(mistake(R"({"t":{"shape":[[1]]}})"),
            "m.st: tensor 't': shape must hold whole numbers from 0 to 2^63 - 1, got a list");
  EXPECT_EQ(mistake("{" + described("t", "F33", "[2]", "[0,8]") + "}"),
            "m.st: tensor 't': unknown dtype 'F33', expected one such as BF16 or F8_E4M3");
  EXPECT_EQ(mistake(R"({"a\nb\u001b[31m":3})"),
            "m.st: tensor 'a?b?[31m': expected an object, got 3");
  const std::string deep(100'000, '[');
  EXPECT_EQ(mistake(R"({"__metadata__":)" + deep), "m.st: header: is nested too deep");
  EXPECT_EQ(mistake(deep), "m.st: header: expected an object, got a list");
}

TEST(safetensors, skips_what_it_does_not_know) {
  const std::string known = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  for (const char* other :
       {"1", "-1", "1.5", "null", "true", "\"x\"", "[1,[2],{}]", R"({"a":[{}],"dtype":"x"})"}) {
    EXPECT_EQ(mistake(R"({"__metadata__":)" + std::string(other) + R"(,"t":{"extra":)" + other +
                      "," + known + "}}"),
              "nothing was thrown")
        << other;
  }
}

TEST(safetensors, refuses_lengths_that_lie) {
  const scratch here;
  const auto said = [&](const std::string& content) {
    const std::string path = here.file("m.safetensors", content);
    const std::string text = complaint(path);
    return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
  };
  EXPECT_EQ(said(""), "is empty");
  EXPECT_EQ(said("abc"), "is too short to be a .safetensors file");
  EXPECT_EQ(said(little_endian(std::uint64_t{1} << 63, 8) + "{}"),
            "header: it claims to have 9223372036854775808 bytes, expected at most 100000000");
  EXPECT_EQ(said(little_endian(100'000'001, 8) + "{}"),
            "header: it claims to have 100000001 bytes, expected at most 100000000");
  EXPECT_EQ(said(little_endian(3, 8) + "{}"),
            "header: it claims to have 3 bytes, but the file has only 10");
  EXPECT_EQ(said(safetensors("{}", "")), "nothing was thrown");
}

TEST(safetensors, notices_a_file_that_shrinks) {
  const scratch here;
  const std::string header = "{" + described("t", "U8", "[10000]", "[0,10000]") + "}";
  const std::string path =
      here.file("m.safetensors", safetensors(header, std::string(10'000, 'x')));
  const auto file = open_file(path);
  const auto stream = file->open({0, 1});
  std::vector<std::byte> buffer(4096);
  EXPECT_EQ(stream->next(buffer).count, 4096U);
  std::filesystem::resize_file(path, 5000);
  const std::string said = message_of<ktln2::data::file_error>([&] { (void)stream->next(buffer); });
  EXPECT_EQ(said, path + ": ended at byte 5000, but had " +
                      std::to_string(8 + header.size() + 10'000) +
                      " bytes when it was opened: it has shrunk");
}

TEST(safetensors, is_read_by_several_threads) {
  const scratch here;
  const std::size_t count = 1'000'003;
  std::string data;
  for (std::size_t i = 0; i < count; ++i) data += little_endian(i, 4);
  const std::string header = "{" + described("t", "U32", "[1000003]", "[0,4000012]") + "}";
  const auto file = open_file(here.file("m.safetensors", safetensors(header, data)));
  const auto stream = file->open({0, 1});
  std::vector<char> seen(count);
  std::atomic<bool> is_good = true;
  const auto work = [&](std::size_t bytes) {
    std::vector<std::byte> buffer(bytes);
    for (auto piece = stream->next(buffer); piece.count > 0; piece = stream->next(buffer)) {
      const auto* text = reinterpret_cast<const char*>(piece.bytes.data());
      for (std::uint64_t i = 0; i < piece.count; ++i) {
        const std::uint64_t index = piece.first + i;
        if (seen[index]++ != 0 || std::string_view(text + 4 * i, 4) != little_endian(index, 4)) {
          is_good = false;
        }
      }
    }
  };
  std::vector<std::thread> threads;
  for (const std::size_t bytes : {4096, 5001, 70'000}) threads.emplace_back(work, bytes);
  for (std::thread& one : threads) one.join();
  EXPECT_TRUE(is_good);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
}

TEST(safetensors_index, joins_the_files_beside_it) {
  const scratch here;
  const auto shard = [&](const std::string& name, const std::string& tensors,
                         const std::string& data) {
    return here.file(name, safetensors("{" + tensors + "}", data));
  };
  const std::string one = shard(
      "m-1.safetensors",
      described("a", "U8", "[2]", "[0,2]") + "," + described("extra", "U8", "[1]", "[2,3]"), "xyz");
  const std::string two = shard("m-2.safetensors", described("b", "U8", "[3]", "[0,3]"), "uvw");
  const std::string index =
      here.file("m.safetensors.index.json",
                R"({"metadata":{},"weight_map":{"b":"m-2.safetensors","a":"m-1.safetensors"}})");
  const auto file = open_file(index);
  ASSERT_EQ(file->tensors().size(), 2U);
  EXPECT_EQ(file->tensors()[0].file, one);
  EXPECT_EQ(file->tensors()[1].file, two);
  const auto all = read_all(*file);
  EXPECT_EQ(all[0].bytes, "xy");
  EXPECT_EQ(all[1].bytes, "uvw");
  EXPECT_EQ(file->notes(),
            std::vector<std::string>{one + ": 1 tensor left out, which the index does not name"});

  std::filesystem::remove(two);
  EXPECT_EQ(complaint(index), index + ": the file 'm-2.safetensors' that it names is missing");
  (void)shard("m-2.safetensors", described("c", "U8", "[3]", "[0,3]"), "uvw");
  EXPECT_EQ(complaint(index), index + ": tensor 'b' is not in " + two);
}

TEST(safetensors_index, names_no_file_elsewhere) {
  const auto said = [](const std::string& json) {
    return message_of<ktln2::data::file_error>([&] { (void)parse_safetensors_index("i", json); });
  };
  for (const char* name :
       {"../m.safetensors", "/etc/passwd", "..", ".", "", "a\\\\b", "a\\u0000b"}) {
    EXPECT_TRUE(
        said(R"({"weight_map":{"t":")" + std::string(name) + "\"}}")
            .starts_with("i: tensor 't': expected the name of a file beside the index, got "))
        << name;
  }
  EXPECT_EQ(said(R"({"weight_map":{"t":3}})"),
            "i: tensor 't': expected the name of a file beside the index, got '3'");
  const std::string expected =
      "i: expected an object weight_map that names the file of each tensor";
  EXPECT_EQ(said("{}"), expected);
  EXPECT_EQ(said("[]"), expected);
  EXPECT_EQ(said(R"({"weight_map":[]})"), expected);
  EXPECT_EQ(said("{"), "i: no JSON in UTF-8");
}

/// A block of a real model.
TEST(safetensors, reads_a_real_file) {
  const std::string path = std::string(KTLN2_REFERENCE_DIR) + "/data/gpt-block-bf16";
  const auto known = nlohmann::json::parse(std::ifstream(path + ".json"));
  const auto file = open_file(path + ".safetensors");
  EXPECT_EQ(file->tensors().size(), known.size());
  const auto all = read_all(*file, 1 << 16);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = file->tensors()[i];
    const auto& expected = known.at(one.name);
    EXPECT_EQ(one.shape, expected.at("shape").get<std::vector<std::uint64_t>>()) << one.name;
    EXPECT_EQ(all[i].count, expected.at("count").get<std::uint64_t>()) << one.name;
    std::uint64_t zeros = 0;
    double sum = 0;
    for (std::size_t k = 0; k < all[i].bytes.size(); k += 2) {
      const auto byte = [&](std::size_t at) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(all[i].bytes[at]));
      };
      const double value = one.type.format->value(byte(k) | byte(k + 1) << 8U)->to_double();
      zeros += value == 0 ? 1 : 0;
      sum += value;
    }
    EXPECT_EQ(zeros, expected.at("zeros").get<std::uint64_t>()) << one.name;
    EXPECT_NEAR(sum / static_cast<double>(all[i].count), expected.at("mean").get<double>(), 1e-12)
        << one.name;
  }
}

}  // namespace
