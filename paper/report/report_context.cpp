#include <fmt/format.h>

#include <algorithm>

#include "embedded.hpp"
#include "paper/figures/figures.hpp"
#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"
#include "paper/typeset/markdown.hpp"

namespace ktln2::paper {
namespace {

block start_of_block(const figure& f) {
  if (f.parent.empty()) return {f.label, f.title, "", {}, true};
  for (const group& g : groups()) {
    if (g.label == f.parent) return {g.label, g.title, g.caption, {}, false};
  }
  return {f.parent, f.parent, "", {}, false};
}

bool is_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
         c == '_' || c == '-';
}

/// Hands on the stretches of a text that are no labels, and the labels in brackets.
template <class Plain, class Label>
void split_labels(std::string_view text, Plain plain, Label label) {
  std::size_t done = 0;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_label_character(text[end])) ++end;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool is_label = end < text.size() && text[end] == ']' && name.find(':') < name.size();
    if (!is_label) continue;
    plain(text.substr(done, at - done));
    label(name);
    done = end + 1;
  }
  plain(text.substr(done));
}

}  // namespace

page_context::page_context(const run_summary& summary) : summary_{summary} {
  find_chapters();
  find_formulas();
  for (const chapter& c : chapters_) {
    for (const block& b : c.blocks) {
      labels_.insert(b.label);
      for (const figure_result* f : b.panels) labels_.insert(f->what.label);
    }
  }
  for (const explanation* f : formulas_) labels_.insert(f->label);
}

void page_context::find_chapters() {
  for (const figure_result& f : summary_.figures) {
    const std::string& label = f.what.parent.empty() ? f.what.label : f.what.parent;
    if (chapters_.empty() || chapters_.back().title != f.what.chapter) {
      chapters_.push_back({f.what.chapter, {}});
    }
    std::vector<block>& blocks = chapters_.back().blocks;
    if (blocks.empty() || blocks.back().label != label) blocks.push_back(start_of_block(f.what));
    blocks.back().panels.push_back(&f);
  }
}

void page_context::find_formulas() {
  std::set<std::string, std::less<>> cited;
  const auto cite = [&](std::string_view text) {
    split_labels(
        text, [](std::string_view) {}, [&](std::string_view name) { cited.emplace(name); });
  };
  for (const chapter& c : chapters_) {
    for (const block& b : c.blocks) cite(b.caption);
  }
  for (const figure_result& f : summary_.figures) {
    cite(f.what.caption);
    cite(f.what.adds);
  }
  for (const checked_claim& c : summary_.claims) {
    cited.insert(c.what.label);
    for (const std::string* text : {&c.what.says, &c.what.how, &c.what.erratum, &c.found.found,
                                    &c.found.qualification, &c.found.counterexample}) {
      cite(*text);
    }
  }
  for (const explanation& e : all_explanations()) {
    cite(e.erratum);
    if (!e.erratum.empty()) cited.insert(e.label);
  }
  for (const explanation& e : all_explanations()) {
    if (!e.tex.empty() && cited.contains(e.label)) formulas_.push_back(&e);
  }
}

std::vector<const checked_claim*> page_context::claims_of(const std::string& label) const {
  std::vector<const checked_claim*> result;
  for (const checked_claim& c : summary_.claims) {
    const std::vector<std::string>& shown = c.what.figures;
    if (c.what.label == label || std::find(shown.begin(), shown.end(), label) != shown.end()) {
      result.push_back(&c);
    }
  }
  return result;
}

std::size_t page_context::count(verdict v) const {
  return static_cast<std::size_t>(
      std::count_if(summary_.claims.begin(), summary_.claims.end(),
                    [v](const checked_claim& c) { return c.result == v; }));
}

std::string page_context::reference(std::string_view label) const {
  const std::string shown = "[" + escape_html(label) + "]";
  if (!labels_.contains(label)) return "<span class=\"label\">" + shown + "</span>";
  return fmt::format(R"(<a class="label" href="#{}">{}</a>)", html::anchor(label), shown);
}

std::string page_context::linked(std::string_view html) const {
  std::string result;
  split_labels(
      html, [&](std::string_view text) { result += text; },
      [&](std::string_view label) { result += reference(label); });
  return result;
}

std::string page_context::prose(std::string_view text) const { return linked(html::prose(text)); }

std::string words(std::string_view heading) {
  return markdown_to_html(markdown_section(embedded::words_md, heading));
}

std::string claim_anchor(const claim& c) { return "claim:" + html::anchor(c.id); }

std::string_view class_of(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::qualified:
      return "qualified";
    case verdict::fails:
      return "fails";
  }
  return "";
}

std::string_view sign_of(verdict v) {
  return v == verdict::holds ? "✓" : v == verdict::qualified ? "◐" : "✗";
}

std::string mark_of(verdict v) {
  return fmt::format(R"(<span class="mark {}" role="img" aria-label="{}">{}</span>)", class_of(v),
                     name_of(v), sign_of(v));
}

}  // namespace ktln2::paper
