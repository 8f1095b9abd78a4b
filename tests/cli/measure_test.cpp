// What files of numbers carry, on the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "data/npy_text.hpp"
#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::json;
using program::number;
using program::outcome;

const std::string gpt_block = std::string(KTLN2_REFERENCE_DIR) + "/data/gpt-block-bf16.safetensors";

json measured(program::arguments words) {
  words.insert(words.begin(), "measure");
  words.emplace_back("--json");
  const outcome done = program::run(words);
  EXPECT_EQ(done.status, 0) << done.err;
  return json::parse(done.out);
}

/// One tensor of a .safetensors file.
struct named_tensor {
  std::string name;
  std::string dtype;
  std::string bytes;
  std::size_t count;
};

std::string safetensors(const std::vector<named_tensor>& all) {
  json header = json::object();
  std::string data;
  for (const named_tensor& one : all) {
    header[one.name] = {{"dtype", one.dtype},
                        {"shape", {one.count}},
                        {"data_offsets", {data.size(), data.size() + one.bytes.size()}}};
    data += one.bytes;
  }
  const std::string text = header.dump();
  return little_endian(text.size(), 8) + text + data;
}

template <class Number>
std::string as_bytes(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::vector<float> normal_floats(std::size_t count, unsigned seed, float deviation = 1) {
  std::mt19937 random{seed};
  // Of floats the last bits would not be drawn.
  std::normal_distribution<double> draw{0, deviation};
  std::vector<float> made(count);
  for (float& one : made) one = static_cast<float>(draw(random));
  return made;
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string warnings_of(const json& answer) { return answer.at("warnings").dump(); }

TEST(measure, equals_an_independent_count) {
  std::ifstream file(std::string(KTLN2_REFERENCE_DIR) + "/data/gpt-block-bf16.json");
  const json counted = json::parse(file);
  const json answer = measured({gpt_block, "--estimator", "plugin"});
  ASSERT_EQ(answer.at("tensors").size(), counted.size());
  for (const json& one : answer.at("tensors")) {
    const std::string name = one.at("name");
    SCOPED_TRACE(name);
    const auto& expected = counted.at(name);
    const json& alone = one.at("marginals");
    EXPECT_EQ(one.at("shape").dump(), expected.at("shape").dump());
    EXPECT_EQ(one.at("count"), expected.at("count").get<int>());
    EXPECT_EQ(one.at("zeros"), expected.at("zeros").get<int>());
    EXPECT_NEAR(number(one, "total"), expected.at("total").get<double>(), 1e-9);
    EXPECT_NEAR(number(one, "sign"), expected.at("sign").get<double>(), 1e-9);
    EXPECT_NEAR(number(one, "exponent"), expected.at("exponent_given_sign").get<double>(), 1e-9);
    EXPECT_NEAR(number(alone, "exponent"), expected.at("exponent").get<double>(), 1e-9);
    EXPECT_NEAR(number(alone, "mantissa"), expected.at("mantissa").get<double>(), 1e-9);
    EXPECT_NEAR(number(one, "deviation"), expected.at("std").get<double>(), 1e-9);
    EXPECT_NEAR(number(one, "mean"), expected.at("mean").get<double>(), 1e-9);
    EXPECT_NEAR(number(one, "sign") + number(one, "exponent") + number(one, "mantissa"),
                number(one, "total"), 1e-9);
  }
}

/// The parts of the gap that the table shows, each as the estimator that is asked for has it.
TEST(measure, explains_the_gap_by_parts_that_add_up) {
  const scratch folder;
  const std::string wide = folder.file("wide.f32", as_bytes(normal_floats(5000, 10)));
  for (const char* how : {"plugin", "miller-madow", "grassberger", "chao"}) {
    SCOPED_TRACE(how);
    for (const program::arguments& files :
         {program::arguments{gpt_block},
          program::arguments{wide, "--kind", "raw", "--dtype", "F32"}}) {
      program::arguments words = files;
      words.insert(words.end(), {"--estimator", how});
      const json pooled = measured(words).at("pooled");
      const json& parts = pooled.at("explained");
      double sum = 0;
      for (const char* part : {"pooling", "few_numbers", "zeros", "tails", "scales", "low_bits"}) {
        sum += number(parts, part);
      }
      EXPECT_NEAR(number(parts, "gap"), sum, 1e-12);
      EXPECT_NEAR(number(parts, "gap"), number(pooled, "gap"), 1e-12);
      EXPECT_NEAR(number(parts, "error"), number(pooled, "error"), 1e-12);
    }
  }
  const json answer = measured({gpt_block});
  const json& explained = answer.at("pooled").at("explained");
  EXPECT_GT(number(explained, "pooling"), number(explained, "pooling_error"));
  EXPECT_NEAR(number(answer.at("pooled").at("normal"), "total"), 10.464, 1e-3);
}

TEST(measure, explains_nothing_where_there_are_too_few_numbers) {
  const scratch folder;
  const auto said = [&](const std::vector<float>& numbers) {
    const outcome done = program::run(
        {"measure", folder.file("a.f32", as_bytes(numbers)), "--kind", "raw", "--dtype", "F32"});
    EXPECT_EQ(done.status, 0) << done.err;
    return in_one_line(done.out);
  };
  for (const std::size_t count : {std::size_t{5}, std::size_t{20000}}) {
    const std::string text = said(normal_floats(count, 11));
    EXPECT_NE(text.find("no more than there being few numbers can make"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("shapes of their"), std::string::npos) << text;
  }
  std::vector<float> flat(20000);
  for (std::size_t i = 0; i < flat.size(); ++i) flat[i] = 1 + static_cast<float>(i % 128) / 128;
  EXPECT_NE(said(flat).find("by the shapes of their laws"), std::string::npos) << said(flat);
}

TEST(measure, calls_arrays_without_a_name_by_their_file) {
  const scratch folder;
  const auto array = [&](const char* name, std::size_t count) {
    const std::string shape = "(" + std::to_string(count) + ",)";
    return folder.file(name, npy(npy_literal_of("<f4", shape), as_bytes(normal_floats(count, 12))));
  };
  const program::arguments files{array("weights.npy", 300), array("biases.npy", 30),
                                 array("layer.0.npy", 20), array("layer.1.npy", 20)};
  const json groups = measured(files).at("groups");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].at("name"), "weights.npy");
  EXPECT_EQ(groups[0].at("count"), 300);
  EXPECT_EQ(groups[1].at("name"), "layer.*.npy");
  EXPECT_EQ(groups[1].at("tensors"), 2);
  EXPECT_EQ(groups[2].at("name"), "biases.npy");
  program::arguments words{"measure", "--plot", folder.path("a.svg")};
  words.insert(words.end(), files.begin(), files.end());
  const outcome done = program::run(words);
  EXPECT_EQ(done.status, 0) << done.err;
  for (const char* row :
       {"\n  weights\\.npy ", "\n  layer\\.\\*\\.npy × 2 ", "\n  biases\\.npy "}) {
    EXPECT_TRUE(program::has(done.out, row)) << row << " in " << done.out;
  }
  std::ifstream drawn(folder.path("a.svg"));
  const std::string picture(std::istreambuf_iterator<char>(drawn), {});
  EXPECT_NE(picture.find("biases.npy"), std::string::npos);
}

TEST(measure, says_that_there_is_nothing_in_an_empty_array) {
  const scratch folder;
  const outcome done =
      program::run({"measure", folder.file("a.npy", npy(npy_literal_of("<f4", "(0,)"), ""))});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("There are no numbers in it.\n"), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find("needs at least"), std::string::npos) << done.out;
}

TEST(measure, puts_tensors_of_all_layers_into_one_row) {
  const scratch folder;
  std::vector<named_tensor> all;
  unsigned seed = 0;
  for (const char* name : {"layers.0.w", "layers.1.w", "layers.12.w", "h1.w"}) {
    all.push_back({name, "F32", as_bytes(normal_floats(100, ++seed)), 100});
  }
  const json groups = measured({folder.file("a.safetensors", safetensors(all))}).at("groups");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].at("name"), "layers.*.w");
  EXPECT_EQ(groups[0].at("tensors"), 3);
  EXPECT_EQ(groups[0].at("count"), 300);
  EXPECT_EQ(groups[1].at("name"), "h1.w");
}

TEST(measure, shows_each_tensor_the_worst_first) {
  const scratch folder;
  const std::string file = folder.file(
      "a.safetensors", safetensors({{"rich", "F32", as_bytes(normal_floats(1000, 1)), 1000},
                                    {"alike", "F32", as_bytes(std::vector<float>(1000, 1)), 1000},
                                    {"small", "F32", as_bytes(std::vector<float>(3, 1)), 3}}));
  const std::string text = program::run({"measure", file, "--each"}).out;
  const auto place = [&](const char* name) { return text.find(std::string("\n  ") + name); };
  EXPECT_LT(place("alike"), place("rich"));
  EXPECT_LT(place("rich"), place("small"));
  EXPECT_LT(place("small"), std::string::npos);
}

TEST(measure, warns_of_what_its_user_would_like_to_know) {
  const scratch folder;
  std::vector<float> coarse = normal_floats(500, 3);
  for (float& one : coarse) {
    one = std::bit_cast<float>(std::bit_cast<std::uint32_t>(one) & 0xffff0000U);
  }
  std::vector<float> broken = normal_floats(500, 4);
  broken[17] = broken[40] = std::nanf("");
  std::vector<float> endless = normal_floats(500, 6);
  endless[3] = -INFINITY;
  const std::string twin = as_bytes(normal_floats(300, 5));
  const std::string file = folder.file(
      "a.safetensors",
      safetensors({{"coarse", "F32", as_bytes(coarse), 500},
                   {"broken", "F32", as_bytes(broken), 500},
                   {"endless", "F32", as_bytes(endless), 500},
                   {"ones", "F32", as_bytes(std::vector<float>(64, 1)), 64},
                   {"head", "F32", twin, 300},
                   {"embedding", "F32", twin, 300},
                   {"q_blocks", "U8", std::string("\x10\x32\x54\x76\x10\x32\x54\x76"), 8},
                   {"q_scales", "U8", std::string("\x7f\x80"), 2}}));
  const std::string warnings = warnings_of(measured({file}));
  for (const char* expected :
       {"F32, but every number is a bfloat16: coarse", "broken has 2 NaN, the first at index 17",
        "all numbers alike: ones", "the same bytes: head and embedding",
        "q_scales holds the scales of q_blocks", "endless has 1 infinity\""}) {
    EXPECT_NE(warnings.find(expected), std::string::npos) << expected << " in " << warnings;
  }
}

TEST(measure, warns_of_numbers_without_a_header_by_the_name_of_their_file) {
  const scratch folder;
  const std::string file = folder.file("zeros.raw", std::string(4000, '\0'));
  EXPECT_EQ(warnings_of(measured({file, "--dtype", "BF16"})),
            R"(["all numbers alike: zeros.raw"])");
}

TEST(measure, counts_the_leading_bits_of_wide_numbers_and_says_so) {
  const scratch folder;
  const std::string file = folder.file("a.f32", as_bytes(normal_floats(200000, 6)));
  const json one = measured({file, "--kind", "raw", "--dtype", "F32"}).at("tensors").at(0);
  EXPECT_EQ(one.at("counted"), false);
  // The most that they can carry, and the normal law's: 26.4637 bits.
  EXPECT_NEAR(number(one.at("normal"), "total"), 26.4637, 0.01);
  EXPECT_NEAR(number(one, "total"), 26.46, 0.05);
}

TEST(measure, reads_tables_and_standard_input) {
  const scratch folder;
  std::string text = "name,x,y\n";
  for (int i = 0; i < 50; ++i) {
    text += "a," + std::to_string(i % 4) + "," + std::to_string(i) + "\n";
  }
  const json answer = measured({folder.file("t.csv", text), "--estimator", "plugin"});
  ASSERT_EQ(answer.at("tensors").size(), 2U);
  EXPECT_EQ(answer.at("tensors")[0].at("name"), "x");
  EXPECT_EQ(answer.at("tensors")[0].at("dtype"), "F64");
  const double p = 13.0 / 50;
  const double q = 12.0 / 50;
  EXPECT_NEAR(number(answer.at("tensors")[0], "total"), -2 * (p * std::log2(p) + q * std::log2(q)),
              1e-9);
  EXPECT_NE(warnings_of(answer).find("name"), std::string::npos) << "a column of text is left out";

  const std::string raw = folder.file("raw", as_bytes(normal_floats(100, 7)));
  const outcome done = program::run({"measure", "-", "--kind", "raw", "--dtype", "F32", "--csv"},
                                    nullptr, raw.c_str());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find(",F32,100,"), std::string::npos) << done.out;
}

TEST(measure, does_not_depend_on_the_threads) {
  const scratch folder;
  const std::string file = folder.file("a.f32", as_bytes(normal_floats(9000000, 8)));
  const program::arguments words{file, "--kind", "raw", "--dtype", "F32", "--bits", "--threads"};
  const auto with = [&](const char* threads) {
    program::arguments all = words;
    all.emplace_back(threads);
    return measured(all).dump();
  };
  EXPECT_EQ(with("1"), with("3"));
}

TEST(measure, stores_numbers_in_other_formats) {
  const json answer = measured({gpt_block, "--as", "bfloat16,e4m3,mxfp4,nvfp4"});
  const json& as = answer.at("as");
  ASSERT_EQ(as.size(), 4U);
  EXPECT_EQ(as[0].at("format"), "bfloat16");
  EXPECT_EQ(number(as[0], "relative_error"), 0);
  EXPECT_EQ(number(as[0], "floor_bytes"), number(answer, "floor_bytes"));
  // e4m3 has four bits of precision; a half of 2^-4, uniformly, gives 2^-5/sqrt(3) at most.
  EXPECT_GT(number(as[1], "relative_error"), 0.015);
  EXPECT_LT(number(as[1], "relative_error"), 0.035);
  EXPECT_LT(number(as[3], "relative_error"), number(as[2], "relative_error"));
  EXPECT_NEAR(number(as[2], "bytes"), 789760 * 4.25 / 8, 32);
  const outcome done = program::run({"measure", gpt_block, "--as", "binary32"});
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.err.find("--as: expected formats of up to 16 bits"), std::string::npos);
}

TEST(measure, loses_nothing_of_good_files_beside_bad_ones) {
  const scratch folder;
  const std::string bad = folder.file("bad.safetensors", "nonsense");
  const std::string missing = folder.path("missing.npy");
  const outcome done = program::run({"measure", gpt_block, bad, missing, "--csv"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(program::lines(done.out).size(), 13U);
  EXPECT_NE(done.err.find("bad.safetensors"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("missing.npy"), std::string::npos) << done.err;
}

TEST(measure, says_what_failed_in_json_too) {
  const scratch folder;
  const std::string pattern = folder.path("none*.npy");
  const outcome done = program::run({"measure", gpt_block, pattern, "--json"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.err, "ktln2: " + pattern + ": no file matches\n");
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer.at("tensors").size(), 12U);
  EXPECT_EQ(answer.at("failures"), json({pattern + ": no file matches"}));
}

TEST(measure, calls_the_most_that_wide_numbers_carry_so) {
  const scratch folder;
  // Sixteen numbers, so four bits each; byte by byte there is no telling.
  const std::vector<float> few = normal_floats(16, 5);
  std::vector<float> many;
  for (std::size_t i = 0; i < 10000; ++i) many.push_back(few[i * i % 16]);
  const outcome done =
      program::run({"measure", folder.file("a", as_bytes(many)), "--dtype", "F32"});
  EXPECT_EQ(done.status, 0) << done.err;
  const std::string text = in_one_line(done.out);
  EXPECT_NE(text.find("is the most that a lossless code, number by number, needs"),
            std::string::npos);
  EXPECT_EQ(text.find("at least"), std::string::npos);
}

TEST(measure, stores_otherwise_only_what_can_be_read_twice) {
  const scratch folder;
  const std::string raw = folder.file("raw", as_bytes(normal_floats(100, 7)));
  const outcome floats = program::run(
      {"measure", "-", "--kind", "raw", "--dtype", "F32", "--as", "e4m3"}, nullptr, raw.c_str());
  EXPECT_EQ(floats.status, 2);
  EXPECT_EQ(floats.out, "");
  EXPECT_NE(floats.err.find("standard input: --as reads the numbers a second time"),
            std::string::npos);
  const outcome words = program::run(
      {"measure", "-", "--kind", "raw", "--dtype", "BF16", "--as", "e4m3"}, nullptr, raw.c_str());
  EXPECT_EQ(words.status, 0) << words.err;
  const outcome table = program::run({"measure", gpt_block, "--as", "e4m3", "--csv"});
  EXPECT_EQ(table.status, 2);
  EXPECT_NE(table.err.find("no room for --as"), std::string::npos) << table.err;
}

TEST(measure, tells_tensors_of_several_files_apart) {
  const scratch folder;
  const auto elements = as_bytes(normal_floats(500, 1));
  const auto scaled = [&](const char* name, const std::vector<float>& scales) {
    return folder.file(name, safetensors({{"w", "U8", elements, elements.size()},
                                          {"w_scale", "F32", as_bytes(scales), scales.size()}}));
  };
  const std::string a = scaled("a.safetensors", normal_floats(500, 2));
  const std::string b = scaled("b.safetensors", normal_floats(10, 3));
  const auto alone = [](const std::string& file) {
    const std::string said = measured({file}).at("warnings").at(0);
    return said.substr(said.find("together"));
  };
  const json both = measured({a, b}).at("warnings");
  EXPECT_EQ(both.at(0), "the same bytes: " + a + ": w and " + b + ": w");
  EXPECT_EQ(both.at(1), a + ": w_scale holds the scales of " + a + ": w: " + alone(a));
  EXPECT_EQ(both.at(2), b + ": w_scale holds the scales of " + b + ": w: " + alone(b));
}

TEST(measure, names_the_place_of_a_complex_number) {
  const scratch folder;
  std::vector<float> parts(20, 1.5F);
  parts[7] = NAN;
  const std::string file =
      folder.file("z.npy", npy(npy_literal_of("<c8", "(10,)"), as_bytes(parts)));
  EXPECT_EQ(measured({file}).at("tensors").at(0).at("first_nan"), 3);
}

TEST(measure, draws_a_picture) {
  const scratch folder;
  const std::string picture = folder.path("a.svg");
  const outcome done = program::run({"measure", gpt_block, "--plot", picture});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(std::filesystem::exists(picture));
  EXPECT_EQ(program::run({"measure", gpt_block, "--plot", "a.jpg"}).status, 2);
}

TEST(measure, erases_at_a_temperature) {
  const json warm = measured({gpt_block, "--temperature", "300"});
  const json cold = measured({gpt_block, "--temperature", "3"});
  EXPECT_NEAR(number(warm, "joules") / number(cold, "joules"), 100, 1e-9);
  EXPECT_NEAR(number(warm, "joules"),
              8 * number(warm, "floor_bytes") * 1.380649e-23 * 300 * std::log(2.0), 1e-19);
}

TEST(measure, shows_no_control_characters) {
  const scratch folder;
  const std::string file =
      folder.file("a.safetensors",
                  safetensors({{"a\x1b[31m\nb", "F32", as_bytes(std::vector<float>(9, 1)), 9}}));
  const outcome done = program::run({"measure", file});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ((done.out + done.err).find('\x1b'), std::string::npos);
  EXPECT_NE(done.out.find("a?[31m?b"), std::string::npos) << done.out;
  EXPECT_EQ(measured({file}).at("tensors").at(0).at("name"), "a\x1b[31m\nb");
}

TEST(measure, keeps_what_is_done_after_an_interrupt) {
  const scratch folder;
  const std::string small = folder.file("small.f32", as_bytes(normal_floats(5000000, 9)));
  const std::string endless = folder.file("endless.f32", "");
  std::filesystem::resize_file(endless, std::uintmax_t{1} << 42U);  // sparse
  program::process running({"measure", small, endless, "--kind", "raw", "--dtype", "F32", "--csv"});
  while (running.time_at_work() < std::chrono::seconds(2)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  running.interrupt();
  const outcome done = running.wait();
  EXPECT_EQ(done.status, 130);
  EXPECT_EQ(program::lines(done.out).size(), 2U) << done.out;
  EXPECT_NE(done.err.find("interrupted"), std::string::npos) << done.err;
}

}  // namespace
