// The values that a parameter of a sweep runs through.
#include "ask/axis.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace {

using ktln2::ask::axis;

std::vector<std::string> values(const axis& one) {
  std::vector<std::string> list;
  for (std::uint64_t i = 0; i < one.size(); ++i) list.push_back(one.word(i));
  return list;
}
std::vector<std::string> values(const std::string& text) { return values(axis{text}); }

using strings = std::vector<std::string>;

TEST(axis, is_even_logarithmic_whole_or_a_list) {
  EXPECT_EQ(values("sigma=0:1:3"), (strings{"0", "0.5", "1"}));
  EXPECT_EQ(values("sigma=1:100:3:log"), (strings{"1", "10", "100"}));
  EXPECT_EQ(values("sigma=2:1:2"), (strings{"2", "1"}));
  EXPECT_EQ(values("sigma=5:9:1"), (strings{"5"}));
  EXPECT_EQ(values("p=4:7"), (strings{"4", "5", "6", "7"}));
  EXPECT_EQ(values("p=-1:1"), (strings{"-1", "0", "1"}));
  EXPECT_EQ(values("eta=0.1,1e-3"), (strings{"0.1", "1e-3"}));
  EXPECT_EQ(values("format=p8e8"), (strings{"p8e8"}));
  EXPECT_EQ(values("format=p8e8,p11e5"), (strings{"p8e8", "p11e5"}));
}

TEST(axis, of_laws_keeps_their_keys_together) {
  EXPECT_EQ(values("law=normal:mu=1,sigma=2,laplace,slope:n=3,w=1"),
            (strings{"normal:mu=1,sigma=2", "laplace", "slope:n=3,w=1"}));
  EXPECT_EQ(values("law=normal:sigma=2"), (strings{"normal:sigma=2"}));
}

TEST(axis, of_whole_numbers_is_rounded) {
  axis one{"n=1:100:4:log"};
  one.make_whole();
  EXPECT_EQ(values(one), (strings{"1", "5", "22", "100"}));
}

TEST(axis, ends_exactly_where_it_should) {
  const axis one{"sigma=1e-9:1e6:100000:log"};
  EXPECT_EQ(one.word(0), "1e-09");
  EXPECT_EQ(one.word(99999), "1000000");
}

TEST(axis, may_be_long_and_takes_no_room) {
  const axis one{"sigma=1:2:1e9"};
  EXPECT_EQ(one.size(), 1000000000U);
  EXPECT_EQ(one.word(999999999), "2");
}

TEST(axis, of_nonsense_is_refused) {
  for (const char* text : {"", "sigma", "=1:2:3", "sigma=", "sigma=1:2:3:lin", "sigma=1:2:3:4:5",
                           "sigma=1:x:3", "sigma=1:2:0", "sigma=1:2:1e16", "sigma=0:1:2:log",
                           "p=1.5:2", "p=3:1", "format=p8e8,,p11e5", "sigma=1::3"}) {
    EXPECT_NE(message_of([&] { axis{text}; }).find("sweep: --over"), std::string::npos) << text;
  }
}

}  // namespace
