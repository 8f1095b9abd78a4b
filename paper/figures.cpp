#include "figures.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ktln2::paper {

const std::vector<figure>& figures() {
  static const std::vector<figure> all = {
      fp_exact_approx_sigma(),
  };
  return all;
}

const std::vector<group>& groups() {
  static const std::vector<group> all = {
      {"fig:fp_exact_approx", "The structure of a register and the Gaussian approximations",
       "What a floating-point register can hold, and how close the closed forms come to the exact "
       "entropy of a normal variable stored on it."},
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
