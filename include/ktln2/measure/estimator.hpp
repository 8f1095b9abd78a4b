#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2::measure {

/// How an entropy is made of counts.
enum class estimator {
  plug_in,       ///< -Σ p log p of the shares that were seen: what a compressor finds
  miller_madow,  ///< with (codes - 1)/(2n) nats for the bias of the plug-in, to leading order
  grassberger,   ///< Grassberger 2003: each logarithm of a count without its bias
  chao,  ///< Chao, Wang and Jost 2013: with what codes seen once and twice say of the unseen
};
/// The one with the least bias, above all where many codes were seen only once.
inline constexpr estimator best_estimator = estimator::chao;

/// "plugin", "miller-madow", "grassberger", "chao".
std::string_view name_of(estimator how);
/// Throws std::domain_error that says what there is.
estimator parse_estimator(std::string_view name);

/// The entropy of the law that codes of so many bits were drawn from, by how often each was seen.
/// The error is the half width of an interval that holds the truth 95 times of 100: 1.96 standard
/// errors and the bias. The bias of the best estimator is at most a bit for each unit of the
/// probability that was not seen, Good and Turing's (codes seen once)/n, for the laws that were
/// tried; that of the others is known from the best. Where most codes were
/// seen once and fewer than three again, the sample does not show the entropy, and the error
/// reaches up to `code_bits`. Of no counts: 0.
bounded<bits> entropy_of_counts(const std::vector<std::uint64_t>& counts, int code_bits,
                                estimator how = best_estimator);

}  // namespace ktln2::measure
