#pragma once

#include "paper/figures/figure.hpp"

/// What the figures about the cost of exact regression share: they differ in the format only.
namespace ktln2::paper {

parameters regression_settings(int p, int E);

/// The entropy of the stored slope against the number of points, exactly and approximately.
std::vector<table> slope_entropies(const parameters& given, const effort& work);

/// The entropy that regression forgets for each of its points, and what it would be for infinitely
/// many of them (table "joint").
std::vector<table> regression_rates(const parameters& given, const effort& work);

}  // namespace ktln2::paper
