#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paper/report/report_parts.hpp"
#include "paper/typeset/formula.hpp"
#include "paper/typeset/html.hpp"

namespace ktln2::paper {
namespace {

bool is_same(const parameter& a, const parameter& b) {
  return a.name == b.name && a.values == b.values && a.from == b.from && a.note == b.note;
}

std::vector<parameter> without(std::vector<parameter> all, const std::vector<parameter>& common) {
  std::erase_if(all, [&](const parameter& p) {
    return std::any_of(common.begin(), common.end(),
                       [&](const parameter& other) { return is_same(p, other); });
  });
  return all;
}

/// A text that all panels share, so that it need not stand there again and again.
template <class Text>
std::string common_text(const block& b, Text text_of) {
  if (b.panels.size() < 2) return "";
  const std::string& first = text_of(b.panels.front()->what);
  const bool is_common = std::all_of(b.panels.begin(), b.panels.end(), [&](const figure_result* f) {
    return text_of(f->what) == first;
  });
  return is_common ? first : "";
}

std::string shown_values(const std::vector<double>& values) {
  constexpr std::size_t most = 12;
  const bool is_long = values.size() > most;
  std::string result;
  for (std::size_t i = 0; i < (is_long ? most / 2 : values.size()); ++i) {
    result += (i > 0 ? ", " : "") + html::parameter_value(values[i]);
  }
  if (is_long) {
    result +=
        fmt::format(", …, {} ({} values)", html::parameter_value(values.back()), values.size());
  }
  return result;
}

std::string parameters_from(const page_context& page, const std::vector<parameter>& all,
                            origin from, const char* heading) {
  std::string items;
  for (const parameter& p : all) {
    if (p.from != from) continue;
    items += fmt::format("<li>{} = {}{}</li>", html::code(p.name), shown_values(p.values),
                         p.note.empty() ? "" : " (" + page.prose(p.note) + ")");
  }
  if (items.empty()) return "";
  return fmt::format("<div class=\"parameters\"><p>{}</p> <ul>{}</ul></div>\n", heading, items);
}

/// Six digits where they can be compared by eye; three of a number with a power of ten.
std::string shown_number(double value) {
  const double size = std::abs(value);
  return html::number(value, size != 0 && (size < 1e-4 || size >= 1e6) ? 3 : 6);
}

bool is_numeric(const table& data, std::size_t column) {
  return std::all_of(data.rows().begin(), data.rows().end(), [column](const auto& row) {
    return std::holds_alternative<double>(row[column]);
  });
}

/// A cell that is a label of the paper and nothing else.
bool is_label(const std::string& text) {
  const std::size_t colon = text.find(':');
  return colon != std::string::npos && colon > 1 && colon < 5 && colon + 1 < text.size() &&
         text.find_first_of(" ,;$[") == std::string::npos;
}

/// What a column holds, in words.
std::string_view meaning_of(const column& c) { return c.meaning.empty() ? c.name : c.meaning; }

/// Where there is no room for a table, every cell says what it is.
std::string table_cell(const page_context& page, const column& of, const cell& entry,
                       bool is_number) {
  const auto* value = std::get_if<double>(&entry);
  const std::string start = fmt::format(
      "<td{} data-is=\"{}\">", is_number ? " class=\"number\"" : "",
      html::plain(meaning_of(of)) + (of.unit.empty() ? "" : " (" + escape_html(of.unit) + ")"));
  if (value != nullptr) return start + (std::isnan(*value) ? "" : shown_number(*value)) + "</td>";
  const auto& text = std::get<std::string>(entry);
  return start + (is_label(text) ? page.reference(text) : page.prose(text)) + "</td>";
}

std::string column_head(const column& c, bool is_number) {
  const std::string unit = c.unit.empty() ? "" : " <small>(" + escape_html(c.unit) + ")</small>";
  return fmt::format("<th scope=\"col\"{}>{}{}</th>", is_number ? " class=\"number\"" : "",
                     html::prose(meaning_of(c)), unit);
}

/// A table that is too broad is cut: the first column, which says what a row is about, stands in
/// every part, and a part begins at a column of words.
std::vector<std::vector<std::size_t>> parts_of(const std::vector<bool>& numeric) {
  constexpr std::size_t many = 8;
  constexpr std::size_t fit = 6;
  std::vector<std::vector<std::size_t>> parts{{0}};
  for (std::size_t i = 1; i < numeric.size(); ++i) {
    const bool is_start = !numeric[i] && (numeric[i - 1] || parts.back().size() >= fit);
    if (numeric.size() > many && is_start) parts.push_back({0});
    parts.back().push_back(i);
  }
  return parts;
}

std::string typeset_part(const page_context& page, const table& data,
                         const std::vector<bool>& numeric,
                         const std::vector<std::size_t>& columns) {
  std::string result = "<div class=\"wide\"><table class=\"data\">\n<thead><tr>";
  for (const std::size_t i : columns) result += column_head(data.columns()[i], numeric[i]);
  result += "</tr></thead>\n<tbody>\n";
  for (const std::vector<cell>& row : data.rows()) {
    result += "<tr>";
    for (const std::size_t i : columns) {
      result += table_cell(page, data.columns()[i], row[i], numeric[i]);
    }
    result += "</tr>\n";
  }
  return result + "</tbody></table></div>\n";
}

std::string typeset_data(const page_context& page, const table& data) {
  std::vector<bool> numeric;
  for (std::size_t i = 0; i < data.columns().size(); ++i) numeric.push_back(is_numeric(data, i));
  std::string result;
  for (const std::vector<std::size_t>& part : parts_of(numeric)) {
    result += typeset_part(page, data, numeric, part);
  }
  return result;
}

/// A table of the paper, from its data.
std::string typeset_table(const page_context& page, const figure_result& f) {
  std::string result;
  for (const table& data : f.tables) result += typeset_data(page, data);
  if (!result.empty()) return result;
  return "<div class=\"no-drawing\"><p>There are no data.</p></div>\n";
}

std::string link_to_file(const std::string& file, const std::string& shown) {
  return fmt::format(R"(<a href="{}">{}</a>)", escape_html(file), escape_html(shown));
}

std::string source_line(const page_context& page, const figure_result& f) {
  std::string result = "<p class=\"source\">";
  for (const std::string& file : f.files) {
    result += link_to_file(file, file.substr(file.find('/') + 1)) + " · ";
  }
  if (f.is_drawn && !f.what.is_table()) {
    result += link_to_file("figures/" + f.what.name() + ".pdf", "PDF") + " · ";
  }
  const std::string& explorer = page.summary().explorer;
  if (!explorer.empty() && !f.what.explore.empty()) {
    result += link_to_file(explorer + "#" + f.what.explore, "explore it") + " · ";
  }
  result += html::seconds(f.seconds);
  if (f.what.is_random) result += fmt::format(" · seed {}", page.summary().work.seed);
  return result + "</p>\n";
}

/// What the panels of a block have in common stands below them, once.
struct shared {
  std::string caption;
  std::string adds;
  std::vector<parameter> settings;
};

shared shared_by(const block& b) {
  return {common_text(b, [](const figure& f) -> const std::string& { return f.caption; }),
          common_text(b, [](const figure& f) -> const std::string& { return f.adds; }),
          common_parameters(b)};
}

std::string added(const page_context& page, const std::string& text) {
  if (text.empty()) return "";
  return "<p class=\"adds\"><b>Added here.</b> " + page.prose(text) + "</p>\n";
}

std::string panel(const page_context& page, const figure_result& f, const shared& common,
                  bool is_alone) {
  const figure& what = f.what;
  const picture drawn =
      f.is_drawn && !what.is_table() ? read_picture(page, what.name()) : picture{};
  constexpr double broad = 420;  // a drawing that would lose too much in a column of a grid
  std::string result = fmt::format("<figure{}{}>\n", drawn.width > broad ? " class=\"broad\"" : "",
                                   is_alone ? "" : " id=\"" + html::anchor(what.label) + "\"");
  result += what.is_table()
                ? typeset_table(page, f)
                : drawing(drawn, html::plain(what.title) + ". " + html::plain(what.caption));
  result += "<figcaption>\n";
  std::string head;
  if (!is_alone) {
    head = fmt::format("<b>{}</b> {} ", html::prose(what.title), page.reference(what.label));
  }
  if (what.caption != common.caption || is_alone) head += page.prose(what.caption);
  if (!head.empty()) result += "<p class=\"caption\">" + head + "</p>\n";
  if (what.adds != common.adds) result += added(page, what.adds);
  result += parameter_list(page, without(what.settings.all(), common.settings));
  result += claim_links(page, what.label);
  result += source_line(page, f);
  return result + "</figcaption>\n</figure>\n";
}

const char* layout_of(const block& b) {
  if (b.panels.size() == 1) return b.panels.front()->what.is_table() ? "whole" : "one";
  if (b.panels.size() == 3) return "three";
  return b.panels.size() <= 4 ? "two" : "many";
}

std::string block_html(const page_context& page, const block& b) {
  const shared common = shared_by(b);
  std::string result =
      fmt::format("<section class=\"block\" id=\"{}\">\n<h4>{} {}</h4>\n", html::anchor(b.label),
                  html::prose(b.title), page.reference(b.label));
  if (!b.caption.empty()) result += "<p>" + page.prose(b.caption) + "</p>\n";
  if (!b.is_alone) result += claim_links(page, b.label);
  result += fmt::format("<div class=\"panels {}\">\n", layout_of(b));
  for (const figure_result* f : b.panels) result += panel(page, *f, common, b.is_alone);
  result += "</div>\n";
  const std::string below =
      (common.caption.empty() ? "" : "<p>" + page.prose(common.caption) + "</p>\n") +
      added(page, common.adds) + parameter_list(page, common.settings);
  if (!below.empty()) {
    result += "<div class=\"common\"><p class=\"of\">All panels</p>\n" + below + "</div>\n";
  }
  return result + "</section>\n";
}

}  // namespace

std::vector<parameter> common_parameters(const block& b) {
  if (b.panels.size() < 2) return {};
  std::vector<parameter> result = b.panels.front()->what.settings.all();
  std::erase_if(result, [&](const parameter& p) {
    return !std::all_of(b.panels.begin(), b.panels.end(), [&](const figure_result* f) {
      const std::vector<parameter>& others = f->what.settings.all();
      return std::any_of(others.begin(), others.end(),
                         [&](const parameter& other) { return is_same(p, other); });
    });
  });
  return result;
}

std::string parameter_list(const page_context& page, const std::vector<parameter>& all) {
  return parameters_from(page, all, origin::stated, "Stated in the paper:") +
         parameters_from(page, all, origin::chosen, "Chosen here:") +
         parameters_from(page, all, origin::set, "Set by the user:");
}

std::string claim_links(const page_context& page, const std::string& label) {
  std::string result;
  for (const checked_claim* c : page.claims_of(label)) {
    result += fmt::format("{}<a href=\"#{}\">{}&nbsp;{}</a>", result.empty() ? "" : ", ",
                          claim_anchor(c->what), mark_of(c->result), escape_html(c->what.id));
  }
  return result.empty() ? "" : "<p class=\"shows\">Claims: " + result + "</p>\n";
}

std::string figures_section(const page_context& page) {
  std::string result = "<section id=\"figures\">\n<h2>Figures and tables</h2>\n";
  if (!page.summary().no_drawing.empty()) {
    result += "<p class=\"notice\">Here " + escape_html(page.summary().no_drawing) + ".</p>\n";
  }
  std::size_t number = 0;
  for (const chapter& c : page.chapters()) {
    result += fmt::format("<section class=\"chapter\" id=\"chapter-{}\">\n<h3>{}</h3>\n", ++number,
                          escape_html(c.title));
    for (std::size_t i = 0; i < c.blocks.size();) {
      const fold* folded = fold_of(page.summary(), c.blocks[i].label);
      if (folded == nullptr) {
        result += block_html(page, c.blocks[i++]);
        continue;
      }
      std::vector<const block*> together;
      while (i < c.blocks.size() && fold_of(page.summary(), c.blocks[i].label) == folded) {
        together.push_back(&c.blocks[i++]);
      }
      result += folded_html(page, *folded, together);
    }
    result += "</section>\n";
  }
  return result + "</section>\n";
}

}  // namespace ktln2::paper
