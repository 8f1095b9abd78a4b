#pragma once

#include <vector>

#include "figure.hpp"

/// The figures and tables of the paper, one function and one file each, in the paper's order.
namespace ktln2::paper {

// Registers [fig:fp_exact_approx], [fig:full_fp_exact_approx_p_E].
figure fp_exact_approx_sigma();

// Profit [fig:scaling_laws], [fig:scaling_laws_sgd_eta_B].
figure profit_ex();
figure profit_sgd();
figure ddn_profit_ex();
figure ddn_profit_sgd();
figure profit_sgd_eta();
figure profit_sgd_B();
figure ddn_profit_sgd_eta();
figure ddn_profit_sgd_B();

// Mismatch [fig:MMC].
figure MMC_Ex();
figure MMC_SGD();

/// All of them.
const std::vector<figure>& figures();
/// Those that are made of several.
const std::vector<group>& groups();

/// The figures that the labels mean: a figure, a panel, or all panels of a group; all figures for
/// no label. In the paper's order, each once. Throws std::domain_error for a label that is none,
/// and names the nearest.
std::vector<figure> chosen(const std::vector<std::string>& labels);

}  // namespace ktln2::paper
