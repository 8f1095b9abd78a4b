#include "paper/report/overviews.hpp"

#include <algorithm>

#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<std::string> names_that_begin(std::string_view start) {
  std::vector<std::string> result;
  for (const figure& f : figures()) {
    if (f.name().starts_with(start)) result.push_back(f.name());
  }
  return result;
}

const std::vector<overview>& all_overviews() {
  static const std::vector<overview> all = {
      {"opening_process", {"mean_fit"}},
      {"opening_rate", {"profit_sgd_eta"}},
      {"opening_bound", {"mismatch_bound"}},
      {"app_sigma_all", names_that_begin("app_sigma_p")},
      {"app_mu_all", names_that_begin("app_mu_p")},
      {"app_mu_errors", names_that_begin("app_mu_p")},
  };
  return all;
}

const std::vector<fold>& all_folds() {
  static const std::vector<fold> all = {
      {"app_entropy_vs_sigma", {"app_sigma_all"}, "Every precision"},
      {"app_entropy_vs_mu", {"app_mu_errors", "app_mu_all"}, "Every format"},
  };
  return all;
}

}  // namespace

std::vector<overview> overviews_of(const run_summary& summary) {
  std::vector<overview> result;
  for (const overview& one : all_overviews()) {
    const bool has_all =
        std::all_of(one.sources.begin(), one.sources.end(), [&](const std::string& source) {
          return std::any_of(summary.figures.begin(), summary.figures.end(),
                             [&](const figure_result& f) { return f.what.name() == source; });
        });
    if (has_all) result.push_back(one);
  }
  return result;
}

const fold* fold_of(const run_summary& summary, std::string_view label) {
  for (const fold& one : all_folds()) {
    if (!label.substr(label.find(':') + 1).starts_with(one.prefix)) continue;
    const bool is_drawn = std::all_of(
        one.overviews.begin(), one.overviews.end(),
        [&](std::string_view name) { return summary.overviews.contains(std::string(name)); });
    return is_drawn ? &one : nullptr;
  }
  return nullptr;
}

}  // namespace ktln2::paper
