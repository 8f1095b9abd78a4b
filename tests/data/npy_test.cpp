#include "ktln2/data/npy.hpp"

#include <gtest/gtest.h>

#include "npy_text.hpp"
#include "scratch.hpp"

namespace {

using ktln2::data::open_file;
using ktln2::data::parse_element;
using ktln2::data::parse_npy_header;

std::string npy_mistake(const std::string& content, const char* dtype = nullptr) {
  return message_of<ktln2::data::file_error>([&] {
    (void)parse_npy_header("m", content,
                           dtype == nullptr ? std::nullopt : std::optional(parse_element(dtype)));
  });
}
std::string literal_mistake(const std::string& literal) { return npy_mistake(npy(literal, "")); }

TEST(npy, gives_what_was_written) {
  const scratch here;
  for (const int version : {1, 2, 3}) {
    const std::string path =
        here.file("m.npy", npy(npy_literal_of("<f4", "(2, 1)"), "abcdefgh", version));
    const auto file = open_file(path);
    ASSERT_EQ(file->tensors().size(), 1U);
    EXPECT_EQ(file->tensors()[0].file, path);
    EXPECT_EQ(file->tensors()[0].name, "");
    EXPECT_EQ(file->tensors()[0].type.name, "<f4");
    EXPECT_EQ(file->tensors()[0].shape, (std::vector<std::uint64_t>{2, 1}));
    EXPECT_EQ(read_all(*file)[0].bytes, "abcdefgh");
  }
}

TEST(npy, knows_all_types_of_numbers) {
  for (const auto& [name, bits, parts, format] :
       std::vector<std::tuple<std::string, int, int, std::string>>{{"b1", 8, 1, ""},
                                                                   {"u1", 8, 1, ""},
                                                                   {"u2", 16, 1, ""},
                                                                   {"u4", 32, 1, ""},
                                                                   {"u8", 64, 1, ""},
                                                                   {"i1", 8, 1, "int8"},
                                                                   {"i2", 16, 1, "int16"},
                                                                   {"i4", 32, 1, "int32"},
                                                                   {"i8", 64, 1, "int64"},
                                                                   {"f2", 16, 1, "binary16"},
                                                                   {"f4", 32, 1, "binary32"},
                                                                   {"f8", 64, 1, "binary64"},
                                                                   {"c8", 32, 2, "binary32"},
                                                                   {"c16", 64, 2, "binary64"}}) {
    for (const char order : {'<', '>'}) {
      const auto header = parse_npy_header("m", npy(npy_literal_of(order + name, "(3,)"), ""));
      EXPECT_EQ(header.type.bits, bits) << name;
      EXPECT_EQ(header.type.parts, parts) << name;
      EXPECT_EQ(header.type.format ? header.type.format->name() : "", format) << name;
      EXPECT_EQ(header.type.big_endian, order == '>' && bits > 8) << name;
      EXPECT_EQ(header.data_bytes, static_cast<std::uint64_t>(3 * bits * parts / 8)) << name;
    }
  }
  EXPECT_FALSE(parse_npy_header("m", npy(npy_literal_of("|i1", "()"), "")).type.big_endian);
}

TEST(npy, takes_shapes_as_python_writes_them) {
  using shape = std::vector<std::uint64_t>;
  const auto shape_of = [](const std::string& text) {
    return parse_npy_header("m", npy(npy_literal_of("<f4", text), "")).shape;
  };
  EXPECT_EQ(shape_of("()"), shape{});
  EXPECT_EQ(shape_of("(3,)"), shape{3});
  EXPECT_EQ(shape_of("(3L, 4L)"), (shape{3, 4}));
  EXPECT_EQ(shape_of("( 3 ,4 , 0)"), (shape{3, 4, 0}));
  EXPECT_EQ(literal_mistake(R"({"shape":(1,),"fortran_order":True,"descr":"<f4"})"),
            "nothing was thrown");
}

TEST(npy, takes_bytes_for_what_they_are_said_to_be) {
  const std::string bfloat16 = npy(npy_literal_of("<V2", "(3,)"), "");
  EXPECT_EQ(npy_mistake(bfloat16),
            "m: the type '<V2' is not known, expected one such as '<f4'; --dtype BF16, or another, "
            "says what the bytes are");
  EXPECT_EQ(npy_mistake(bfloat16, "BF16"), "nothing was thrown");
  const auto header = parse_npy_header("m", bfloat16, parse_element("BF16"));
  EXPECT_EQ(header.type.format->name(), "bfloat16");
  EXPECT_EQ(header.data_bytes, 6U);
  EXPECT_EQ(npy_mistake(bfloat16, "F32"),
            "m: its numbers are of the type '<V2' and cannot be taken for F32, which has 32 bits");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("|u1", "(3,)"), ""), "e4m3"), "nothing was thrown");
  const std::string unsigned_words = npy(npy_literal_of("<u2", "(3,)"), "");
  EXPECT_EQ(npy_mistake(unsigned_words, ">u2"),
            "m: its numbers are of the type '<u2' and cannot be taken for >u2, which has its bytes "
            "the other way round");
  EXPECT_EQ(npy_mistake(unsigned_words, "<i2"), "nothing was thrown");
  EXPECT_EQ(npy_mistake(unsigned_words, "BF16"), "nothing was thrown");
}

TEST(npy, refuses_what_is_no_array_of_numbers) {
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("|O", "(3,)"), "")),
            "m: holds Python objects ('|O'), expected numbers");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<U5", "(3,)"), "")),
            "m: the type '<U5' is not known, expected one such as '<f4'");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<f16", "(3,)"), "")),
            "m: the type '<f16' is not known, expected one such as '<f4'");
  EXPECT_EQ(literal_mistake("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}"),
            "m: header: holds records, expected one number an element");
}

TEST(npy, refuses_headers_that_lie) {
  EXPECT_EQ(literal_mistake("{'descr': '<f4', 'shape': (3,)}"),
            "m: header: expected descr, fortran_order and shape, one is missing");
  EXPECT_EQ(literal_mistake("{'descr': '<f4', 'descr': '<f4'}"), "m: header: says descr twice");
  EXPECT_EQ(literal_mistake("{'x': 1}"), "m: header: unknown key 'x'");
  EXPECT_EQ(literal_mistake("{'descr': '<f4"), "m: header: a string does not end");
  EXPECT_EQ(literal_mistake("[]"), "m: header: expected '{', got '[]'");
  EXPECT_EQ(literal_mistake("{ "), "m: header: expected ''', got the end");
  EXPECT_EQ(literal_mistake("{} x"), "m: header: expected nothing after '}', got 'x'");
  EXPECT_EQ(literal_mistake("{'fortran_order': 1}"),
            "m: header: fortran_order must be True or False");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<f4", "(-1,)"), "")),
            "m: header: shape must hold whole numbers from 0 to 2^64 - 1, got '-1'");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<f4", "(99999999999999999999,)"), "")),
            "m: header: shape must hold whole numbers from 0 to 2^64 - 1, got "
            "'99999999999999999999'");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<f4", "(4611686018427387904,)"), "")),
            "m: header: its shape makes 2^63 bytes or more");
  EXPECT_EQ(npy_mistake(npy(npy_literal_of("<f4", "(4294967296, 4294967296)"), "")),
            "m: header: its shape makes 2^63 bytes or more");
  EXPECT_EQ(npy_mistake("abc"), "m: does not begin as a .npy file does");
  EXPECT_EQ(npy_mistake("\x93NUMPY"), "m: is too short to be a .npy file");
  EXPECT_EQ(npy_mistake(npy("{}        ", "", 4)), "m: has version 4 of .npy, expected 1, 2 or 3");
  EXPECT_EQ(npy_mistake(std::string("\x93NUMPY\x02\x00", 8) + little_endian(1U << 31U, 4)),
            "m: header: it claims to have 2147483648 bytes, expected at most 1048576");
  EXPECT_EQ(npy_mistake(std::string("\x93NUMPY\x01\x00", 8) + little_endian(100, 2) + "{}  "),
            "m: ends within its header");
}

TEST(npy, refuses_files_of_another_length) {
  const scratch here;
  const std::string literal = npy_literal_of("<f4", "(2,)");
  for (const auto& [data, bytes] :
       {std::pair<std::string, std::string>{"abcd", "4"}, {"abcdefghi", "9"}, {"", "0"}}) {
    const std::string path = here.file("m.npy", npy(literal, data));
    EXPECT_EQ(complaint(path),
              path + ": its shape takes 8 bytes, but " + bytes + " follow the header");
  }
}

}  // namespace
