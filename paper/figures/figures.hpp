#pragma once

#include <vector>

#include "paper/figures/figure.hpp"

/// The figures and tables of the paper: what each depends on and how its data come about, a file a
/// family. What they show, and in which order, is in figures.toml.
namespace ktln2::paper {

// Registers [fig:fp_exact_approx], [fig:full_fp_exact_approx_p_E], [app:exact_FPN_extrafigs].
figure fp_diag();
figure fp_exact_approx_sigma();
std::vector<figure> app_sigma();  ///< one for each p
figure fp_exact_approx_mu();
figure fp_off_zero();
std::vector<figure> app_mu();  ///< one for each p and E
std::vector<figure> entropy_against_precision();
figure midpoint_quantization();
figure C0_vs_p();
figure eps0_vs_p();
figure fp_exponents();
figure approx_audit();

// Costs of exact regression [fig:ex_landauer], [fig:exact_lr_ent], and the law behind them.
figure cyclic_device_table();
std::vector<figure> regression_costs();
std::vector<figure> z_fit();

// Costs of SGD [fig:sgd_nonasymp], and the laws behind them [fig:sgd_w_2x2].
figure sgd_hfp_vs_n();
figure sgd_entropy_diff_rate();
figure assymp_fit();
figure non_assymp_fit();
figure mean_fit();

// Profit [fig:scaling_laws], [fig:scaling_laws_sgd_eta_B].
std::vector<figure> profit_figures();

// Mismatch [fig:MMC].
figure MMC_Ex();
figure MMC_SGD();
figure mismatch_bound();
figure cmos_erasure_figure();

// Beyond the paper: many features.
std::vector<figure> many_size_figures();
std::vector<figure> many_phase_figures();
figure chain_bracket();

/// All of them, in the paper's order; those that it lacks stand where they belong.
const std::vector<figure>& figures();
/// Those that are made of several.
const std::vector<group>& groups();

/// "fig:profit_ex" for "profit_ex", where no other label ends so, and for "Figure 5a"; what is none
/// of these stays as it is. Throws std::domain_error for a number that the paper does not have.
std::string whole_label(const std::string& typed);

/// The figures that the labels, whole or not, mean: a figure, a panel, or all panels of a group;
/// all figures for no label. In the paper's order, each once. Throws std::domain_error for a label
/// that is none.
std::vector<figure> chosen(const std::vector<std::string>& labels);

}  // namespace ktln2::paper
