#include "claim_json.hpp"
#include "commands.hpp"
#include "paper/claims/explain.hpp"
#include "paper/claims/numbers.hpp"
#include "paper/typeset/formula.hpp"

namespace ktln2::cli {
namespace {

using ask::json;

using paper::explanation;

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

/// "fig:profit_ex (Figure 5a)"
std::string with_number(const std::string& label) {
  const std::string number = paper::printed_number(label);
  return number.empty() ? label : fmt::format("{} ({})", label, number);
}

/// Labels in brackets with their numbers: "[eq:loss, Equation 2]".
std::string numbered(const std::string& prose) {
  std::string text = paper::prose_to_text(prose);
  for (std::size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
    const std::size_t end = text.find(']', at);
    if (end == std::string::npos) break;
    const std::string number = paper::printed_number(text.substr(at + 1, end - at - 1));
    if (!number.empty()) text.insert(end, ", " + number);
  }
  return text;
}

void print_text(const explanation& about) {
  print(wrapped(fmt::format("{}, {}: {}", about.label, about.number, about.title), 0) + "\n\n");
  if (!about.tex.empty()) print(fmt::format("  {}\n\n", paper::to_text(about.tex)));
  print(wrapped(numbered(about.says), 0) + "\n\n");
  print_field("status", about.status);
  print_field("needs", numbered(about.regime));
  print_field("erratum", numbered(about.erratum));
  for (const paper::checked_claim& c : claims_of(about)) print_fields("claim", shown(c));
  print_fields("used in", about.uses);
  std::vector<std::string> figures;
  for (const std::string& label : about.figures) figures.push_back(with_number(label));
  print_field("figures", joined(figures));
  if (!about.command.empty()) print(fmt::format("  try      {}\n", about.command));  // to be copied
}

json text_or_null(const std::string& text) { return text.empty() ? json{} : json(text); }

json shown_uses(const explanation& about) {
  json list = json::array();
  for (const std::string& use : about.uses) {
    const std::size_t colon = use.find(": ");
    list.push_back({{"header", "ktln2/" + use.substr(0, colon)}, {"name", use.substr(colon + 2)}});
  }
  return list;
}

ask::report report_of(const explanation& about) {
  ask::report made{"explain"};
  made.add("label", json(about.label));
  made.add("number", json(about.number));
  made.add("title", json(about.title));
  made.add("tex", text_or_null(about.tex));
  made.add("formula", text_or_null(about.tex.empty() ? "" : paper::to_text(about.tex)));
  made.add("says", json(paper::prose_to_text(about.says)));
  made.add("status", json(about.status));
  made.add("regime", text_or_null(paper::prose_to_text(about.regime)));
  made.add("erratum", text_or_null(paper::prose_to_text(about.erratum)));
  json claims = json::array();
  for (const paper::checked_claim& c : claims_of(about)) claims.push_back(to_json(c));
  made.add("claims", std::move(claims));
  made.add("uses", shown_uses(about));
  made.add("figures", json(about.figures));
  made.add("example", text_or_null(about.command));
  return made;
}

table rows_of(const std::vector<explanation>& list) {
  table rows({"label", "status", "title", "number"});
  for (const explanation& about : list) {
    rows.add({about.label, about.status, about.title, about.number});
  }
  return rows;
}

/// All of them, or those that a search found.
void print_list(const std::vector<explanation>& all, const std::string& search, style how) {
  if (how == style::csv) return print(rows_of(all).csv());
  if (how == style::json) {
    json labels = json::array();
    for (const explanation& about : all) {
      labels.push_back({{"label", about.label},
                        {"number", about.number},
                        {"status", about.status},
                        {"title", about.title},
                        {"example", text_or_null(about.command)}});
    }
    ask::report made{"explain"};
    if (!search.empty()) made.add("search", json(search));
    made.add("labels", std::move(labels));
    return print_json(made);
  }
  for (const explanation& about : all) {
    const bool is_heading = about.status == "section";
    if (is_heading && search.empty() && &about != &all.front()) print("\n");
    print(fmt::format("{}{:<{}}  {:<16} {}\n", is_heading ? "" : "  ", about.label,
                      is_heading ? 40 : 38, about.number, about.title));
  }
}

void print_one(const explanation& about, style how) {
  if (how == style::json) return print_json(report_of(about));
  if (how == style::csv) return print(rows_of({about}).csv());
  print_text(about);
}

/// Each of several labels, one after the other.
void print_each(const std::vector<explanation>& all, style how) {
  if (how == style::csv) return print(rows_of(all).csv());
  if (how == style::json) {
    json labels = json::array();
    for (const explanation& about : all) {
      labels.push_back(report_of(about).all());
      labels.back().erase("warnings");  // there are none
    }
    ask::report made{"explain"};
    made.add("labels", std::move(labels));
    return print_json(made);
  }
  for (const explanation& about : all) {
    if (&about != &all.front()) print("\n");
    print_text(about);
  }
}

/// The words as labels, if each of them is one.
std::vector<explanation> each_of(const std::vector<std::string>& words) {
  std::vector<explanation> all;
  for (const std::string& word : words) {
    const explanation* const about = paper::find_explanation(word);
    if (about == nullptr) return {};
    all.push_back(*about);
  }
  return all;
}

}  // namespace

void run_explain(const ask::words& asked, style how) {
  const ask::reader given{asked};
  const std::vector<std::string> words = given.list("label");
  std::string wanted;
  for (const std::string& word : words) wanted += (wanted.empty() ? "" : " ") + word;
  if (!given.has("label")) return print_list(paper::all_explanations(), "", how);
  if (const explanation* about = paper::find_explanation(wanted)) return print_one(*about, how);
  const std::vector<explanation> found = paper::explanations_with(wanted);
  if (found.size() > 1) return print_list(found, wanted, how);
  if (found.empty()) {
    if (const std::vector<explanation> all = each_of(words); !all.empty()) {
      return print_each(all, how);
    }
  }
  print_one(found.empty() ? paper::explain(wanted) : found.front(), how);
}

}  // namespace ktln2::cli
