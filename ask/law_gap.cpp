#include "ask/law_gap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "ask/problem.hpp"
#include "core/attempt.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/nearly_normal.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// An entropy by the law that is as near to the exact one as is quickly had.
struct nearest_entropy {
  double value;
  double doubt;
};

/// The exact law takes a fraction of a second for so many steps, whatever the problem.
constexpr double few_steps = 16;

template <class EntropyOf, class DoubtOf>
nearest_entropy nearest(const sgd_task& task, EntropyOf entropy_of, DoubtOf doubt_of) {
  nearest_entropy found{unknown, unknown};
  // Refused are moments beyond double's range, and an exact law beyond reach.
  (void)mistake_in([&] {
    const normal moments = sgd_moments_law(task.model, task.how, task.steps);
    const double doubt = doubt_of(moments, exact_shape(task.model, task.how, task.steps));
    const bool is_enough = doubt <= law_gap::limit / 2;
    if (is_enough || task.steps > few_steps) {
      found = {entropy_of(moments), doubt};
    } else {
      found = {entropy_of(sgd_law(task.model, task.how, task.steps, sgd_model::exact)), 1e-6};
    }
  });
  return found;
}

template <class EntropyOf, class DoubtOf>
std::optional<law_gap> gap_by(sgd_task task, EntropyOf entropy_of, DoubtOf doubt_of) {
  if (task.which == sgd_model::exact) return {};
  task.steps = std::fmax(1, std::round(task.steps));
  const double asked = entropy_of(sgd_law(task.model, task.how, task.steps, task.which));
  const nearest_entropy near = nearest(task, entropy_of, doubt_of);
  return law_gap{task.which, asked, near.value, near.doubt};
}

}  // namespace

std::optional<sgd_task> sgd_task_of(const std::string& distribution) {
  if (distribution.substr(0, distribution.find(':')) != "sgd") return {};
  const law_values given = parse_values(distribution);
  return sgd_task{
      {given.number("w"), given.number("sigma_x"), given.number("sigma_xi")},
      {given.number("eta"), given.number("batch"), given.number("w0"), given.number("w0_sigma")},
      given.number("steps"),
      parse_sgd_model(given.word("law"))};
}

double law_gap::size() const {
  return std::isfinite(reference) ? std::fabs(asked - reference) : unknown;
}

std::optional<law_gap> gap_of(const sgd_task& task, const storage& format) {
  const partition cells = format.cells().cells;
  return gap_by(
      task, [&](const law& x) { return exact_entropy(format, x, bits{1e-6}).value.value(); },
      [&](const normal& x, const law_shape& shape) {
        return shape_doubt(cells, x, shape).value() + 2e-6;
      });
}

std::optional<law_gap> gap_of(const sgd_task& task) {
  return gap_by(
      task, [](const law& x) { return differential_entropy(x).value(); },
      [](const normal&, const law_shape& shape) { return shape_doubt(shape).value(); });
}

json shown(const std::optional<law_gap>& gap) {
  if (!gap) return nullptr;
  const auto or_null = [](double value) {
    return std::isfinite(value) ? number(value) : json(nullptr);
  };
  return {{"law", name_of(gap->which)},
          {"bits", number(gap->asked)},
          {"reference_bits", or_null(gap->reference)},
          {"at_most", or_null(gap->at_most())},
          {"applies", gap->applies()}};
}

void warn_of(const std::optional<law_gap>& gap, std::vector<std::string>& warnings) {
  if (!gap || gap->applies()) return;
  const char* const name = name_of(gap->which);
  if (gap->size() > gap->doubt) {
    warnings.push_back(
        fmt::format("the law '{}' is {:.2g} bits from the exact law here ({:.2f} against {:.2f}); "
                    "see the law 'exact'",
                    name, gap->size(), gap->asked, gap->reference));
  } else if (std::isfinite(gap->doubt)) {
    warnings.push_back(
        fmt::format("the law '{}' may be {:.2g} bits from the exact law here; see the law 'exact'",
                    name, gap->at_most()));
  } else {
    warnings.push_back(fmt::format(
        "how far the law '{}' is from the exact law here is not quickly told; see the law 'exact'",
        name));
  }
}

void warn_of(const sgd_task& task, const std::optional<law_gap>& gap,
             std::vector<std::string>& warnings) {
  warn_of(gap, warnings);
  if (!std::isinf(sgd_limit_deviation(task.model, task.how))) return;
  warnings.emplace_back(
      "at this learning rate the variance of the slope grows without end; its entropy is finite");
}

}  // namespace ktln2::ask
