#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "ktln2/cost/computations.hpp"
#include "ktln2/cost/internal_bill.hpp"
#include "ktln2/cost/streaming.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

finding paying_steps(const claim& what, const effort& /*work*/) {
  const computation c = regression_cost(one_format({24, 8}), {}, 10, entropy_kind::smooth);
  const std::array<device_step, 4> steps = c.device.protocol();
  const auto paying = static_cast<double>(
      std::count_if(steps.begin(), steps.end(), [](const device_step& s) { return !s.is_free; }));
  const bool is_cyclic = steps.front().entropy.value == bits{0} &&
                         steps.back().entropy.value == bits{0} &&
                         steps[1].entropy.value == c.device.input_entropy().value &&
                         steps[2].entropy.value == c.device.output_entropy().value;
  return {.found = fmt::format("{} of the 4 steps is paid for: '{}'", paying, steps[2].name),
          .as_stated = paying == what.number("paying") && !steps[2].is_free && is_cyclic};
}

/// S_x of all states, from the lowest on, where each 0 and each 1 of a register has its own.
std::vector<double> entropies_by_bit(const float_format& format, double zero, double one) {
  std::vector<double> all;
  for (register_code place = 0; place < format.size(); ++place) {
    const register_code code = format.encode(state_at_place(format, place));
    const int ones = std::popcount(static_cast<std::uint64_t>(code));
    all.push_back(one * ones + zero * (format.width() - ones));
  }
  return all;
}

finding equal_internal_entropies(const claim& what, const effort& /*work*/) {
  const double zero = what.number("zero");
  const std::array<law, 5> laws{normal{0, 1}, normal{3, 0.01}, student_t{3, 0, 1}, uniform{-1, 2},
                                laplace{1, 5}};
  double worst = 0;
  for (const float_format& format : {float_format{4, 4}, float_format{8, 5}, float_format{3, 8}}) {
    const std::vector<double> all = entropies_by_bit(format, zero, what.number("one"));
    for (const law& x : laws) {
      const double mean = mean_over_cells(partition{format}, x, all).value;
      worst = std::max(worst, relative_gap(mean, zero * format.width()));
    }
  }
  const float_format format{8, 5};
  const internal_table unequal{format, entropies_by_bit(format, 1, 1.1)};
  const internal_entropies more =
      regression_internal({unequal, unequal, unequal}, {}, 10).above_reset();
  return {.found = fmt::format("the mean is $S_0$ {}; were a 1 to have 0.1 bits more than a 0, "
                               "regression on 10 points in p8e5 would cost {:.2f} bits more",
                               agreement(worst), (more.loaded - more.computed).value.value()),
          .as_stated = worst <= what.number("tolerance")};
}

/// The internal entropies cancel when they are equal, whatever they are.
finding landauer_formula(const claim& what, const effort& /*work*/) {
  const double temperature = what.number("temperature");
  const computation c = regression_cost(one_format({24, 8}), {}, 100, entropy_kind::smooth);
  const double by_hand = boltzmann_constant.value() * temperature * std::numbers::ln2 *
                         (c.device.input_entropy().value - c.device.output_entropy().value).value();
  double worst = 0;
  for (const double internal : {0.0, 1.0, 1000.0}) {
    const bounded<bits> each = exactly(bits{internal});
    const cyclic_device device{c.device.input(), c.device.output(), {each, each}};
    worst = std::max(worst, relative_gap(device.cost(kelvin{temperature}).value.value(), by_hand));
  }
  const double one_bit = landauer_cost(bits{1}, kelvin{temperature}).value();
  return {.found = fmt::format("${}$ J a bit at {} K; the device's bill agrees {} for any "
                               "internal entropy",
                               tex(one_bit, 7), temperature, agreement(worst)),
          .as_stated = worst <= what.number("tolerance")};
}

finding steps_telescope(const claim& what, const effort& /*work*/) {
  const register_formats formats = one_format({24, 8});
  const linear_model model{.w = 2};
  const descent how{.batch = 2};
  const bits whole = sgd_cost(formats, model, how, 5, sgd_model::moments).device.erased().value;
  bits sum{0};
  for (int k = 1; k <= 5; ++k) {
    sum += sgd_step_cost(formats, model, how, k, sgd_model::moments).device.erased().value;
  }
  const double gap = std::fabs((whole - sum).value());
  return {.found = fmt::format("five steps one by one: {:.9f} bits; at once: {:.9f}", sum.value(),
                               whole.value()),
          .as_stated = gap <= what.number("tolerance")};
}

/// With what the registers share, and without.
finding intermediary_costs(const claim& what, const effort& /*work*/) {
  const streaming_cost found = streamed_regression({3, 3}, {}, what.number("points"));
  const double at_once = found.least().value.value();
  const double step_by_step = sum_of(found.steps()).value.value();
  const double by_themselves = found.separately().value.value();
  const bool is_same = std::fabs(step_by_step - at_once) <= what.number("tolerance");
  return {
      .found = fmt::format("{:.4f} bits at once, {:.4f} step by step, {:.4f} where every "
                           "register is erased by itself",
                           at_once, step_by_step, by_themselves),
      .as_stated = step_by_step > at_once + what.number("tolerance"),
      .as_qualified = is_same && by_themselves > at_once,
      .qualification = "where registers are erased without using what they share with others",
      .counterexample = fmt::format("p3e3, {} points, each step with that knowledge: {:.4f} bits "
                                    "with the running sums and without",
                                    what.number("points"), step_by_step)};
}

}  // namespace

check_table device_checks() {
  return {{"paying_steps", paying_steps},
          {"equal_internal_entropies", equal_internal_entropies},
          {"landauer_formula", landauer_formula},
          {"steps_telescope", steps_telescope},
          {"intermediary_costs", intermediary_costs}};
}

}  // namespace ktln2::paper
