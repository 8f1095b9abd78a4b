#include "paper/claims/numbers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>

#include "message_of.hpp"
#include "paper_labels.hpp"

namespace {

using ktln2::paper::label_printed;
using ktln2::paper::printed_name;
using ktln2::paper::printed_number;
using ktln2::paper::read_printed_name;

std::string label_of(const std::string& text) { return label_printed(*read_printed_name(text)); }

TEST(printed_numbers, are_there_for_every_label_and_each_but_those_in_another_once) {
  std::map<std::string, std::string> seen;
  for (const std::string& label : labels_of_the_paper()) {
    const std::string number = printed_number(label);
    EXPECT_NE(number, "") << label;
    if (number.starts_with("in ")) continue;
    EXPECT_TRUE(seen.emplace(number, label).second) << number << " twice";
    EXPECT_EQ(label_of(number), label);
  }
  EXPECT_GT(seen.size(), 220U);
  EXPECT_EQ(printed_number("extra:cmos_erasure"), "");
}

TEST(printed_names, are_read_however_they_are_written) {
  for (const char* text : {"Figure 5a", "fig. 5(a)", "FIG 5 A", "Fig.~5a"}) {
    EXPECT_EQ(label_of(text), "fig:profit_ex") << text;
  }
  for (const char* text : {"Equation 21", "Eq. (21)", "eq. 21", "eqn 21"}) {
    EXPECT_EQ(label_of(text), "eq:single_mean_0") << text;
  }
  for (const char* text : {"Section III-B", "Section 3.2", "sec. iii.b", "Sec. 3-B"}) {
    EXPECT_EQ(label_of(text), "sec:exact_entropy") << text;
  }
  EXPECT_EQ(label_of("Section 4"), "sec:exact");
  EXPECT_EQ(label_of("Section IV"), "sec:exact");
  EXPECT_EQ(label_of("Table 2"), "tab:approx_audit");
  EXPECT_EQ(label_of("table II"), "tab:approx_audit");
  EXPECT_EQ(label_of("Appendix I"), "app:mmc");  // a letter, not a Roman one
  EXPECT_EQ(label_of("App. A-B"), "app:approx_audit");
  EXPECT_EQ(label_of("App. A.2"), "app:approx_audit");
  EXPECT_EQ(label_of("Theorem C.1"), "thm:steps");
  EXPECT_EQ(label_of("cor. b.1.2"), "cor:joint_ent");
}

TEST(printed_names, are_no_labels_and_no_other_words) {
  for (const char* text : {"fig:profit_ex", "profit", "figure", "figure ", "equations 3", "5a", "",
                           "figures of merit", "section"}) {
    const auto name = read_printed_name(text);
    EXPECT_FALSE(name) << text << " is " << name->kind << " " << name->number;
  }
}

TEST(printed_names, that_are_not_there_are_refused_with_those_nearby) {
  EXPECT_EQ(message_of<std::domain_error>([] { label_of("Equation 12"); }),
            "the paper has no label for Equation 12: it has Equation 9 (eq:one_step_L), Equation "
            "14 (eq:sem_fp), Equation 15 (eq:diff_approx) and Equation 16 (eq:true_bins)");
  EXPECT_EQ(message_of<std::domain_error>([] { label_of("Theorem 2"); }),
            "the paper has no label for Theorem 2: it has Theorem B.1 (thm:quantized_ent), Theorem "
            "C.1 (thm:steps), Theorem D.1 (thm:single_gaussian) and Theorem D.2 "
            "(thm:double_gaussian)");
}

}  // namespace
