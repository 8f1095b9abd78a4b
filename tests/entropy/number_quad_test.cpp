// Every bit of formats that people own against plain enumeration in quadruple precision. Which code
// a number has is asked of quantize(), one number after the other: nothing is known here of cells.
#include <gtest/gtest.h>
#include <quadmath.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "line_of_codes.hpp"
#include "oracle/further.hpp"
#include "random_register.hpp"

namespace {

using namespace ktln2;
using quad = __float128;

std::vector<quad> masses_of_cells(const line_of_codes& line, const drawn_law& x) {
  static const std::map<std::string, oracle_kind> usual{{"normal", oracle_kind::normal},
                                                        {"student", oracle_kind::student},
                                                        {"uniform", oracle_kind::uniform},
                                                        {"laplace", oracle_kind::laplace},
                                                        {"logistic", oracle_kind::logistic}};
  static const std::map<std::string, further_kind> further{
      {"lognormal", further_kind::lognormal},
      {"gamma", further_kind::gamma},
      {"exponential", further_kind::exponential},
      {"halfnormal", further_kind::halfnormal},
      {"triangular", further_kind::triangular}};
  const std::vector<quad> edges(line.edges.begin(), line.edges.end());
  if (const auto found = usual.find(x.family); found != usual.end()) {
    return oracle_masses(edges, {found->second, {x.a, x.b, x.c, 0}});
  }
  return further_masses(edges, {{1, further.at(x.family), {x.a, x.b, x.c}}});
}

/// The codes' probabilities, and from them the entropy of any of their bits.
class code_masses {
 public:
  code_masses(const line_of_codes& line, const drawn_law& x) {
    const std::vector<quad> cells = masses_of_cells(line, x);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      masses_[line.codes[i]] += cells[i];
      total_ += cells[i];
    }
  }

  /// How far the masses are from adding up to 1.
  [[nodiscard]] double defect() const { return static_cast<double>(fabsq(total_ - 1)); }

  [[nodiscard]] quad entropy(std::uint64_t mask) const {
    std::map<std::uint64_t, quad> parts;
    for (const auto& [code, mass] : masses_) parts[code & mask] += mass;
    quad sum = 0;
    for (const auto& [code, mass] : parts) sum -= mass > 0 ? mass * log2q(mass) : 0;
    return sum;
  }

 private:
  std::map<std::uint64_t, quad> masses_;
  quad total_ = 0;
};

struct hardest_case {
  double share = 0;
  double widest = 0;
  std::string name;
  std::string widest_name;

  /// The distance of what was found from the truth, in bars.
  void add(const bounded<bits>& found, quad truth, double defect, const std::string& what) {
    const auto distance =
        static_cast<double>(fabsq(truth - static_cast<quad>(found.value.value())));
    const double bar = found.error.value() + 40 * defect + 1e-30;
    EXPECT_LE(distance, bar) << what << ": found " << found.value.value() << " ± "
                             << found.error.value() << ", it is " << static_cast<double>(truth);
    if (distance / bar > share) share = distance / bar, name = what;
    if (found.error.value() > widest) widest = found.error.value(), widest_name = what;
  }
};

// KTLN2_QUAD_CASES=5000 KTLN2_QUAD_SEED=… runs the long version.
TEST(number_quad_campaign, the_bar_covers_the_sum_over_all_codes) {
  const int cases = from_environment("KTLN2_QUAD_CASES", 300);
  random_registers any{static_cast<unsigned>(from_environment("KTLN2_QUAD_SEED", 20261116))};
  hardest_case hardest;
  for (int i = 0; i < cases; ++i) {
    const number_format format = any.format(12);
    const storing rule = any.rule(format);
    const drawn_law x = any.law({"normal", "student", "laplace", "logistic", "uniform", "lognormal",
                                 "gamma", "exponential", "halfnormal", "triangular"},
                                any.near(format, rule));
    const std::string name = format.name() + " " + std::string(name_of(rule.how)) + " " +
                             std::string(name_of(rule.beyond)) + " " + x.text();
    SCOPED_TRACE(name);
    const code_masses truth{codes_on_the_line(format, rule), x};
    ASSERT_LT(truth.defect(), 1e-24);
    const stored_variable stored{format, rule, parse_law(x.text())};
    const auto leading = exact_leading_entropy(stored);
    const std::uint64_t all = (std::uint64_t{1} << format.width()) - 1;
    for (int kept = 1; kept <= format.width(); ++kept) {
      const std::uint64_t mask = all & ~(all >> kept);
      hardest.add(leading(kept), truth.entropy(mask), truth.defect(),
                  name + ", " + std::to_string(kept) + " bits");
    }
    const field_entropies fields = entropy_by_field(stored, leading).fields;
    EXPECT_GE(fields.exponent.value + fields.exponent.error, bits{0});
    EXPECT_GE(fields.mantissa.value + fields.mantissa.error, bits{0});
    const std::uint64_t mask = all & static_cast<std::uint64_t>(any.numbers().whole(1, 4095));
    hardest.add(marginal_entropy(stored, mask).value(), truth.entropy(mask), truth.defect(),
                name + ", mask " + std::to_string(mask));
  }
  std::printf("%d cases: widest bar %.2g bits (%s), largest distance %.3g of its bar (%s)\n", cases,
              hardest.widest, hardest.widest_name.c_str(), hardest.share, hardest.name.c_str());
}

}  // namespace
