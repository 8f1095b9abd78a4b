#pragma once

#include <string_view>

#include "ktln2/distribution/law.hpp"

namespace ktln2 {

// The laws that are made of other laws, from what stands behind their name and a colon. Each throws
// std::domain_error for what is not of that form.

/// "WEIGHT@LAW/WEIGHT@LAW/…"; a '/' that no weight and '@' follow belongs to a file's name.
law read_mixture(std::string_view text);
/// "LAW"
law read_relu(std::string_view text);
/// "low=A,high=B@LAW", either without the other
law read_truncated(std::string_view text);
/// "FILE"
law read_empirical(std::string_view path);

}  // namespace ktln2
