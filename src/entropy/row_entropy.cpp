#include "ktln2/entropy/row_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/attempt.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {
namespace {

/// A register for each variable, or one for all.
std::vector<storage> registers_for(std::vector<storage> where, std::size_t registers) {
  if (where.size() == 1) where.resize(registers, where.front());
  if (where.size() == registers) return where;
  throw std::domain_error("row: there are " + std::to_string(registers) + " registers, but " +
                          std::to_string(where.size()) + " formats");
}

/// One feature: the pair, exactly.
row_entropies of_pair(const std::vector<storage>& where, const normal_row& row, bits tolerance,
                      const stop_token& stop) {
  const row_model& model = row.model();
  const regression_pair pair{{model.w[0], row.x().deviation(0), model.sigma_xi},
                             {model.mu[0], model.b}};
  const joint_entropies found = joint_entropy({where[0], where[1]}, pair, tolerance, stop);
  row_entropies made;
  made.joint = found.joint;
  made.how = row_method::rows;
  made.low = found.joint.value - found.joint.error;
  made.high = found.joint.value + found.joint.error;
  made.features = found.x;
  made.conditional = found.conditional;
  made.total_correlation = found.mutual_information;
  made.single = {found.x, found.y};
  return made;
}

constexpr double most_work = 2e7;    ///< of an enumeration, a second or two
constexpr std::size_t draws = 4000;  ///< of a sample, less than a second
constexpr bits wide_bar{1e-9};       ///< below which no other road is worth its time

/// Another road, where the chain's error bar is wide.
struct better_road {
  bounded<bits> value;
  row_method how;
};
std::optional<better_road> better_than(const chain_entropy& chain,
                                       const std::vector<partition>& cells, const normal_vector& z,
                                       const stop_token& stop) {
  if (chain.value.error <= wide_bar) return {};
  if (enumeration_work(cells, z) <= most_work) {
    const bounded<bits> counted = enumerated_entropy(cells, z, stop);
    if (counted.error < chain.value.error) return better_road{counted, row_method::enumeration};
  }
  if (z.size() > 6 || chain.value.error < bits{1e-4}) return {};
  std::optional<bounded<bits>> drawn;
  // Refused: too much for a sample, and the bracket is there.
  if (mistake_in([&] { drawn = sampled_entropy_of(cells, z, draws, 1, stop); })) return {};
  drawn->error += rounding_of(z);
  if (drawn->error < chain.value.error) return better_road{*drawn, row_method::sampled};
  return {};
}

/// H of the features alone: of a chain that ends with y, all of it but the last step.
bounded<bits> entropy_of_features(const std::vector<partition>& cells, const normal_row& row,
                                  bits tolerance, const stop_token& stop) {
  const std::vector<partition> of_x(cells.begin(), cells.end() - 1);
  const chain_entropy chain = entropy_by_chain(of_x, row.x(), tolerance, stop);
  const std::optional<better_road> better = better_than(chain, of_x, row.x(), stop);
  return better ? better->value : chain.value;
}

}  // namespace

std::string_view name_of(row_method how) {
  switch (how) {
    case row_method::rows:
      return "rows";
    case row_method::chain:
      return "chain";
    case row_method::enumeration:
      return "enumeration";
    case row_method::sampled:
      return "sampled";
  }
  throw std::logic_error("no such method");
}

row_entropies row_entropy(const std::vector<storage>& where, const normal_row& row,
                          const std::vector<std::size_t>& order, bits tolerance,
                          const stop_token& stop) {
  const normal_vector& z = row.registers();
  const std::vector<storage> registers = registers_for(where, z.size());
  const std::vector<partition> cells = register_partitions(registers);
  std::vector<std::size_t> asked = order;
  if (asked.empty()) {
    asked.resize(z.size());
    std::iota(asked.begin(), asked.end(), 0);
  }
  const chain_entropy chain = entropy_by_chain(cells, z, asked, tolerance, stop);
  row_entropies made;
  if (row.features() == 1) {
    made = of_pair(registers, row, tolerance, stop);
  } else {
    made.joint = chain.value;
    made.low = chain.low;
    made.high = chain.high;
    if (const auto better = better_than(chain, cells, z, stop)) {
      made.joint = better->value;
      // The truth is in the bracket: going there is never away from it.
      made.joint.value = std::clamp(made.joint.value, made.low, made.high);
      made.how = better->how;
    }
    made.features = entropy_of_features(cells, row, tolerance, stop);
    made.conditional = made.joint - made.features;
    made.total_correlation = -made.joint;
    for (std::size_t j = 0; j < z.size(); ++j) {
      made.single.push_back(exact_entropy(cells[j], z.marginal(j), default_tolerance));
      made.total_correlation += made.single.back();
    }
  }
  made.steps = chain.steps;
  made.divergence = entropy_by_identity(cells, z).divergence;
  return made;
}

}  // namespace ktln2
