// Block formats such as mxfp4 in the place of a format: ktln2 entropy, format, quantize and sweep.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "program.hpp"

namespace {

using program::expect_refused;
using program::json;
using program::object;
using program::output;

/// So many times the same numbers.
std::string repeated(const std::string& numbers, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += " " + numbers;
  return text;
}

TEST(block_command, has_the_entropies_of_blocks) {
  const json mx = object("entropy mxfp4 normal:mu=0,sigma=1");
  EXPECT_NEAR(mx.at("value").get<double>(), 3.866605, 5e-7);
  EXPECT_EQ(mx.at("value"), mx.at("joint_per_element"));
  EXPECT_LE(mx.at("error").get<double>(), 1e-12);
  EXPECT_NEAR(mx.at("elements_given_scale").get<double>(), 122.94120649808343, 1e-11);
  EXPECT_EQ(mx.at("scale_policy"), "floor");
  EXPECT_TRUE(mx.at("second_level_scale").is_null());
  EXPECT_EQ(mx.at("warnings"), json::array());
  for (const char* key :
       {"format", "element", "block", "distribution", "tolerance", "proved", "unit", "method",
        "scale", "joint", "element_given_scale", "dependence"}) {
    EXPECT_TRUE(mx.contains(key)) << key;
  }
  const json nv = object("entropy NVFP4 normal --second-level-scale 1");
  EXPECT_NEAR(nv.at("value").get<double>(), 4.136382, 5e-7);
  EXPECT_EQ(nv.at("second_level_scale"), 1);
}

TEST(block_command, tells_a_block_of_integers_from_its_elements) {
  const double element = object("entropy mxint8 normal:sigma=0.25").at("value");
  const double block = object("entropy block:mxint8 normal").at("value");
  EXPECT_NEAR(block, 7.270772033578228, 1e-12);
  EXPECT_NE(element, object("entropy block:mxint8 normal:sigma=0.25").at("value"));
  EXPECT_EQ(object("entropy mxint8 normal --scale-policy floor").at("value"), block);
  EXPECT_EQ(object("format block:mxint8").at("block"), 32);
  EXPECT_EQ(object("format mxint8").at("width"), 8);
}

TEST(block_command, stores_whole_blocks) {
  const json two =
      object("quantize nvfp4" + repeated("6 -3 0.4 -0.0", 4) + repeated("12 1 -inf 0x1p-3", 4));
  EXPECT_EQ(two.at("scale_codes"), json({0x38, 0x7e}));
  EXPECT_EQ(two.at("scales"), json({1, 448}));
  EXPECT_EQ(two.at("codes").size(), 32U);
  EXPECT_EQ(two.at("codes")[0], 7);
  EXPECT_EQ(two.at("codes")[1], 13);
  EXPECT_EQ(two.at("codes")[3], 8);
  EXPECT_EQ(two.at("values")[0], 6);
  EXPECT_EQ(two.at("values")[2], 0.5);
  EXPECT_EQ(two.at("values")[18], -2688);
  EXPECT_NE(output("quantize mxfp4" + repeated("1 2", 16)).find("block 1: scale 0.5, code 0x7e"),
            std::string::npos);
}

TEST(block_command, shows_what_a_block_is) {
  const json mx = object("format mxfp6e3m2");
  EXPECT_EQ(mx.at("element"), "e3m2");
  EXPECT_EQ(mx.at("scale_format"), "e8m0");
  EXPECT_EQ(mx.at("bits_per_element"), 6.25);
  EXPECT_EQ(object("format nvfp4").at("max"), 2688);
  EXPECT_EQ(object("format").at("blocks").size(), 8U);
  EXPECT_NE(output("format").find("block:mxint8"), std::string::npos);
}

TEST(block_command, can_be_swept) {
  const std::string rows = output(
      "sweep entropy mxfp4 normal --over format=mxfp4,mxfp6e2m3 --over scale-policy=floor,rceil "
      "--columns value,dependence");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 5);
  EXPECT_NE(rows.find("mxfp6e2m3,rceil,5.7"), std::string::npos) << rows;
  const std::string scales =
      output("sweep entropy nvfp4 normal --over second-level-scale=0.25,1 --columns value");
  EXPECT_NE(scales.find("\n1,4.13638199"), std::string::npos) << scales;
}

TEST(block_command, refuses_what_makes_no_sense) {
  expect_refused("entropy mxfp4 normal --second-level-scale 2",
                 "entropy: --second-level-scale is for nvfp4, got mxfp4");
  expect_refused("entropy nvfp4 normal --second-level-scale 0",
                 "entropy: --second-level-scale must be finite and > 0, got 0");
  expect_refused("entropy nvfp4 normal --scale-policy floor",
                 "entropy: nvfp4 has no scale policy 'floor': expected nearest");
  expect_refused("entropy mxfp4 normal --scale-policy flor",
                 "entropy: --scale-policy must be floor, ceil, rceil, even or nearest, got 'flor'");
  expect_refused("entropy bfloat16 normal --scale-policy floor",
                 "entropy: --scale-policy is for block formats such as mxfp4, got bfloat16");
  expect_refused("quantize p24e8 1 --second-level-scale 1",
                 "quantize: --second-level-scale is for block formats such as mxfp4, got p24e8");
  expect_refused("entropy mxfp4 normal --bits",
                 "entropy: --bits is for one register, got blocks of mxfp4");
  expect_refused("entropy mxfp4 normal --rounding down",
                 "entropy: --rounding of mxfp4 is nearest-even, got 'down'");
  expect_refused("entropy mxfp8e4m3 normal --overflow nan",
                 "entropy: --overflow of mxfp8e4m3 is saturate, got 'nan'");
  expect_refused("entropy mxfp4 pair", "entropy: a block holds one variable, got pair");
  expect_refused("entropy block:mxfp5 normal", "unknown block format 'mxfp5'");
  expect_refused("quantize mxfp4 1 2 3", "quantize: mxfp4 takes whole blocks of 32 numbers, got 3");
  expect_refused("quantize nvfp4" + repeated("nan", 16), "quantize: X");
  expect_refused("quantize mxfp4" + repeated("x", 32), "quantize: X");
  expect_refused("format mxfp4 --values", "format: --values is for single numbers");
}

}  // namespace
