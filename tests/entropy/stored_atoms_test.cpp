// Numbers with a probability of their own, on ties and on the numbers of a format: what a register
// holds is what the quantizer makes of them, one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/further_laws.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace {

using ktln2::bits;
using ktln2::bounded;
using ktln2::law_atom;
using ktln2::number_format;
using ktln2::stored_variable;

/// H of the codes without their last bits, counted.
double counted(const stored_variable& stored, const std::vector<law_atom>& atoms, int dropped) {
  std::map<std::uint64_t, double> masses;
  for (const law_atom& one : atoms) {
    masses[stored.format.quantize(one.at, stored.rule) >> dropped] += one.mass;
  }
  double sum = 0;
  for (const auto& [code, mass] : masses) sum -= mass * std::log2(mass);
  return sum;
}

/// Some numbers of a format, ties between them, and numbers anywhere.
class atom_drawer {
 public:
  explicit atom_drawer(const number_format& format) {
    for (std::uint64_t code = 0; code < std::uint64_t{1} << format.width(); ++code) {
      const auto value = format.value(code);
      if (value && !value->is_infinite()) values_.push_back(value->to_double());
    }
    std::sort(values_.begin(), values_.end());
  }
  std::vector<law_atom> draw(int count, double whole) {
    std::map<double, double> masses;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const double mass = 1 + static_cast<double>(random_() % 100);
      masses[place()] += mass;
      sum += mass;
    }
    std::vector<law_atom> atoms;
    for (const auto& [at, mass] : masses) atoms.push_back({at, whole * mass / sum});
    return atoms;
  }

 private:
  double place() {
    const std::size_t i = random_() % values_.size();
    const double here = values_[i];
    const double next = i + 1 < values_.size() ? values_[i + 1] : 2 * here - values_[i - 1];
    switch (random_() % 5) {
      case 0:
        return here + 0.0;  // no negative zero
      case 1:
        return 0;
      case 2:
        return here + (next - here) * static_cast<double>(random_() % 1000) / 1000;
      default:
        return here + (next - here) / 2;
    }
  }

  std::vector<double> values_;
  std::mt19937_64 random_{11};
};

void expect_overlap(const bounded<bits>& got, double expected) {
  EXPECT_NEAR(got.value.value(), expected, got.error.value() + 1e-12);
  EXPECT_LE(got.error.value(), 1e-10);
}

TEST(stored_atoms, are_where_the_quantizer_puts_them) {
  for (const char* name : {"e2m1", "e4m3", "e5m2", "e3m4", "e4m3fnuz", "binary8p4se", "binary8p3ue",
                           "posit8", "int8", "mxint8s", "q3.4", "e8m0"}) {
    const number_format format = ktln2::find_number_format(name).value();
    atom_drawer drawer{format};
    for (const ktln2::rounding how : format.roundings()) {
      for (const ktln2::overflow beyond : format.overflows()) {
        SCOPED_TRACE(std::string(name) + " " + std::string(name_of(how)) + " " +
                     std::string(name_of(beyond)));
        const std::vector<law_atom> atoms = drawer.draw(40, 1);
        const stored_variable stored{
            format, {how, beyond}, ktln2::compound_law("atoms", {.parts = {}, .atoms = atoms})};
        const auto leading = exact_leading_entropy(stored);
        for (int kept = 1; kept <= format.width(); ++kept) {
          SCOPED_TRACE(kept);
          expect_overlap(leading(kept), counted(stored, atoms, format.width() - kept));
        }
        expect_overlap(marginal_entropy(stored, ~std::uint64_t{0}).value(),
                       counted(stored, atoms, 0));
      }
    }
  }
}

/// With a density beside them: runs against single codes.
TEST(stored_atoms, leave_the_density_alone) {
  for (const char* name : {"e4m3", "e5m2", "e4m3fnuz", "binary8p4se", "posit8", "int8"}) {
    const number_format format = ktln2::find_number_format(name).value();
    atom_drawer drawer{format};
    const auto half = std::get<ktln2::compound_law>(
        ktln2::parse_law("mixture:0.5@normal:sigma=3/0.5@laplace:scale=0.1"));
    for (const ktln2::rounding how : format.roundings()) {
      SCOPED_TRACE(std::string(name) + " " + std::string(name_of(how)));
      std::vector<ktln2::weighted_part> parts = half.parts();
      for (ktln2::weighted_part& one : parts) one.log_weight += std::log(0.5);
      const ktln2::compound_law x("both", {.parts = parts, .atoms = drawer.draw(20, 0.5)});
      const stored_variable stored{format, {how, format.usual().beyond}, x};
      const auto leading = exact_leading_entropy(stored);
      const int width = format.width();
      for (int kept = 1; kept <= width; ++kept) {
        const std::uint64_t mask =
            (std::uint64_t{1} << width) - (std::uint64_t{1} << (width - kept));
        const bounded<bits> by_codes = marginal_entropy(stored, mask).value();
        EXPECT_TRUE(overlap(leading(kept), by_codes))
            << kept << " " << leading(kept).value.value() << " " << by_codes.value.value();
      }
    }
  }
}

TEST(stored_atoms, on_a_tie_go_to_the_even_code) {
  const number_format format = ktln2::find_number_format("bfloat16").value();
  // Between 1 and 1 + 2^-7, and between that and 1 + 2^-6: the first goes down, the second up.
  const std::vector<law_atom> atoms{
      {1, 0.25}, {1 + 0x1p-8, 0.25}, {1 + 0x3p-8, 0.25}, {1 + 0x1p-6, 0.25}};
  const ktln2::law x = ktln2::compound_law("ties", {.parts = {}, .atoms = atoms});
  expect_overlap(exact_entropy({format, format.usual(), x}), 1);
  const ktln2::storing away{ktln2::rounding::nearest_away, ktln2::overflow::to_infinity};
  expect_overlap(exact_entropy({format, away, x}), 1.5);
}

TEST(stored_atoms, at_the_largest_number_are_not_beyond_it) {
  const number_format format = ktln2::find_number_format("e4m3").value();
  const ktln2::law x = ktln2::compound_law(
      "ends", {.parts = {}, .atoms = {{-448, 0.25}, {0, 0.25}, {448, 0.25}, {449, 0.25}}});
  const auto masses = masses_of(stored_variable{format, format.usual(), x});
  EXPECT_DOUBLE_EQ(masses.beyond_max.value, 0.25);
  EXPECT_DOUBLE_EQ(masses.zero.value, 0.25);
  EXPECT_DOUBLE_EQ(masses.subnormal.value, 0);
}

TEST(stored_atoms, at_zero_are_one_value) {
  const number_format format = ktln2::find_number_format("e4m3").value();
  const ktln2::law x = ktln2::parse_law("relu:normal:sigma=0.001");
  for (const ktln2::rounding how : format.roundings()) {
    const stored_variable stored{format, {how, ktln2::overflow::saturate}, x};
    const auto masses = masses_of(stored);
    EXPECT_GE(masses.zero.value, 0.5) << name_of(how);
    // All that is no zero is above it.
    const bounded<bits> value = entropy_of_value(stored, exact_entropy(stored));
    EXPECT_TRUE(overlap(value, exact_entropy(stored))) << name_of(how);
  }
}

}  // namespace
