#pragma once

namespace ktln2 {

/// E|1 - ηS|^q, S a χ² variable with B degrees of freedom divided by B.
double sgd_absolute_moment(double eta, double batch, double q);

/// κ with E|1 - ηS|^κ = 1, the exponent of the Pareto tail of the limit law (Kesten): moments from
/// there on diverge. 60 stands for anything larger, 0 where there is no limit law.
double sgd_tail_index(double eta, double batch);

}  // namespace ktln2
