#include "laws.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include "ktln2/distribution/further_laws.hpp"
#include "rows.hpp"

namespace ktln2::python {
namespace {

using columns = std::vector<std::vector<double>>;
using law_maker = std::function<law(const std::vector<double>&)>;

struct law_kind {
  std::size_t parameters;
  law_maker make;
};

law_maker sgd_maker(sgd_model which) {
  return [which](const std::vector<double>& v) {
    const descent how{.eta = v[2], .batch = v[1], .w0 = v[3], .w0_sigma = v[4]};
    return sgd_law({v[5], v[6], v[7]}, how, v[0], which);
  };
}

/// The parameters in the order of the catalogue.
const std::map<std::string, law_kind>& kinds() {
  using values = std::vector<double>;
  static const std::map<std::string, law_kind> all{
      {"normal",
       {2,
        [](const values& v) -> law {
          return normal{v[0], v[1]};
        }}},
      {"student",
       {3,
        [](const values& v) -> law {
          return student_t{v[0], v[1], v[2]};
        }}},
      {"uniform",
       {2,
        [](const values& v) -> law {
          return uniform{v[0], v[1]};
        }}},
      {"laplace",
       {2,
        [](const values& v) -> law {
          return laplace{v[0], v[1]};
        }}},
      {"logistic",
       {2,
        [](const values& v) -> law {
          return logistic{v[0], v[1]};
        }}},
      {"slope",
       {4,
        [](const values& v) -> law {
          return slope_law({v[1], v[2], v[3]}, v[0]);
        }}},
      {"sgd:ou", {8, sgd_maker(sgd_model::ou)}},
      {"sgd:stationary", {8, sgd_maker(sgd_model::stationary)}},
      {"sgd:moments", {8, sgd_maker(sgd_model::moments)}},
      {"sgd:exact", {8, sgd_maker(sgd_model::exact)}},
      {"lognormal", {2, [](const values& v) -> law { return lognormal_law(v[0], v[1]); }}},
      {"exponential", {1, [](const values& v) -> law { return exponential_law(v[0]); }}},
      {"gamma", {2, [](const values& v) -> law { return gamma_law(v[0], v[1]); }}},
      {"chi2", {1, [](const values& v) -> law { return chi2_law(v[0]); }}},
      {"halfnormal", {1, [](const values& v) -> law { return halfnormal_law(v[0]); }}},
      {"triangular", {3, [](const values& v) -> law { return triangular_law(v[0], v[1], v[2]); }}},
  };
  return all;
}

std::size_t rows_of(const columns& values, std::size_t rows = 1) {
  for (const std::vector<double>& column : values) rows = common_length({rows, column.size()});
  return rows;
}

double at_row(const std::vector<double>& column, std::size_t row) {
  return column[column.size() == 1 ? 0 : row];
}

}  // namespace

law law_batch::at(std::size_t row) const {
  if (size_ > 1) return make_(row);
  const std::lock_guard lock{only_->mutex};
  if (!only_->made) only_->made = make_(0);
  return *only_->made;
}

law_batch law_batch::of_parameters(const std::string& kind, columns values) {
  const auto found = kinds().find(kind);
  if (found == kinds().end()) throw std::domain_error("there is no law '" + kind + "'");
  if (found->second.parameters != values.size()) {
    throw std::domain_error(kind + " has " + std::to_string(found->second.parameters) +
                            " parameters, got " + std::to_string(values.size()));
  }
  const std::size_t rows = rows_of(values);
  return {rows, kind != "sgd:exact",
          [make = found->second.make, values = std::move(values)](std::size_t row) {
            std::vector<double> of_row(values.size());
            for (std::size_t i = 0; i < values.size(); ++i) of_row[i] = at_row(values[i], row);
            return make(of_row);
          }};
}

law_batch law_batch::mixture(columns weights, std::vector<law_batch> laws) {
  if (weights.size() != laws.size()) {
    throw std::domain_error("mixture: expected a weight for each law");
  }
  std::size_t rows = rows_of(weights);
  for (const law_batch& one : laws) rows = common_length({rows, one.size()});
  return {rows, false, [weights = std::move(weights), laws = std::move(laws)](std::size_t row) {
            std::vector<weighted_law> all;
            for (std::size_t i = 0; i < laws.size(); ++i) {
              all.push_back({at_row(weights[i], row), laws[i].at(row)});
            }
            return mixture_law(all);
          }};
}

law_batch law_batch::relu(law_batch of) {
  const std::size_t rows = of.size();
  return {rows, false, [of = std::move(of)](std::size_t row) { return relu_law(of.at(row)); }};
}

law_batch law_batch::truncated(law_batch of, std::vector<double> low, std::vector<double> high) {
  const std::size_t rows = common_length({of.size(), low.size(), high.size()});
  return {rows, false,
          [of = std::move(of), low = std::move(low), high = std::move(high)](std::size_t row) {
            return truncated_law(of.at(row), at_row(low, row), at_row(high, row));
          }};
}

law_batch law_batch::empirical(const std::vector<double>& samples) {
  return {1, false, [made = law{empirical_law(samples)}](std::size_t) { return made; }};
}

}  // namespace ktln2::python
