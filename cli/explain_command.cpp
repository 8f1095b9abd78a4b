#include <algorithm>
#include <sstream>

#include "claim_json.hpp"
#include "commands.hpp"
#include "paper/claims/explain.hpp"
#include "paper/typeset/formula.hpp"

namespace ktln2::cli {
namespace {

using paper::explanation;

/// Words in lines of at most 80 characters, all but the first indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  constexpr std::size_t width = 80;
  const auto length = [](const std::string& word) {
    return static_cast<std::size_t>(std::count_if(word.begin(), word.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;  // not inside a UTF-8 character
    }));
  };
  std::string result;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + length(word) > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length(word);
  }
  return result;
}

void print_field(const char* name, const std::string& text) {
  constexpr std::size_t indent = 11;
  if (!text.empty()) print(fmt::format("  {:<9}{}\n", name, wrapped(text, indent)));
}

void print_fields(const char* name, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) print_field(&line == &lines.front() ? name : "", line);
}

std::string joined(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

/// What the paper claims there, looked at afresh.
std::vector<paper::checked_claim> claims_of(const explanation& about) {
  std::vector<paper::checked_claim> result;
  for (const paper::claim& one : paper::claims()) {
    if (one.label == about.label) result.push_back(paper::examine(one, {}));
  }
  return result;
}

std::vector<std::string> shown(const paper::checked_claim& c) {
  std::vector<std::string> lines = {
      paper::prose_to_text(c.what.says),
      fmt::format("{}: {}", name_of(c.result), paper::prose_to_text(c.found.found))};
  for (const std::string& more : {c.found.qualification, c.found.counterexample, c.what.erratum}) {
    if (!more.empty()) lines.push_back(paper::prose_to_text(more));
  }
  return lines;
}

void print_text(const explanation& about) {
  print(fmt::format("{}: {}\n\n", about.label, about.title));
  if (!about.tex.empty()) print(fmt::format("  {}\n\n", paper::to_text(about.tex)));
  print(wrapped(paper::prose_to_text(about.says), 0) + "\n\n");
  print_field("status", about.status);
  print_field("needs", paper::prose_to_text(about.regime));
  print_field("erratum", paper::prose_to_text(about.erratum));
  for (const paper::checked_claim& c : claims_of(about)) print_fields("claim", shown(c));
  print_fields("used in", about.uses);
  print_field("figures", joined(about.figures));
  if (!about.command.empty()) print(fmt::format("  try      {}\n", about.command));  // to be copied
}

json_value text_or_null(const std::string& text) {
  return text.empty() ? json_value{} : json_value(text);
}

json_value shown_uses(const explanation& about) {
  json_value list = json_value::array();
  for (const std::string& use : about.uses) {
    const std::size_t colon = use.find(": ");
    list.push_back({{"header", "ktln2/" + use.substr(0, colon)}, {"name", use.substr(colon + 2)}});
  }
  return list;
}

void print_json(const explanation& about) {
  json_value object = report("explain");
  object["label"] = about.label;
  object["title"] = about.title;
  object["tex"] = text_or_null(about.tex);
  object["formula"] = about.tex.empty() ? json_value{} : json_value(paper::to_text(about.tex));
  object["says"] = paper::prose_to_text(about.says);
  object["status"] = about.status;
  object["regime"] = text_or_null(paper::prose_to_text(about.regime));
  object["erratum"] = text_or_null(paper::prose_to_text(about.erratum));
  object["claims"] = json_value::array();
  for (const paper::checked_claim& c : claims_of(about)) object["claims"].push_back(to_json(c));
  object["uses"] = shown_uses(about);
  object["figures"] = about.figures;
  object["example"] = text_or_null(about.command);
  cli::print_json(object);
}

table rows_of(const std::vector<explanation>& list) {
  table rows({"label", "status", "title"});
  for (const explanation& about : list) rows.add({about.label, about.status, about.title});
  return rows;
}

void list_all(style how) {
  const std::vector<explanation>& all = paper::all_explanations();
  if (how == style::csv) return print(rows_of(all).csv());
  if (how == style::json) {
    json_value object = report("explain");
    object["labels"] = json_value::array();
    for (const explanation& about : all) {
      object["labels"].push_back({{"label", about.label},
                                  {"status", about.status},
                                  {"title", about.title},
                                  {"example", text_or_null(about.command)}});
    }
    return cli::print_json(object);
  }
  for (const explanation& about : all) {
    const bool is_heading = about.status == "section";
    if (is_heading && &about != &all.front()) print("\n");
    print(fmt::format("{}{:<{}}  {}\n", is_heading ? "" : "  ", about.label, is_heading ? 40 : 38,
                      about.title));
  }
}

}  // namespace

void run(const explain_request& request, style how) {
  if (!request.label) return list_all(how);
  const explanation& about = paper::explain(*request.label);
  if (how == style::json) return print_json(about);
  if (how == style::csv) return print(rows_of({about}).csv());
  print_text(about);
}

}  // namespace ktln2::cli
