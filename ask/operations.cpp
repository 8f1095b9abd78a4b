#include "ask/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ktln2::ask {

const std::vector<real_operation>& real_operations() {
  static const std::vector<real_operation> all{
      {"8-bit integer sum", joules{0.03e-12}},     {"32-bit integer sum", joules{0.1e-12}},
      {"16-bit float sum", joules{0.4e-12}},       {"32-bit float sum", joules{0.9e-12}},
      {"16-bit float product", joules{1.1e-12}},   {"32-bit float product", joules{3.7e-12}},
      {"64 bits from 8 KB cache", joules{10e-12}}, {"32 bits from DRAM", joules{640e-12}}};
  return all;
}

joules energy_of(const char* name) {
  const auto found =
      std::find_if(real_operations().begin(), real_operations().end(),
                   [name](const auto& one) { return std::strcmp(one.name, name) == 0; });
  if (found == real_operations().end()) throw std::logic_error(std::string("no operation ") + name);
  return found->energy;
}

operation_count operations_of(const any_task& what) {
  if (const auto* regression = std::get_if<regression_task>(&what)) {
    return {2 * regression->n, 2 * (regression->n - 1), 1};
  }
  if (const auto* sgd = std::get_if<sgd_task>(&what)) {
    const double batch = sgd->how.batch;
    return {sgd->steps * (2 * batch + 1), sgd->steps * 2 * batch, 0};
  }
  if (const auto* average = std::get_if<averaging_task>(&what)) {
    return {0, average->n - 1, average->numbers.sum ? 0.0 : 1.0};
  }
  return {1, 0, 0};
}

chip_bill on_a_chip(const cost_question& asked) {
  const operation_count count = operations_of(asked.what);
  if (asked.per_operation) {
    return {count, count.all() * *asked.per_operation,
            fmt::format("{:.6g} J an operation", asked.per_operation->value())};
  }
  const bool is_short = asked.format().width() <= 16;
  const joules sum = energy_of(is_short ? "16-bit float sum" : "32-bit float sum");
  const joules product = energy_of(is_short ? "16-bit float product" : "32-bit float product");
  return {count, count.sums * sum + (count.products + count.divisions) * product,
          fmt::format(
              "45 nm, {}-bit floats: {:.6g} pJ a sum, {:.6g} pJ a product or division; Horowitz, "
              "ISSCC 2014",
              is_short ? 16 : 32, sum.value() * 1e12, product.value() * 1e12)};
}

}  // namespace ktln2::ask
