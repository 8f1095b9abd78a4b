// Laws made of parts and atoms: against reference values, against all cells in quadruple precision,
// and against the identity [eq:exact_identity].
#include "ktln2/distribution/further_laws.hpp"

#include <gtest/gtest.h>
#include <quadmath.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/identity.hpp"
#include "message_of.hpp"
#include "oracle/further.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

// ---- real formats, as far as the reference values need them ----

struct real_format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  int without;  ///< codes at the top that are no numbers
  bool one_zero;
  bool has_infinity;
};

real_format format_called(const std::string& name) {
  if (name == "e4m3") return {4, 3, 7, 1, false, false};
  if (name == "e5m2") return {5, 2, 15, 4, false, true};
  if (name == "e2m1") return {2, 1, 1, 0, false, false};
  if (name == "binary16") return {5, 10, 15, 1024, false, true};
  if (name == "bfloat16") return {8, 7, 127, 128, false, true};
  return {4, 3, 8, 1, true, true};  // binary8p4se
}

/// The edges above 0.
std::vector<double> positive_edges(const real_format& f, bool toward_zero) {
  const int steps = 1 << f.mantissa_bits;
  std::vector<double> values;
  for (int code = 0; code < (steps << f.exponent_bits) - f.without; ++code) {
    const int field = code / steps;
    const int whole = code % steps + (field == 0 ? 0 : steps);
    values.push_back(std::ldexp(whole, std::max(field, 1) - f.bias - f.mantissa_bits));
  }
  if (toward_zero) return {values.begin() + 1, values.end()};
  std::vector<double> edges;
  for (std::size_t i = 1; i < values.size(); ++i) edges.push_back((values[i - 1] + values[i]) / 2);
  const double last = values.back();
  if (f.has_infinity) edges.push_back(last + (last - values[values.size() - 2]) / 2);
  return edges;
}

std::vector<double> edges_of(const std::string& name, bool toward_zero) {
  std::vector<double> edges;
  if (name == "int8") {
    for (int i = -127; i <= 127; ++i) {
      if (!toward_zero) edges.push_back(i - 0.5);
      if (toward_zero && i != 0) edges.push_back(i);
    }
    if (!toward_zero) edges.push_back(126.5);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
  }
  const real_format f = format_called(name);
  const std::vector<double> above = positive_edges(f, toward_zero);
  for (auto x = above.rbegin(); x != above.rend(); ++x) edges.push_back(-*x);
  if (!f.one_zero) edges.push_back(0);
  edges.insert(edges.end(), above.begin(), above.end());
  return edges;
}

/// A codebook with these edges; which values it has does not matter.
partition cells_between(const std::vector<double>& edges) {
  std::vector<double> values{edges.front() - 1};
  for (std::size_t i = 1; i < edges.size(); ++i) values.push_back((edges[i - 1] + edges[i]) / 2);
  values.push_back(edges.back() + 1);
  return codebook(values, edges).cells();
}

TEST(further_laws, reference_values_are_within_the_bar) {
  for (const auto& entry : reference_file("further_laws.json")) {
    const auto& params = entry.at("params");
    const std::string name = params.at("format");
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const partition cells = cells_between(edges_of(name, params.at("rounding") == "toward-zero"));
    const bounded<bits> ours =
        exact_entropy(cells, parse_law(params.at("distribution").get<std::string>()));
    EXPECT_LE(std::fabs(ours.value.value() - reference_value(entry)), ours.error.value() + 4e-16);
    EXPECT_LE(ours.error.value(), 1e-12);
  }
}

// ---- all cells in quadruple precision ----

__float128 quad_of_wide(const wide& x) {
  const auto sum = static_cast<__float128>(x.high()) + static_cast<__float128>(x.low());
  return ldexpq(sum, x.exponent());
}

std::vector<__float128> edges_of(const partition& cells) {
  std::vector<__float128> edges;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        if (!run.edge(k).is_infinite()) edges.push_back(quad_of_wide(run.edge(k)));
      }
    }
  }
  return edges;
}

/// A law of the library, as the oracle knows it, and as a text.
struct known_law {
  law x;
  further_law truth;
  std::string text;
};

class law_maker {
 public:
  explicit law_maker(random_numbers& random) : random_{random} {}

  known_law make() {
    if (random_.chance(0.55)) return component();
    if (random_.chance(0.5)) return mixture();
    return random_.chance(0.5) ? relu() : truncated();
  }

 private:
  double size() { return random_.scale(); }

  static std::string written(const char* name, std::initializer_list<double> parameters) {
    std::ostringstream text;
    text.precision(17);
    text << name;
    for (const double each : parameters) text << ' ' << each;
    return text.str();
  }

  known_law component() {
    const double scale = size();
    switch (random_.whole(0, 7)) {
      case 0: {
        const double mu = random_.location(scale);
        return {normal{mu, scale},
                {{1, further_kind::normal, {mu, scale, 0}}},
                written("normal", {mu, scale})};
      }
      case 1: {
        const double loc = random_.location(scale);
        return {laplace{loc, scale},
                {{1, further_kind::laplace, {loc, scale, 0}}},
                written("laplace", {loc, scale})};
      }
      case 2: {
        const double mu = random_.chance(0.3) ? 0 : std::log(scale);
        const double sigma = random_.log_uniform(random_.chance(0.8) ? 1e-3 : 1e-12, 30);
        return {lognormal_law(mu, sigma),
                {{1, further_kind::lognormal, {mu, sigma, 0}}},
                written("lognormal", {mu, sigma})};
      }
      case 3:
      case 4: {
        const double shape = random_.log_uniform(1e-3, random_.chance(0.7) ? 1e3 : 1e9);
        return {gamma_law(shape, scale),
                {{1, further_kind::gamma, {shape, scale, 0}}},
                written("gamma", {shape, scale})};
      }
      case 5:
        return {exponential_law(scale),
                {{1, further_kind::exponential, {scale, 0, 0}}},
                written("exponential", {scale})};
      case 6:
        return {halfnormal_law(scale),
                {{1, further_kind::halfnormal, {scale, 0, 0}}},
                written("halfnormal", {scale})};
      default:
        return triangle(scale);
    }
  }

  known_law triangle(double scale) {
    double low = random_.location(scale);
    double high = low + scale;
    if (random_.chance(0.3)) {  // on edges of cells
      const double unit = std::exp2(std::round(std::log2(scale)));
      low = unit * random_.whole(-64, 64) / 32;
      high = low + unit * random_.whole(1, 64) / 32;
    }
    if (!(high > low)) high = std::nextafter(low, 1e308);
    const double share = random_.chance(0.3) ? random_.whole(0, 1) : random_.unit();
    const double mode = std::clamp(low + share * (high - low), low, high);
    return {triangular_law(low, mode, high),
            {{1, further_kind::triangular, {low, mode, high}}},
            written("triangular", {low, mode, high})};
  }

  known_law mixture() {
    std::vector<weighted_law> all;
    known_law made{normal{0, 1}, {}, "mixture"};
    for (int i = random_.whole(2, 4); i > 0; --i) {
      const known_law one = component();
      const double weight = random_.log_uniform(random_.chance(0.8) ? 1e-2 : 1e-20, 1);
      all.push_back({weight, one.x});
      made.truth.push_back(one.truth.front());
      made.truth.back().weight = weight;
      made.text += written(" /", {weight}) + " " + one.text;
    }
    made.x = mixture_law(all);
    return made;
  }

  known_law relu() {
    known_law one = component();
    one.x = relu_law(one.x);
    one.truth.front().low = 0;
    one.text = "relu " + one.text;
    return one;
  }

  known_law truncated() {
    known_law one = component();
    const double q1 = random_.log_uniform(1e-6, 0.4);
    const double q2 = 1 - random_.log_uniform(1e-6, 0.4);
    const double low = random_.chance(0.7) ? quantile(one.x, q1) : -HUGE_VAL;
    const double high = random_.chance(0.7) ? quantile(one.x, q2) : HUGE_VAL;
    if (!(low < high) || std::isnan(low) || std::isnan(high)) return one;
    one.x = truncated_law(one.x, low, high);
    one.truth.front().low = low;
    one.truth.front().high = high;
    one.truth.front().truncated = true;
    one.text = written("truncated", {low, high}) + " " + one.text;
    return one;
  }

  random_numbers& random_;
};

/// A small format, or equal cells around zero, as integers have them.
struct some_cells {
  partition cells;
  std::string text;
};

some_cells next_cells(random_numbers& random) {
  if (random.chance(0.8)) {
    const int e = random.whole(0, 8);
    const int p = random.whole(1, std::max(1, 13 - e));
    const rounding how = random.chance(0.7) ? rounding::nearest : rounding::toward_zero;
    return {partition{float_format{p, e}, how},
            float_format{p, e}.name() + (how == rounding::nearest ? "" : " toward zero")};
  }
  const double width = std::exp2(random.whole(-20, 20));
  const int half = random.whole(1, 2048);
  const double end = half * width;
  return {partition({{-HUGE_VAL, -end, HUGE_VAL, 1},
                     {-end, end, width, static_cast<std::uint64_t>(2 * half)},
                     {end, HUGE_VAL, HUGE_VAL, 1}},
                    {-end, end}),
          std::to_string(2 * half) + " cells of " + std::to_string(width)};
}

// KTLN2_FURTHER_CASES=10000 KTLN2_HONESTY_SEED=… runs the long version.
TEST(further_laws, the_bar_covers_the_distance_to_all_cells_in_quadruple_precision) {
  const int cases = from_environment("KTLN2_FURTHER_CASES", 300);
  random_numbers random(static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 20260718)));
  double widest = 0;
  double closest = 0;
  std::string hardest;
  for (int i = 0; i < cases; ++i) {
    const some_cells where = next_cells(random);
    const known_law known = law_maker{random}.make();
    SCOPED_TRACE(where.text + ": " + known.text);
    const oracle_result truth = oracle_further(edges_of(where.cells), known.truth);
    const bounded<bits> ours = exact_entropy(where.cells, known.x);
    const auto distance =
        static_cast<double>(truth.value - static_cast<__float128>(ours.value.value()));
    ASSERT_LT(static_cast<double>(truth.error), 1e-17);
    EXPECT_LE(std::fabs(distance), ours.error.value()) << "ours " << ours.value.value();
    EXPECT_LE(ours.error.value(), 10 * default_tolerance.value());
    widest = std::fmax(widest, ours.error.value());
    const double share = std::fabs(distance) / ours.error.value();
    if (share > closest) hardest = where.text + ": " + known.text;
    closest = std::fmax(closest, share);
  }
  std::printf("%d cases: widest bar %.2g bits, largest distance %.3g of its bar (%s)\n", cases,
              widest, closest, hardest.c_str());
}

// ---- large formats ----

TEST(further_laws, eq_exact_identity_finds_the_same_entropy) {
  for (const char* text :
       {"lognormal", "lognormal:mu=3,sigma=0.01", "exponential:scale=3", "gamma", "gamma:shape=20",
        "gamma:shape=1e9", "chi2", "halfnormal:sigma=0.1", "triangular",
        "triangular:low=-2,mode=1,high=7", "mixture:0.9@normal:sigma=1/0.1@normal:sigma=5",
        "mixture:0.5@normal:mu=-3,sigma=0.1/0.5@lognormal:sigma=0.5",
        "truncated:low=-1,high=1@normal", "truncated:low=5@normal"}) {
    SCOPED_TRACE(text);
    const law x = parse_law(text);
    for (const float_format& format : {float_format{11, 5}, float_format{24, 8}}) {
      const bounded<bits> ours = exact_entropy(format, x);
      const bounded<bits> other = entropy_by_identity(partition{format}, x).entropy;
      EXPECT_LE(std::fabs((ours.value - other.value).value()), (ours.error + other.error).value());
      EXPECT_LE(ours.error.value(), 1e-12);
      EXPECT_LE(other.error.value(), 1e-11);
    }
  }
}

TEST(further_laws, folding_a_symmetric_law_takes_one_bit) {
  for (const float_format& format :
       {float_format{1, 3}, float_format{24, 8}, float_format{53, 11}, float_format{64, 15}}) {
    for (const double scale : {1e-3, 1.0, 77.0}) {
      const bounded<bits> half = exact_entropy(format, halfnormal_law(scale));
      const bounded<bits> whole = exact_entropy(format, normal{0, scale});
      EXPECT_LE(std::fabs((half.value - whole.value).value() + 1),
                (half.error + whole.error).value());
      const bounded<bits> side = exact_entropy(format, exponential_law(scale));
      const bounded<bits> both = exact_entropy(format, laplace{0, scale});
      EXPECT_LE(std::fabs((side.value - both.value).value() + 1),
                (side.error + both.error).value());
      // The exponential law by another engine: that of gamma laws.
      const bounded<bits> gamma = exact_entropy(format, gamma_law(1, scale));
      EXPECT_LE(std::fabs((side.value - gamma.value).value()), (side.error + gamma.error).value());
    }
  }
}

TEST(further_laws, components_that_do_not_meet_add_up) {
  // H = h(weights) + Σ w H, if no cell holds two of them.
  const float_format format{24, 15};
  const law small = normal{0, 1e-150};
  const law large = normal{1e150, 1e145};
  const law x = mixture_law({{1, small}, {3, large}});
  const double split = 0.25 * 2 + 0.75 * std::log2(4.0 / 3);
  const bounded<bits> together = exact_entropy(format, x);
  const double apart = split + 0.25 * exact_entropy(format, small).value.value() +
                       0.75 * exact_entropy(format, large).value.value();
  EXPECT_NEAR(together.value.value(), apart, together.error.value() + 1e-12);
  EXPECT_LE(together.error.value(), 2e-12);
}

TEST(further_laws, enumeration_agrees_with_atoms_too) {
  const partition cells{float_format{6, 4}};
  for (const char* text : {"relu:normal:mu=-1,sigma=2", "gamma:shape=0.3", "lognormal:sigma=3",
                           "mixture:1@relu:laplace/2@triangular"}) {
    const law x = parse_law(text);
    const bounded<bits> ours = exact_entropy(cells, x);
    const bounded<bits> other = enumerated_entropy(cells, x);
    EXPECT_LE(std::fabs((ours.value - other.value).value()), (ours.error + other.error).value())
        << text;
  }
}

// ---- atoms ----

TEST(further_laws, an_atom_is_where_the_quantizer_puts_it) {
  // Values with p = 2 around 1: …, 0.75, 1, 1.5, 2. The edge 1.25 goes away from zero.
  const float_format format{2, 3};
  const auto bits_of = [&](std::vector<double> samples) {
    return exact_entropy(format, empirical_law(samples)).value.value();
  };
  EXPECT_NEAR(bits_of({1, 1.25}), 1, 1e-14);
  EXPECT_NEAR(bits_of({1.25, 1.5}), 0, 1e-14);
  EXPECT_NEAR(bits_of({-1, -1.25}), 1, 1e-14);
  // There is no zero: 0 is stored as the smallest positive value.
  const double least = format.min_positive().to_double();
  EXPECT_NEAR(bits_of({0, least}), 0, 1e-14);
  EXPECT_NEAR(bits_of({0, -least}), 1, 1e-14);
  EXPECT_NEAR(bits_of({1, 2, 3, 4}), 2, 1e-14);
  EXPECT_NEAR(bits_of({5, 5, 5, 7e300}), 0.811278124459133, 1e-14);
}

TEST(further_laws, relu_stores_all_that_is_not_positive_as_one_value) {
  // Half of the mass in one cell, and half of a half-normal law.
  const float_format format{24, 8};
  const double half = exact_entropy(format, halfnormal_law(1)).value.value();
  const bounded<bits> ours = exact_entropy(format, parse_law("relu:normal"));
  EXPECT_NEAR(ours.value.value(), 1 + half / 2, ours.error.value() + 1e-13);
}

TEST(further_laws_campaign, large_and_small_parameters_end_and_are_finite) {
  for (const char* text :
       {"gamma:shape=1e-300", "gamma:shape=1e30", "gamma:shape=1e-3,scale=1e-300",
        "lognormal:sigma=1e-12,mu=3", "lognormal:sigma=1e5", "lognormal:mu=1e8",
        "lognormal:mu=-1e8,sigma=1e3", "exponential:scale=5e-324", "exponential:scale=1e308",
        "triangular:low=-1e308,mode=0,high=1e308", "mixture:1e-300@normal/1e300@laplace",
        "mixture:1@normal:sigma=1e-100/1@normal:sigma=1e100", "relu:student:dof=0.05",
        "mixture:1@student:dof=0.02/1@gamma:shape=0.01", "chi2:dof=1e9"}) {
    SCOPED_TRACE(text);
    for (const float_format& format :
         {float_format{1, 0}, float_format{24, 8}, float_format{64, 15}}) {
      const bounded<bits> ours = exact_entropy(format, parse_law(text));
      EXPECT_TRUE(std::isfinite(ours.value.value()));
      EXPECT_GE(ours.value.value(), -ours.error.value());
      EXPECT_LE(ours.error.value(), 1e-9);
    }
  }
}

}  // namespace
