#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/cost/many.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/chain.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {
namespace {

bool are_independent(const square_matrix& covariance) {
  for (std::size_t i = 0; i < covariance.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (covariance(i, j) != 0) return false;
    }
  }
  return true;
}

/// A value of a register, and how often it is there.
struct stored_value {
  double value;
  double mass;
};

std::vector<stored_value> values_of(const float_format& format, const normal& x) {
  std::vector<stored_value> all;
  const partition cells{format};
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double mass =
            x.kernel().between(x.standard(run.edge(k)), x.standard(run.edge(k + 1))).probability;
        const double value = format.value_at(all.size() + 1).to_double();
        all.push_back({value, mass});
      }
    }
  }
  return all;
}

double entropy_of_masses(const std::vector<double>& masses) {
  compensated_sum sum;
  for (const double mass : masses) {
    if (mass > 0) sum.add(-mass * std::log2(mass));
  }
  return sum.value();
}

/// H(Q(b + w·x_fp)), all pairs of values one by one.
double output_by_pairs(const float_format& where, const float_format& result,
                       const row_model& model) {
  std::vector<std::vector<stored_value>> x;
  for (std::size_t j = 0; j < 2; ++j) {
    x.push_back(values_of(where, normal{model.mu[j], std::sqrt(model.covariance(j, j))}));
  }
  std::vector<double> masses(static_cast<std::size_t>(result.size()), 0.0);
  for (const stored_value& first : x[0]) {
    if (first.mass == 0) continue;
    for (const stored_value& second : x[1]) {
      const double sum = model.b + model.w[0] * first.value + model.w[1] * second.value;
      const register_fields fields = result.quantize(sum);
      masses[static_cast<std::size_t>(result.encode(fields))] += first.mass * second.mass;
    }
  }
  return entropy_of_masses(masses);
}

bool can_be_enumerated(const register_formats& formats, const row_model& model) {
  const float_format* const x = formats.data.x.ideal();
  const float_format* const y = formats.data.y.ideal();
  return x != nullptr && y != nullptr && model.w.size() == 2 && are_independent(model.covariance) &&
         2 * x->width() <= 24 && y->width() <= 24;
}

}  // namespace

many_prediction many_prediction_cost(const register_formats& formats, const row_model& model,
                                     const stop_token& stop) {
  const normal_row row{model};
  const double center = row.registers().mean(row.features());
  const double spread = row.gain() * row.sigma_xi();
  if (!(spread > 0)) throw std::domain_error("inference: w must not be 0 for all features");
  const normal result{center, spread};
  many_prediction made{model_bits(formats.data.x, row.x(), entropy_kind::exact, stop).value,
                       exactly(bits{0}),
                       {},
                       bits{0}};
  made.ideal = made.features - entropy_of(formats.data.y, result, entropy_kind::exact);
  if (can_be_enumerated(formats, model)) {
    const double out = output_by_pairs(*formats.data.x.ideal(), *formats.data.y.ideal(), model);
    made.stored = made.features - bounded<bits>{bits{out}, bits{1e-12}};
  }
  if (formats.data.x.ideal() != nullptr && formats.data.y.ideal() != nullptr) {
    made.smooth = model_bits(formats.data.x, row.x(), entropy_kind::smooth).value.value -
                  smooth_entropy(formats.data.y.p(), result);
  }
  return made;
}

}  // namespace ktln2
