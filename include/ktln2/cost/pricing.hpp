#pragma once

#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/entropy/joint.hpp"

namespace ktln2 {

/// Exact entropies, or the paper's closed forms: [thm:double_gaussian] for data and
/// [eq:three_approxes] for a model, [eq:first_two_approx] where its mean is exactly 0.
enum class entropy_kind { exact, smooth };

/// A closed form is a few operations away from its definition: its error bar is so many units of
/// 2^-53 (|H| + 1).
struct closed_form_rounding {
  double units = 64;
};

/// What a register holds, or two. Closed forms are of the paper's formats: std::domain_error for
/// any other.
bounded<bits> entropy_of(const storage& where, const law& x, entropy_kind kind,
                         closed_form_rounding rounding = {});
bounded<bits> entropy_of(const storage_pair& where, const regression_pair& pair, entropy_kind kind,
                         closed_form_rounding rounding = {}, const stop_token& stop = {});

/// The same, with an error bar that reaches to the exact entropy also from a closed form, and
/// whether that holds where it is taken. To find out takes far longer than the closed form itself.
struct judged_entropy {
  bounded<bits> entropy;
  bool applies = true;
};
judged_entropy judged_entropy_of(const storage& where, const law& x, entropy_kind kind);
judged_entropy judged_entropy_of(const storage_pair& where, const regression_pair& pair,
                                 entropy_kind kind, const stop_token& stop = {});

}  // namespace ktln2
