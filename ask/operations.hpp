#pragma once

#include <string>
#include <vector>

#include "ask/cost.hpp"

namespace ktln2::ask {

/// What an operation takes on a chip that was built.
struct real_operation {
  const char* name = "";
  joules energy{};
};

/// Rough figures for 45 nm at 0.9 V: M. Horowitz, "Computing's energy problem (and what we can do
/// about it)", ISSCC 2014; that of DRAM is half of his least one for 64 bits.
const std::vector<real_operation>& real_operations();
/// The energy of the operation with this name.
joules energy_of(const char* name);

/// The arithmetic that a computation is taken to do, one operation at a time; what moves the data
/// is not counted.
struct operation_count {
  double products = 0;
  double sums = 0;  ///< and differences
  double divisions = 0;

  [[nodiscard]] double all() const { return products + sums + divisions; }
};

/// Of regression 2n products, two sums of n and a division; of a step of SGD, for each point two
/// products and a difference, a sum of B gradients, a product and a difference; of an average a sum
/// of n and, for the mean, a division; of a prediction one product.
operation_count operations_of(const any_task& what);

/// A computation on a chip.
struct chip_bill {
  operation_count operations;
  joules energy;
  std::string basis;  ///< in words: where the energy of an operation is from
};

/// With `per_operation` each takes that; otherwise those of 45 nm with floats of 16 or 32 bits.
chip_bill on_a_chip(const cost_question& asked);

}  // namespace ktln2::ask
