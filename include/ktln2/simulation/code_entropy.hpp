#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ktln2/core/units.hpp"
#include "ktln2/format/storage.hpp"
#include "ktln2/simulation/sample.hpp"

namespace ktln2::simulation {

/// How often codes were seen: `codes` of them `times` times each, ascending in `times`.
struct repeated {
  std::uint64_t times;
  std::uint64_t codes;
};
using occupancy = std::vector<repeated>;

/// Of the codes that the sample has where it is kept.
occupancy occupancy_of(const storage& where, const sample& results);
/// Of several registers together: for each of them a list of all trials. Values of more than 53
/// bits are told apart by the leading ones.
occupancy occupancy_of(const storage& where, const std::vector<std::vector<double>>& columns);
/// Of any counts; those that are 0 do not matter.
occupancy occupancy_of(std::vector<std::uint64_t> counts);

/// `error` is one standard error, by the jackknife (Grassberger's by that of the plug-in), plus an
/// allowance for the bias that is left.
struct measured_entropy {
  bits value;
  bits error;
};

/// The entropy of the stored code as the sample shows it.
struct code_entropy {
  std::uint64_t samples = 0;
  std::uint64_t codes = 0;       ///< different ones seen
  std::uint64_t singletons = 0;  ///< of these, seen once
  /// Good and Turing's estimate of the probability of all codes that were not seen:
  /// singletons/samples.
  double unseen = 0;
  /// unseen > 0.05. Then the sample does not show the entropy, and the two estimators that know
  /// only what was seen have no value.
  bool undersampled = false;
  std::optional<measured_entropy> plug_in;       ///< -Σ p log p of the observed shares
  std::optional<measured_entropy> miller_madow;  ///< with its leading bias taken off
  measured_entropy grassberger;                  ///< Grassberger 2003
  measured_entropy chao_shen;                    ///< Chao and Shen 2003, for unseen codes
};

/// `log2_size` is log2 of the number of codes that there are: unseen probability can hide at most
/// unseen·(log2_size - log2 samples) bits more than an estimator assumes, which is the allowance,
/// with at least one bit for the parenthesis. That of the plug-in also has its leading bias, and so
/// has that of Chao and Shen, which becomes the plug-in where nothing is unseen. Grassberger's has
/// what is left of its own, about 1/(4 samples) nats times the sum of 1/n over the codes.
/// Throws std::domain_error for an empty sample.
code_entropy entropy_of(const occupancy& seen, double log2_size);
code_entropy entropy_of(const storage& where, const sample& results);

}  // namespace ktln2::simulation
