#pragma once

#include <string>

#include "ktln2/simulation/sample.hpp"

namespace ktln2::cli {

/// What was drawn, down to the second digit of its error bar; in words where it is no number.
std::string shown_value(const simulation::measured& m);
/// What a formula says it should be.
std::string shown_theory(double value);

}  // namespace ktln2::cli
