#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "paper/claims/explain.hpp"
#include "paper/report/overviews.hpp"
#include "paper/report/run.hpp"

/// The report, section by section.
namespace ktln2::paper {

/// A figure with its panels, or one that stands alone.
struct block {
  std::string label;
  std::string title;
  std::string caption;  ///< of the whole; empty for a figure that stands alone
  std::vector<const figure_result*> panels;
  bool is_alone = false;
};

/// Blocks that belong together, as in the paper.
struct chapter {
  std::string title;
  std::vector<block> blocks;
};

/// What every section must know: what else is on the page, so that links lead somewhere.
class page_context {
 public:
  explicit page_context(const run_summary& summary);

  [[nodiscard]] const run_summary& summary() const { return summary_; }
  [[nodiscard]] const std::vector<chapter>& chapters() const { return chapters_; }
  /// The formulas that the page speaks of, in the paper's order.
  [[nodiscard]] const std::vector<const explanation*>& formulas() const { return formulas_; }
  /// The claims that a figure, or a group of them, shows.
  [[nodiscard]] std::vector<const checked_claim*> claims_of(const std::string& label) const;
  [[nodiscard]] std::size_t count(verdict v) const;

  /// A label in brackets, as a link if it is on the page.
  [[nodiscard]] std::string reference(std::string_view label) const;
  /// A sentence, typeset, its labels linked.
  [[nodiscard]] std::string prose(std::string_view text) const;
  /// Links the labels of what is HTML already.
  [[nodiscard]] std::string linked(std::string_view html) const;

 private:
  void find_chapters();
  void find_formulas();

  const run_summary& summary_;
  std::vector<chapter> chapters_;
  std::vector<const explanation*> formulas_;
  std::set<std::string, std::less<>> labels_;  ///< on the page
};

/// The id of a claim on the page.
std::string claim_anchor(const claim& c);
/// ✓, ◐ or ✗, plain and with its words for who cannot see it.
std::string_view sign_of(verdict v);
std::string mark_of(verdict v);
/// "holds", "qualified", "fails": a word for the style.
std::string_view class_of(verdict v);

/// The id of the claims that came out so.
std::string verdict_anchor(verdict v);
/// The claims, verdict by verdict, in the contents.
std::string claims_contents(const page_context& page);

/// What words.md has under a heading, as HTML.
std::string words(std::string_view heading);

/// A drawing as it is embedded, with the size that it was made for, in CSS pixels.
struct picture {
  std::string file = {};  ///< where it is by itself
  std::string svg = {};   ///< empty if there is none
  double width = 0;
  double height = 0;
};
picture read_picture(const page_context& page, const std::string& name);
/// That picture as a link to its file, or that there is none. `says` is for who cannot see it.
std::string drawing(const picture& drawn, const std::string& says);

/// "Claims: ...", those that a figure shows; empty if there are none.
std::string claim_links(const page_context& page, const std::string& label);
/// The parameters that all panels have alike, and how parameters are listed.
std::vector<parameter> common_parameters(const block& b);
std::string parameter_list(const page_context& page, const std::vector<parameter>& all);

/// Many figures of one kind: their overviews, and where each of them is.
std::string folded_html(const page_context& page, const fold& what,
                        const std::vector<const block*>& blocks);
std::string fold_anchor(const fold& what);

std::string opening_section(const page_context& page);
std::string figures_section(const page_context& page);
std::string claims_section(const page_context& page);
std::string formulas_section(const page_context& page);
std::string errata_section(const page_context& page);
std::string colophon_section(const page_context& page);

}  // namespace ktln2::paper
