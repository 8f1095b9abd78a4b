// Formulas and sentences with formulas in them.
#include "fuzz.hpp"
#include "paper/typeset/formula.hpp"

FUZZ(input) {
  using mistake = std::invalid_argument;
  fuzz::allow_mistakes<mistake>([&] { (void)ktln2::paper::to_text(input); });
  fuzz::allow_mistakes<mistake>([&] { (void)ktln2::paper::to_mathml(input, true); });
  fuzz::allow_mistakes<mistake>([&] { (void)ktln2::paper::prose_to_text(input); });
  fuzz::allow_mistakes<mistake>([&] { (void)ktln2::paper::prose_to_html(input); });
}
