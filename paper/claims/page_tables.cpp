#include "paper/claims/page_tables.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "paper/claims/claims.hpp"
#include "paper/claims/explain.hpp"
#include "paper/typeset/formula.hpp"

namespace ktln2::paper {
namespace {

/// A sentence as a cell of a Markdown table.
std::string cell_text(std::string_view prose) {
  std::string result;
  for (const char c : prose_to_text(prose)) {
    if (c == '|' || c == '*' || c == '<') result += '\\';
    result += c;
  }
  return result;
}

std::string errors_table() {
  std::string result = "| where | what is wrong, and what is right |\n|---|---|\n";
  for (const explanation& one : all_explanations()) {
    if (one.erratum.empty()) continue;
    result += fmt::format("| [{}] | {} |\n", one.label, cell_text(one.erratum));
  }
  return result;
}

std::string verdict_text(const checked_claim& c) {
  std::string result = fmt::format("**{}**", name_of(c.result));
  if (!c.found.qualification.empty()) result += " " + cell_text(c.found.qualification);
  if (!c.found.counterexample.empty()) {
    result += ". Counterexample: " + cell_text(c.found.counterexample);
  }
  return result + ". " + cell_text(c.what.erratum);
}

std::string claims_table() {
  std::string result = "| claim | where | verdict |\n|---|---|---|\n";
  for (const claim& one : claims()) {
    if (one.erratum.empty()) continue;
    result += fmt::format("| {} | [{}] | {} |\n", cell_text(one.says), one.label,
                          verdict_text(examine(one, {})));
  }
  return result;
}

std::string commands_table() {
  std::string result = "| label | what it is | command |\n|---|---|---|\n";
  for (const explanation& one : all_explanations()) {
    const std::string command = one.command.empty() ? "" : "`" + one.command + "`";
    result += fmt::format("| {} | {} | {} |\n", one.label, cell_text(one.title), command);
  }
  return result;
}

/// The page with other text between the two lines.
std::string with_text(std::string_view page, std::string_view text) {
  constexpr std::string_view begin = "<!-- generated -->\n";
  constexpr std::string_view end = "<!-- end -->\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find(end);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) {
    throw std::invalid_argument("the page must have the lines " + std::string(begin) + "and " +
                                std::string(end));
  }
  return fmt::format("{}{}\n{}\n{}", page.substr(0, from), begin, text, page.substr(to));
}

}  // namespace

std::string with_errata(std::string_view page) {
  return with_text(page, fmt::format("## Errors and inconsistencies\n\n{}\n"
                                     "## Claims that do not simply hold\n\n{}",
                                     errors_table(), claims_table()));
}

std::string with_commands(std::string_view page) { return with_text(page, commands_table()); }

}  // namespace ktln2::paper
