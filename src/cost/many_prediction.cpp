#include <cmath>
#include <stdexcept>
#include <vector>

#include "cost/odd.hpp"
#include "cost/shifted_sum.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/cost/many.hpp"
#include "ktln2/entropy/approximations.hpp"

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

/// Then collisions are counted.
bool is_one_product(const register_formats& formats, const row_model& model) {
  const storage& where = formats.data.x;
  constexpr int most_bits = 20;  // of a format whose values are gone through
  return model.w.size() == 1 && model.mu[0] == 0 && model.b == 0 &&
         where.name() == formats.data.y.name() &&
         (where.ideal() != nullptr || where.width() <= most_bits);
}

bool can_be_enumerated(const register_formats& formats, const row_model& model) {
  const float_format* const x = formats.data.x.ideal();
  const float_format* const y = formats.data.y.ideal();
  if (x == nullptr || y == nullptr || !are_independent(model.covariance)) return false;
  constexpr double most_bits = 24;
  const bool is_small =
      static_cast<double>(model.w.size()) * x->width() <= most_bits && y->width() <= most_bits;
  return is_small && x->exponent_bits() <= 10 && y->exponent_bits() <= 10;  // all within double
}

/// Q(b + w·x_fp) of independent features, all their values one by one.
class all_sums {
 public:
  all_sums(const float_format& where, const float_format& result, const row_model& model,
           const stop_token& stop)
      : result_{result}, stop_{stop}, masses_(static_cast<std::size_t>(result.size()), 0.0) {
    for (std::size_t j = 0; j < model.w.size(); ++j) add_feature(where, model, j);
    walk(0, model.b, 1);
  }

  [[nodiscard]] bounded<bits> entropy() const {
    compensated_sum sum;
    for (const double mass : masses_) {
      if (mass > 0) sum.add(-mass * std::log2(mass));
    }
    // Each mass is a sum of products of some that are good to a few ulps times 1 + z² ≤ 1500.
    return {bits{sum.value()}, bits{0x1p-40 * (1 + result_.width())}};
  }

 private:
  /// What a feature adds to the sum, and how often.
  struct term {
    wide value;
    double mass;
  };

  void add_feature(const float_format& where, const row_model& model, std::size_t j) {
    const normal x{model.mu[j], std::sqrt(model.covariance(j, j))};
    const partition cells{where};
    std::vector<term> list;
    register_code i = 0;
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      for (const cell_run& run : cells.block(block)) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
          const double mass = mass_of(x, run, k, 1).probability;
          const wide value = where.value_at(++i);
          if (mass > 0) list.push_back({wide(model.w[j]) * value, mass});
        }
      }
    }
    terms_.push_back(std::move(list));
  }

  void walk(std::size_t feature, const wide& sum, double mass) {
    if (feature == terms_.size()) {
      const double odd = rounded_to_odd(sum.to_double(), sum.low());
      masses_[static_cast<std::size_t>(result_.encode(result_.quantize(odd)))] += mass;
      return;
    }
    throw_if_stopped(stop_);
    for (const term& one : terms_[feature]) walk(feature + 1, sum + one.value, mass * one.mass);
  }

  float_format result_;
  const stop_token& stop_;
  std::vector<std::vector<term>> terms_;
  std::vector<double> masses_;
};

}  // namespace

std::string_view name_of(many_prediction::method how) {
  switch (how) {
    case many_prediction::method::one:
      return "one";
    case many_prediction::method::enumeration:
      return "enumeration";
    case many_prediction::method::bracket:
      break;
  }
  return "bracket";
}

many_prediction many_prediction_cost(const register_formats& formats, const row_model& model,
                                     const stop_token& stop) {
  const normal_row row{model};
  const double center = row.registers().mean(row.features());
  const double spread = row.gain() * row.sigma_xi();
  if (!(spread > 0)) throw std::domain_error("inference: w must not be 0 for all features");
  const normal result{center, spread};

  many_prediction made{};
  made.features = model_bits(formats.data.x, row.x(), entropy_kind::exact, stop).value;
  made.ideal_output = entropy_of(formats.data.y, result, entropy_kind::exact);
  if (is_one_product(formats, model)) {
    made.how = many_prediction::method::one;
    made.output = inference_output_entropy(formats.data.x, model.w[0], row.x().deviation(0));
  } else if (can_be_enumerated(formats, model)) {
    made.how = many_prediction::method::enumeration;
    made.output = all_sums{*formats.data.x.ideal(), *formats.data.y.ideal(), model, stop}.entropy();
  } else {
    made.how = many_prediction::method::bracket;
    made.output = shifted_sum_entropy(formats.data, row, made.ideal_output, made.features);
  }
  if (formats.data.x.ideal() != nullptr && formats.data.y.ideal() != nullptr) {
    made.smooth = model_bits(formats.data.x, row.x(), entropy_kind::smooth).value.value -
                  smooth_entropy(formats.data.y.p(), result);
  }
  return made;
}

}  // namespace ktln2
