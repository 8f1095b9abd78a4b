#pragma once

#include <cstddef>
#include <optional>

#include "ktln2/core/result.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/codebook.hpp"

namespace ktln2 {

/// What a codebook loses, beside what it holds [thm:quantized_ent]:
///     E (X - X_Q)²
/// in units of X². Infinite where X has no finite deviation.
bounded<double> mean_square_error(const codebook& code, const law& x);

/// How many values the codebooks below may have.
inline constexpr std::size_t most_optimal_values = 4096;

/// The K values that lose least, as S. P. Lloyd (1957) and J. Max (1960) found them: each value is
/// the mean of its cell, each edge is midway between two values. Where ln f is concave (normal,
/// uniform, Laplace, logistic) there is one such codebook; of other laws it is one that small
/// changes do not improve. Newton's method on the tridiagonal equations, from the density f^(1/3)
/// that is best for large K.
///
/// Nothing where X has no finite deviation, or is so narrow that doubles cannot tell the values
/// apart. Throws std::domain_error unless 1 ≤ size ≤ most_optimal_values.
std::optional<codebook> lloyd_max_codebook(const law& x, std::size_t size);

/// K cells of the same mass, each stored as its median: the entropy is log K, and no K values hold
/// more. Nothing, and throws, as above, but every law has medians.
std::optional<codebook> equal_mass_codebook(const law& x, std::size_t size);

}  // namespace ktln2
