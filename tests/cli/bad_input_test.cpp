// The user's mistakes: exit status 2, one line on stderr that names what was wrong, no number.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::arguments;

void expect_refusal(const arguments& words, const std::string& mention) {
  SCOPED_TRACE(program::shown(words));
  const program::outcome result = program::run(words);
  ASSERT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("ktln2: ")) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.ends_with('\n')) << result.err;
  EXPECT_NE(result.err.find(mention), std::string::npos)
      << "no '" << mention << "' in: " << result.err;
  const bool printable = std::all_of(result.err.begin(), result.err.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\n' || (byte >= 0x20 && byte != 0x7f);
  });
  EXPECT_TRUE(printable) << "control characters reach the terminal";
  EXPECT_LE(result.err.size(), 600U);
}

struct mistake {
  std::string text;
  std::string mention;
};

TEST(bad_format, is_named) {
  const std::vector<mistake> mistakes = {
      {"p24", "'p24'"},
      {"e8", "'e8'"},
      {"", "''"},
      {"p", "'p'"},
      {"pe", "'pe'"},
      {"p24e", "'p24e'"},
      {"P24E", "'P24E'"},
      {"p24e8x", "'p24e8x'"},
      {"p24e8 ", "'p24e8 '"},
      {" p24e8", "' p24e8'"},
      {"p 24e8", "'p 24e8'"},
      {"p-1e8", "'p-1e8'"},
      {"p24e-1", "'p24e-1'"},
      {"p+24e8", "'p+24e8'"},
      {"p024e8", "'p024e8'"},
      {"p24e08", "'p24e08'"},
      {"p2.4e8", "'p2.4e8'"},
      {"p24e8,p11e5", "'p24e8,p11e5'"},
      {"-p24e8", "-p24e8"},
      {"binary17", "'binary17'"},
      {"binary8p9se", "P must be from 1 to 7"},
      {"binary8p4", "binary{K}p{P}{s|u}{e|f}"},
      {"q40.40", "m + n must be from 1 to 63"},
      {"float:p=0", "p must be from 1 to 63"},
      {"float:p=2.5", "p must be a whole number"},
      {"float:exponent_bits=99", "exponent_bits must be from 1 to 15"},
      {"float:nan=sometimes", "nan must be one of ieee, top, negzero, none"},
      {"float:zero=none", "zero=none needs subnormals=no"},
      {"float:signed=maybe", "signed must be yes or no"},
      {"float:nan=negzero", "nan=negzero needs signed=yes and zero=one"},
      {"float:signed=no,zero=one,nan=none", "infinity=yes needs signed=yes or a NaN"},
      {"float:p=2,exponent_bits=1,subnormals=no", "no code is left for a number"},
      {"float:bits=8", "bits"},
      {"0", "'0'"},
      {"-1", "'-1'"},
      {"p0e8", "got 0"},
      {"p65e8", "got 65"},
      {"p24e16", "got 16"},
      {"p4294967320e8", "p4294967320e8"},
      {"p18446744073709551640e8", "p18446744073709551640e8"},
      {"p24e4294967304", "p24e4294967304"},
      {"ｐ24e8", "'ｐ24e8'"},
      {"p24e8\n", "p24e8"},
      {"p24e8\t", "p24e8"},
      {"\x1b[31mp24e8", "p24e8"},
      {std::string(100000, 'p'), "pppppppp"},
      {"p" + std::string(100000, '9') + "e8", "p99999999"},
  };
  for (const auto& [text, mention] : mistakes) {
    expect_refusal({"format", text}, mention);
    expect_refusal({"quantize", text, "1"}, mention);
    expect_refusal({"entropy", text, "normal", "--json"}, mention);
  }
}

TEST(bad_distribution, is_named) {
  const std::vector<mistake> mistakes = {
      // the name
      {"", "''"},
      {":", "':'"},
      {":mu=1", "':mu=1'"},
      {"bell", "'bell'"},
      {"Normals", "'Normals'"},
      {"normal ", "'normal '"},
      {" normal", "' normal'"},
      {"normal,mu=1", "'normal,mu=1'"},
      {"nörmal", "'nörmal'"},
      {"normal\n", "normal"},
      {std::string(100000, 'n'), "nnnnnnnn"},
      // the keys
      {"normal:", "''"},
      {"normal:mu", "'mu'"},
      {"normal:=1", "'=1'"},
      {"normal:mu=0,", "''"},
      {"normal:,mu=0", "''"},
      {"normal:mu=0,,sigma=1", "''"},
      {"normal:mu=1,0", "'0'"},
      {"normal:mu:1", "'mu:1'"},
      {"normal:mu=1,mu=2", "'mu'"},
      {"normal:sigma=1,mu=0,sigma=1", "'sigma'"},
      {"normal:nu=1", "'nu'"},
      {"normal:Mu=1", "'Mu'"},
      {"normal:  ", "''"},
      {"normal:\tmu=1", "mu"},
      {"normal:mu =1", "'mu '"},
      {"normal:loc=1", "'loc'"},
      {"normal:µ=1", "'µ'"},
      {"slope:sigma=1", "'sigma'"},
      {"normal:" + std::string(100000, 'k') + "=1", "kkkkkkkk"},
      // the numbers
      {"normal:sigma=", "sigma"},
      {"normal:sigma=nan", "'nan'"},
      {"normal:sigma=inf", "'inf'"},
      {"normal:mu=-inf", "'-inf'"},
      {"normal:mu=infinity", "'infinity'"},
      {"normal:sigma=1e999", "'1e999'"},
      {"normal:mu=-1e999", "'-1e999'"},
      {"normal:sigma=1e-999", "'1e-999'"},
      {"normal:sigma=0x10", "'0x10'"},
      {"normal:sigma=1 ", "'1 '"},
      {"normal:sigma= 1", "' 1'"},
      {"normal:sigma=1x", "'1x'"},
      {"normal:sigma==1", "'=1'"},
      {"normal:mu=1;sigma=2", "'1;sigma=2'"},
      {"normal:mu=.", "'.'"},
      {"normal:mu=-", "'-'"},
      {"normal:mu=1e", "'1e'"},
      {"normal:mu=1.2.3", "'1.2.3'"},
      {"normal:mu=--1", "'--1'"},
      {"normal:mu=1_000", "'1_000'"},
      {"normal:mu=１", "'１'"},
      {"normal:mu=1\n", "mu"},
      {"normal:mu=\x1b[2J", "mu"},
      {"normal:mu=" + std::string(100000, '1'), "11111111"},
      // the domain
      {"normal:sigma=0", "sigma must be finite and > 0, got 0"},
      {"normal:sigma=-0", "sigma"},
      {"normal:sigma=-1", "sigma must be finite and > 0, got -1"},
      {"student:dof=0", "dof"},
      {"student:dof=-1", "dof"},
      {"student:scale=0", "scale"},
      {"laplace:scale=-1", "scale"},
      {"logistic:scale=0", "scale"},
      {"slope:n=0", "n must be a whole number"},
      {"slope:n=-1", "got -1"},
      {"slope:n=1.5", "got 1.5"},
      {"slope:n=1e16", "got 1e"},
      {"slope:sigma_x=0", "sigma_x"},
      {"slope:sigma_xi=-1", "sigma_xi"},
      {"slope:sigma_x=1e-300,sigma_xi=1e300", "sigma_xi/(sigma_x sqrt(n))"},
      {"uniform:low=1,high=1", "got 1"},
      {"uniform:low=2,high=1", "low = 2"},
      {"uniform:low=1", "low = 1"},
      {"uniform:high=-1", "got -1"},
      {"uniform:low=-1e308,high=1e308", "high - low"},
  };
  for (const auto& [text, mention] : mistakes) {
    expect_refusal({"law", text}, mention);
    expect_refusal({"entropy", "p24e8", text, "--csv"}, mention);
  }
}

TEST(bad_number, is_named) {
  const std::vector<mistake> mistakes = {
      {"", "''"},
      {"abc", "'abc'"},
      {"nan", "'nan'"},
      {"inf", "'inf'"},
      {"1e999", "1e999"},
      {"-1e999", "-1e999"},
      {"1e-999", "1e-999"},
      {"0x1p3", "'0x1p3'"},
      {"1,5", "'1,5'"},
      {"1 ", "'1 '"},
      {" 1", "' 1'"},
      {" -1", "' -1'"},
      {"-", "'-'"},
      {".", "'.'"},
      {"-.e", "'-.e'"},
      {"1e+", "'1e+'"},
      {"1\n2", "'1"},
      {"-1\n2", "'-1"},
      {"½", "'½'"},
      {"−1", "'−1'"},
      {"[1]", "[1]"},
      {"[1,2]", "[1,2]"},
      {"{}", "'{}'"},
      {"%n", "'%n'"},
      {"@file", "@file"},
      {"\x7f", "expected a number"},
      {std::string(100000, '7'), "77777777"},
      {std::string(100000, 'x'), "xxxxxxxx"},
  };
  for (const auto& [text, mention] : mistakes) {
    expect_refusal({"quantize", "p24e8", text}, mention);
    expect_refusal({"quantize", "p24e8", "1", text, "2", "--json"}, mention);
    expect_refusal({"law", "normal", "--at", text}, mention);
    expect_refusal({"law", "normal", "--json", "--at", "1", text, "2"}, mention);
  }
  // these look like options
  for (const char* text : {"-inf", "-nan", "-e5", "-x"}) {
    expect_refusal({"quantize", "p24e8", text}, text);
    expect_refusal({"quantize", "p24e8", "--", text}, text);
  }
}

TEST(bad_index, is_named) {
  const std::vector<mistake> mistakes = {
      {"0", "got 0"},
      {"257", "from 1 to 256, got 257"},
      {"1e3", "got 1e3"},
      {"1.5", "'1.5'"},
      {"-1", "-1"},
      {"1e-1", "'1e-1'"},
      {"", "''"},
      {"abc", "'abc'"},
      {"nan", "'nan'"},
      {"1e39", "1e39"},
      {"[1]", "[1]"},
      {"340282366920938463463374607431768211457", "3402823669209384634"},
      {" 1", "' 1'"},
      {"1e99999999999999999999", "1e99999999999999999999"},
      {"1e-99999999999999999999", "1e-99999999999999999999"},
      {std::string(100000, '1'), "11111111"},
  };
  for (const auto& [text, mention] : mistakes) {
    expect_refusal({"format", "p4e4", "--index", text}, mention);
    expect_refusal({"format", "p4e4", "--json", "--index", "1", text}, mention);
  }
  expect_refusal({"format", "p64e15", "--index", "604462909807314587353089"},
                 "from 1 to 604462909807314587353088");
}

TEST(bad_tolerance, is_named) {
  for (const char* text : {"0", "-1", "abc", "nan", "inf", "1e999", "1e-999", "", "1 ", "0x1"}) {
    expect_refusal({"entropy", "p24e8", "normal", "--tolerance", text}, "tolerance");
    expect_refusal({"entropy", "--tolerance", text, "p24e8", "normal"}, text);
  }
  expect_refusal({"entropy", "p24e8", "normal", "--tolerance="}, "--tolerance");
  expect_refusal({"entropy", "p24e8", "normal", "--tolerance", "1", "--tolerance", "2"},
                 "--tolerance");
}

TEST(too_many_values, are_refused) {
  for (const char* format : {"p24e8", "p21e0", "p6e15", "p64e15"}) {
    expect_refusal({"format", format, "--values"}, format);
    expect_refusal({"format", format, "--values", "--json"}, "2^20");
  }
}

TEST(bad_command, is_named) {
  expect_refusal({""}, "''");
  for (const char* word : {"frobnicate", "Entropy", "entropy ", "p24e8", "1", "-1"}) {
    expect_refusal({word}, word);
    expect_refusal({word, "p24e8", "normal"}, word);
  }
  for (const char* word : {"--wat", "-x", "--json"}) expect_refusal({word}, word);
  expect_refusal({"\x1b]0;title\x07"}, "title");
  expect_refusal({std::string(100000, 'c')}, "cccccccc");
}

TEST(missing_argument, is_named) {
  expect_refusal({"format", "--values"}, "NAME");
  expect_refusal({"quantize"}, "NAME");
  expect_refusal({"quantize", "p24e8"}, "X");
  expect_refusal({"quantize", "p24e8", "--"}, "X");
  expect_refusal({"law"}, "DIST");
  expect_refusal({"law", "--at", "1"}, "DIST");
  expect_refusal({"entropy"}, "FORMAT");
  expect_refusal({"entropy", "p24e8"}, "DIST");
  expect_refusal({"entropy", "p24e8", "--json"}, "DIST");
  expect_refusal({"format", "p4e4", "--index"}, "--index");
  expect_refusal({"format", "p4e4", "--index", "--json"}, "--index");
  expect_refusal({"law", "normal", "--at"}, "--at");
  expect_refusal({"entropy", "p24e8", "normal", "--tolerance"}, "--tolerance");
}

TEST(superfluous_argument, is_named) {
  expect_refusal({"format", "p24e8", "p11e5"}, "p11e5");
  expect_refusal({"format", "p24e8", ""}, "''");
  expect_refusal({"law", "normal", "uniform"}, "uniform");
  expect_refusal({"entropy", "p24e8", "normal", "extra"}, "extra");
  expect_refusal({"entropy", "p24e8", "normal", "one", "two"}, "one two");
  expect_refusal({"entropy", "p24e8", "normal", "-1"}, "-1");
  expect_refusal({"entropy", "p24e8", "normal", "entropy"}, "entropy");
  expect_refusal({"tour", "extra"}, "extra");
  expect_refusal({"tour", "p24e8", "normal"}, "p24e8");
}

TEST(bad_option, is_named) {
  const std::vector<arguments> calls = {{"format", "p24e8"},    {"quantize", "p24e8", "1"},
                                        {"law", "normal"},      {"entropy", "p24e8", "normal"},
                                        {"explain", "eq:loss"}, {"tour"}};
  for (const arguments& call : calls) {
    for (const char* option : {"--wat", "--jso", "--json=maybe", "--csv=1"}) {
      arguments words = call;
      words.emplace_back(option);
      expect_refusal(words, std::string(option).substr(0, std::string(option).find('=')));
      words.insert(words.begin() + 1, words.back());
      words.pop_back();
      expect_refusal(words, std::string(option).substr(0, std::string(option).find('=')));
    }
    arguments both = call;
    both.insert(both.end(), {"--json", "--csv"});
    expect_refusal(both, "--csv");
    both = call;
    both.push_back("--" + std::string(100000, 'o'));
    expect_refusal(both, "--oooooo");
  }
  expect_refusal({"entropy", "p24e8", "normal", "--values"}, "--values");
  expect_refusal({"entropy", "p24e8", "normal", "--bits=3"}, "--bits");
  expect_refusal({"format", "p4e4", "--bits"}, "--bits");
}

TEST(bytes_that_are_no_utf8, never_reach_the_screen_or_json) {
  for (const char* bad : {"\xff", "p\xc3", "1\xe2\x82", "\xed\xa0\x80"}) {
    const std::string text = bad;
    const std::vector<arguments> calls = {{text},
                                          {"format", text},
                                          {"quantize", "p24e8", text},
                                          {"law", "normal:mu=" + text},
                                          {"law", text + ":mu=1"},
                                          {"entropy", "p24e8", "normal", "--" + text},
                                          {"cost", text, "p24e8"},
                                          {"cost", "average", "p3e2", "--internal", text},
                                          {"cost", "average", "p3e2", "--internal", "file:" + text},
                                          {"scaling", "exact", "p24e8", "--demand", text},
                                          {"mismatch", "exact", "p24e8", "--environment", text},
                                          {"simulate", "slope", "p3e2", "--arithmetic", text},
                                          {"sweep", "law", "normal", "--over", text + "=1,2"},
                                          {"sweep", "law", "normal", "--over", "mu=" + text},
                                          {"paper", "--only", text},
                                          {"explain", text}};
    for (arguments words : calls) {
      for (const bool in_json : {false, true}) {
        if (in_json) words.emplace_back("--json");
        expect_refusal(words, "");
        const std::string said = program::run(words).err;
        EXPECT_NO_THROW((void)program::json(said).dump()) << program::shown(words);
      }
    }
  }
  // A law that is read, with a name that is echoed: rows and objects are whole all the same.
  const program::outcome rows =
      program::run({"sweep", "law", "normal", "--over", "mu=1,\xff", "--json"});
  EXPECT_EQ(rows.status, 2);
  EXPECT_EQ(program::json::parse(rows.out).at("rows").size(), 1U);
}

}  // namespace
