#pragma once

#include <vector>

#include "paper/figures/figure.hpp"

/// The figures and tables of the paper, one function and one file each, in the paper's order.
namespace ktln2::paper {

// Registers [fig:fp_exact_approx], [fig:full_fp_exact_approx_p_E].
figure fp_diag();
figure fp_exact_approx_sigma();
figure fp_exact_approx_mu();
figure fp_exact_approx_p_E();
figure fp_joint_exact_approx_p_E_snr_2();
figure fp_joint_exact_approx_p_E_snr_100();

// Accounting [tab:cyclic_device], and what the approximations are worth [tab:approx_audit].
figure cyclic_device_table();
figure approx_audit();

// Cells, bounds and exponents [app:FPN].
figure midpoint_quantization();
figure C0_vs_p();
figure eps0_vs_p();
figure fp_off_zero();
figure fp_exponents();

// One figure for each p, and for each p and E [app:exact_FPN_extrafigs].
std::vector<figure> app_sigma();
std::vector<figure> app_mu();
std::vector<group> app_mu_groups();

// Costs of exact regression [fig:ex_landauer] and of SGD [fig:sgd_nonasymp].
figure H_fp_wh();
figure Ex_dH();
figure sgd_hfp_vs_n();
figure sgd_entropy_diff_rate();

// Laws against simulations [fig:sgd_w_2x2], [fig:z_fit].
figure assymp_fit();
figure non_assymp_fit();
figure mean_fit();
figure z_fit_3();
figure z_fit_10();
figure z_fit_30();

// Costs of exact regression on small registers [fig:exact_lr_ent].
figure H_fp_wh_exact();
figure Ex_dH_exact();

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
/// no label. In the paper's order, each once. Throws std::domain_error for a label that is
/// none.
std::vector<figure> chosen(const std::vector<std::string>& labels);

}  // namespace ktln2::paper
