#pragma once

#include <boost/math/policies/policy.hpp>

namespace ktln2 {

/// Boost.Math would compute in long double otherwise, eight times as slow.
inline constexpr boost::math::policies::policy<boost::math::policies::promote_double<false>>
    in_double;

}  // namespace ktln2
