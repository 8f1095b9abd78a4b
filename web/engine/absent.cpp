// What the page goes without, for it has to be loaded before it answers. The sources that have it
// are left out of the browser's build (cmake/browser.cmake); what is left of each is a refusal,
// behind which the linker finds nothing to keep.
#include <stdexcept>
#include <string>

#include "ask/internal.hpp"
#include "core/file_text.hpp"
#include "distribution/estimate_mixtures.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/cost/many.hpp"
#include "ktln2/distribution/sum_law.hpp"
#include "ktln2/entropy/stochastic_entropy.hpp"
#include "ktln2/scaling/choices.hpp"
#include "ktln2/scaling/many_choices.hpp"

namespace ktln2 {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::domain_error(what + " is not in the browser");
}

[[noreturn]] void refuse_internal() { refuse("an internal entropy"); }
[[noreturn]] void refuse_choice() { refuse("--optimize"); }

}  // namespace

// core: files, but for those that are measured

std::string text_of_file(const std::string& /*path*/, const std::string& where,
                         const std::string& /*expected*/, std::size_t /*most_mebibytes*/) {
  refuse(where + ": a file");
}

// entropy: rounding by chance

stochastic_code::stochastic_code(stored_variable stored, const stop_token& /*stop*/,
                                 int /*listed_bits*/)
    : stored_{std::move(stored)}, noise_{exactly(bits{0})} {
  refuse("stochastic rounding");
}
bounded<bits> stochastic_code::leading(int /*kept*/) const { return noise_; }
bounded<bits> stochastic_code::of_value() const { return noise_; }
stored_masses stochastic_code::masses() const { refuse("stochastic rounding"); }
bounded<bits> stochastic_code::information() const { return noise_; }
std::optional<bounded<bits>> stochastic_code::marginal(std::uint64_t /*mask*/) const { return {}; }

// distribution: an intercept alone, and one slope with a penalty

law ridge_law(const coefficients& /*estimate*/) { refuse("this law"); }
law intercept_law(const coefficients& /*estimate*/) { refuse("this law"); }
std::vector<intercept_part> intercept_parts(const coefficients& /*estimate*/) {
  refuse("this law");
}

// cost: averages, predictions, and registers whose states have entropies of their own

law total_law(const law& /*x*/, double /*n*/, total_of /*what*/, const stop_token& /*stop*/) {
  refuse("an average");
}

inference_cost inference(const storage& /*where*/, double /*slope*/, double /*sigma_x*/) {
  refuse("a prediction");
}
many_prediction many_prediction_cost(const register_formats& /*formats*/,
                                     const row_model& /*model*/, const stop_token& /*stop*/) {
  refuse("a prediction");
}
std::string_view name_of(many_prediction::method /*how*/) { return {}; }

internal_entropies internal_bill::above_reset() const { refuse_internal(); }
bounded<bits> internal_bill::loaded() const { refuse_internal(); }
bounded<bits> internal_bill::computed() const { refuse_internal(); }
internal_bill regression_internal(const internal_tables& /*of*/, const linear_model& /*model*/,
                                  double /*n*/, const stop_token& /*stop*/) {
  refuse_internal();
}
internal_bill sgd_internal(const internal_tables& /*of*/, const linear_model& /*model*/,
                           const descent& /*how*/, double /*steps*/, const law& /*last*/,
                           const stop_token& /*stop*/) {
  refuse_internal();
}
internal_bill sgd_step_internal(const internal_tables& /*of*/, const linear_model& /*model*/,
                                const descent& /*how*/, const std::optional<law>& /*before*/,
                                const law& /*after*/, const stop_token& /*stop*/) {
  refuse_internal();
}
internal_bill average_internal(const internal_table& /*data*/, const internal_table& /*result*/,
                               const law& /*one*/, const law& /*total*/, double /*n*/,
                               total_of /*what*/, const stop_token& /*stop*/) {
  refuse_internal();
}
internal_bill inference_internal(const internal_table& /*of*/, double /*slope*/, double /*sigma_x*/,
                                 const stop_token& /*stop*/) {
  refuse_internal();
}

// scaling: what else could be chosen than the size

double stored_error(const float_format& /*format*/, double /*w*/) { refuse_choice(); }
std::vector<precision_choice> sizes_by_precision(const market& /*prices*/, const training& /*what*/,
                                                 int /*exponent_bits*/, entropy_kind /*kind*/,
                                                 const stop_token& /*stop*/) {
  refuse_choice();
}
sgd_choice best_learning_rate(const sgd_profit_curve& /*curve*/) { refuse_choice(); }
sgd_choice best_batch(const sgd_profit_curve& /*curve*/) { refuse_choice(); }
sgd_choice best_learning_rate_and_batch(const sgd_profit_curve& /*curve*/) { refuse_choice(); }

std::vector<many_precision> many_sizes_by_precision(const many_profit& /*curve*/,
                                                    const stop_token& /*stop*/) {
  refuse_choice();
}
std::vector<many_features> many_sizes_by_features(const many_profit& /*curve*/, double /*decay*/,
                                                  double /*most*/, const stop_token& /*stop*/) {
  refuse_choice();
}
many_profit with_features(const many_profit& /*curve*/, double /*decay*/, double /*features*/) {
  refuse_choice();
}
many_sgd_choice best_many_learning_rate(const many_profit& /*curve*/, const stop_token& /*stop*/) {
  refuse_choice();
}
many_sgd_choice best_many_batch(const many_profit& /*curve*/, const stop_token& /*stop*/) {
  refuse_choice();
}

namespace ask {

internal_tables internal_states::of(const register_formats& /*formats*/,
                                    const stop_token& /*stop*/) const {
  refuse_internal();
}
std::optional<internal_states> read_internal(const reader& given,
                                             const register_formats& /*formats*/) {
  if (given.has("internal") || given.has("reset")) refuse("--internal");
  return {};
}

}  // namespace ask
}  // namespace ktln2
