#include "ktln2/entropy/block_entropy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/format/number_cells.hpp"
#include "reference_file.hpp"

namespace {

using ktln2::bits;
using ktln2::block_entropies;
using ktln2::block_format;
using ktln2::bounded;
using ktln2::find_block_format;

bounded<bits> quantity_of(const block_entropies& all, const std::string& name) {
  if (name == "scale") return all.scale;
  if (name == "elements_given_scale") return all.elements_given_scale;
  if (name == "joint") return all.joint;
  if (name == "joint_per_element") return all.joint_per_element;
  if (name == "element_given_scale") return all.element_given_scale;
  if (name == "dependence") return all.dependence;
  throw std::runtime_error("an unknown quantity: " + name);
}

/// Of a whole block or of one element.
int of_how_many(const std::string& quantity, const block_format& format) {
  const bool is_whole =
      quantity == "joint" || quantity == "elements_given_scale" || quantity == "dependence";
  return is_whole ? format.size() : 1;
}

TEST(block_entropy, is_that_of_every_reference) {
  int cases = 0;
  const auto table = reference_table("real/formats.json");
  for (const auto& one : table.at("blocks")) {
    SCOPED_TRACE(one.at("id").get<std::string>());
    block_format format =
        find_block_format(one.at("format").get<std::string>())
            .value()
            .with_policy(ktln2::parse_scale_policy(one.at("scale_policy").get<std::string>()));
    if (!one.at("second_level_scale").is_null()) {
      format = format.with_second_level_scale(reference_number(one.at("second_level_scale")));
    }
    const auto all =
        exact_entropies(format, ktln2::parse_law(one.at("distribution").get<std::string>()));
    const bounded<bits> got = quantity_of(all, one.at("quantity"));
    const double expected = reference_number(one.at("value"));
    EXPECT_LE(std::fabs(got.value.value() - expected),
              got.error.value() + 0x1p-52 * std::fabs(expected));
    EXPECT_LE(std::fabs(got.value.value() - expected), 1e-12);
    EXPECT_LE(got.error.value(), 1e-12 * of_how_many(one.at("quantity"), format));
    ++cases;
  }
  EXPECT_EQ(cases, 228);
}

/// Everything that a block can be, counted: the line is cut wherever a code or a scale changes, and
/// every combination of pieces is stored.
class outright_count {
 public:
  /// Scales that begin below `least` are not told apart.
  outright_count(const block_format& format, const ktln2::law& x, double least)
      : format_{format}, x_{x} {
    std::set<double> edges{0.0};
    const auto add = [&edges](const ktln2::wide& at) {
      const double edge = at.to_double();
      if (std::isinf(edge)) return;
      edges.insert(edge);
      edges.insert(-edge);
    };
    for (const ktln2::block_scale& scale : format.scales()) {
      if (scale.to < ktln2::wide(least) || scale.from > ktln2::wide(64.0)) continue;
      add(scale.from);
      for (std::uint64_t m = 0; m <= format.element().largest(true); ++m) {
        add(cell_of(format.element(), block_format::element_rule(), true, m, m).left * scale.value);
      }
    }
    double left = -200;
    edges.insert(200);
    for (const double right : edges) {
      const double mass = cdf(x, right) - cdf(x, left);
      if (mass > 0) pieces_.push_back({left + (right - left) / 2, mass});
      left = right;
    }
  }

  void count() { place(0, 1); }

  [[nodiscard]] double joint() const { return entropy_of(blocks_); }
  [[nodiscard]] double scale() const { return entropy_of(scales_); }
  [[nodiscard]] double element_given_scale() const { return entropy_of(elements_) - scale(); }

 private:
  using key = std::vector<std::uint64_t>;
  struct piece {
    double at;
    double mass;
  };

  void place(int depth, double mass) {
    if (depth < format_.size()) {
      for (const piece& one : pieces_) {
        block_[static_cast<std::size_t>(depth)] = one.at;
        place(depth + 1, mass * one.mass);
      }
      return;
    }
    const auto stored = format_.quantize({block_.data(), static_cast<std::size_t>(depth)});
    key all = stored.codes;
    all.push_back(stored.scale_code);
    blocks_[all] += mass;
    scales_[{stored.scale_code}] += mass;
    elements_[{stored.codes[0], stored.scale_code}] += mass;
  }

  static double entropy_of(const std::map<key, double>& masses) {
    double sum = 0;
    for (const auto& [what, mass] : masses) {
      if (mass > 0) sum -= mass * std::log2(mass);
    }
    return sum;
  }

  block_format format_;
  ktln2::law x_;
  std::vector<piece> pieces_;
  std::array<double, 4> block_{};
  std::map<key, double> blocks_;
  std::map<key, double> scales_;
  std::map<key, double> elements_;
};

void expect_counted(const block_format& format, const std::string& law, double least, double off) {
  SCOPED_TRACE(format.name() + " " + std::string(name_of(format.policy())) + " " + law);
  const auto x = ktln2::parse_law(law);
  const auto all = exact_entropies(format, x);
  outright_count counted{format, x, least};
  counted.count();
  EXPECT_NEAR(all.joint.value.value(), counted.joint(), off + all.joint.error.value());
  EXPECT_NEAR(all.scale.value.value(), counted.scale(), off + all.scale.error.value());
  EXPECT_NEAR(all.element_given_scale.value.value(), counted.element_given_scale(),
              off + all.element_given_scale.error.value());
}

TEST(block_entropy, is_that_of_all_blocks_counted) {
  for (const char* name : {"mxfp4", "nvfp4"}) {
    const block_format format = find_block_format(name).value();
    expect_counted(format.with_size(1), "uniform:low=0.25,high=3", 0.01, 1e-11);
    expect_counted(format.with_size(2), "uniform:low=0.25,high=3", 0.01, 1e-11);
  }
  using enum ktln2::scale_policy;
  for (const auto policy : {floor, ceil, rceil, even}) {
    const block_format format = find_block_format("mxfp4").value().with_policy(policy);
    expect_counted(format.with_size(3), "uniform:low=0.25,high=3", 0.01, 1e-11);
    // What is not told apart has a probability of 1e-8, and up to 40 bits.
    expect_counted(format.with_size(2), "normal:mu=0.3,sigma=1", 0x1p-13, 1e-6);
  }
  expect_counted(find_block_format("mxfp6e2m3").value().with_size(2), "laplace:loc=-1,scale=1",
                 0x1p-6, 1e-2);
  expect_counted(find_block_format("mxint8").value().with_size(2), "uniform:low=1.5,high=3", 0.1,
                 1e-11);
}

/// P(codes, scale) of one block: what its cells have below the end of its scale's range, without
/// what they have below the beginning.
double log2_probability(const block_format& format, const ktln2::law& x,
                        const ktln2::stored_block& stored) {
  const auto scales = format.scales();
  const ktln2::block_scale& scale = scales[stored.scale_code];
  const std::uint64_t sign = std::uint64_t{1} << (format.element().width() - 1);
  const auto product_below = [&](double end) {
    double product = 1;
    for (const std::uint64_t code : stored.codes) {
      const bool negative = (code & sign) != 0;
      const std::uint64_t m = code & ~sign;
      const auto cell = cell_of(format.element(), block_format::element_rule(), negative, m, m);
      const double left = std::min(end, (cell.left * scale.value).to_double());
      const bool is_last = m == format.element().largest();
      const double right = is_last ? end : std::min(end, (cell.right * scale.value).to_double());
      product *= negative ? cdf(x, -left) - cdf(x, -right) : cdf(x, right) - cdf(x, left);
    }
    return product;
  };
  return std::log2(product_below(scale.to.to_double()) - product_below(scale.from.to_double()));
}

TEST(block_entropy, is_the_mean_surprise_of_drawn_blocks) {
  std::mt19937_64 random(20260601);
  std::normal_distribution<double> normal(0.25, 1.0);
  const auto x = ktln2::parse_law("normal:mu=0.25,sigma=1");
  for (const char* name : {"mxfp4", "nvfp4", "mxfp6e3m2"}) {
    SCOPED_TRACE(name);
    const block_format format = find_block_format(name).value();
    std::vector<double> block(static_cast<std::size_t>(format.size()));
    constexpr int trials = 1000;
    double sum = 0;
    double squares = 0;
    for (int t = 0; t < trials; ++t) {
      for (double& one : block) one = normal(random);
      const double surprise = -log2_probability(format, x, format.quantize(block));
      sum += surprise;
      squares += surprise * surprise;
    }
    const double mean = sum / trials;
    const double deviation = std::sqrt((squares / trials - mean * mean) / trials);
    EXPECT_NEAR(exact_entropies(format, x).joint.value.value(), mean, 4 * deviation);
    EXPECT_LT(deviation, 0.3);
  }
}

TEST(block_entropy, does_not_change_with_the_unit_of_powers_of_two) {
  const block_format format = find_block_format("mxfp6e3m2").value();
  const auto one = exact_entropies(format, ktln2::parse_law("normal:sigma=1"));
  const auto other = exact_entropies(format, ktln2::parse_law("normal:sigma=0.0009765625"));
  EXPECT_TRUE(overlap(one.joint, other.joint));
  EXPECT_TRUE(overlap(one.dependence, other.dependence));
}

TEST(block_entropy, of_one_element_has_no_dependence) {
  for (const char* name : {"mxfp4", "nvfp4", "mxint8s"}) {
    const auto all = exact_entropies(find_block_format(name).value().with_size(1),
                                     ktln2::parse_law("laplace:loc=0.1,scale=1"));
    EXPECT_LE(std::fabs(all.dependence.value.value()), all.dependence.error.value());
  }
}

void expect_between(const bounded<bits>& h, double most) {
  EXPECT_GE(h.value.value(), -h.error.value());
  EXPECT_LE(h.value.value(), most + h.error.value());
  EXPECT_LE(h.error.value(), 1e-11);
}

TEST(block_entropy, is_finite_wherever_the_law_is) {
  for (const char* name : {"mxfp4", "nvfp4", "mxint8", "mxfp8e5m2"}) {
    const block_format format = find_block_format(name).value();
    for (const char* law : {"normal:sigma=1e-60", "normal:sigma=1e60", "normal:mu=1e30,sigma=1",
                            "student:dof=0.1", "uniform:low=0,high=1e-300",
                            "normal:mu=5,sigma=1e-9", "laplace:loc=-1e-30,scale=1e300"}) {
      SCOPED_TRACE(std::string(name) + " " + law);
      const auto all = exact_entropies(format, ktln2::parse_law(law));
      expect_between(all.joint_per_element, format.bits_per_element());
      expect_between(all.scale, format.scale().width());
      expect_between(all.element_given_scale, format.element().width());
      EXPECT_GE(all.dependence.value.value(), -all.dependence.error.value());
    }
  }
}

}  // namespace
