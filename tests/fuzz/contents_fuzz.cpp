// The lists of figures and of labels.
#include "fuzz.hpp"
#include "paper/claims/explain.hpp"
#include "paper/figures/contents.hpp"

FUZZ(input) {
  fuzz::allow_mistakes<std::logic_error>([&] { (void)ktln2::paper::read_contents(input); });
  fuzz::allow_mistakes<std::logic_error>([&] { (void)ktln2::paper::read_explanations(input); });
}
