#include "paper/figures/figures.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>

#include "core/nearest.hpp"
#include "paper/claims/numbers.hpp"
#include "paper/figures/contents.hpp"

namespace ktln2::paper {
namespace {

/// By label.
std::map<std::string, figure> made_figures() {
  std::map<std::string, figure> all;
  const auto add = [&all](figure one) { all.emplace(one.label, std::move(one)); };
  for (const auto make : {fp_diag,
                          fp_exact_approx_sigma,
                          fp_exact_approx_mu,
                          fp_off_zero,
                          midpoint_quantization,
                          C0_vs_p,
                          eps0_vs_p,
                          fp_exponents,
                          approx_audit,
                          cyclic_device_table,
                          sgd_hfp_vs_n,
                          sgd_entropy_diff_rate,
                          assymp_fit,
                          non_assymp_fit,
                          mean_fit,
                          MMC_Ex,
                          MMC_SGD,
                          mismatch_bound,
                          cmos_erasure_figure,
                          chain_bracket}) {
    add(make());
  }
  for (const auto make : {app_sigma, app_mu, entropy_against_precision, regression_costs, z_fit,
                          profit_figures, many_size_figures, many_phase_figures}) {
    for (figure& one : make()) add(std::move(one));
  }
  return all;
}

/// What the contents say, with what computes it.
std::vector<figure> described_figures() {
  std::map<std::string, figure> made = made_figures();
  std::vector<figure> result;
  const auto add = [&](const entry& shown, const std::string& parent, const std::string& chapter) {
    const auto found = made.find(shown.label);
    if (found == made.end()) throw std::logic_error("figures.toml: no figure " + shown.label);
    figure one = std::move(found->second);
    made.erase(found);
    one.parent = parent;
    one.chapter = chapter;
    one.title = shown.title;
    one.caption = shown.caption;
    one.adds = shown.adds;
    one.explore = shown.explore;
    result.push_back(std::move(one));
  };
  for (const content& block : contents()) {
    if (block.panels.empty()) add(block.whole, "", block.chapter);
    for (const entry& panel : block.panels) add(panel, block.whole.label, block.chapter);
  }
  if (!made.empty()) throw std::logic_error("figures.toml: lacks " + made.begin()->first);
  return result;
}

std::vector<group> made_groups() {
  std::vector<group> result;
  for (const content& block : contents()) {
    if (block.panels.empty()) continue;
    result.push_back({block.whole.label, block.whole.title, block.whole.caption});
  }
  return result;
}

std::vector<std::string> figure_labels() {
  std::vector<std::string> known;
  for (const group& g : groups()) known.push_back(g.label);
  for (const figure& f : figures()) known.push_back(f.label);
  return known;
}

}  // namespace

const std::vector<figure>& figures() {
  static const std::vector<figure> all = described_figures();
  return all;
}

const std::vector<group>& groups() {
  static const std::vector<group> all = made_groups();
  return all;
}

std::string whole_label(const std::string& typed) {
  if (const auto printed = read_printed_name(typed)) return label_printed(*printed);
  std::string found;
  for (const std::string& label : figure_labels()) {
    if (label == typed) return typed;
    if (label.substr(label.find(':') + 1) != typed) continue;
    if (!found.empty() && found != label) return typed;
    found = label;
  }
  return found.empty() ? typed : found;
}

std::vector<figure> chosen(const std::vector<std::string>& labels) {
  if (labels.empty()) return figures();
  std::set<std::string> wanted;
  for (const std::string& label : labels) wanted.insert(whole_label(label));
  std::set<std::string> missing = wanted;
  std::vector<figure> result;
  for (const figure& f : figures()) {
    if (!wanted.contains(f.label) && !wanted.contains(f.parent)) continue;
    missing.erase(f.label);
    missing.erase(f.parent);
    result.push_back(f);
  }
  if (!missing.empty()) {
    const std::vector<std::string> known = figure_labels();
    throw std::domain_error("paper: --only must name figures of the paper, got '" +
                            *missing.begin() + "': the nearest are " +
                            listed(nearest(*missing.begin(), known), "and"));
  }
  return result;
}

}  // namespace ktln2::paper
