#include "figures.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ktln2::paper {

const std::vector<figure>& figures() {
  static const std::vector<figure> all = {
      fp_exact_approx_sigma(),
      profit_ex(),
      profit_sgd(),
      ddn_profit_ex(),
      ddn_profit_sgd(),
      MMC_Ex(),
      MMC_SGD(),
      profit_sgd_eta(),
      profit_sgd_B(),
      ddn_profit_sgd_eta(),
      ddn_profit_sgd_B(),
  };
  return all;
}

const std::vector<group>& groups() {
  static const std::vector<group> all = {
      {"fig:fp_exact_approx", "The structure of a register and the Gaussian approximations",
       "What a floating-point register can hold, and how close the closed forms come to the exact "
       "entropy of a normal variable stored on it."},
      {"fig:scaling_laws", "The size of the data that earns most",
       "A better model sells more predictions, and every point that is learned from costs energy. "
       "Profit and its derivative against the number of points, for exact regression and for SGD "
       "at several prices of energy. The optimum falls as energy gets dearer; SGD wants more "
       "points than exact regression until energy is so dear that it stops after one batch."},
      {"fig:MMC", "Mismatch of data with the deviations that a machine is best at",
       "What entropy production data with deviations $\\sigma_x$, $\\sigma_\\xi$ cause beyond the "
       "least of the family, if the machine gives $C + \\alpha (\\sigma_x^2 + \\sigma_\\xi^2)$ to "
       "its environment. In both cases the least is on the edge of the box, at the smallest "
       "$\\sigma_x$ allowed."},
      {"fig:scaling_laws_sgd_eta_B", "Learning rate, batch and the best size",
       "Profit of SGD and its derivative for several learning rates and batches. Slower learning "
       "asks for more points only down to a learning rate of about 0.025; below, energy costs more "
       "than the model gains. Larger batches ask for more points, and end at a single batch."},
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
