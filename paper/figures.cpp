#include "figures.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ktln2::paper {

const std::vector<figure>& figures() {
  static const std::vector<figure> all = {
      fp_exact_approx_sigma(),
      H_fp_wh(),
      Ex_dH(),
      sgd_hfp_vs_n(),
      sgd_entropy_diff_rate(),
      assymp_fit(),
      non_assymp_fit(),
      mean_fit(),
      z_fit_3(),
      z_fit_10(),
      z_fit_30(),
      H_fp_wh_exact(),
      Ex_dH_exact(),
  };
  return all;
}

const std::vector<group>& groups() {
  static const std::vector<group> all = {
      {"fig:fp_exact_approx", "The structure of a register and the Gaussian approximations",
       "What a floating-point register can hold, and how close the closed forms come to the exact "
       "entropy of a normal variable stored on it."},
      {"fig:ex_landauer", "What exact regression costs",
       "The entropy of the slope and the entropy forgotten per data point, on single-precision "
       "registers with $p = 24$ and $E = 8$, for signal-to-noise ratios "
       "$w^2 \\sigma_x^2 / \\sigma_\\xi^2$ from 1/16 to 25."},
      {"fig:sgd_nonasymp", "What stochastic gradient descent costs",
       "The entropy of the slope and the entropy forgotten per data point while it runs, on "
       "single-precision registers, with $\\hat w_0 = 1$, $\\sigma_x = \\sigma_\\xi = 1$, "
       "$\\eta = 0.01$ and $B = 10$."},
      {"fig:sgd_w_2x2", "How stochastic gradient descent moves",
       "The law of the slope during the first 2000 steps, simulated and computed, with "
       "$\\sigma_x = \\sigma_\\xi = 1$, $\\eta = 0.01$ and $B = 10$."},
      {"fig:z_fit", "The error of the slope",
       "The error of exact regression and its law, which narrows and loses its heavy tails as the "
       "number of points grows."},
      {"fig:exact_lr_ent", "What exact regression costs on small registers",
       "The entropy of the slope and the entropy forgotten per data point, with $p = 4$ and "
       "$E = 4$, where the approximations can be seen to fail."},
  };
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
    throw std::domain_error("paper: --only must name figures of the paper, such as " +
                            figures().front().label + ", got '" + *missing.begin() + "'");
  }
  return result;
}

}  // namespace ktln2::paper
