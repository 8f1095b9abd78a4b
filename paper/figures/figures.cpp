#include "paper/figures/figures.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/nearest.hpp"

namespace ktln2::paper {
namespace {

std::vector<figure> made_figures() {
  std::vector<figure> all = {
      fp_diag(),
      fp_exact_approx_sigma(),
      fp_exact_approx_mu(),
      fp_exact_approx_p_E(),
      fp_joint_exact_approx_p_E_snr_2(),
      fp_joint_exact_approx_p_E_snr_100(),
      H_fp_wh(),
      Ex_dH(),
      sgd_hfp_vs_n(),
      sgd_entropy_diff_rate(),
      profit_ex(),
      profit_sgd(),
      ddn_profit_ex(),
      ddn_profit_sgd(),
      cyclic_device_table(),
      approx_audit(),
      midpoint_quantization(),
      C0_vs_p(),
      eps0_vs_p(),
      fp_off_zero(),
      fp_exponents(),
      assymp_fit(),
      non_assymp_fit(),
      mean_fit(),
      z_fit_3(),
      z_fit_10(),
      z_fit_30(),
      H_fp_wh_exact(),
      Ex_dH_exact(),
      MMC_Ex(),
      MMC_SGD(),
      profit_sgd_eta(),
      profit_sgd_B(),
      ddn_profit_sgd_eta(),
      ddn_profit_sgd_B(),
  };
  for (const std::vector<figure>& family : {app_sigma(), app_mu()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

std::vector<group> made_groups() {
  std::vector<group> all = {
      {"fig:fp_exact_approx", "The structure of a register and the Gaussian approximations",
       "What a floating-point register can hold, and how close the closed forms come to the exact "
       "entropy of a normal variable stored on it."},
      {"fig:full_fp_exact_approx_p_E", "Where the approximations hold",
       "Entropy against the precision, of one register and of two, for several numbers of exponent "
       "bits: the closed forms are good with four exponent bits or more, and, if there is little "
       "noise, with seven bits of precision or more."},
      {"fig:ex_landauer", "What exact regression costs",
       "The entropy of the slope and the entropy forgotten per data point, on single-precision "
       "registers with $p = 24$ and $E = 8$, for signal-to-noise ratios "
       "$w^2 \\sigma_x^2 / \\sigma_\\xi^2$ from 1/16 to 25."},
      {"fig:sgd_nonasymp", "What stochastic gradient descent costs",
       "The entropy of the slope and the entropy forgotten per data point while it runs, on "
       "single-precision registers, with $\\hat w_0 = 1$, $\\sigma_x = \\sigma_\\xi = 1$, "
       "$\\eta = 0.01$ and $B = 10$."},
      {"fig:scaling_laws", "The size of the data that earns most",
       "A better model sells more predictions, and every point that is learned from costs energy. "
       "Profit and its derivative against the number of points, for exact regression and for SGD "
       "at several prices of energy. The optimum falls as energy gets dearer; SGD wants more "
       "points than exact regression until energy is so dear that it stops after one batch."},
      {"fig:eps0_C0_vs_p", "How little the cells next to zero matter",
       "The constant $C_0$ and the bound on $\\varepsilon_0$ that follows from it, for "
       "$\\sigma = 1$: five exponent bits make both negligible."},
      {"fig:sgd_w_2x2", "How stochastic gradient descent moves",
       "The law of the slope during the first 2000 steps, simulated and computed, with "
       "$\\sigma_x = \\sigma_\\xi = 1$, $\\eta = 0.01$ and $B = 10$."},
      {"fig:z_fit", "The error of the slope",
       "The error of exact regression and its law, which narrows and loses its heavy tails as the "
       "number of points grows."},
      {"fig:exact_lr_ent", "What exact regression costs on small registers",
       "The entropy of the slope and the entropy forgotten per data point, with $p = 4$ and "
       "$E = 4$, where the approximations can be seen to fail."},
      {"fig:MMC", "Mismatch of data with the deviations that a machine is best at",
       "What entropy production data with deviations $\\sigma_x$, $\\sigma_\\xi$ cause beyond the "
       "least of the family, if the machine gives $C + \\alpha (\\sigma_x^2 + \\sigma_\\xi^2)$ to "
       "its environment. In both cases the least is on the edge of the box, at the smallest "
       "$\\sigma_x$ allowed."},
      {"fig:scaling_laws_sgd_eta_B", "Learning rate, batch and the best size",
       "Profit of SGD and its derivative for several learning rates and batches. Slower learning "
       "asks for more points only down to a learning rate of about 0.025; below, energy costs more "
       "than the model gains. Larger batches ask for more points, and end at a single batch."},
      {"fig:app_entropy_vs_sigma_all", "Entropy against the deviation, precision by precision",
       "The exact entropy of a register that holds a number drawn from "
       "$\\mathcal N(0, \\sigma^2)$, for every precision from 1 to 8 and every number of exponent "
       "bits from 0 to 7. The more exponent bits, the longer the plateau; the more precision, the "
       "higher it is."},
  };
  const std::vector<group> more = app_mu_groups();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

const std::vector<figure>& figures() {
  static const std::vector<figure> all = made_figures();
  return all;
}

const std::vector<group>& groups() {
  static const std::vector<group> all = made_groups();
  return all;
}

std::vector<figure> chosen(const std::vector<std::string>& labels) {
  if (labels.empty()) return figures();
  const std::set<std::string> wanted(labels.begin(), labels.end());
  std::set<std::string> missing = wanted;
  std::vector<figure> result;
  for (const figure& f : figures()) {
    if (!wanted.contains(f.label) && !wanted.contains(f.parent)) continue;
    missing.erase(f.label);
    missing.erase(f.parent);
    result.push_back(f);
  }
  if (!missing.empty()) {
    std::vector<std::string_view> known;
    for (const group& g : groups()) known.push_back(g.label);
    for (const figure& f : figures()) known.push_back(f.label);
    throw std::domain_error("paper: --only must name figures of the paper, got '" +
                            *missing.begin() + "': the nearest are " +
                            nearest(*missing.begin(), known));
  }
  return result;
}

}  // namespace ktln2::paper
