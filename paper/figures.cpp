#include "figures.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

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
      cyclic_device_table(),
      approx_audit(),
      midpoint_quantization(),
      C0_vs_p(),
      eps0_vs_p(),
      fp_off_zero(),
      fp_exponents(),
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
      {"fig:eps0_C0_vs_p", "How little the cells next to zero matter",
       "The constant $C_0$ and the bound on $\\varepsilon_0$ that follows from it, for "
       "$\\sigma = 1$: five exponent bits make both negligible."},
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
    throw std::domain_error("paper: --only must name figures of the paper, such as " +
                            figures().front().label + ", got '" + *missing.begin() + "'");
  }
  return result;
}

}  // namespace ktln2::paper
