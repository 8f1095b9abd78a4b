#include "paper/typeset/formula.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "message_of.hpp"

namespace {

using ktln2::paper::prose_to_html;
using ktln2::paper::prose_to_text;
using ktln2::paper::to_mathml;
using ktln2::paper::to_text;

struct example {
  const char* tex;
  const char* text;
};

void expect_texts(const std::vector<example>& examples) {
  for (const example& one : examples) EXPECT_EQ(to_text(one.tex), one.text) << one.tex;
}

TEST(formula_text, formulas_of_the_paper) {
  expect_texts({
      {R"(\tilde H_s^0(p) = p + \frac{1}{2} \log_2(2\pi e) + \frac{\gamma}{2 \ln 2})",
       "H̃ₛ⁰(p) = p + ½ log₂(2πe) + γ/(2 ln 2)"},
      {R"(\hat w = \frac{\sum_{i=1}^n x_i y_i}{\sum_{i=1}^n x_i^2})",
       "ŵ = (∑ᵢ₌₁ⁿ xᵢyᵢ)/(∑ᵢ₌₁ⁿ xᵢ²)"},
      {R"(\Delta_s(x) = \frac{1}{\sqrt{2}} \abs{x} \cdot 2^{1-p})", "Δₛ(x) = (1/√2) |x| · 2¹⁻ᵖ"},
      {R"(\Delta E_{\mathrm{min}} = k_B T \ln 2 \left(H(X_I) - H(X_O)\right))",
       "ΔE_min = k_B T ln 2 (H(X_I) - H(X_O))"},
      {R"(\int_{\mathbb{U}} f_X(x) \log_2(f_X(x) \Delta(x))\,dx)",
       "∫_𝕌 f_X(x) log₂(f_X(x) Δ(x)) dx"},
      {R"(\frac{\Gamma\left(\frac{n+1}{2}\right)}{\sqrt{\pi}\,\Gamma\left(\frac{n}{2}\right)})",
       "Γ((n + 1)/2)/(√π Γ(n/2))"},
      {R"(\mathcal{B}_0 = \left\{x \in \mathbb{U} : \abs{x} < a\right\})",
       "ℬ₀ = {x ∈ 𝕌 : |x| < a}"},
      {R"(D(p_1 \| q_1) \ge 0)", "D(p₁‖q₁) ≥ 0"},
      {R"(\sup_{x \in \mathcal{B}_0} f(x))", "sup_{x∈ℬ₀} f(x)"},
      {R"(n^* = \argmax_{n \ge 3} u(n))", "n* = arg max_{n≥3} u(n)"},
      {R"(\begin{cases} u_i & \text{if } i > 0 \\ -u_j & \text{otherwise} \end{cases})",
       "{ uᵢ if i > 0; -uⱼ otherwise }"},
      {R"(\lfloor \log_2 \abs{X} \rfloor)", "⌊log₂|X|⌋"},
      {R"(\frac{d\phi}{dt} = -\sigma_x^2 \phi)", "dφ/dt = -σₓ²φ"},
  });
}

TEST(formula_text, parentheses_keep_the_meaning_of_fractions) {
  expect_texts({
      {R"(\frac{a}{b} c)", "(a/b) c"},
      {R"(c \frac{a}{b})", "c a/b"},
      {R"(\frac{a}{b c})", "a/(bc)"},
      {R"(\frac{a + b}{c})", "(a + b)/c"},
      {R"(\frac{-a}{b})", "-a/b"},
      {R"(\frac{\frac{a}{b}}{\frac{c}{d}})", "(a/b)/(c/d)"},
      {R"(\frac{\ln x}{y})", "(ln x)/y"},
      {R"(\log\frac{a}{b})", "log(a/b)"},
      {R"(\frac{a}{b}^2)", "(a/b)²"},
      {R"(1/\frac{a}{b})", "1/(a/b)"},
      {R"(\frac{a}{b} \cdot c)", "(a/b) · c"},
      {R"(2 \frac{1}{2})", "2 (1/2)"},
      {R"(e^{-\frac{1}{2}})", "e^(-1/2)"},
      {R"(\sum_j \frac{1}{\sigma_j})", "∑ⱼ (1/σⱼ)"},
      {R"(a {b + c})", "a (b + c)"},
  });
}

TEST(formula_text, scripts_are_raised_where_unicode_can) {
  expect_texts({
      {"2^{-(p-1)}", "2⁻⁽ᵖ⁻¹⁾"},
      {"e^{-x/2}", "e^(-x/2)"},
      {"x_q", "x_q"},
      {"x_{ab}", "x_{ab}"},
      {R"(\sigma_\xi^2)", "σ_ξ²"},
      {R"(e_{\mathrm{max}})", "e_max"},
      {"u' + f''", "u′ + f′′"},
      {"f_n'", "fₙ′"},
      {"(x + y)^2", "(x + y)²"},
      {R"(\sqrt{x}^2)", "(√x)²"},
      {R"({x^2}^3)", "(x²)³"},
      {R"(\sqrt{x + y})", "√(x + y)"},
      {"2^3 2^4", "2³ 2⁴"},
  });
}

TEST(formula_text, signs_are_no_operations) {
  expect_texts({{"a - b", "a - b"},
                {"-a = -b", "-a = -b"},
                {"(-a, -b)", "(-a, -b)"},
                {R"(\pm 3)", "±3"},
                {R"(x \in [-1, 1))", "x ∈ [-1, 1)"}});
}

TEST(formula_mathml, exact_outputs) {
  EXPECT_EQ(to_mathml("x + 1", false), "<math><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow></math>");
  EXPECT_EQ(to_mathml("-x", true),
            "<math display=\"block\"><mrow><mo form=\"prefix\">−</mo><mi>x</mi></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\frac{a}{b + c})", false),
            "<math><mrow><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac>"
            "</mrow></math>");
  EXPECT_EQ(to_mathml(R"(\tilde H_s^0)", false),
            "<math><mrow><msubsup><mover accent=\"true\"><mi>H</mi><mo stretchy=\"false\">˜</mo>"
            "</mover><mi>s</mi><mn>0</mn></msubsup></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\left(x\right))", false),
            "<math><mrow><mrow><mo form=\"prefix\" stretchy=\"true\">(</mo><mi>x</mi>"
            "<mo form=\"postfix\" stretchy=\"true\">)</mo></mrow></mrow></math>");
  EXPECT_EQ(to_mathml("(x)", false),
            "<math><mrow><mrow><mo form=\"prefix\" stretchy=\"false\">(</mo><mi>x</mi>"
            "<mo form=\"postfix\" stretchy=\"false\">)</mo></mrow></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\ln 2)", false),
            "<math><mrow><mi>ln</mi><mo>\u2061</mo><mspace width=\"0.1667em\"/><mn>2</mn></mrow>"
            "</math>");
  EXPECT_EQ(to_mathml(R"(T \ln 2 (x))", false),
            "<math><mrow><mi>T</mi><mspace width=\"0.1667em\"/><mi>ln</mi><mo>\u2061</mo>"
            "<mspace width=\"0.1667em\"/><mn>2</mn><mspace width=\"0.1667em\"/><mrow>"
            "<mo form=\"prefix\" stretchy=\"false\">(</mo><mi>x</mi>"
            "<mo form=\"postfix\" stretchy=\"false\">)</mo></mrow></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\Delta\delta)", false),
            "<math><mrow><mi mathvariant=\"normal\">Δ</mi><mi>δ</mi></mrow></math>");
  EXPECT_EQ(to_mathml("f'", false), "<math><mrow><msup><mi>f</mi><mo>′</mo></msup></mrow></math>");
  EXPECT_EQ(to_mathml("a < b", false),
            "<math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\mathrm{d} \mathbb{R} \boldsymbol{X})", false),
            "<math><mrow><mi mathvariant=\"normal\">d</mi><mi>ℝ</mi><mi>𝑿</mi></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\sqrt{2} \text{ if } \infty)", false),
            "<math><mrow><msqrt><mn>2</mn></msqrt><mtext>\u00a0if\u00a0</mtext><mi>∞</mi></mrow>"
            "</math>");
}

TEST(formula_mathml, limits_stand_below_in_a_display_only) {
  EXPECT_EQ(to_mathml(R"(\sum_i^n)", true),
            "<math display=\"block\"><mrow><munderover><mo largeop=\"true\">∑</mo><mi>i</mi>"
            "<mi>n</mi></munderover></mrow></math>");
  EXPECT_EQ(to_mathml(R"(\sum_i^n)", false),
            "<math><mrow><msubsup><mo largeop=\"true\">∑</mo><mi>i</mi><mi>n</mi></msubsup></mrow>"
            "</math>");
  EXPECT_EQ(to_mathml(R"(\int_0^1)", true),
            "<math display=\"block\"><mrow><msubsup><mo largeop=\"true\">∫</mo><mn>0</mn>"
            "<mn>1</mn></msubsup></mrow></math>");
}

TEST(formula_errors, name_what_and_where) {
  const auto message = [](const std::string& tex) {
    return message_of<std::invalid_argument>([&] { to_text(tex); });
  };
  EXPECT_EQ(message(R"(a + \foo)"),
            R"(formula: unknown command '\foo' at character 5 of 'a + \foo')");
  EXPECT_EQ(message("{a"), "formula: '{' is never closed at character 1 of '{a'");
  EXPECT_EQ(message("a}"), "formula: '}' closes nothing at character 2 of 'a}'");
  EXPECT_EQ(message("(a"), "formula: '(' is never closed at character 1 of '(a'");
  EXPECT_EQ(message("a)"), "formula: ')' closes nothing at character 2 of 'a)'");
  EXPECT_EQ(message(R"(\left(a)"), R"(formula: \left without \right at character 1 of '\left(a')");
  EXPECT_EQ(message("x^"), "formula: ^ needs an argument at character 3 of 'x^'");
  EXPECT_EQ(message("x^2^3"), "formula: a second superscript at character 5 of 'x^2^3'");
  EXPECT_EQ(message(R"(\frac{a})"),
            R"(formula: \frac needs an argument at character 9 of '\frac{a}')");
  EXPECT_EQ(message("a # b"), "formula: unknown '# b' at character 3 of 'a # b'");
  EXPECT_EQ(message(R"(\begin{matrix} a)"),
            R"(formula: the only environment is cases at character 1 of '\begin{matrix} a')");
  EXPECT_THROW(to_mathml(R"(\foo)", true), std::invalid_argument);
}

TEST(formula, may_be_nested_only_so_deeply) {
  const auto nested = [](const std::string& open, const std::string& close, int levels) {
    std::string text = "x";
    for (int i = 0; i < levels; ++i) text = open + text + close;
    return text;
  };
  for (const auto& [open, close] : {std::pair{"(", ")"},
                                    {"{", "}"},
                                    {"x^{", "}"},
                                    {R"(\sqrt )", " "},
                                    {R"(\frac{a)", "}{b}"},
                                    {R"(\left[)", R"(\right])"},
                                    {R"(\hat{)", "}"},
                                    {R"(\begin{cases} )", R"( \end{cases})"}}) {
    EXPECT_FALSE(to_text(nested(open, close, 45)).empty()) << open;
    EXPECT_FALSE(to_mathml(nested(open, close, 45), true).empty()) << open;
    EXPECT_THROW(to_text(nested(open, close, 4400)), std::invalid_argument) << open;
  }
}

TEST(prose, formulas_code_and_labels) {
  const char* sentence = "For $x < 1$ use `a<b`, see [thm:steps] & \"more\".";
  EXPECT_EQ(prose_to_text(sentence), "For x < 1 use `a<b`, see [thm:steps] & \"more\".");
  EXPECT_EQ(prose_to_html(sentence),
            "For <math><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></math> use "
            "<code>a&lt;b</code>, see [thm:steps] &amp; &quot;more&quot;.");
  EXPECT_EQ(prose_to_text(""), "");
  EXPECT_EQ(message_of<std::invalid_argument>([] { prose_to_text("a $x"); }),
            "prose: '$' at character 3 of 'a $x' is never closed");
}

TEST(prose, keeps_punctuation_on_the_line_of_its_formula) {
  const std::string x = "<math><mrow><mi>x</mi></mrow></math>";
  EXPECT_EQ(prose_to_html("a ($x$), $x$ b $x$."),
            "a <span class=\"together\">(" + x + "),</span> " + x + " b <span class=\"together\">" +
                x + ".</span>");
  EXPECT_EQ(prose_to_html("$x$`c`$x$$x$"), x + "<code>c</code>" + x + x);
}

}  // namespace
