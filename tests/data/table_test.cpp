#include "ktln2/data/table.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "data/packing.hpp"
#include "data/table_cell.hpp"
#include "scratch.hpp"

namespace {

using ktln2::data::cell;
using ktln2::data::open_file;
using ktln2::data::parse_cell;
using ktln2::data::parse_element;
using ktln2::data::table;
using ktln2::data::table_options;

std::vector<double> doubles(const tensor_content& content) {
  std::vector<double> values(content.bytes.size() / 8);
  std::memcpy(values.data(), content.bytes.data(), content.bytes.size());
  return values;
}

/// The columns of a table, by name.
std::map<std::string, std::vector<double>> columns_of(const std::string& text,
                                                      const table_options& options = {}) {
  const scratch here;
  const auto file = open_file(here.file("t.csv", text), {.table = options});
  std::map<std::string, std::vector<double>> columns;
  const auto all = read_all(*file);
  for (std::size_t i = 0; i < all.size(); ++i) {
    columns[file->tensors()[i].name] = doubles(all[i]);
    EXPECT_EQ(file->tensors()[i].count(), all[i].count);
  }
  return columns;
}

std::string table_mistake(const std::string& text, const table_options& options = {}) {
  const scratch here;
  const std::string path = here.file("t.csv", text);
  const std::string said = complaint(path, {.table = options});
  return said.starts_with(path + ": ") ? said.substr(path.size() + 2) : said;
}

using named_columns = std::map<std::string, std::vector<double>>;

TEST(table, gives_its_columns) {
  const named_columns expected{{"x", {1, -2.5, 1e3}}, {"y", {4, 5, 6}}};
  for (const char* text : {
           "x,y\n1,4\n-2.5,5\n1e3,6\n",
           "x,y\r\n1,4\r\n-2.5,5\r\n1e3,6",
           "x,y\r1,4\r-2.5,5\r1e3,6\r",
           "x;y\n1;4\n-2.5;5\n1e3;6\n",
           "x\ty\n1\t4\n-2.5\t5\n1e3\t6\n",
           "x|y\n1|4\n-2.5|5\n1e3|6\n",
           "\xEF\xBB\xBFx,y\n1,4\n-2.5,5\n1e3,6\n",
           "\"x\",\"y\"\n\"1\", 4\n-2.5 ,\"5\"\n+1e3,6\n",
           "\n\nx,y\n\n1,4\n   \n-2.5,5\n1e3,6\n\n",
           "# made by hand\n# today, at home\nx,y\n1,4\n-2.5,5\n1e3,6\n",
       }) {
    EXPECT_EQ(columns_of(text), expected) << text;
  }
}

TEST(table, needs_no_header) {
  const named_columns expected{{"column 1", {1, 2}}, {"column 2", {3, 4}}};
  EXPECT_EQ(columns_of("1,3\n2,4\n"), expected);
  EXPECT_EQ(columns_of("1,3\n2,4"), expected);
  EXPECT_EQ(columns_of("NA,3\n2,4"), (named_columns{{"column 1", {2}}, {"column 2", {3, 4}}}));
  // or one that looks like numbers
  EXPECT_EQ(columns_of("2019,2020\n1,3\n2,4", {.has_header = true}),
            (named_columns{{"2019", {1, 2}}, {"2020", {3, 4}}}));
  EXPECT_EQ(columns_of("2019,y\n1,3\n2,4"), (named_columns{{"2019", {1, 2}}, {"y", {3, 4}}}));
}

TEST(table, counts_missing_cells_apart) {
  const scratch here;
  const auto file = open_file(here.file("t.csv", "x,y\n1,\nNA,2\n nan ,3\nNULL,\"\"\n5,n/a\n"));
  const auto all = read_all(*file);
  EXPECT_EQ(doubles(all[0]), (std::vector<double>{1, 5}));
  EXPECT_EQ(doubles(all[1]), (std::vector<double>{2, 3}));
  EXPECT_EQ(file->tensors()[0].missing, 3U);
  EXPECT_EQ(file->tensors()[1].missing, 3U);
  EXPECT_EQ(file->tensors()[0].shape, std::vector<std::uint64_t>{2});
}

TEST(table, leaves_out_columns_of_text) {
  const scratch here;
  const std::string path = here.file(
      "t.csv", "name,x,day\n\"Smith, J.\",1,Mon\n\"two\nlines\",2,Tue\n\"a \"\"b\"\"\",3,Wed\n");
  const auto file = open_file(path);
  ASSERT_EQ(file->tensors().size(), 1U);
  EXPECT_EQ(file->tensors()[0].name, "x");
  EXPECT_EQ(doubles(read_all(*file)[0]), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(file->notes(),
            (std::vector<std::string>{path + ": column 'name' left out, which holds text",
                                      path + ": column 'day' left out, which holds text"}));
}

TEST(table, names_the_line_and_the_column_of_a_mistake) {
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,oops\n4,5\n"),
            "line 3, column 'y': expected a number, got 'oops'");
  EXPECT_EQ(table_mistake("# c\n\n\"x\nx\",y\n1,2\n3,oops\n4,5\n"),
            "line 6, column 'y': expected a number, got 'oops'");
  EXPECT_EQ(table_mistake("x,y\r\n1,2\r\n3,oops\r\n4,5\r\n"),
            "line 3, column 'y': expected a number, got 'oops'");
  EXPECT_EQ(table_mistake("x,y\r1,2\r3,oops\r4,5\r"),
            "line 3, column 'y': expected a number, got 'oops'");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3\n"), "line 3: has 1 cells, expected 2 as in the first row");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,4,5\n"),
            "line 3: has 3 cells, expected 2 as in the first row");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,1e999\n"),
            "line 3, column 'y': '1e999' is beyond the range of double precision");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,0x10\n"),
            "line 3, column 'y': expected a number, got '0x10'");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,4 5\n"), "line 3, column 'y': expected a number, got '4 5'");
  EXPECT_EQ(table_mistake("x,y\n1,2\n3,\"4\n5,6\n"), "line 3: has a quote that is not closed");
  // far behind what was looked at first
  std::string text = "x\n";
  for (int i = 0; i < 300'000; ++i) text += "1.5\n";
  EXPECT_EQ(table_mistake(text + "?\n"), "line 300002, column 'x': expected a number, got '?'");
}

TEST(table, refuses_decimal_commas_unless_told) {
  const table_options comma{.decimal_comma = true};
  EXPECT_EQ(table_mistake("x;y\n1,5;2\n2,5;3\n"),
            "line 2, column 'x': expected a number, got '1,5'; --decimal-comma reads such "
            "numbers");
  EXPECT_EQ(columns_of("x;y\n1,5;2\n-2,5e1;3\n", comma),
            (named_columns{{"x", {1.5, -25}}, {"y", {2, 3}}}));
  EXPECT_EQ(columns_of("1,5;2,5\n3,5;4,5\n", comma),
            (named_columns{{"column 1", {1.5, 3.5}}, {"column 2", {2.5, 4.5}}}));
  EXPECT_EQ(columns_of("x\n1,5\n2\n", comma), (named_columns{{"x", {1.5, 2}}}));
  EXPECT_EQ(table_mistake("x;y\n1,5;2\n1.234,5;3\n", comma),
            "line 3, column 'x': expected a number, got '1.234,5'");
}

TEST(table, refuses_other_encodings) {
  EXPECT_EQ(table_mistake(std::string("\xFF\xFEx\0\n\0", 6)),
            "is written in UTF-16, expected UTF-8");
  EXPECT_EQ(table_mistake("x,gr\xF6\xDF"
                          "e\n1,2\n"),
            "column 2: its name 'gr??e' is no UTF-8");
  EXPECT_EQ(table_mistake(std::string("x,y\n1,2\n3,\0 4\n", 14)),
            "line 3: has a byte 0, expected text in UTF-8");
  // in a column of text it does not matter
  EXPECT_EQ(columns_of("name,y\nM\xFCller,2\n"), (named_columns{{"y", {2}}}));
}

TEST(table, refuses_what_holds_no_numbers) {
  EXPECT_EQ(table_mistake("a b c\nd e f\n"),
            "has no column of numbers, between commas, semicolons, tabs or bars");
  EXPECT_EQ(table_mistake("\n\n"), "has no rows");
  EXPECT_EQ(table_mistake("# only\n"), "has no rows");
  EXPECT_EQ(table_mistake("1\n\"" + std::string(3'000'000, 'a')),
            "line 2: has a cell of more than 1048576 bytes: perhaps a quote is not closed");
}

TEST(table, stores_its_numbers_as_told) {
  const scratch here;
  const std::string path = here.file("t.csv", "x\n1\n-2\n0.5\n6\n3\n");
  const auto bytes = [&](const char* dtype) {
    const auto file = open_file(path, {.dtype = parse_element(dtype)});
    EXPECT_EQ(file->tensors()[0].type.name, dtype);
    return read_all(*file)[0].bytes;
  };
  EXPECT_EQ(bytes("BF16"), std::string("\x80\x3F\x00\xC0\x00\x3F\xC0\x40\x40\x40", 10));
  EXPECT_EQ(bytes("I8"), std::string("\x01\xFE\x00\x06\x03", 5));
  // 1 = 0010, -2 = 1100, 0.5 = 0001, 6 = 0111, 3 = 0101
  EXPECT_EQ(bytes("F4"), std::string("\xC2\x71\x05", 3));
  // 1 = 001000, -2 = 110000, 0.5 = 000100, 6 = 011100, 3 = 010100
  EXPECT_EQ(bytes("F6_E2M3"), std::string("\x08\x4C\x70\x14", 4));
  EXPECT_EQ(message_of([&] { (void)open_file(path, {.dtype = parse_element("U8")}); }),
            "dtype: the numbers of a table cannot be stored as U8, expected a format such as BF16 "
            "or int8");
}

TEST(table, counts_what_its_type_cannot_hold) {
  const scratch here;
  const std::string path = here.file("t.csv", "x\n127\n128\n-128\n-129\n1e300\nNA\n448\n-1e300\n");
  const auto clipped = [&](const char* dtype) {
    const auto file = open_file(path, {.dtype = parse_element(dtype)});
    (void)read_all(*file);
    return file->tensors()[0].clipped;
  };
  EXPECT_EQ(clipped("I8"), 5U);
  EXPECT_EQ(clipped("F8_E4M3"), 2U);
  EXPECT_EQ(clipped("BF16"), 0U) << "it has infinities";
}

TEST(table, has_no_more_columns_than_can_be_counted) {
  const scratch here;
  std::string row = "1";
  for (int i = 0; i < 100'000; ++i) row += ",1";
  const std::string path = here.file("t.csv", row + "\n" + row + "\n");
  EXPECT_EQ(message_of<ktln2::data::file_error>([&] { (void)open_file(path); }),
            path + ": has 100001 columns, expected at most 100000");
}

TEST(table, gives_many_rows_and_columns) {
  std::string text;
  named_columns expected;
  for (int row = 0; row < 3000; ++row) {
    for (int column = 0; column < 50; ++column) {
      const double value = row * 0.25 - column;
      text += (column == 0 ? "" : ",") + std::to_string(value);
      expected["column " + std::to_string(column + 1)].push_back(value);
    }
    text += '\n';
  }
  EXPECT_EQ(columns_of(text), expected);
}

TEST(table, gives_chosen_columns_by_rows) {
  const scratch here;
  std::string text = "a,b,name,c\n";
  for (int i = 0; i < 20'000; ++i) {
    text += std::to_string(i) + "," + (i % 7 == 0 ? "" : std::to_string(-i)) + ",n,1\n";
  }
  const table opened{here.file("t.csv", text)};
  const auto rows = opened.rows({opened.column("b"), opened.column("1")});
  std::vector<double> values;
  int i = 0;
  while (const std::size_t count = rows->next(values, 1000)) {
    ASSERT_EQ(values.size(), 2 * count);
    for (std::size_t row = 0; row < count; ++row, ++i) {
      EXPECT_EQ(values[2 * row + 1], i);
      EXPECT_EQ(std::isnan(values[2 * row]), i % 7 == 0);
      if (i % 7 != 0) {
        EXPECT_EQ(values[2 * row], -i);
      }
    }
  }
  EXPECT_EQ(i, 20'000);
  const auto said = [&](const char* name) {
    return message_of<ktln2::data::file_error>([&] { (void)opened.column(name); })
        .substr(here.path("t.csv").size());
  };
  EXPECT_EQ(said("d"), ": no column is called 'd', expected one of a, b, name, c");
  EXPECT_EQ(said("5"),
            ": no column is called '5', expected one of a, b, name, c or a number from 1 to 4");
  EXPECT_EQ(said("name"), ": column 'name' holds text, expected numbers");
  const table twice{here.file("u.csv", "a,a\n1,2\n")};
  EXPECT_EQ(message_of<ktln2::data::file_error>([&] { (void)twice.column("a"); }),
            here.path("u.csv") + ": two columns are called 'a'");
}

TEST(table_cell, is_a_number_or_says_what_else) {
  using holds = cell::kind;
  for (const auto& [text, what, value] : std::vector<std::tuple<std::string, holds, double>>{
           {"1", holds::number, 1},          {" -2.5e3 ", holds::number, -2500},
           {"+.5", holds::number, 0.5},      {"5.", holds::number, 5},
           {"-0", holds::number, 0},         {"4.9e-324", holds::number, 4.9e-324},
           {"inf", holds::number, INFINITY}, {"-Infinity", holds::number, -INFINITY},
           {"", holds::missing, 0},          {"  ", holds::missing, 0},
           {"NaN", holds::missing, 0},       {"-nan", holds::missing, 0},
           {"None", holds::missing, 0},      {"1e999", holds::beyond, 0},
           {"1e-999", holds::beyond, 0},     {"1,5", holds::decimal_comma, 0},
           {"1,234,567", holds::text, 0},    {"+-1", holds::text, 0},
           {"++1", holds::text, 0},          {"0x1p3", holds::text, 0},
           {"1e", holds::text, 0},           {"e1", holds::text, 0},
           {"1 2", holds::text, 0},          {".", holds::text, 0}}) {
    const cell one = parse_cell(text, false);
    EXPECT_EQ(one.what, what) << text;
    EXPECT_EQ(one.value, value) << text;
  }
  EXPECT_TRUE(std::signbit(parse_cell("-0", false).value));
}

TEST(table, knows_delimiters_by_name) {
  using ktln2::data::parse_delimiter;
  EXPECT_EQ(parse_delimiter("tab"), '\t');
  EXPECT_EQ(parse_delimiter(";"), ';');
  EXPECT_EQ(message_of([] { (void)parse_delimiter("x"); }),
            "delimiter must be comma, semicolon, tab or bar, got 'x'");
  EXPECT_EQ(columns_of("a,b|c\nx,y|3\n", {.delimiter = '|'}).count("c"), 1U);
}

}  // namespace
