#include "manual.hpp"

#include <algorithm>
#include <sstream>

#include "ask/command.hpp"
#include "core/named.hpp"
#include "core/nearest.hpp"
#include "help.hpp"
#include "ktln2/core/version.hpp"
#include "ktln2/distribution/catalogue.hpp"

namespace ktln2::cli {
namespace {

/// As man reads it: backslashes and dashes as they are, and no line that begins like a request.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '^') {
      result += "\\(ha";
    } else if (c == '~') {
      result += "\\(ti";
    } else if (c == '`') {
      result += "\\(ga";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }
std::string section(std::string_view title) { return ".SH " + escaped(title) + "\n"; }
/// A term and what it means.
std::string item(const std::string& term, std::string_view text) {
  return ".TP\n" + term + "\n" + escaped(text) + "\n";
}
/// Lines as they are.
std::string verbatim(std::string_view text) {
  std::string lines(text);
  if (!lines.ends_with('\n')) lines += '\n';
  return ".PP\n.nf\n" + escaped(lines) + ".fi\n";
}

/// A paragraph: lines that are indented stand as they are, others are filled.
std::string paragraph(const std::string& text) {
  std::string result = ".PP\n";
  bool is_table = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_row = line.starts_with("  ");
    if (is_row != is_table) result += is_row ? ".nf\n" : ".fi\n";
    is_table = is_row;
    result += escaped(line) + "\n";
  }
  return is_table ? result + ".fi\n" : result;
}

/// May be broken behind its commas.
std::string breakable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == ',') result += "\\:";
  }
  return result;
}

std::string term_of(const ask::option& one) {
  std::string term = bold("--" + one.name);
  if (!one.symbol.empty()) term += " " + italic(one.symbol);
  return one.is_list() ? term + "..." : term;
}

std::string usage_of(const ask::command& of, const ask::kind& kind) {
  std::string line = bold("ktln2 " + of.name + (kind.name.empty() ? "" : " " + kind.name));
  for (const ask::option& one : kind.arguments.empty() ? of.arguments : kind.arguments) {
    const std::string symbol = italic(one.symbol) + (one.is_list() ? "..." : "");
    line += one.otherwise.empty() ? " " + symbol : " [" + symbol + "]";
  }
  return line + (kind.options.empty() ? "" : " [" + italic("OPTIONS") + "]") + "\n";
}

/// The usage of a kind and what it does.
std::string kind_text(const ask::command& of, const ask::kind& kind) {
  std::string text = ".PP\n" + usage_of(of, kind) + ".br\n" +
                     escaped(kind.help.empty() ? of.help : kind.help) + ".\n";
  for (const ask::option& one : kind.arguments) text += item(italic(one.symbol), one.help);
  return text;
}

std::string option_text(const ask::command& of, const ask::option& one) {
  return item(term_of(one), describe(one, of));
}

std::string command_text(const ask::command& of) {
  std::string text = ".SS " + escaped(of.name) + "\n";
  if (of.has_kinds()) text += escaped(of.help) + ".\n";
  for (const ask::kind& kind : of.kinds) text += kind_text(of, kind);
  for (const ask::option& one : of.arguments) text += item(italic(one.symbol), one.help);
  for (const ask::option& one : of.all_options()) text += option_text(of, one);
  for (const ask::note& one : of.notes) text += paragraph(one.text);
  text += ".PP\nFor example:\n";
  std::string examples;
  for (const ask::kind& kind : of.kinds) {
    examples += "ktln2 " + (kind.example.empty() ? of.example : kind.example) + "\n";
  }
  return text + verbatim(examples);
}

std::string laws_section() {
  std::string text = section("DISTRIBUTIONS") + "With the values that missing keys take.\n";
  for (const law_entry& one : law_catalogue()) {
    text += ".TP\n" + breakable(bold(one.pattern())) + "\n" + escaped(describe(one)) + "\n";
  }
  return text;
}

}  // namespace

std::string manual() {
  std::string text = R"(.TH KTLN2 1 "" "ktln2 )" + escaped(version) +
                     "\" \"User Commands\"\n.ad l\n.nh\n" + section("NAME") +
                     "ktln2 \\- the least cost of computing on floating\\-point "
                     "registers, in bits and in joules\n" +
                     section("SYNOPSIS") + bold("ktln2") + " " + italic("COMMAND") + " ...\n.br\n" +
                     bold("ktln2 help") + " [" + italic("COMMAND") + " [" + italic("KIND") +
                     "]]\n" + section("DESCRIPTION") + escaped(about_the_program()) + "\n" +
                     section("COMMANDS");
  for (const ask::command& one : ask::commands()) text += command_text(one);
  text += section("OPTIONS OF ALL COMMANDS");
  for (const ask::option& one : common_options()) text += item(term_of(one), one.help);
  text += laws_section();
  text += section("EXIT STATUS") + item("0", "Done.") +
          item("2", "A mistake of the user's, told in one line.") +
          item("130", "Ended by Ctrl-C.") + item("1", "Anything else.");
  text += section("EXAMPLES") + verbatim(short_help());
  return text;
}

}  // namespace ktln2::cli
